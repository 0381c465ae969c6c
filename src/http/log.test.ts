import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';

const full = '/dev/full';
if (!existsSync(full)) console.log(`Skipped: a log on a full disk, because there is no ${full}.`);

it.skipIf(!existsSync(full)).each(['json', 'pretty'])('a log on a full disk ends nothing: %s', (format) => {
  const stdout = openSync(full, 'w');
  try {
    const module = new URL('../../dist/http/log.js', import.meta.url);
    const script = `
      import { createLog } from '${module}';
      const log = createLog({ level: 'info', format: '${format}' });
      for (let i = 0; i < 1000; i++) log.info('line '.repeat(1000));
      setImmediate(() => process.exit(7));
    `;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', stdout, 'pipe'],
    });
    expect(String(stderr)).toBe('');
    expect(status).toBe(7);
  } finally {
    closeSync(stdout);
  }
});
