import type { SpeechWindow } from '../../contracts/transcription.ts';
import { snapToSpeech } from '../../vad/pauses.ts';
import { SAMPLE_RATE } from '../../vad/silero.ts';
import { tokenStarts } from '../common/dtw.ts';
import type { Decoded } from './decoding.ts';
import { moonshineTiny } from './graph/network.ts';
import type { TokenWord } from './tokenizer.ts';

/**
 * An encoder frame looks at 127 samples, 7 of those steps of 64 and 3 of those of 192: its middle lies here, in samples
 * from where it starts.
 */
const FRAME_CENTRE = (127 + 6 * 64 + 2 * 192) / 2;

const samplesOfFrame = (frame: number) => frame * moonshineTiny.frameStride + FRAME_CENTRE;

export interface TimedWord extends TokenWord {
  /** Seconds from the start of the recording. */
  from: number;
  to: number;
}

/**
 * Word times by dynamic time warping over the cross-attention, as openai/whisper's `timing.py` does it, then moved off
 * the pauses that voice activity found, over which attention drifts.
 */
export function timeWords(words: readonly TokenWord[], decoded: Decoded, window: SpeechWindow): TimedWord[] {
  if (words.length === 0) return [];
  const starts = tokenStarts(decoded.attention);
  const position = (token: number) => Math.min(window.start + samplesOfFrame(starts[token]!), window.end);
  const raw = words.map((word, index) => ({
    start: position(word.first),
    end: index + 1 < words.length ? position(words[index + 1]!.first) : window.end,
  }));
  let earliest = window.start;
  return words.map((word, index) => {
    const { start, end } = snapToSpeech(raw[index]!, window);
    const from = Math.max(start, earliest);
    const to = Math.max(end, from);
    earliest = to;
    return { ...word, from: from / SAMPLE_RATE, to: to / SAMPLE_RATE };
  });
}

/** Attention further than this from all speech is not on speech. */
const NEAR = 0.3 * SAMPLE_RATE;
/** Speech that was passed this long ago is not being transcribed any more. */
const LOOK_BACK = 1.5 * SAMPLE_RATE;
const RECENT_WORDS = 5;

/**
 * For each word, whether the model looked at speech when it chose it, going on from where it was. What it makes up after
 * the end is chosen while looking at silence, or back at what was said long before.
 */
export function groundedWords(words: readonly TokenWord[], decoded: Decoded, window: SpeechWindow): boolean[] {
  const recent: number[] = [];
  return words.map((word) => {
    const reached = median(recent) ?? window.start;
    const peaks = decoded.attention.slice(word.first, word.end).map((row) => window.start + samplesOfFrame(peak(row)));
    const grounding = peaks.filter(
      (at) =>
        at >= reached - LOOK_BACK &&
        window.speech.some((speech) => at >= speech.start - NEAR && at <= speech.end + NEAR),
    );
    if (grounding.length === 0) return false;
    recent.push(Math.max(...grounding));
    if (recent.length > RECENT_WORDS) recent.shift();
    return true;
  });
}

function peak(row: Float32Array): number {
  let best = 0;
  for (let index = 1; index < row.length; index++) if (row[index]! > row[best]!) best = index;
  return best;
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
