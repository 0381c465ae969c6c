import { fadeEnds } from '../../../audio/fade.ts';
import type { Joint, TokenTime } from '../../../contracts/synthesis.ts';
import { seedOf } from '../../common/random.ts';
import { SAMPLE_RATE } from '../configuration.ts';
import type { KokoroModel } from './model.ts';

/** What a thread is given: phonemes to be spoken in one go. */
export interface SpeechTask {
  /** The model's tokens of the phonemes. */
  phonemes: number[];
  /** The utterance's token that each is said for; −1 for punctuation and blanks. */
  owners: number[];
  style: Float32Array;
  joint: Joint;
  /** 0.25 to 4. */
  speed: number;
}

export interface SpokenRun {
  /** Mono, 24 kHz, −1 to 1, silent at both ends. */
  samples: Float32Array;
  /** When each token of the utterance that is in the run is spoken, in order, in seconds from the start of it. */
  times: TokenTime[];
}

/** Seconds of silence after a run, at a speed of 1. */
const pauses: Readonly<Record<Joint, number>> = { 'within a clause': 0.03, clause: 0.15, sentence: 0.4 };
/** Seconds kept before the first sound that can be heard, and after the last one. */
const LEAD = 0.03;
const RING = 0.06;
const FADE = 0.005;
/** What is below this part of the run's peak is silence. */
const SILENCE = 0.01;

/**
 * Speaks one run. The model begins and ends with silence of a length of its own; here it is as long as the joint asks for,
 * so that runs join without a click or an odd pause.
 */
export async function speakRun(model: KokoroModel, task: SpeechTask): Promise<SpokenRun> {
  const { phonemes, owners, style, joint, speed } = task;
  // The same phonemes sound the same whenever they are spoken.
  const { samples, durations } = await model.speak(phonemes, style, { speed, seed: seedOf(phonemes) });
  // Token 0 of the model stands before the first phoneme.
  const ends: number[] = [];
  for (const [index, duration] of durations.entries()) ends.push((ends[index - 1] ?? 0) + duration);
  const startOf = (phoneme: number) => ends[phoneme]!;
  const endOf = (phoneme: number) => ends[phoneme + 1]!;
  const first = owners.findIndex((owner) => owner >= 0);
  if (first < 0) return { samples: new Float32Array(0), times: [] };
  const last = owners.findLastIndex((owner) => owner >= 0);

  const threshold = SILENCE * peakOf(samples);
  const onset = firstAbove(samples, threshold, 0, startOf(first));
  const decay = lastAbove(samples, threshold, endOf(last), samples.length);
  const begin = Math.max(0, onset - Math.round(LEAD * SAMPLE_RATE));
  const ringing = Math.min(samples.length, decay + Math.round(RING * SAMPLE_RATE));
  const pause = Math.max(RING, pauses[joint] / speed);
  const part = new Float32Array(Math.max(ringing, decay + Math.round(pause * SAMPLE_RATE)) - begin);
  part.set(samples.subarray(begin, ringing));
  fadeEnds(part.subarray(0, ringing - begin), FADE, SAMPLE_RATE);
  for (let index = 0; index < part.length; index++) part[index] = Math.max(-1, Math.min(1, part[index]!));

  const times: TokenTime[] = [];
  for (const [phoneme, token] of owners.entries()) {
    if (token < 0) continue;
    const start = (startOf(phoneme) - begin) / SAMPLE_RATE;
    const end = (endOf(phoneme) - begin) / SAMPLE_RATE;
    const known = times.at(-1);
    if (known?.token === token) known.end = end;
    else times.push({ token, start, end });
  }
  return { samples: part, times };
}

function peakOf(samples: Float32Array): number {
  return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}

/** The first sample from `from` on that is louder than a threshold; `to` where there is none before it. */
function firstAbove(samples: Float32Array, threshold: number, from: number, to: number): number {
  for (let index = from; index < to; index++) if (Math.abs(samples[index]!) > threshold) return index;
  return to;
}

/** Behind the last sample before `to` that is louder than a threshold; `from` where there is none after it. */
function lastAbove(samples: Float32Array, threshold: number, from: number, to: number): number {
  for (let index = to; index > from; index--) if (Math.abs(samples[index - 1]!) > threshold) return index;
  return from;
}
