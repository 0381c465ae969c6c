import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { contentTypes, OUTPUT_RATE, type SpeechFormat, speechFormats } from '../src/audio/formats.ts';
import { WAV_HEADER_BYTES, wavHeader } from '../src/audio/wav.ts';
import { readTensor } from '../src/checkpoint/pytorch-buffer.ts';
import type { CaptionWord } from '../src/contracts/synthesis.ts';
import { runBothServices } from './fixtures/both-services.ts';
import { isRunning } from './fixtures/service.ts';
import { readSpeech, spokenWords, wordErrorRate } from './fixtures/speech.ts';

const services = runBothServices({ ALLOW_LOCAL_VOICE_SAVING: 'true' });

/** A text that `hear` transcribes exactly when the built-in voice speaks it. */
const sentences = [
  'The kettle was still warm when we came back from the garden.',
  'The museum is closed on Mondays and on public holidays.',
  'The lecture was long, but the questions afterwards were excellent.',
  'The committee will publish its report at the end of the month.',
  'They planted apple trees along the road to the farm.',
  'Her first novel was rejected by every publisher in London.',
  'He was so tired that he fell asleep with his boots on.',
  'The engineers tested the bridge with heavy trucks.',
  'The captain said that the fog would lift before evening.',
  'Please keep the receipt in case you want to return the lamp.',
];
const five = sentences.slice(0, 5).join(' ');
const two = sentences.slice(0, 2).join(' ');

type Fields = Record<string, unknown>;

async function speak(input: string, fields: Fields = {}): Promise<{ response: Response; bytes: Buffer }> {
  const response = await services.say.post('/v1/audio/speech', {
    input,
    stream: false,
    response_format: 'wav',
    ...fields,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status, bytes.toString().slice(0, 300)).toBe(200);
  return { response, bytes };
}

/** The samples of our wav files, whole or streamed. */
function samplesOf(wav: Buffer): Int16Array {
  return Int16Array.from({ length: (wav.length - WAV_HEADER_BYTES) / 2 }, (_, index) =>
    wav.readInt16LE(WAV_HEADER_BYTES + 2 * index),
  );
}

const samples = async (input: string, fields: Fields = {}) => samplesOf((await speak(input, fields)).bytes);

/** Decodes with FFmpeg, at 24 kHz. */
async function decode(format: SpeechFormat, bytes: Buffer): Promise<Float32Array> {
  const path = join(services.folder, `decoded.${format}`);
  await writeFile(path, format === 'pcm' ? Buffer.concat([wavHeader(OUTPUT_RATE, bytes.length), bytes]) : bytes);
  return readSpeech(path, OUTPUT_RATE);
}

/** The JSON body of a response. */
async function json<Body>(response: Response | Promise<Response>): Promise<Body> {
  return (await (await response).json()) as Body;
}

async function transcribe(file: Buffer, fields: Record<string, string> = {}) {
  const response = await services.hear.post({ file: Uint8Array.from(file), fields });
  expect(response.status).toBe(200);
  return (await response.json()) as { text: string; words: { word: string; start: number; end: number }[] };
}

const loudest = (part: Int16Array) => part.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
const power = (part: Int16Array) => Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
const largestStep = (part: Int16Array) =>
  part.subarray(1).reduce((most, sample, index) => Math.max(most, Math.abs(sample - part[index]!)), 0);

describe('each format', () => {
  /** Maximum extra samples of decoded audio: the delay of the codec and the rest of its last frame. */
  const slack: Record<SpeechFormat, number> = { mp3: 529 + 670, opus: 0, flac: 0, wav: 0, pcm: 0, aac: 1024 + 1023 };
  let length: number;
  beforeAll(async () => {
    length = (await samples(two)).length;
    expect(length / OUTPUT_RATE).toBeGreaterThan(5);
  });

  it.each(speechFormats)('is complete as a whole and streamed: %s', async (response_format) => {
    const whole = await speak(two, { response_format });
    const streamed = await speak(two, { response_format, stream: true });
    for (const { response, bytes } of [whole, streamed]) {
      expect(response.headers.get('content-type')).toBe(contentTypes[response_format]);
      expect(response.headers.get('content-disposition')).toBe(`attachment; filename=speech.${response_format}`);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('x-download-path')).toBeNull();
      const excess = (await decode(response_format, bytes)).length - length;
      expect(excess).toBeGreaterThanOrEqual(0);
      expect(excess).toBeLessThanOrEqual(slack[response_format]);
    }
    expect(whole.response.headers.get('content-length')).toBe(String(whole.bytes.length));
    expect(whole.response.headers.get('transfer-encoding')).toBeNull();
    expect(streamed.response.headers.get('transfer-encoding')).toBe('chunked');
    expect(streamed.response.headers.get('content-length')).toBeNull();
    expect(streamed.response.headers.get('x-accel-buffering')).toBe('no');
  });

  it('has exact sizes in a whole wav and none in a streamed one', async () => {
    const { bytes } = await speak(two);
    expect(bytes.subarray(0, WAV_HEADER_BYTES)).toEqual(wavHeader(OUTPUT_RATE, bytes.length - WAV_HEADER_BYTES));
    const streamed = await speak(two, { stream: true });
    expect(streamed.bytes.subarray(0, WAV_HEADER_BYTES)).toEqual(wavHeader(OUTPUT_RATE));
  });

  it('is mp3, streamed, by default', async () => {
    const response = await services.say.post('/v1/audio/speech', { input: 'Hello.', voice: null, speed: null });
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(response.headers.get('transfer-encoding')).toBe('chunked');
    expect((await decode('mp3', Buffer.from(await response.arrayBuffer()))).length).toBeGreaterThan(10_000);
  });
});

describe('speed', () => {
  it.each([0.25, 0.5, 2, 4])('%d scales the length', async (speed) => {
    const usual = await samples(two);
    const ratio = (await samples(two, { speed })).length / usual.length;
    expect(ratio * speed).toBeCloseTo(1, 3);
  });

  it.each([0.75, 1, 1.25, 1.5])('%d is intelligible', async (speed) => {
    const { text } = await transcribe((await speak(five, { speed })).bytes);
    expect(wordErrorRate(text, five), text).toBeLessThanOrEqual(0.1);
  });
});

describe('volume_multiplier', () => {
  it('scales the volume and limits loud parts', async () => {
    const usual = await samples(two);
    for (const volume_multiplier of [0.25, 0.5, 1.25]) {
      const scaled = await samples(two, { volume_multiplier });
      expect(scaled.length).toBe(usual.length);
      expect(power(scaled) / power(usual)).toBeCloseTo(volume_multiplier, 1);
    }
    const loud = await samples(two, { volume_multiplier: 3 });
    expect(power(loud) / power(usual)).toBeCloseTo(3, 0);
    // Limited softly instead of clipped.
    expect(loudest(usual)).toBeGreaterThan(0.35 * 32_768);
    expect(loudest(loud)).toBeGreaterThan(0.9 * 32_768);
    expect(loud.filter((sample) => Math.abs(sample) >= 32_767).length).toBeLessThan(loud.length / 1000);
  });
});

describe('[pause:…s]', () => {
  const second = OUTPUT_RATE;
  const silent = (part: Int16Array) => part.length > 0 && loudest(part) <= 1;

  it('adds exactly its length', async () => {
    const [first, last] = ['Good morning.', 'Good evening.'];
    const together = await samples(`${first} ${last}`);
    const parted = await samples(`${first} [pause:2s] ${last}`);
    expect(parted.length - together.length).toBe(2 * second);
    const one = (await samples(first)).length;
    expect(silent(parted.subarray(one + 200, one + 2 * second - 200))).toBe(true);

    const before = await samples(`[PAUSE:0.5s]${first}`);
    expect(before.length - one).toBe(second / 2);
    expect(silent(before.subarray(0, second / 2 - 200))).toBe(true);

    const after = await samples(`${first}[pause:1.25S]`);
    expect(after.length - one).toBe(1.25 * second);
    expect(silent(after.subarray(-1.25 * second + 200))).toBe(true);
  });

  it('can be the whole input', async () => {
    const alone = await samples('[pause:2s]');
    expect(alone.length).toBe(2 * second);
    expect(silent(alone)).toBe(true);
    expect((await samples('[pause:1s] [pause:.5s]')).length).toBe(1.5 * second);
  });
});

describe('joints between segments', () => {
  it('are silent', async () => {
    const input = `${five} ${'We walked on, and talked, and thought of home, and of what the winter might bring. '.repeat(3)}`;
    const lines = await captionLines(input);
    const audio = samplesOf(Buffer.concat(lines.map(({ audio }) => audio)));
    const loud = largestStep(audio);
    expect(loud).toBeGreaterThan(2000);
    const spoken = lines.map(({ timestamps }) => timestamps).filter((words) => words.length > 0);
    expect(spoken.length).toBeGreaterThanOrEqual(8);
    for (const [index, words] of spoken.slice(1).entries()) {
      const end = spoken[index]!.at(-1)!.end_time;
      const start = words[0]!.start_time;
      expect(start - end).toBeGreaterThan(0.07);
      // A voice decays over some hundredths of a second.
      const joint = audio.subarray(Math.round((end + 0.05) * OUTPUT_RATE), Math.round(start * OUTPUT_RATE));
      expect(largestStep(joint), `at ${end} s`).toBeLessThan(loud / 50);
    }
  });

  it('drop no syllable, neither the first nor the last', async () => {
    const audio = await samples(two);
    const edge = OUTPUT_RATE / 100;
    expect(power(audio.subarray(0, edge))).toBeLessThan(power(audio) / 100);
    expect(power(audio.subarray(-edge))).toBeLessThan(power(audio) / 100);
  });
});

describe('a round trip', () => {
  it.each(['af_heart', 'am_adam', 'bm_george'])('loses few words: %s', async (voice) => {
    const { bytes } = await speak(five, { voice, response_format: 'mp3' });
    const { text } = await transcribe(bytes);
    expect(wordErrorRate(text, five), text).toBeLessThanOrEqual(0.1);
  });

  it('keeps a given pronunciation', async () => {
    const { bytes } = await speak('She went to the [lake](/mˈWntᵊn/) in the winter.');
    expect(spokenWords((await transcribe(bytes)).text)).toContain('mountain');
  });
});

interface CaptionLine {
  audio: Buffer;
  timestamps: CaptionWord[];
}

function parseLine(line: string, type = 'audio/wav'): CaptionLine {
  const { audio, audio_format, timestamps } = JSON.parse(line);
  expect(audio_format).toBe(type);
  return { audio: Buffer.from(audio, 'base64'), timestamps };
}

async function captionLines(input: string, fields: Fields = {}): Promise<CaptionLine[]> {
  const body = { input, response_format: 'wav', ...fields };
  const response = await services.say.post('/dev/captioned_speech', body);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
  const text = await response.text();
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => parseLine(line));
}

async function captioned(input: string, fields: Fields = {}): Promise<CaptionLine> {
  const body = { input, stream: false, response_format: 'wav', ...fields };
  const response = await services.say.post('/dev/captioned_speech', body);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return parseLine(await response.text());
}

/** Checks that times are ordered, within the audio and not empty. */
function expectPlausible(words: CaptionWord[], seconds: number): void {
  let end = 0;
  for (const { word, start_time, end_time } of words) {
    expect(start_time, word).toBeGreaterThanOrEqual(end);
    expect(end_time, word).toBeGreaterThan(start_time);
    expect(end_time - start_time, word).toBeLessThan(3);
    end = end_time;
  }
  expect(end).toBeLessThanOrEqual(seconds);
}

describe('captions', () => {
  const written = ['Dr.', 'Smith', 'paid', '$3.50', 'for', '12', 'eggs.', '“Really?”', 'she', 'said', 'at', '9:30.'];
  const input = `${written.slice(0, 7).join(' ')} [pause:1s] ${written.slice(7).join(' ')}`;

  it('keep the written words, in ascending times', async () => {
    const { audio, timestamps } = await captioned(input);
    expect(timestamps.map(({ word }) => word)).toEqual(written);
    const seconds = samplesOf(audio).length / OUTPUT_RATE;
    expectPlausible(timestamps, seconds);
    expect(timestamps[7]!.start_time - timestamps[6]!.end_time).toBeGreaterThan(1);
    expect(seconds - timestamps.at(-1)!.end_time).toBeLessThan(0.6);
  });

  it('are equal as a whole and in lines, each with its own words', async () => {
    const whole = await captioned(input);
    const lines = await captionLines(input);
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.flatMap(({ timestamps }) => timestamps)).toEqual(whole.timestamps);
    const audio = Buffer.concat(lines.map((line) => line.audio));
    expect(audio.length).toBe(whole.audio.length);
    let bytes = 0;
    for (const line of lines) {
      bytes += line.audio.length;
      // The audio so far contains the words so far, except for the delay of the resampler.
      const seconds = (bytes - WAV_HEADER_BYTES) / 2 / OUTPUT_RATE;
      for (const { end_time } of line.timestamps) expect(end_time).toBeLessThan(seconds + 0.05);
    }
  });

  it('can be parsed while streaming', async () => {
    const text = Array.from({ length: 3 }, () => sentences.join(' ')).join(' ');
    const response = await services.say.post('/dev/captioned_speech', { input: text, response_format: 'mp3' });
    const words: CaptionWord[] = [];
    let rest = '';
    let lines = 0;
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const whole = (rest + chunk).split('\n');
      rest = whole.pop()!;
      for (const line of whole) {
        words.push(...parseLine(line, 'audio/mpeg').timestamps);
        lines++;
        // The rest is still being synthesized.
        if (lines === 1) expect(await services.say.active()).toBe(1);
      }
    }
    expect(rest).toBe('');
    expect(lines).toBeGreaterThanOrEqual(30);
    expect(words.map(({ word }) => word)).toEqual(text.split(' '));
    expectPlausible(words, Number.POSITIVE_INFINITY);
  });

  it('match the times of the words in the audio', async () => {
    let near = 0;
    let compared = 0;
    for (const sentence of sentences) {
      const { audio, timestamps } = await captioned(sentence);
      const fields = { response_format: 'verbose_json', 'timestamp_granularities[]': 'word' };
      const { words: heard } = await transcribe(audio, fields);
      for (const [own, other] of commonWords(timestamps, heard)) {
        compared++;
        const middle = (own.start_time + own.end_time) / 2;
        if (middle > other.start - 0.12 && middle < other.end + 0.12) near++;
      }
    }
    expect(compared).toBeGreaterThan(0.9 * spokenWords(sentences.join(' ')).length);
    expect(near / compared).toBeGreaterThanOrEqual(0.9);
  });
});

/** Pairs of the longest common subsequence of both word lists. */
function commonWords<A extends { word: string }, B extends { word: string }>(ours: A[], theirs: B[]): [A, B][] {
  const same = (i: number, j: number) => spokenWords(ours[i]!.word).join() === spokenWords(theirs[j]!.word).join();
  const longest = Array.from({ length: ours.length + 1 }, () => new Array<number>(theirs.length + 1).fill(0));
  for (let i = ours.length - 1; i >= 0; i--) {
    for (let j = theirs.length - 1; j >= 0; j--) {
      const skip = Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!);
      longest[i]![j] = same(i, j) ? longest[i + 1]![j + 1]! + 1 : skip;
    }
  }
  const pairs: [A, B][] = [];
  for (let i = 0, j = 0; i < ours.length && j < theirs.length; ) {
    if (same(i, j)) pairs.push([ours[i++]!, theirs[j++]!]);
    else if (longest[i + 1]![j]! >= longest[i]![j + 1]!) i++;
    else j++;
  }
  return pairs;
}

describe('return_download_link', () => {
  const link = async (fields: Fields) => {
    const { response, bytes } = await speak(two, { return_download_link: true, ...fields });
    const path = response.headers.get('x-download-path')!;
    const download = await services.say.get(path);
    expect(download.status).toBe(200);
    const file = Buffer.from(await download.arrayBuffer());
    expect(download.headers.get('content-length')).toBe(String(file.length));
    return { path, bytes, file, type: download.headers.get('content-type') };
  };

  it.each([true, false])('links to the same speech (stream: %s)', async (stream) => {
    const { path, bytes, file, type } = await link({ stream });
    expect(path).toMatch(/^\/v1\/download\/[0-9a-f]{32}\.wav$/);
    expect(type).toBe('audio/wav');
    expect(file.subarray(0, WAV_HEADER_BYTES)).toEqual(wavHeader(OUTPUT_RATE, file.length - WAV_HEADER_BYTES));
    expect(file.subarray(WAV_HEADER_BYTES).equals(bytes.subarray(WAV_HEADER_BYTES))).toBe(true);
  });

  it('encodes a second time for another download_format', async () => {
    const { path, bytes, file, type } = await link({ stream: true, download_format: 'flac' });
    expect(path).toMatch(/\.flac$/);
    expect(type).toBe('audio/flac');
    expect(file.toString('latin1', 0, 4)).toBe('fLaC');
    const decoded = await decode('flac', file);
    const spoken = samplesOf(bytes);
    expect(decoded.length).toBe(spoken.length);
    expect(decoded.every((sample, index) => Math.round(sample * 32_768) === spoken[index])).toBe(true);
  });

  it('works for captioned speech too', async () => {
    const body = { input: 'Good morning.', response_format: 'mp3', return_download_link: true };
    const response = await services.say.post('/dev/captioned_speech', body);
    const lines = (await response.text()).trimEnd().split('\n');
    const audio = Buffer.concat(lines.map((line) => parseLine(line, 'audio/mpeg').audio));
    const file = Buffer.from(await (await services.say.get(response.headers.get('x-download-path')!)).arrayBuffer());
    // The file starts with a frame that has its length, which a stream cannot have.
    const infoFrame = file.subarray(0, file.length - audio.length);
    expect(infoFrame.includes('Info')).toBe(true);
    expect(infoFrame.readUInt32BE(25)).toBe(file.length);
    expect(file.subarray(infoFrame.length).equals(audio)).toBe(true);
  });

  it.each([
    '/v1/download/00000000000000000000000000000000.wav',
    '/v1/download/../../etc/passwd',
    '/v1/download/..%2f..%2f..%2fetc%2fpasswd',
    '/v1/download/%2e%2e/%2e%2e/etc/passwd',
    '/v1/download/..%5c..%5cetc%5cpasswd',
    '/v1/download/%2fetc%2fpasswd',
    '/v1/download/.',
    '/v1/download/%00',
    '/v1/download/',
  ])('answers 404 for another path: %s', async (path) => {
    const { status, body } = await getExactly(path);
    expect(status, body).toBe(404);
    expect(JSON.parse(body)).toMatchObject({ error: { code: 404, type: 'invalid_request_error' } });
  });
});

/** `fetch` resolves dots before it sends them. */
function getExactly(path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request(services.say.url, { path, agent: false }, async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode ?? 0, body });
    })
      .on('error', reject)
      .end();
  });
}

describe('phonemes', () => {
  it('of a text are speakable', async () => {
    const answer = await services.say.post('/dev/phonemize', { text: five });
    expect(answer.status).toBe(200);
    const { phonemes, tokens } = await json<{ phonemes: string; tokens: unknown[] }>(answer);
    expect(phonemes).toMatch(/^ðə kˈɛ/);
    expect(tokens).toEqual([]);

    const response = await services.say.post('/dev/generate_from_phonemes', { phonemes, voice: 'af_heart' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('audio/wav');
    const wav = Buffer.from(await response.arrayBuffer());
    expect(wav.subarray(0, WAV_HEADER_BYTES)).toEqual(wavHeader(OUTPUT_RATE, wav.length - WAV_HEADER_BYTES));
    const { text } = await transcribe(wav);
    expect(wordErrorRate(text, five), text).toBeLessThanOrEqual(0.15);
  });

  it('of a lexicon replace those of its words', async () => {
    const lexicon = { zorgle: 'wˈɔɹm', Qwxy: 'kˈɛtᵊl' };
    const input = 'The QWXY was still zorgle when we came back from the garden.';
    const { bytes } = await speak(input, { lexicon: { ...lexicon, qwxy: lexicon.Qwxy } });
    const { text } = await transcribe(bytes);
    expect(wordErrorRate(text, sentences[0]!), text).toBeLessThanOrEqual(0.1);
    expect(await samples(input)).not.toEqual(samplesOf(bytes));
  });

  it('that are unknown are rejected', async () => {
    const body = { phonemes: 'hˈ3llo 漢', voice: 'af_heart' };
    const response = await services.say.post('/dev/generate_from_phonemes', body);
    expect(response.status).toBe(400);
    const error = { param: 'phonemes', message: expect.stringContaining('漢') };
    expect(await response.json()).toMatchObject({ error });
  });
});

describe('voices', () => {
  it('are listed and all speak', async () => {
    const { voices } = await json<{ voices: { id: string; name: string }[] }>(services.say.get('/v1/audio/voices'));
    const ids = await json<string[]>(services.say.get('/v1/audio/voices?legacy=true'));
    expect(voices.map(({ id }) => id)).toEqual(ids);
    expect(ids).toHaveLength(28);
    expect(voices).toContainEqual({ id: 'af_heart', name: 'Heart' });
    const lengths = await Promise.all(ids.map(async (voice) => (await samples('Yes.', { voice })).length));
    expect(Math.min(...lengths)).toBeGreaterThan(5000);
    const blend = await samples('Yes.', { voice: 'am_adam(2) + af_heart(1) - bf_emma(0.5)' });
    expect(blend.length).toBe((await samples('Yes.', { voice: 'am_adam' })).length);
  });

  it('combine into a pack', async () => {
    const combine = (blend: string) => services.say.post('/v1/audio/voices/combine', blend);
    const response = await combine('af_heart(3)+af_bella(1)');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toMatch(/filename="af_heart_af_bella_[0-9a-f]{8}\.pt"/);
    const pack = async (blend: string) => readTensor(Buffer.from(await (await combine(blend)).arrayBuffer()));
    const blended = readTensor(Buffer.from(await response.arrayBuffer()));
    expect(blended.dims).toEqual([510, 1, 256]);
    const [heart, bella] = [await pack('af_heart'), await pack('af_bella')];
    for (const index of [0, 1000, 130_559]) {
      expect(blended.data[index]).toBeCloseTo(0.75 * heart.data[index]! + 0.25 * bella.data[index]!, 6);
    }
    expect((await combine('nobody')).status).toBe(400);
  });
});

describe('POST /dev/unload', () => {
  it('ends the engine; the next request starts another', async () => {
    const [engine] = services.say.engines();
    // Requests in flight finish first.
    const spoken = await services.say.post('/v1/audio/speech', { input: sentences.join(' '), response_format: 'pcm' });
    const response = await fetch(`${services.say.url}/dev/unload`, { method: 'POST' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'unloaded' });
    expect(isRunning(engine!)).toBe(false);
    expect(services.say.engines()).toEqual([]);
    expect((await spoken.arrayBuffer()).byteLength / 2).toBe((await samples(sentences.join(' '))).length);

    const another = services.say.engines();
    expect(another).toHaveLength(1);
    expect((await services.say.post('/dev/unload', undefined)).status).toBe(200);
    expect(services.say.engines()).toEqual([]);
    expect(await (await services.say.get('/health')).json()).toMatchObject({ status: 'healthy', model_loaded: true });
    expect((await services.say.get('/ready')).status).toBe(200);
    expect(await (await services.say.get('/system')).json()).toMatchObject({
      status: 'ready',
      model: { backend: 'flite_wasm' },
    });
    expect((await samples('Good morning.')).length).toBeGreaterThan(10_000);
    expect(services.say.engines()).toHaveLength(1);
  });
});

describe('inspection', () => {
  it('GET /system reports the model', async () => {
    // Includes blends saved by other tests.
    const voices = await json<string[]>(services.say.get('/v1/audio/voices?legacy=true'));
    expect(voices.length).toBeGreaterThanOrEqual(28);
    expect(await (await services.say.get('/system')).json()).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      status: 'ready',
      gpu: null,
      activity: { active: 0, waiting: 0 },
      model: { device: 'cpu', backend: 'flite_wasm', voicepack_count: voices.length, resident: true },
    });
  });

  it('GET /debug/* reports threads, disks and the machine', async () => {
    type Threads = { total_threads: number; thread_details: unknown[]; memory_mb: number };
    const threads = await json<Threads>(services.say.get('/debug/threads'));
    expect(threads.total_threads).toBe(threads.thread_details.length);
    expect(threads.memory_mb).toBeGreaterThan(20);
    const { temp } = await json<{ temp: { files: number } }>(services.say.get('/debug/storage'));
    expect(temp).toMatchObject({ folder: expect.stringContaining(services.say.tempDir), total_gb: expect.any(Number) });
    expect(temp.files).toBe((await services.say.tempFiles()).length);
    const system = { process: { pid: services.say.pid, node: process.version }, gpu: null };
    expect(await json(services.say.get('/debug/system'))).toMatchObject(system);
  });

  it('GET /web and GET /docs are pages', async () => {
    for (const path of ['/web', '/docs']) {
      const response = await services.say.get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(await response.text()).toMatch(/<html/i);
    }
    const { paths } = await json<{ paths: object }>(services.say.get('/docs/json'));
    for (const path of ['/v1/audio/speech', '/dev/captioned_speech', '/debug/system', '/system', '/ready']) {
      expect(Object.keys(paths)).toContain(path);
    }
  });
});
