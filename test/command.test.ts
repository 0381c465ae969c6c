import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../src/config/version.ts';
import { inspectM4b } from './fixtures/m4b.ts';
import { until } from './fixtures/service.ts';
import { microCheckpoint } from './fixtures/whisper-micro.ts';

const entry = fileURLToPath(new URL('../dist/bin/hearsay.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'hearsay-command-'));
const temp = join(folder, 'temp');
const at = (name: string) => join(folder, name);
const SENTENCE = 'My voice stays at home, and so do your recordings.';

interface Call {
  input?: string | Uint8Array;
  env?: NodeJS.ProcessEnv;
}

function start(args: string[], { input, env = {} }: Call = {}) {
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TEMP_DIR: temp, HF_HUB_OFFLINE: '1', ...env },
  });
  const chunks: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (text) => (stderr += text));
  child.stdin.end(input ?? '');
  const ended = new Promise<{ code: number | null; bytes: Buffer; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => {
      const bytes = Buffer.concat(chunks);
      resolve({ code, bytes, stdout: bytes.toString(), stderr });
    }),
  );
  return { child, ended };
}
const run = (...call: Parameters<typeof start>) => start(...call).ended;
/** Files of all runs; a run leaves its directory only if it is killed. */
const temporaryFiles = () => (existsSync(temp) ? readdirSync(temp) : []);

beforeAll(async () => {
  const spoken = await run(['speak', SENTENCE, '-o', 'home.mp3']);
  expect(spoken).toMatchObject({ code: 0, stdout: '', stderr: '' });
  mkdirSync(at('inner'));
  copyFileSync(at('home.mp3'), at('inner/home.mp3'));
  writeFileSync(at('note.txt'), 'A note.');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('hearsay', () => {
  it('has help and a version for every command', async () => {
    for (const command of [[], ['hear'], ['say'], ['fetch'], ['transcribe'], ['speak']]) {
      const [help, number] = await Promise.all([run([...command, '--help']), run([...command, '--version'])]);
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toMatch(new RegExp(`^Usage: ${['hearsay', ...command].join(' ')}\\b`));
      expect(number).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
    }
  });

  it('names DATA_DIR to a user without a home directory', async () => {
    const { code, stderr } = await run(['transcribe', 'home.mp3'], { env: { HOME: '' } });
    expect(code).toBe(2);
    expect(stderr).toBe('This user has no home directory: set DATA_DIR. See hearsay transcribe --help\n');
  });

  it.each([
    [['sing'], 'Unknown command "sing"'],
    [['--loud'], "Unknown option '--loud'"],
    [['hear', 'file.mp3'], 'Unknown argument "file.mp3"'],
    [['fetch'], 'Name the models: tiny'],
    [['transcribe'], 'Name a recording'],
    [['transcribe', 'home.mp3', '--format', 'doc'], '--format must be one of text, json'],
    [['transcribe', 'home.mp3', '--format', 'json', '--speakers'], '--speakers needs another format than json'],
    [['transcribe', 'home.mp3', '--language', 'klingon'], '--language must be'],
    [['transcribe', 'home.mp3', '-'], '--output'],
    [['transcribe', 'home.mp3', 'inner/home.mp3', '-o', 'out.srt'], 'out.srt would be one file'],
    [['speak'], 'Name a text'],
    [['speak', 'Hi', '-o', 'hi.zip'], 'must end in one of mp3'],
    [['speak', 'Hi', '-o', 'hi.mp3', '--speed', '9'], '--speed must be'],
    [['speak', 'Hi', '-o', 'hi.mp3', '--voice', 'nobody'], 'The voice "nobody" is unknown'],
    [['speak', 'Hi', '-o', 'hi.mp3', '--author', 'me'], '--title, --author and --cover are for a book'],
    [['speak', 'Hi', '-o', 'hi.m4b', '--cover', 'no.png'], 'There is no file no.png'],
    [['speak', 'Hi', '-o', 'hi.m4b', '--cover', 'home.mp3'], '--cover must be a JPEG or a PNG'],
    [['speak', 'letter.txt', '-o', 'hi.mp3'], 'There is no file letter.txt'],
    [['speak', 'home.mp3', '-o', 'hi.mp3'], 'home.mp3 is not a text file'],
    [['speak', 'note.txt', 'letter.txt', '-o', 'out/'], 'There is no file letter.txt'],
    [['speak', 'note.txt', './note.txt', '-o', 'all.wav'], 'all.wav would be one file'],
    [['speak', 'note.txt', '-f', 'mp3', '-o', './note.txt'], 'note.txt is a source of the speech'],
  ])('exits with 2 and one line for %j', async (args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 2, stdout: '', lines: 2 });
    expect(stderr).toContain(message);
  });

  it('exits with 1 for an invalid setting', async () => {
    const { code, stderr } = await run(['transcribe', 'home.mp3'], { env: { THREADS: 'many' } });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^THREADS must be .*\n$/);
  });

  it.each([
    ['transcribe', ['home.mp3']],
    ['speak', [SENTENCE]],
  ])('ignores invalid settings of the server in %s', async (command, args) => {
    const env = { PORT: 'tcp://10.0.0.1:8000', MAX_CONNECTIONS: 'many', UPLOAD_DISK_BYTES: '1' };
    expect(await run([command, ...args], { env })).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['transcribe', { TEMP_DIR: at('note.txt') }, /^TEMP_DIR must be a writable directory.*\n$/],
    ['speak', { TEMP_DIR: at('note.txt') }, /^TEMP_DIR must be a writable directory.*\n$/],
    ['speak', { DEFAULT_VOICE: 'nobody' }, /^DEFAULT_VOICE: The voice "nobody" is unknown\n$/],
  ])('exits with 1 for a setting that %s cannot use: %j', async (command, env, message) => {
    const args = command === 'speak' ? ['Hi', '-o', 'hi.mp3'] : ['home.mp3'];
    const { code, stderr } = await run([command, ...args], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });
});

describe('hearsay transcribe', () => {
  it('prints the transcript of one recording', async () => {
    expect(await run(['transcribe', 'home.mp3'])).toMatchObject({ code: 0, stdout: `${SENTENCE}\n`, stderr: '' });
    // The compiled model is in the user's home, and nothing in the working directory.
    expect(existsSync(at('.local/share/hearsay/models/compiled'))).toBe(true);
    expect(existsSync(at('data'))).toBe(false);
  });

  it('reads standard input, in a pipe with speak', async () => {
    const { bytes } = await run(['speak', '-', '--format', 'flac'], { input: SENTENCE });
    const heard = await run(['transcribe', '-', '--format', 'json'], { input: bytes });
    expect(heard).toMatchObject({ code: 0, stdout: `${JSON.stringify({ text: SENTENCE })}\n` });
  });

  it('reads named pipes', async () => {
    execFileSync('mkfifo', [at('pipe.mp3')]);
    const { ended } = start(['transcribe', 'pipe.mp3']);
    await writeFile(at('pipe.mp3'), readFileSync(at('home.mp3')));
    expect(await ended).toMatchObject({ code: 0, stdout: `${SENTENCE}\n`, stderr: '' });
  });

  it('writes one file for each recording of a folder, and exits with 1 if some failed', async () => {
    mkdirSync(at('recordings/inner'), { recursive: true });
    for (const name of ['talk.mp3', 'talk.mka', 'inner/talk.mp3'])
      copyFileSync(at('home.mp3'), at(`recordings/${name}`));
    writeFileSync(at('recordings/broken.wav'), 'This is no recording.');
    writeFileSync(at('recordings/notes.txt'), 'Notes.');
    const { code, stdout, stderr } = await run(['transcribe', 'recordings', 'gone.mp3', '-f', 'srt', '-o', 'texts']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([
      'gone.mp3: there is no such file',
      expect.stringMatching(/^recordings\/broken\.wav: The file/),
    ]);
    const written = readdirSync(at('texts'), { recursive: true, encoding: 'utf8' }).sort();
    expect(written).toEqual(['inner', 'inner/talk.srt', 'talk.mka.srt', 'talk.mp3.srt']);
    const transcript = readFileSync(at('texts/inner/talk.srt'), 'utf8');
    expect(transcript).toMatch(/^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\nMy voice stays/);
  });

  it('writes a file whose name tells the format, and into a folder of any name', async () => {
    expect(await run(['transcribe', 'home.mp3', '-o', 'new/talk.srt'])).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(at('new/talk.srt'), 'utf8')).toMatch(/^1\n00:00:00,\d{3} --> /);
    await run(['transcribe', 'home.mp3', '-f', 'verbose_json', '-o', 'new/talk.json']);
    expect(JSON.parse(readFileSync(at('new/talk.json'), 'utf8'))).toHaveProperty('segments');
    mkdirSync(at('folder.srt'));
    await run(['transcribe', 'home.mp3', '-o', 'folder.srt']);
    expect(readFileSync(at('folder.srt/home.txt'), 'utf8')).toBe(`${SENTENCE}\n`);
  });

  it('says what the model cannot do', async () => {
    const foreign = await run(['transcribe', 'home.mp3', '--language', 'de']);
    expect(foreign).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/does not know German/) });
    const unknown = await run(['transcribe', 'home.mp3', '--model', 'nonsense']);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringMatching(/^home\.mp3: .*nonsense.*\n$/) });
  });

  it('says how to get a speaker model', async () => {
    const { code, stderr } = await run(['transcribe', 'home.mp3', '--speakers']);
    expect(code).toBe(1);
    expect(stderr).toBe(
      'home.mp3: There is no speaker model: run hearsay fetch campplus (npm run fetch -- campplus), or set SPEAKER_MODEL.\n',
    );
  });

  it('does not start if it cannot write', async () => {
    const { code, stderr } = await run(['transcribe', 'home.mp3', '-o', 'home.mp3/texts']);
    expect(code).toBe(1);
    expect(stderr).toBe('home.mp3/texts: files cannot be written there (ENOTDIR)\n');
  });
});

describe('hearsay transcribe with a damaged checkpoint', () => {
  const checkpoint = at('checkpoint');
  const weights = join(checkpoint, 'model.safetensors');
  beforeAll(() => {
    mkdirSync(checkpoint);
    for (const name of ['config.json', 'tokenizer.json']) copyFileSync(microCheckpoint + name, join(checkpoint, name));
  });

  it('printed the stack of the engine above its line', async () => {
    writeFileSync(weights, 'short');
    const { code, stderr } = await run(['transcribe', 'home.mp3', '-m', 'checkpoint']);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^home\.mp3: The checkpoint's model\.safetensors cannot be used: .*\n$/),
    });
  });

  it('did not say that weights are missing behind a link', async () => {
    rmSync(weights);
    symlinkSync('/nowhere', weights);
    const { code, stderr } = await run(['transcribe', 'home.mp3', '-m', 'checkpoint']);
    expect(code).toBe(1);
    expect(stderr).toContain("home.mp3: The checkpoint's model.safetensors cannot be used: it is missing.\n");
  });
});

describe('hearsay speak', () => {
  it('writes several texts into a folder', async () => {
    writeFileSync(at('one.txt'), '\uFEFFOne.');
    writeFileSync(at('two.md'), '# Two');
    expect(await run(['speak', 'one.txt', 'two.md', '-f', 'wav', '-o', 'speech'])).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(readdirSync(at('speech')).sort()).toEqual(['one.wav', 'two.wav']);
    const wav = readFileSync(at('speech/one.wav'));
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
  });

  it('makes a book of files, with a chapter for each heading, a title and a cover', async () => {
    writeFileSync(at('preface.txt'), 'Before all.');
    writeFileSync(at('walk.md'), '# A Walk\n\n## The *gate*\n\nIt was open.\n\n## The hill\n\nIt was steep.\n');
    writeFileSync(at('cover.png'), Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1'));
    const args = ['speak', 'preface.txt', 'walk.md', '-o', 'walk.m4b', '--title', 'A Walk', '--cover', 'cover.png'];
    expect(await run(args)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const { chapters, tags } = await inspectM4b(at('walk.m4b'));
    expect(chapters.map(({ title }) => title)).toEqual(['preface', 'The gate', 'The hill']);
    expect(tags).toMatchObject({ title: 'A Walk', genre: 'Audiobook' });
    expect(await run(['speak', 'walk.md', '-f', 'm4b', '-o', 'books/'])).toMatchObject({ code: 0, stderr: '' });
    expect((await inspectM4b(at('books/walk.m4b'))).tags).toMatchObject({ title: 'walk' });
    const { bytes } = await run(['speak', '-', '-f', 'm4b'], { input: '# One\nA.' });
    expect(bytes.subarray(4, 12).toString()).toBe('ftypM4B ');
  });

  it('makes no book that lacks a text', async () => {
    writeFileSync(at('empty.txt'), '\n');
    writeFileSync(at('latin.txt'), Buffer.from('café', 'latin1'));
    const { code, stderr } = await run(['speak', 'note.txt', 'empty.txt', 'latin.txt', '-o', 'lacking.m4b']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'latin.txt: the text is not UTF-8\nempty.txt: The text is empty.\n',
    });
    expect(existsSync(at('lacking.m4b'))).toBe(false);
  });

  it('exits with 1 for a text that cannot be spoken, and writes nothing', async () => {
    const { code, stderr } = await run(['speak', '…', '-o', 'nothing.mp3']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^nothing\.mp3: The text has nothing to speak.*\n$/);
    expect(existsSync(at('nothing.mp3'))).toBe(false);
  });

  it.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('leaves no half file on %s, and exits with %i', async (signal, expected) => {
    writeFileSync(at('book.txt'), 'A long sentence that says nothing in particular. '.repeat(20_000));
    const { child, ended } = start(['speak', 'book.txt', '-o', 'book.wav']);
    await until(() => isWriting(child), 'speech is written');
    child.kill(signal);
    expect(await ended).toMatchObject({ code: expected, stdout: '', stderr: '' });
    expect(readdirSync(folder).filter((name) => name.includes('book.'))).toEqual(['book.txt']);
    expect(temporaryFiles()).toEqual([]);
  });

  it('ends quietly when the reader of its output leaves', async () => {
    const text = 'A long sentence that says nothing in particular. '.repeat(20_000);
    const { child, ended } = start(['speak', '-'], { input: text });
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await ended).toMatchObject({ code: 141, stderr: '' });
    expect(temporaryFiles()).toEqual([]);
    const { child: second, ended: heard } = start(['transcribe', 'home.mp3']);
    second.stdout.destroy();
    expect(await heard).toMatchObject({ code: 141, stderr: '' });
  });

  function isWriting({ pid }: ChildProcess): boolean {
    const own = temporaryFiles().find((name) => name.includes(`-${pid}-`));
    return own !== undefined && readdirSync(join(temp, own)).some((name) => statSync(join(temp, own, name)).size > 0);
  }
});
