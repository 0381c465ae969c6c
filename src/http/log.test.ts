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

it('an error of the system, or one that clients may see, is a line without a stack; others keep theirs', () => {
  const url = (path: string) => new URL(`../../dist/${path}`, import.meta.url);
  const script = `
    import { readFile } from 'node:fs/promises';
    import { createLog } from '${url('http/log.js')}';
    import { HearsayError } from '${url('errors.js')}';
    const cause = await readFile('/nowhere').catch((error) => error);
    for (const format of ['pretty', 'json']) {
      const log = createLog({ level: 'info', format }).child({ reqId: 'id' });
      log.warn({ err: cause }, 'No file');
      log.error({ err: new HearsayError('internal_error', 'Not written.', { cause }), code: 'x' }, 'Failed');
      const twice = new HearsayError('invalid_request', 'Bad weights.');
      const failed = new HearsayError('model_failed', twice.message, { cause: twice });
      log.error({ err: failed }, 'The model could not be loaded.');
      log.error({ err: new HearsayError('internal_error', 'Odd.', { cause: new Error('a bug') }) }, 'Failed');
    }
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const lines = stdout.split('\n');
  const reason = "ENOENT: no such file or directory, open '/nowhere'";
  expect(lines[0]).toMatch(new RegExp(`WARN: No file: ${reason} {"reqId":"id"}$`));
  expect(lines[1]).toMatch(/ERROR: Failed: Not written. \(ENOENT: .*\) {"reqId":"id","code":"x"}$/);
  expect(lines[2]).toMatch(/ERROR: The model could not be loaded: Bad weights\. {"reqId":"id"}$/);
  const [file, failed, , odd] = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  expect(file).toMatchObject({ msg: 'No file', reason, reqId: 'id' });
  expect(failed).toMatchObject({ msg: 'Failed', reason: `Not written. (${reason})`, code: 'x' });
  expect(odd.err.stack).toContain('a bug');
  expect([file.err, failed.err]).toEqual([undefined, undefined]);
});
