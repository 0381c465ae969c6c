import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endAll, startHear } from './fixtures/service.ts';
import { hasSpeech, speechFile, speechText, spokenWords } from './fixtures/speech.ts';

let modelsDir: string;
beforeAll(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'damaged-model-'));
});
afterEach(endAll);
afterAll(() => rm(modelsDir, { recursive: true, force: true }));

describe.skipIf(!hasSpeech)('the compiled model that is built in', () => {
  it('is compiled again if its files are damaged', { timeout: 180_000 }, async () => {
    const words = async () => {
      const hear = await startHear({ MODELS_DIR: modelsDir, THREADS: '2' });
      await hear.ready();
      const answer = await hear.post({ file: speechFile('jfk.flac') });
      const { text } = (await answer.json()) as { text: string };
      await hear.stop();
      return spokenWords(text);
    };
    const expected = spokenWords(speechText('jfk.txt'));
    expect(await words()).toEqual(expected);
    const [name] = await readdir(join(modelsDir, 'compiled'));
    const folder = join(modelsDir, 'compiled', name!);
    for (const file of ['decoder.onnx', 'embedding.bin']) {
      const { size } = await stat(join(folder, file));
      await truncate(join(folder, file), size >> 1);
      expect(await words()).toEqual(expected);
      expect((await stat(join(folder, file))).size).toBe(size);
    }
  });
});
