import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavHeader } from '../src/audio/wav.ts';
import { smallCampplusFile } from './fixtures/campplus.ts';
import { endAll, type Hear, startHear, startSay, until } from './fixtures/service.ts';

interface Diarized {
  duration: number;
  text: string;
  segments: { id: string; start: number; end: number; speaker: string; text: string }[];
}

let directory: string;
let checkpoint: string;
let hear: Hear;
/** Two voices in turns. */
let talk: Buffer<ArrayBuffer>;
let voices: Buffer[];

const RATE = 24_000;
const inWav = (pcm: Buffer) => Buffer.concat([wavHeader(RATE, pcm.length), pcm]);
const dataUrl = (wav: Uint8Array) => `data:audio/wav;base64,${Buffer.from(wav).toString('base64')}`;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hearsay-speakers-'));
  checkpoint = join(directory, 'small.pt');
  await writeFile(checkpoint, smallCampplusFile());
  const say = await startSay();
  await say.ready();
  const speak = async (input: string, voice: string) => {
    const answer = await say.post('/v1/audio/speech', { input, voice, response_format: 'pcm' });
    return Buffer.from(await answer.arrayBuffer());
  };
  const pause = Buffer.alloc(RATE);
  const [she, he] = ['af_heart', 'am_adam'];
  const turns = await Promise.all([
    speak('Good morning. I would like to ask about the old house by the river.', she!),
    speak('The house has been empty for many years. Nobody wants to live there.', he!),
    speak('Then I should like to see it today, if you have the time.', she!),
  ]);
  voices = [inWav(turns[0]!), inWav(turns[1]!)];
  talk = Buffer.from(inWav(Buffer.concat(turns.flatMap((turn) => [turn, pause]))));
  hear = await startHear({ SPEAKER_MODEL: checkpoint, API_LOG_LEVEL: 'debug' });
  await hear.ready();
});
afterAll(async () => {
  await endAll();
  await rm(directory, { recursive: true, force: true });
});

const post = (fields: Record<string, string>, signal?: AbortSignal) =>
  hear.post({ file: talk, fields, ...(signal && { signal }) });
const diarize = async (fields: Record<string, string> = {}) =>
  (await (await post({ response_format: 'diarized_json', ...fields })).json()) as Diarized;

// The weights are random: voices are told apart, and not by whom they are.
describe('speakers', () => {
  it('are in segments that hold the whole text', async () => {
    const { text } = (await (await post({})).json()) as { text: string };
    const diarized = await diarize();
    expect(diarized.text).toBe(text);
    expect(
      diarized.segments
        .map((each) => each.text)
        .join('')
        .trim(),
    ).toBe(text);
    expect(diarized.segments[0]!.speaker).toBe('A');
    for (const [index, { start, end }] of diarized.segments.entries()) {
      expect(end).toBeGreaterThan(start);
      expect(start).toBeGreaterThanOrEqual(diarized.segments[index - 1]?.start ?? 0);
      expect(end).toBeLessThanOrEqual(diarized.duration + 0.1);
    }
  });

  it('are as many as the request says', async () => {
    for (const count of [1, 2]) {
      const { segments } = await diarize({ speaker_count: String(count) });
      expect(new Set(segments.map(({ speaker }) => speaker)).size).toBeLessThanOrEqual(count);
    }
    expect(new Set((await diarize({ speaker_count: '1' })).segments.map(({ speaker }) => speaker))).toEqual(
      new Set('A'),
    );
  });

  it('have the name of a voice that is known', async () => {
    const { segments } = await diarize({
      speaker_count: '1',
      'known_speaker_names[]': 'Ann',
      'known_speaker_references[]': dataUrl(voices[0]!),
    });
    // One speaker sounds like all who speak.
    expect(new Set(segments.map(({ speaker }) => speaker))).toEqual(new Set(['Ann']));
    expect(await hear.tempFiles()).toEqual([]);
  });

  it.each([
    ['a second of speech', () => inWav(voices[0]!.subarray(44, 44 + 2 * RATE)), /must have 2 to 10 s/],
    ['twenty seconds', () => inWav(Buffer.alloc(40 * RATE)), /must have 2 to 10 s/],
    ['silence', () => inWav(Buffer.alloc(6 * RATE)), /no speech/],
    ['no audio', () => Buffer.alloc(50_000, 'text '), /not audio/],
    ['a playlist', () => Buffer.from('#EXTM3U\nfile:///etc/passwd\n'), /not audio/],
    ['a file with nothing in it', () => inWav(Buffer.alloc(0)), /known_speaker_references\[0\]/],
  ])('are not found by a reference of %s', async (_, reference, message) => {
    const answer = await post({
      response_format: 'diarized_json',
      'known_speaker_names[]': 'Ann',
      'known_speaker_references[]': dataUrl(reference()),
    });
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: { param: string; message: string } };
    expect(error.param).toBe('known_speaker_references[]');
    expect(error.message).toMatch(message);
    expect(await hear.tempFiles()).toEqual([]);
  });

  it('are looked for no longer when the client is gone', async () => {
    const controller = new AbortController();
    const answer = post({ response_format: 'diarized_json' }, controller.signal);
    await until(async () => (await hear.metric('hearsay_queue_active')) === 1, 'the request runs');
    controller.abort();
    await expect(answer).rejects.toThrow();
    await until(async () => (await hear.metric('hearsay_queue_active')) === 0, 'the request has ended');
    await until(async () => (await hear.tempFiles()).length === 0, 'its file is gone');
  });

  it('are found after the engine died, and by the retry of the request that it died on', async () => {
    const [engine] = hear.engines();
    const answer = diarize();
    await until(async () => (await hear.metric('hearsay_queue_active')) === 1, 'the request runs');
    process.kill(engine!, 'SIGKILL');
    expect((await answer).segments[0]!.speaker).toBe('A');
    await hear.ready();
    expect((await diarize()).segments[0]!.speaker).toBe('A');
  });
});

describe('a speaker model that cannot be loaded', () => {
  it('fails requests for speakers alone, until it can', async () => {
    const path = join(directory, 'later.pt');
    await writeFile(path, 'no checkpoint');
    hear = await startHear({ SPEAKER_MODEL: path });
    await hear.ready();
    const failed = await post({ response_format: 'srt', speakers: 'true' });
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '10']);
    const { detail } = (await failed.json()) as { detail: { error: string; message: string } };
    expect(detail).toMatchObject({ error: 'model_unavailable', message: expect.stringContaining('later.pt') });
    expect(JSON.stringify(detail)).not.toContain(directory);
    expect((await post({})).status).toBe(200);
    await writeFile(path, smallCampplusFile());
    const found = await post({ response_format: 'srt', speakers: 'true' });
    expect(found.status).toBe(200);
    expect(await found.text()).toMatch(/^1\n.*\nA: /);
  });
});
