import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { segment } from '../../../test/fixtures/transcription-app.ts';
import type { Segment, UtteranceJob } from '../../contracts/transcription.ts';
import { FRAME } from '../../vad/frames.ts';
import type { UtteranceText } from './live-engine.ts';
import { Utterance } from './utterance.ts';

const WORDS = Array.from({ length: 400 }, (_, index) => `w${index}`);
/** Frames of a word: 320 ms. */
const WORD_FRAMES = 10;

/**
 * An engine that hears a word in every ten frames of speech. Samples hold the number of their frame, so that it knows where
 * a job begins.
 */
class ScriptedEngine {
  jobs: UtteranceJob[] = [];
  aborted = 0;
  /** Seconds of a job that are complete windows. */
  settled: (job: UtteranceJob) => number = () => 0;
  /** Replaces the answer to a job. */
  answer: ((job: UtteranceJob) => Promise<UtteranceText>) | undefined;

  async transcribe(job: UtteranceJob, signal: AbortSignal): Promise<UtteranceText> {
    this.jobs.push(job);
    if (this.answer) return this.answer(job);
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (signal.aborted) {
      this.aborted += 1;
      throw signal.reason;
    }
    return this.heard(job);
  }

  heard(job: UtteranceJob): UtteranceText {
    const first = job.samples[0]!;
    const spoken = [...job.probabilities.keys()].filter((index) => job.probabilities[index]! >= 0.5);
    const frames = spoken.map((index) => first + index);
    const numbers = [...new Set(frames.map((frame) => Math.floor(frame / WORD_FRAMES)))];
    const segments = numbers.map((number) => {
      const start = Math.max(0, (number * WORD_FRAMES - first) * 0.032);
      const text = segment(` ${WORDS[number]}`, start, ((number + 1) * WORD_FRAMES - first) * 0.032);
      for (const word of text.words) word.probability = 0.95;
      return text;
    });
    const end = job.isDraft ? 0 : this.settled(job);
    const isSettled = (each: Segment) => each.end <= end + 0.01;
    const of = (segments: Segment[]) => ({ segments, language: 'en', missed: 0 });
    if (end === 0) return of(segments);
    return {
      ...of(segments.filter((each) => !isSettled(each))),
      settled: { ...of(segments.filter(isSettled)), end },
    };
  }
}

let engine: ScriptedEngine;
let text: string;
let utterance: Utterance;
let frame: number;

beforeEach(() => {
  vi.useFakeTimers();
  engine = new ScriptedEngine();
  text = '';
  frame = 0;
  utterance = new Utterance(engine, { task: 'transcribe', isDraft: false }, (added) => {
    text += added;
  });
});
afterEach(() => vi.useRealTimers());

/** Says frames at the speed of speech. */
async function say(probability: number, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    utterance.push(new Float32Array(FRAME).fill(frame++), probability);
    utterance.advance();
    await vi.advanceTimersByTimeAsync(32);
  }
}

const all = (count: number) =>
  WORDS.slice(0, count)
    .map((word) => ` ${word}`)
    .join('');
const lengths = (isDraft: boolean) =>
  engine.jobs.filter((job) => job.isDraft === isDraft).map(({ probabilities }) => probabilities.length);

async function finish() {
  const end = utterance.finish();
  await vi.advanceTimersByTimeAsync(1000);
  return end;
}

describe('Utterance', () => {
  it('expects the text so far of the next run, and hurries while no word is given out', async () => {
    await say(0.9, 60);
    await say(0, 10);
    const [, ...later] = engine.jobs;
    expect(engine.jobs[0]).toMatchObject({ isDraft: true, isUrgent: true });
    expect(engine.jobs[0]!.expected).toBeUndefined();
    expect(later.map(({ expected }) => all(6).startsWith(expected!))).not.toContain(false);
    expect(later.at(-1)).toMatchObject({ expected: all(6) });
    expect(later.at(-1)).not.toHaveProperty('isDraft', true);
    expect(later.filter(({ isUrgent }) => isUrgent).length).toBeLessThan(4);
  });

  it('expects only text from where a guess begins', async () => {
    await say(0.9, 400);
    const last = engine.jobs.findLast(({ isDraft, samples }) => isDraft && samples[0]! > 0)!;
    expect(last.expected).toMatch(new RegExp(`^ ${WORDS[Math.floor(last.samples[0]! / WORD_FRAMES)]} `));
  });

  it('gives words while they are said, and the rest at the end', async () => {
    await say(0.9, 60);
    expect(text).toBe(all(5));
    const segments = WORDS.slice(0, 6).map((word, index) => {
      const times = { start: expect.closeTo(index * 0.32), end: expect.closeTo((index + 1) * 0.32) };
      return { text: ` ${word}`, ...times, words: [{ word, ...times, probability: 0.95 }] };
    });
    expect(await finish()).toMatchObject({ language: 'en', missed: 0, segments });
    expect(text).toBe(all(6));
  });

  it('has the final text at its end, even if other words were given out', async () => {
    const hear = engine.heard.bind(engine);
    engine.answer = async (job) => {
      const heard = hear(job);
      const segments = heard.segments.map((each) => ({ ...each, text: each.text.replace('w1', 'won') }));
      return job.isDraft ? heard : { ...heard, segments };
    };
    await say(0.9, 40);
    const { segments } = await finish();
    expect(segments.map((each) => each.text)).toEqual([' w0', ' won', ' w2', ' w3']);
    expect(text).toBe(all(4));
  });

  it('guesses at speech only, every 64 ms until there is a word and every 160 ms from then on', async () => {
    await say(0.1, 50);
    expect(engine.jobs).toEqual([]);
    await say(0.9, 60);
    const drafts = engine.jobs.filter(({ isDraft }) => isDraft);
    const [urgent, patient] = [true, false].map((isUrgent) => drafts.filter((job) => job.isUrgent === isUrgent));
    const gaps = (jobs: readonly UtteranceJob[]) =>
      jobs.slice(1).map(({ samples }, index) => (samples.length - jobs[index]!.samples.length) / FRAME);
    expect(new Set(gaps(urgent!))).toEqual(new Set([2]));
    expect(Math.min(...gaps(patient!))).toBe(5);
    // Silence before speech is not transcribed.
    expect(drafts[0]!.probabilities.length).toBeLessThan(40);
  });

  it('decodes the final text in a pause if nothing follows', async () => {
    await say(0.9, 40);
    await say(0.1, 15);
    expect(lengths(false)).toHaveLength(1);
    const { length } = engine.jobs;
    await finish();
    expect(engine.jobs).toHaveLength(length);
    expect(text).toBe(all(4));
  });

  it('a guess that waits for its turn: the text of a pause does not wait for it', async () => {
    const hear = engine.heard.bind(engine);
    engine.answer = (job) => (job.isDraft && !job.isUrgent ? new Promise(() => {}) : Promise.resolve(hear(job)));
    engine.transcribe = (job, signal) => {
      engine.jobs.push(job);
      return Promise.race([
        engine.answer!(job),
        new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ]);
    };
    await say(0.9, 40);
    expect(text).not.toBe('');
    await say(0.1, 9);
    expect(lengths(false)).toHaveLength(1);
    await finish();
    expect(text).toBe(all(4));
    expect(lengths(false)).toHaveLength(1);
  });

  it('decodes again if speech continues after a pause', async () => {
    await say(0.9, 40);
    await say(0.1, 10);
    await say(0.9, 30);
    await finish();
    expect(lengths(false).at(-1)).toBe(80);
    expect(text).toBe(` ${[...WORDS.slice(0, 4), ...WORDS.slice(5, 8)].join(' ')}`);
  });

  it('aborts a guess at the end', async () => {
    await say(0.9, 40);
    do {
      await vi.advanceTimersByTimeAsync(32);
      utterance.push(new Float32Array(FRAME).fill(frame++), 0.9);
      utterance.advance();
    } while (engine.jobs.at(-1)!.probabilities.length !== frame);
    // A guess runs: time has not passed since it was started.
    expect(engine.jobs.at(-1)!.isDraft).toBe(true);
    expect(engine.aborted).toBe(0);
    await finish();
    expect(engine.aborted).toBe(1);
    expect(engine.jobs.at(-1)!.isDraft).toBe(false);
    expect(text).toBe(all(Math.ceil(frame / WORD_FRAMES)));
  });

  it('guesses less often if guesses take long', async () => {
    await say(0.9, 100);
    const quick = lengths(true).length;
    utterance.cancel(new Error('over'));
    engine.jobs = [];
    engine.answer = async (job) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return engine.heard(job);
    };
    utterance = new Utterance(engine, { task: 'transcribe', isDraft: false }, () => {});
    frame = 0;
    await say(0.9, 100);
    expect(lengths(true).length).toBeLessThan(quick / 3);
    expect(lengths(true).length).toBeGreaterThan(1);
  });

  it('keeps guesses short however long the speech is', async () => {
    await say(0.9, 600);
    expect(Math.max(...lengths(true))).toBeLessThan(260);
    expect(text).toBe(all(59));
    await finish();
    expect(text).toBe(all(60));
  });

  it('settles complete windows, and repeats nothing', async () => {
    // A window is complete after 300 frames.
    engine.settled = ({ probabilities }) => (probabilities.length > 320 ? 300 * 0.032 : 0);
    await say(0.9, 700);
    const { segments } = await finish();
    expect(text).toBe(all(70));
    expect(segments.map((each) => each.text).join('')).toBe(all(70));
    expect(segments.at(-1)!.end).toBeCloseTo(70 * 0.32);
    expect(lengths(false).at(-1)).toBeLessThan(420);
    expect(engine.jobs.at(-1)!.prompt).toMatch(/ w29$/);
  });

  it('decodes nothing again in the pause that completes a window', async () => {
    engine.settled = ({ probabilities }) => (probabilities.length > 106 ? 106 * 0.032 : 0);
    await say(0.9, 100);
    await say(0, 60);
    const { segments } = await finish();
    expect(segments.map((each) => each.text).join('')).toBe(all(10));
    expect(engine.jobs.filter(({ samples }) => samples[0]! > 0)).toEqual([]);
  });

  it('forgets audio before a long pause', async () => {
    await say(0.9, 40);
    await say(0.1, 200);
    await say(0.9, 40);
    await finish();
    expect(lengths(false).at(-1)).toBeLessThan(70);
    expect(text).toBe(` ${[...WORDS.slice(0, 4), ...WORDS.slice(24, 28)].join(' ')}`);
  });

  it('has a tail that begins in a pause, with its text', async () => {
    expect(utterance.tail).toBeUndefined();
    await say(0.9, 40);
    const { samples, text: said } = utterance.tail!;
    expect(samples).toHaveLength(40 * FRAME);
    expect(all(4).startsWith(said)).toBe(true);
    await say(0.9, 110);
    await say(0.2, 10);
    await say(0.9, 90);
    const tail = utterance.tail!;
    // The quiet frames begin with frame 150.
    expect(tail.samples[0]).toBeGreaterThan(151);
    expect(tail.samples[0]).toBeLessThan(158);
    expect(tail.samples.at(-1)).toBe(249);
    expect(tail.probabilities).toHaveLength(tail.samples.length / FRAME);
    expect(tail.text).toMatch(/^ w1[56] /);
  });

  it('has the end of the utterance before heard with its final text, until that settles', async () => {
    const before = { samples: new Float32Array(FRAME), probabilities: Float32Array.of(1), text: ' before' };
    utterance = new Utterance(engine, { task: 'transcribe', isDraft: false, before }, (added) => {
      text += added;
    });
    await say(0.9, 40);
    await say(0, 10);
    const finals = () => engine.jobs.filter(({ isDraft }) => !isDraft);
    expect(finals()).toMatchObject([{ before, expected: ` before${all(4)}` }]);
    expect(engine.jobs.find(({ isDraft }) => isDraft)!.before).toBeUndefined();
    await say(0, 80);
    await say(0.9, 40);
    await finish();
    expect(finals()).toHaveLength(2);
    expect(finals()[1]!.before).toBeUndefined();
  });

  it.each([
    ['short and the engine is not busy', 60, 100, true],
    ['long', 300, 100, false],
    ['short and the engine is busy', 60, 400, false],
  ])('decodes with the previous audio if the utterance is %s', async (_how, frames, ms, isHeard) => {
    const before = { samples: new Float32Array(FRAME), probabilities: Float32Array.of(1), text: '' };
    utterance = new Utterance(engine, { task: 'transcribe', isDraft: false, before }, () => {});
    engine.answer = async (job) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return engine.heard(job);
    };
    await say(0.9, frames);
    await finish();
    expect(engine.jobs.at(-1)!.before !== undefined).toBe(isHeard);
  });

  it('needs no engine for silence', async () => {
    await say(0.1, 100);
    expect(await finish()).toEqual({ language: undefined, missed: 0, segments: [] });
    expect(engine.jobs).toEqual([]);
  });

  it('survives lost guesses, and fails if the final text does', async () => {
    let failures = 0;
    engine.answer = async () => {
      failures += 1;
      throw new Error('lost');
    };
    await say(0.9, 100);
    // Not again and again at once.
    expect(failures).toBeGreaterThan(0);
    expect(failures).toBeLessThan(6);
    await expect(Promise.all([utterance.finish(), vi.advanceTimersByTimeAsync(1000)])).rejects.toThrow('lost');
    expect(text).toBe('');
  });

  it('gives nothing after it was cancelled', async () => {
    await say(0.9, 30);
    const before = text;
    utterance.cancel(new Error('over'));
    await say(0.9, 30);
    expect(text).toBe(before);
    await expect(utterance.finish()).rejects.toThrow('over');
  });

  it('holds back more audio than it can transcribe', async () => {
    engine.answer = () => new Promise(() => {});
    await say(0.9, 1900);
    let hasRoom = false;
    void utterance.room().then(() => {
      hasRoom = true;
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(hasRoom).toBe(false);
    utterance.cancel(new Error('over'));
    await vi.advanceTimersByTimeAsync(0);
    expect(hasRoom).toBe(true);
  });

  it('drops the oldest audio, instead of waiting, while nothing can be transcribed', async () => {
    engine.answer = async () => {
      throw new Error('lost');
    };
    await say(0.9, 1900);
    await utterance.room();
    engine.answer = undefined;
    await finish();
    expect(lengths(false).at(-1)).toBe(1875);
    expect(engine.jobs.at(-1)!.samples.at(-1)).toBe(1899);
  });
});
