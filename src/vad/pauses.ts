import type { Span, SpeechWindow } from '../contracts/transcription.ts';
import { SAMPLE_RATE } from './silero.ts';

/** A pause shorter than this may lie within a word: the closure of a plosive. */
const PAUSE = 0.2 * SAMPLE_RATE;
/** Voice activity is late by about this much at both ends of speech. */
const SLACK = 0.03 * SAMPLE_RATE;

/**
 * The part of a word's time that lies on one side of every pause: the longer one. Attention drifts over pauses; voice
 * activity knows where they are.
 * @param word samples from the start of the recording
 */
export function snapToSpeech(word: Span, window: SpeechWindow): Span {
  let { start, end } = word;
  let quietFrom = window.start;
  for (const speech of [...window.speech, { start: window.end, end: window.end }]) {
    const pause = { start: quietFrom, end: speech.start };
    const atEdge = pause.start === window.start || pause.end === window.end;
    quietFrom = speech.end;
    if (pause.end - pause.start < (atEdge ? 1 : PAUSE) || end <= pause.start || start >= pause.end) continue;
    const before = pause.start - start;
    const after = end - pause.end;
    if (before <= 0 && after <= 0) {
      // All of it lies in the pause: it belongs to the nearer edge.
      const early = start - pause.start < pause.end - end && pause.start > window.start;
      return early ? { start: pause.start, end: pause.start } : { start: pause.end, end: pause.end };
    }
    if (before >= after) end = Math.min(end, pause.start + SLACK);
    else start = Math.max(start, pause.end - SLACK);
  }
  return { start, end };
}
