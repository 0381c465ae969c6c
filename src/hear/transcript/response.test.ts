import { describe, expect, it } from 'vitest';
import type { Segment } from '../../contracts/transcription.ts';
import { plainTranscript, renderTranscript, type Transcript, transcriptText, verboseTranscript } from './response.ts';

const segments: Segment[] = [
  {
    seek: 0,
    start: 0.1 + 0.2,
    end: 1.23456,
    text: ' Hello there.',
    tokens: [1, 2, 3],
    temperature: 0,
    avg_logprob: -0.123456789,
    compression_ratio: 0.61904761,
    no_speech_prob: 0.0123456,
    words: [
      { word: 'Hello', start: 0.1 + 0.2, end: 0.7000000001, probability: 0.987654321 },
      { word: 'there.', start: 0.7000000001, end: 1.23456, probability: 1 },
    ],
  },
  {
    seek: 0,
    start: 2,
    end: 3,
    text: ' Who is it?',
    tokens: [4],
    temperature: 0.2,
    avg_logprob: -0.00001,
    compression_ratio: 1,
    no_speech_prob: 0,
    words: [{ word: 'Who', start: 2, end: 3, probability: 0.5 }],
  },
];
const transcript: Transcript = {
  task: 'transcribe',
  language: 'en',
  languages: ['en', 'de'],
  duration: 3.0000001,
  segments,
};
const silence: Transcript = { task: 'transcribe', language: 'en', languages: [], duration: 2, segments: [] };
/** Renders a transcript; parses JSON bodies. */
async function render(transcript: Transcript, format: Parameters<typeof renderTranscript>[1], words = false) {
  const { contentType, body } = await renderTranscript(transcript, format, { words });
  return { contentType, body: format.endsWith('json') ? JSON.parse(body) : body };
}

describe('renderTranscript', () => {
  it('renders text with one final newline', async () => {
    expect(await render(transcript, 'text')).toEqual({
      contentType: 'text/plain; charset=utf-8',
      body: 'Hello there. Who is it?\n',
    });
  });

  it('renders json with the text only', async () => {
    expect(await render(transcript, 'json', true)).toEqual({
      contentType: 'application/json; charset=utf-8',
      body: { text: 'Hello there. Who is it?' },
    });
  });

  it('renders verbose_json with rounded numbers and without words', async () => {
    const { contentType, body } = await render(transcript, 'verbose_json');
    expect(contentType).toBe('application/json; charset=utf-8');
    expect(body).toStrictEqual({
      task: 'transcribe',
      language: 'en',
      duration: 3,
      text: 'Hello there. Who is it?',
      segments: [
        {
          id: 0,
          seek: 0,
          start: 0.3,
          end: 1.235,
          text: ' Hello there.',
          tokens: [1, 2, 3],
          temperature: 0,
          avg_logprob: -0.1235,
          compression_ratio: 0.619,
          no_speech_prob: 0.0123,
        },
        {
          id: 1,
          seek: 0,
          start: 2,
          end: 3,
          text: ' Who is it?',
          tokens: [4],
          temperature: 0.2,
          avg_logprob: 0,
          compression_ratio: 1,
          no_speech_prob: 0,
        },
      ],
      usage: { type: 'duration', seconds: 3 },
    });
    expect(verboseTranscript.parse(body)).toStrictEqual(body);
  });

  it('renders words as one flat list on request', async () => {
    const { body } = await render(transcript, 'verbose_json', true);
    expect(verboseTranscript.parse(body).words).toEqual([
      { word: 'Hello', start: 0.3, end: 0.7, probability: 0.9877 },
      { word: 'there.', start: 0.7, end: 1.235, probability: 1 },
      { word: 'Who', start: 2, end: 3, probability: 0.5 },
    ]);
    expect(verboseTranscript.strict().parse(body)).toStrictEqual(body);
    const [first, second] = segments;
    const silent = { ...transcript, segments: [first!, { ...first!, words: [] }, second!] };
    expect((await render(silent, 'verbose_json', true)).body.words).toEqual(body.words);
  });

  it('never renders the words of a translation', async () => {
    const { body } = await render({ ...transcript, task: 'translate' }, 'verbose_json', true);
    expect(body).toMatchObject({ task: 'translate' });
    expect(body).not.toHaveProperty('words');
    expect(body).not.toHaveProperty('usage');
  });

  it('renders languages, usage and tokens on request', async () => {
    const token = (text: string, logprob: number) => ({ token: text, bytes: [...Buffer.from(text)], logprob });
    const heard = [
      { ...segments[0]!, logprobs: [token(' ', -1), token(' Hello', -0.25), token(' there.', 1e-9)] },
      { ...segments[1]!, logprobs: [token(' Who', -0.1234567), token(' is it?', 0), token('\n', -2)] },
    ];
    const asked = { words: false, logprobs: true, isExtended: true };
    const details = {
      languages: [{ code: 'en' }, { code: 'de' }],
      logprobs: [token('Hello', -0.25), token(' there.', 0), token(' Who', -0.123457), token(' is it?', 0)],
      usage: { type: 'duration', seconds: 3 },
    };
    const plain = JSON.parse((await renderTranscript({ ...transcript, segments: heard }, 'json', asked)).body);
    expect(plain).toStrictEqual({ text: 'Hello there. Who is it?', ...details });
    expect(plainTranscript.strict().parse(plain)).toStrictEqual(plain);
    const verbose = JSON.parse(
      (await renderTranscript({ ...transcript, segments: heard }, 'verbose_json', asked)).body,
    );
    expect(verbose).toMatchObject(details);
    const empty = JSON.parse((await renderTranscript(silence, 'json', asked)).body);
    expect(empty).toStrictEqual({ text: '', languages: [], logprobs: [], usage: { type: 'duration', seconds: 2 } });
  });

  it('counts tokens in the last event of a stream, as its official type does', async () => {
    const last = { words: false, isExtended: true, isEvent: true };
    const tokens = segments.flatMap((segment) => segment.tokens).length;
    for (const format of ['json', 'verbose_json'] as const) {
      const { usage } = JSON.parse((await renderTranscript(transcript, format, last)).body);
      const counts = { input_tokens: 150, output_tokens: tokens, total_tokens: 150 + tokens };
      expect(usage).toStrictEqual({ type: 'tokens', ...counts, seconds: 3 });
    }
  });

  it('renders subtitles as plain text', async () => {
    expect(await render(transcript, 'srt')).toEqual({
      contentType: 'text/plain; charset=utf-8',
      body: '1\n00:00:00,300 --> 00:00:01,300\nHello there.\n\n2\n00:00:02,000 --> 00:00:03,000\nWho\n',
    });
    expect(await render(transcript, 'vtt')).toEqual({
      contentType: 'text/plain; charset=utf-8',
      body: 'WEBVTT\n\n00:00:00.300 --> 00:00:01.300\nHello there.\n\n00:00:02.000 --> 00:00:03.000\nWho\n',
    });
  });

  it.each(['srt', 'vtt'] as const)('ends no subtitle after the recording, in %s', async (format) => {
    const { body } = await render({ ...transcript, duration: 1.25, segments: segments.slice(0, 1) }, format);
    expect(body).toMatch(/ --> 00:00:01[,.]250\n/);
  });

  it.each(['json', 'verbose_json', 'srt', 'vtt'] as const)(
    'yields to the event loop while it renders hours as %s',
    async (format) => {
      let turns = 0;
      let next = setImmediate(function count() {
        turns++;
        next = setImmediate(count);
      });
      const hours = Array.from({ length: 3000 }, (_, index) =>
        segments.map((segment) => ({
          ...segment,
          logprobs: segment.tokens.map(() => ({ token: segment.text, bytes: [1, 2, 3], logprob: -0.5 })),
          words: segment.words.map(({ start, end, ...rest }) => ({
            start: start + 4 * index,
            end: end + 4 * index,
            ...rest,
          })),
        })),
      ).flat();
      const { body } = await renderTranscript({ ...transcript, segments: hours }, format, {
        words: true,
        logprobs: true,
      });
      clearImmediate(next);
      expect(body.length).toBeGreaterThan(100_000);
      expect(turns).toBeGreaterThan(2);
    },
  );

  it('renders silence as an empty transcript', async () => {
    expect((await render(silence, 'text')).body).toBe('\n');
    expect((await render(silence, 'json')).body).toEqual({ text: '' });
    expect((await render(silence, 'verbose_json', true)).body).toMatchObject({ text: '', segments: [], words: [] });
    expect((await render(silence, 'srt')).body).toBe('');
    expect((await render(silence, 'vtt')).body).toBe('WEBVTT\n');
  });
});

describe('transcriptText', () => {
  it('joins texts without adding spaces', () => {
    expect(transcriptText([{ text: '你好。' }, { text: '世界。' }])).toBe('你好。世界。');
    expect(transcriptText([{ text: ' One.' }, { text: ' Two. ' }])).toBe('One. Two.');
  });
});
