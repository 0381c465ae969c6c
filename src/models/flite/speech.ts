import { fadeEnds } from '../../audio/fade.ts';
import type { Boundary, SpokenChunk, TokenTime, Word } from '../../contracts/synthesis.ts';
import { type Flite, type FliteVoice, type Phone, SAMPLE_RATE } from './flite.ts';
import { gains } from './voices.ts';

/** The task of a thread: one chunk. */
export interface SpeechTask {
  speaker: FliteVoice;
  /** At least one. */
  words: Word[];
  boundary: Boundary;
}

/** Seconds of silence after a chunk. */
const pauses: Readonly<Record<Boundary, number>> = { word: 0.05, clause: 0.15, sentence: 0.35 };

/** Seconds kept before the first sound, after Flite's own pause. */
const LEAD = 0.025;
/** Seconds that the last sound may ring: it is 50 dB below speech by then. */
const RING = 0.05;
const FADE = 0.006;
const PEAK = 0.95;
/** Hz. The voices carry up to −47 dB of rumble and offset below their lowest tones. */
const HIGH_PASS = 30;

/**
 * Speaks one chunk, with a natural pause after it.
 * @returns samples at 16 kHz, −0.95 to 0.95, silent at both ends
 */
export function speakChunk(flite: Flite, { speaker, words, boundary }: SpeechTask): SpokenChunk {
  const { samples, phones } = flite.speak(speaker, words);
  const sounds = phones.filter(({ token }) => token !== undefined);
  const first = sounds[0];
  const last = sounds.at(-1);
  if (!first || !last)
    return { samples: new Float32Array(0), times: tokensOf(words).map((token) => ({ token, start: 0, end: 0 })) };
  removeOffset(samples);
  const begin = Math.max(0, Math.round((first.start - LEAD) * SAMPLE_RATE));
  const end = Math.round((last.end + pauses[boundary]) * SAMPLE_RATE);
  const ringing = Math.min(samples.length, end, Math.round((last.end + RING + FADE) * SAMPLE_RATE));
  const spoken = new Float32Array(end - begin);
  spoken.set(samples.subarray(begin, ringing));
  fadeEnds(spoken.subarray(0, ringing - begin), FADE, SAMPLE_RATE);
  level(spoken, gains[speaker]);
  return { samples: spoken, times: wordTimes(words, sounds, begin / SAMPLE_RATE) };
}

/** One-pole high-pass filter, in place. */
function removeOffset(samples: Float32Array): void {
  const keep = Math.exp((-2 * Math.PI * HIGH_PASS) / SAMPLE_RATE);
  let input = 0;
  let output = 0;
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index]!;
    output = sample - input + keep * output;
    input = sample;
    samples[index] = output;
  }
}

function level(samples: Float32Array, gain: number): void {
  const peak = samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
  const factor = peak * gain > PEAK ? PEAK / peak : gain;
  for (let index = 0; index < samples.length; index++) samples[index]! *= factor;
}

function wordTimes(words: readonly Word[], sounds: readonly Phone[], offset: number): TokenTime[] {
  let at = sounds[0]!.start - offset;
  return tokensOf(words).map((token) => {
    const own = sounds.filter((sound) => words[sound.token!]!.token === token);
    const start = own.length > 0 ? own[0]!.start - offset : at;
    at = own.length > 0 ? own.at(-1)!.end - offset : at;
    return { token, start, end: at };
  });
}

function tokensOf(words: readonly Word[]): number[] {
  return [...new Set(words.map(({ token }) => token))];
}
