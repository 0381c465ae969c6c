import { beforeAll, describe, expect, it } from 'vitest';
import type { CaptionWord, MarkTime, Passage, SynthesisEvent, SynthesisJob } from '../../contracts/synthesis.ts';
import type { Engine } from '../../engine/host.ts';
import { compileFlite, Flite } from '../../models/flite/flite.ts';
import { speakChunk } from '../../models/flite/speech.ts';
import { fliteSynthesizer } from '../../models/flite/synthesizer.ts';
import { Languages } from '../../text/languages.ts';
import { defaultNormalization } from '../../text/normalization.ts';
import type { TextPart } from '../../text/types.ts';
import { startPipeline } from './pipeline.ts';

const PCM_RATE = 24_000;
const noLexicon = { current: async () => undefined };

let pipeline: Engine<SynthesisJob, SynthesisEvent, unknown>;
/** Chunks that Flite was asked for. */
let spokenChunks = 0;
beforeAll(async () => {
  const flite = Flite.of(await compileFlite());
  const synthesizer = fliteSynthesizer(async (_owner, task) => {
    spokenChunks++;
    return speakChunk(flite, task);
  }, 1);
  pipeline = await startPipeline(synthesizer, new Languages(), noLexicon);
});

const passage = (text: Passage['text'], change: Partial<Passage> = {}): Passage => ({
  text,
  voice: [{ name: 'af_heart', weight: 1 }],
  language: 'a',
  speed: 1,
  volume: 1,
  ...change,
});

interface Heard {
  samples: Int16Array;
  seconds: number;
  words: (CaptionWord & { passage: number })[];
  marks: MarkTime[];
  skipped: number;
}

async function speak(...passages: Passage[]): Promise<Heard> {
  const { text: _, ...way } = passages[0] ?? passage('');
  const job: SynthesisJob = {
    kind: 'speech',
    input: { passages, normalization: defaultNormalization, param: 'lines' },
    ...way,
    format: 'pcm',
    captions: true,
  };
  const bytes: Uint8Array[] = [];
  const heard: Omit<Heard, 'samples' | 'seconds'> = { words: [], marks: [], skipped: 0 };
  for await (const event of pipeline.run(job, new AbortController().signal)) {
    if (event.type === 'audio') bytes.push(event.bytes);
    if (event.type === 'skipped') heard.skipped = event.characters;
    if (event.type !== 'chunk') continue;
    heard.words.push(...event.words.map((word) => ({ ...word, passage: event.passage })));
    heard.marks.push(...event.marks);
  }
  const all = Buffer.concat(bytes);
  const samples = Int16Array.from({ length: all.length / 2 }, (_, index) => all.readInt16LE(2 * index));
  return { samples, seconds: samples.length / PCM_RATE, ...heard };
}

/** Root mean square of a stretch in seconds. */
function level({ samples }: Heard, from: number, to: number): number {
  const stretch = samples.subarray(Math.round(from * PCM_RATE), Math.round(to * PCM_RATE));
  return Math.sqrt(stretch.reduce((sum, sample) => sum + sample * sample, 0) / stretch.length);
}

/** Each short enough to be one chunk, also as the first of a job. */
const lines = [
  passage('The museum is closed. It opens on Tuesday.'),
  passage('Is it really?', { voice: [{ name: 'bm_george', weight: 1 }], pauseAfter: 1.25 }),
  passage('Yes.', { speed: 0.3 }),
  passage('We shall see.', { voice: [{ name: 'am_adam', weight: 1 }], speed: 3.5, pauseAfter: 0.5 }),
  passage('Good bye.'),
];

describe('passages', () => {
  it('sound one after the other as each alone, with exact times', async () => {
    const together = await speak(...lines);
    let start = 0;
    for (const [index, line] of lines.entries()) {
      const alone = await speak(line);
      const words = together.words.filter(({ passage }) => passage === index);
      expect(words.map(({ word }) => word)).toEqual(alone.words.map(({ word }) => word));
      for (const [at, { start_time, end_time }] of alone.words.entries()) {
        expect(words[at]!.start_time).toBeCloseTo(start + start_time, 3);
        expect(words[at]!.end_time).toBeCloseTo(start + end_time, 3);
      }
      const [first, last] = [alone.words[0]!, alone.words.at(-1)!];
      const loudness = level(together, start + first.start_time, start + last.end_time);
      expect(loudness / level(alone, first.start_time, last.end_time)).toBeCloseTo(1, 1);
      start += alone.seconds;
    }
    expect(together.seconds).toBeCloseTo(start, 3);
  });

  it('change the volume at their borders, and at no other place', async () => {
    const text = 'The museum is closed.';
    const heard = await speak(passage(text), passage(text, { volume: 0.25 }), passage(text, { volume: 0 }));
    const [plain, soft, silent] = [0, 1, 2].map((index) => {
      const words = heard.words.filter(({ passage }) => passage === index);
      return level(heard, words[0]!.start_time, words.at(-1)!.end_time);
    });
    expect(soft! / plain!).toBeCloseTo(0.25, 2);
    expect(silent).toBe(0);
  });

  it('join without a click', async () => {
    const heard = await speak(...lines);
    const steps = heard.samples.map((sample, index) => Math.abs(sample - (heard.samples[index - 1] ?? 0)));
    for (const index of [1, 2, 3, 4]) {
      const before = heard.words.filter(({ passage }) => passage === index - 1).at(-1)!.end_time;
      const after = heard.words.find(({ passage }) => passage === index)!.start_time;
      const gap = steps.subarray(Math.round((before + 0.05) * PCM_RATE), Math.round((after - 0.02) * PCM_RATE));
      expect(gap.length).toBeGreaterThan(0.1 * PCM_RATE);
      expect(Math.max(...gap)).toBeLessThan(1000);
    }
  });

  it('leave out those without a word, and fail only if all are such', async () => {
    expect((await speak(passage('😀'), passage('Hello.'), passage('你好'))).words).toMatchObject([{ word: 'Hello.' }]);
    expect((await speak(passage('Hello.'), passage('你好'), passage('Привет ありがとう'))).skipped).toBe(7);
    await expect(speak(passage('😀'), passage('…'))).rejects.toMatchObject({
      code: 'unspeakable_text',
      param: 'lines',
    });
    expect((await speak(passage('[pause:1s]'), passage('😀', { pauseAfter: 0.5 }))).seconds).toBeCloseTo(1.5, 3);
  });

  it('send nothing for marks without a word, so that the error keeps its status', async () => {
    const marks: TextPart[] = [
      { type: 'mark', name: 'a' },
      { type: 'text', text: '你' },
      { type: 'mark', name: 'b' },
      { type: 'text', text: '好' },
    ];
    for (const text of [marks.slice(0, 1), marks]) {
      const { text: _, ...way } = passage(text);
      const input = { passages: [passage(text)], normalization: defaultNormalization, param: 'input' as const };
      const job: SynthesisJob = { kind: 'speech', input, ...way, format: 'pcm', captions: true };
      const events: SynthesisEvent['type'][] = [];
      const run = async () => {
        for await (const event of pipeline.run(job, new AbortController().signal)) events.push(event.type);
      };
      await expect(run()).rejects.toMatchObject({ code: 'unspeakable_text', param: 'input' });
      expect(events.filter((type) => type !== 'skipped')).toEqual([]);
    }
    const heard = await speak(passage([...marks, { type: 'pause', seconds: 1 }]), passage('Hello.'));
    expect(heard.marks).toEqual([
      { name: 'a', time: 0 },
      { name: 'b', time: 0 },
    ]);
  });

  it('have pauses of two hours in all at most', async () => {
    const long = Array.from({ length: 121 }, () => passage('[pause:30s]', { pauseAfter: 30 }));
    await expect(speak(...long)).rejects.toMatchObject({ code: 'invalid_request', param: 'lines' });
  });

  it('tell when marks are reached, at any tempo', async () => {
    const text = (text: string): TextPart => ({ type: 'text', text });
    const mark = (name: string): TextPart => ({ type: 'mark', name });
    const parts = [
      ...[mark('start'), text('One '), mark('two'), text('two three.'), mark('pause')],
      ...[{ type: 'pause', seconds: 1 } as const, mark('four'), text('Four.'), mark('end')],
    ];
    for (const speed of [0.25, 1, 4]) {
      const { marks, words, seconds } = await speak(passage(parts, { speed }), passage('Five.'));
      const [one, two, three, four, five] = words;
      const times = Object.fromEntries(marks.map(({ name, time }) => [name, time]));
      expect(times).toMatchObject({ start: one!.start_time, two: two!.start_time, four: four!.start_time });
      expect(times.pause).toBeGreaterThanOrEqual(three!.end_time);
      expect(four!.start_time - times.pause!).toBeGreaterThanOrEqual(1);
      expect(times.end).toBeGreaterThanOrEqual(four!.end_time);
      expect(times.end).toBeLessThanOrEqual(five!.start_time);
      expect(five!.end_time).toBeLessThan(seconds);
    }
  });

  it('tell where the chapters of a book start, at any tempo, and not of one without a sound', async () => {
    const chapters = [
      passage('The museum is closed.', { chapter: 0 }),
      passage('Yes.', { chapter: 0, speed: 0.3, pauseAfter: 0.5 }),
      passage('* * *', { chapter: 1 }),
      passage([{ type: 'mark', name: 'mark' }], { chapter: 2 }),
      passage('[pause:1s] We shall see.', { chapter: 3, speed: 3.5 }),
      passage('Good bye.', { chapter: 4 }),
    ];
    const { text: _, ...way } = chapters[0]!;
    const input = { passages: chapters, normalization: defaultNormalization, param: 'chapters' } as const;
    const book = { chapters: ['One', 'Two', 'Three', 'Four', 'Five'] };
    const job: SynthesisJob = { kind: 'speech', input, ...way, book, format: 'pcm', captions: true };
    const starts: [number, number][] = [];
    const words: (string | number | undefined)[][] = [];
    let bytes = 0;
    for await (const event of pipeline.run(job, new AbortController().signal)) {
      if (event.type === 'audio') bytes += event.bytes.length;
      if (event.type === 'chapter') starts.push([event.index, event.start]);
      if (event.type === 'chunk') words.push(...event.words.map(({ word }) => [event.chapter, word]));
    }
    const seconds = await Promise.all(
      chapters.map(async (each) => (await speak(each).catch(() => ({ seconds: 0 }))).seconds),
    );
    const secondsOf = (count: number) => seconds.slice(0, count).reduce((sum, each) => sum + each, 0);
    expect(starts.map(([index]) => index)).toEqual([0, 3, 4]);
    for (const [index, count] of [0, 4, 5].entries()) expect(starts[index]![1]).toBeCloseTo(secondsOf(count), 3);
    expect(bytes / 2 / PCM_RATE).toBeCloseTo(secondsOf(6), 3);
    expect(words.filter(([chapter]) => chapter === 3).map(([, word]) => word)).toEqual(['We', 'shall', 'see.']);
    expect(words.at(-1)).toEqual([4, 'bye.']);
  });

  it('are not spoken further once the job is aborted', async () => {
    const controller = new AbortController();
    const many = Array.from({ length: 2000 }, () => passage('The museum is closed.'));
    const { text: _, ...way } = many[0]!;
    const input = { passages: many, normalization: defaultNormalization, param: 'lines' } as const;
    const job: SynthesisJob = { kind: 'speech', input, ...way, format: 'pcm', captions: false };
    const before = spokenChunks;
    const run = async () => {
      for await (const _ of pipeline.run(job, controller.signal)) controller.abort();
    };
    await expect(run()).rejects.toThrow();
    expect(spokenChunks - before).toBeLessThan(10);
  });
});
