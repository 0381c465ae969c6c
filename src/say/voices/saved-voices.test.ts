import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTensor } from '../../checkpoint/pytorch-buffer.ts';
import { writeTensor } from '../../checkpoint/pytorch-writer.ts';
import { SavedVoices } from './saved-voices.ts';

let directory: string;
let warnings: string[];
let voices: SavedVoices;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'saved-voices-')), 'voices');
  warnings = [];
  voices = new SavedVoices({ directory, warn: (message) => warnings.push(message) });
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }));

const pack = (rows = 3, value = 0.5) => ({ dims: [rows, 1, 256], data: new Float32Array(rows * 256).fill(value) });
function put(name: string, content: Uint8Array | string = writeTensor('voice', pack())): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), content);
}
const names = async () => (await voices.list()).map(({ id }) => id);

describe('SavedVoices', () => {
  it('is empty without a directory, and follows its files as they are created, changed and removed', async () => {
    expect(await voices.list()).toEqual([]);
    put('af_mine.pt');
    put('peter.pt');
    expect(await voices.list()).toEqual([
      { id: 'af_mine', name: 'Mine' },
      { id: 'peter', name: 'Peter' },
    ]);
    put('peter.pt', 'no voice');
    expect(await names()).toEqual(['af_mine']);
    put('peter.pt', writeTensor('voice', pack(510, 1)));
    expect(await names()).toEqual(['af_mine', 'peter']);
    expect((await voices.read('peter'))?.rows).toBe(510);
    rmSync(join(directory, 'peter.pt'));
    expect(await names()).toEqual(['af_mine']);
    expect(await voices.read('peter')).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });

  it('skips files that are no voice, and warns once about each', async () => {
    const executed = join(directory, 'executed');
    // torch.load without weights_only would run os.system('touch …').
    const command = Buffer.from(`cposix\nsystem\n(Vtouch ${executed}\ntR.`);
    put('hostile_bare.pt', command);
    put('hostile_zip.pt', zipped(command));
    put('empty.pt', '');
    put('cut.pt', writeTensor('voice', pack()).subarray(0, 1000));
    put('flat.pt', writeTensor('voice', { dims: [3, 256], data: new Float32Array(768) }));
    put('narrow.pt', writeTensor('voice', { dims: [3, 1, 128], data: new Float32Array(384) }));
    put('endless.pt', writeTensor('voice', pack(5000)));
    put('nan.pt', writeTensor('voice', pack(3, Number.NaN)));
    put('af_heart.pt');
    put('nova.pt');
    put('with-hyphen.pt');
    put('with space.pt');
    put('note.txt', 'not a voice');
    mkdirSync(join(directory, 'directory.pt'));
    symlinkSync('/dev/zero', join(directory, 'device.pt'));
    symlinkSync(join(directory, 'nowhere'), join(directory, 'dangling.pt'));
    execFileSync('mkfifo', [join(directory, 'pipe.pt')]);
    put('good.pt');
    for (let times = 0; times < 3; times++) expect(await names()).toEqual(['good']);
    expect(existsSync(executed)).toBe(false);
    const skipped = warnings.map((warning) => /voices\/([^"]+)\.pt"/.exec(warning)![1]).sort();
    const left = readdirSync(directory).filter((name) => name.endsWith('.pt') && !/^(?:good|dangling)/.test(name));
    expect(skipped).toEqual(left.map((name) => name.slice(0, -3)).sort());
    expect(warnings.find((warning) => warning.includes('af_heart'))).toContain('a voice of Kokoro');
  });

  it('saves a blend under a unique name, which is the same for the same blend', async () => {
    const weights = [
      { name: 'af_heart', weight: 0.5 },
      { name: 'af_bella', weight: 0.5 },
    ];
    const { name, file } = await voices.save(weights, pack());
    expect(name).toMatch(/^af_heart_af_bella_[0-9a-f]{8}$/);
    expect(readFileSync(join(directory, `${name}.pt`)).equals(file)).toBe(true);
    expect(readTensor(file)).toEqual(pack());
    expect((await voices.save(weights, pack())).name).toBe(name);
    expect((await voices.save(weights, pack(3, 0.6))).name).not.toBe(name);
    expect(await names()).toContain(name);
    expect(readdirSync(directory)).toHaveLength(2);
  });

  it('saves a blend under a given name, replacing the voice with that name', async () => {
    await voices.save([], pack(3, 0.1), 'my_voice');
    await voices.save([], pack(3, 0.2), 'my_voice');
    expect(await names()).toEqual(['my_voice']);
    expect((await voices.read('my_voice'))?.values[0]).toBeCloseTo(0.2);
  });

  it.each(['af_heart', 'nova', '../up', 'a-b', 'a b', '', 'ü', 'a'.repeat(81)])('rejects the name %j', async (name) => {
    await expect(voices.save([], pack(), name)).rejects.toMatchObject({ code: 'invalid_request', param: 'name' });
    expect(existsSync(directory)).toBe(false);
  });

  it('names DATA_DIR and the cause if a voice cannot be written', async () => {
    const file = `${directory}-file`;
    writeFileSync(file, '');
    const nowhere = new SavedVoices({ directory: join(file, 'voices'), warn: () => {} });
    await expect(nowhere.save([], pack(), 'my_voice')).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.stringMatching(/DATA_DIR \(ENOTDIR\)/),
    });
  });
});

/** The archive of torch.save, its pickle overwritten. */
function zipped(pickle: Buffer): Buffer {
  const file = Buffer.from(writeTensor('voice', pack()));
  const at = file.indexOf('ctorch._utils');
  pickle.copy(file, at);
  return file;
}
