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
import { readTensor } from '../../checkpoint/pytorch.ts';
import { writeTensor } from '../../checkpoint/pytorch-writer.ts';
import { SavedVoices } from './saved-voices.ts';

let folder: string;
let warnings: string[];
let voices: SavedVoices;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'saved-voices-')), 'voices');
  warnings = [];
  voices = new SavedVoices({ folder, warn: (message) => warnings.push(message) });
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const pack = (rows = 3, value = 0.5) => ({ dims: [rows, 1, 256], data: new Float32Array(rows * 256).fill(value) });
function put(name: string, content: Uint8Array | string = writeTensor('voice', pack())): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
}
const names = async () => (await voices.list()).map(({ id }) => id);

describe('SavedVoices', () => {
  it('is empty without a folder, and follows its files as they come, change and go', async () => {
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
    rmSync(join(folder, 'peter.pt'));
    expect(await names()).toEqual(['af_mine']);
    expect(await voices.read('peter')).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });

  it('leaves out what is no voice, and says so once', async () => {
    const executed = join(folder, 'executed');
    // What torch.load without weights_only would run: os.system('touch …').
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
    put('with blank.pt');
    put('note.txt', 'not a voice, and nobody says it is');
    mkdirSync(join(folder, 'folder.pt'));
    symlinkSync('/dev/zero', join(folder, 'device.pt'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling.pt'));
    execFileSync('mkfifo', [join(folder, 'pipe.pt')]);
    put('good.pt');
    for (let times = 0; times < 3; times++) expect(await names()).toEqual(['good']);
    expect(existsSync(executed)).toBe(false);
    const told = warnings.map((warning) => /voices\/([^"]+)\.pt"/.exec(warning)![1]).sort();
    const left = readdirSync(folder).filter((name) => name.endsWith('.pt') && !/^(?:good|dangling)/.test(name));
    expect(told).toEqual(left.map((name) => name.slice(0, -3)).sort());
    expect(warnings.find((warning) => warning.includes('af_heart'))).toContain('the voices of Kokoro');
  });

  it('keeps a blend under a name of its own, the same for the same blend', async () => {
    const weights = [
      { name: 'af_heart', weight: 0.5 },
      { name: 'af_bella', weight: 0.5 },
    ];
    const { name, file } = await voices.save(weights, pack());
    expect(name).toMatch(/^af_heart_af_bella_[0-9a-f]{8}$/);
    expect(readFileSync(join(folder, `${name}.pt`)).equals(file)).toBe(true);
    expect(readTensor(file)).toEqual(pack());
    expect((await voices.save(weights, pack())).name).toBe(name);
    expect((await voices.save(weights, pack(3, 0.6))).name).not.toBe(name);
    expect(await names()).toContain(name);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('keeps it under a given name, in the place of another one', async () => {
    await voices.save([], pack(3, 0.1), 'my_voice');
    await voices.save([], pack(3, 0.2), 'my_voice');
    expect(await names()).toEqual(['my_voice']);
    expect((await voices.read('my_voice'))?.values[0]).toBeCloseTo(0.2);
  });

  it.each(['af_heart', 'nova', '../up', 'a-b', 'a b', '', 'ü', 'a'.repeat(81)])(
    'gives nobody the name %j',
    async (name) => {
      await expect(voices.save([], pack(), name)).rejects.toMatchObject({ code: 'invalid_request', param: 'name' });
      expect(existsSync(folder)).toBe(false);
    },
  );

  it('says where it cannot keep a voice, and why', async () => {
    const file = `${folder}-file`;
    writeFileSync(file, '');
    const nowhere = new SavedVoices({ folder: join(file, 'voices'), warn: () => {} });
    await expect(nowhere.save([], pack(), 'my_voice')).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.stringMatching(/DATA_DIR \(ENOTDIR\)/),
    });
  });
});

/** The archive of torch.save with another pickle in it, of the same length. */
function zipped(pickle: Buffer): Buffer {
  const file = Buffer.from(writeTensor('voice', pack()));
  const at = file.indexOf('ctorch._utils');
  pickle.copy(file, at);
  return file;
}
