import { describe, expect, it } from 'vitest';
import { multilingual, segment } from '../../../test/fixtures/transcription-app.ts';
import type { RecognitionJob, SpeechRecognizer, SpeechWindow, UtteranceJob } from '../../contracts/transcription.ts';
import { FRAME, SAMPLE_RATE } from '../../vad/frames.ts';
import { transcribeUtterance } from './live.ts';

/** A recognizer that hears one word in each window. */
class ScriptedRecognizer implements SpeechRecognizer {
  readonly info = multilingual;
  readonly parallelWindows = 2;
  readonly windowLimits = { maxLength: 28, enoughSpeech: 10, longPause: 1.5 };
  readonly windows: { window: SpeechWindow; job: RecognitionJob }[] = [];

  async recognize(window: SpeechWindow, { job }: { job: RecognitionJob }) {
    this.windows.push({ window, job });
    const [start, end] = [window.speech[0]!.start / SAMPLE_RATE, window.speech.at(-1)!.end / SAMPLE_RATE];
    return { segments: [segment(` window${this.windows.length}`, start, end)], language: 'fr' };
  }
}

/** A job of frames with these probabilities. */
function jobOf(...parts: [probability: number, seconds: number][]): UtteranceJob {
  const probabilities = parts.flatMap(([probability, seconds]) =>
    new Array<number>(Math.round((seconds * SAMPLE_RATE) / FRAME)).fill(probability),
  );
  const samples = new Float32Array(probabilities.length * FRAME).fill(0.25);
  return {
    task: 'transcribe',
    prompt: 'Names',
    samples,
    probabilities: Float32Array.from(probabilities),
  };
}

async function transcribe(job: UtteranceJob) {
  const recognizer = new ScriptedRecognizer();
  return { events: await eventsOf(recognizer, job), recognizer };
}

async function eventsOf(recognizer: SpeechRecognizer, job: UtteranceJob) {
  const events = [];
  for await (const event of transcribeUtterance(recognizer, job, new AbortController().signal)) events.push(event);
  return events;
}

describe('transcribeUtterance', () => {
  it('recognizes unfinished speech as one window, which is not settled', async () => {
    const job = jobOf([0, 1], [1, 3], [0, 0.4], [1, 2]);
    const { events, recognizer } = await transcribe(job);
    expect(events.map(({ type }) => type)).toEqual(['segment', 'end']);
    expect(recognizer.windows).toHaveLength(1);
    expect(recognizer.windows[0]!.job).toMatchObject({ ...job, isLive: true });
    // 0.4 s before the speech.
    expect(recognizer.windows[0]!.window.start / SAMPLE_RATE).toBeCloseTo(0.6, 1);
    expect(events.at(-1)).toMatchObject({
      language: 'fr',
      languages: ['fr'],
      duration: job.samples.length / SAMPLE_RATE,
      missed: 0,
    });
  });

  it('ends a draft in silence', async () => {
    const spoken = jobOf([1, 3]);
    const [final, draft] = [await transcribe(spoken), await transcribe({ ...spoken, isDraft: true })];
    const [[cutOff], [ended]] = [final.recognizer.windows, draft.recognizer.windows];
    const added = ended!.window.samples.slice(cutOff!.window.samples.length);
    expect(added).toEqual(new Float32Array(0.2 * SAMPLE_RATE));
    expect(ended!.window.speech).toEqual(cutOff!.window.speech);
    expect(draft.events.at(-1)).toEqual(final.events.at(-1));
  });

  it('decodes the speech before as context, and leaves its words out', async () => {
    const before = jobOf([1, 3], [0, 0.5]);
    const job = jobOf([0, 0.3], [1, 2]);
    const recognizer = new ScriptedRecognizer();
    const seconds = before.samples.length / SAMPLE_RATE;
    recognizer.recognize = async (window, { job }) => {
      recognizer.windows.push({ window, job });
      return {
        segments: [segment(' before the turn', 0, seconds), segment(' in it', seconds + 0.3, 5.5)],
        language: 'en',
      };
    };
    const events = await eventsOf(recognizer, { ...job, before });
    expect(recognizer.windows).toHaveLength(1);
    expect(recognizer.windows[0]!.window.samples.length).toBeGreaterThan(5 * SAMPLE_RATE);
    expect(events).toMatchObject([
      { type: 'segment', segment: { text: ' in it', start: expect.closeTo(0.3) } },
      { type: 'end', duration: job.samples.length / SAMPLE_RATE, missed: 0 },
    ]);
    // Speech before that has no text is not missed here.
    recognizer.recognize = async () => ({ segments: [segment(' in it', seconds + 0.3, 5.5)], language: 'en' });
    expect((await eventsOf(recognizer, { ...job, before })).at(-1)).toMatchObject({ missed: 0 });
  });

  it('does not decode speech before a long pause', async () => {
    const before = jobOf([1, 3], [0, 1.6]);
    const { events, recognizer } = await transcribe({ ...jobOf([0, 0.3], [1, 2]), before });
    expect(recognizer.windows).toHaveLength(1);
    expect(recognizer.windows[0]!.window.speech).toHaveLength(1);
    expect(events.map(({ type }) => type)).toEqual(['segment', 'end']);
  });

  it('reports which windows a pause has completed', async () => {
    const { events } = await transcribe(jobOf([1, 11], [0, 0.5], [1, 3]));
    expect(events.map(({ type }) => type)).toEqual(['segment', 'settled', 'segment', 'end']);
    expect(events[1]).toMatchObject({ end: expect.closeTo(11.2, 1) });
  });

  it('gives more silence at the end the same window', async () => {
    const [short, long] = [await transcribe(jobOf([1, 3], [0, 0.25])), await transcribe(jobOf([1, 3], [0, 0.5]))];
    expect(long.recognizer.windows[0]!.window).toEqual(short.recognizer.windows[0]!.window);
    expect(long.events.slice(0, -1)).toEqual(short.events.slice(0, -1));
  });

  it('asks no model about silence', async () => {
    const { events, recognizer } = await transcribe(jobOf([0.1, 3]));
    expect(recognizer.windows).toEqual([]);
    expect(events).toEqual([{ type: 'end', language: 'en', languages: [], duration: expect.closeTo(3, 1), missed: 0 }]);
  });
});
