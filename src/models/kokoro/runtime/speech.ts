import type { Boundary, SpokenChunk } from '../../../contracts/synthesis.ts';
import { seedOf } from '../../common/random.ts';
import { SAMPLE_RATE } from '../configuration.ts';
import type { KokoroModel, Phrase } from './model.ts';
import { wordTimes } from './word-times.ts';

/** The task of a thread: a phrase, and the part of it to speak. */
export interface SpeechTask {
  /** Tokens of the model. */
  phonemes: number[];
  /** For each model token, the token of the sentence that it belongs to; −1 for punctuation and spaces. */
  owners: number[];
  /** Index of the part's first phoneme, and of the one after its last. */
  begin: number;
  end: number;
  style: Float32Array;
  boundary: Boundary;
  /** Divides the durations. */
  speed: number;
}

/** Seconds of silence after a phrase, at a speed of 1. */
const pauses: Readonly<Record<Boundary, number>> = { word: 0.03, clause: 0.15, sentence: 0.4 };
/** Seconds kept before the first audible sound, and after the last one. */
const LEAD = 0.03;
const RING = 0.06;
/** Samples of a fade at an end of a phrase, and of the cross-fade from part to part. */
const FADE = 0.005 * SAMPLE_RATE;
const CROSSFADE = 0.02 * SAMPLE_RATE;
/** Samples below this fraction of the part's peak are silence. */
const SILENCE = 0.01;
/** Samples of silence after which a sound is another one. */
const SHORT_GAP = 0.02 * SAMPLE_RATE;
/** Frames by which the sound precedes the model's durations, as in hexgrad/kokoro's `join_timestamps`. */
const LAG = 3;
/** Frames of silence generated before the first phoneme of a part. */
const LEAD_FRAMES = 5;
/** Frames around the gap between two words in which parts may join. */
const JOINT_RANGE = 2;
/** Frames generated on either side of a part, because convolutions reach across its ends. */
const NEAR = 6;
/** Windows of the rest of the phrase, and frames in each. */
const WINDOWS = 5;
const WINDOW_FRAMES = 10;
/** Maximum phrases whose prosody is kept for later parts, some megabytes each. */
const MAX_PHRASES = 4;

/** Speaks phrases part by part; several jobs take turns. */
export class Speaker {
  readonly #model: KokoroModel;
  readonly #phrases: { task: SpeechTask; phrase: Phrase }[] = [];

  constructor(model: KokoroModel) {
    this.#model = model;
  }

  /**
   * Speaks a part of a phrase, with the prosody of the whole. The model adds silence of arbitrary length at both ends of
   * a phrase; here its length depends on the boundary.
   * @returns samples at 24 kHz, silent at both ends of the phrase
   */
  async speak(task: SpeechTask): Promise<SpokenChunk> {
    const { owners, begin, end, boundary, speed } = task;
    const first = owners.findIndex((owner, index) => index >= begin && owner >= 0);
    const last = owners.findLastIndex((owner, index) => index < end && owner >= 0);
    if (first < 0 || first > last) return { samples: new Float32Array(0), times: [] };
    const phrase = await this.#prepared(task);
    const perFrame = this.#model.frameSamples;
    const starts = startsOf(phrase.frames);
    const isFirst = begin === 0;
    const isLast = end === owners.length;
    const from = isFirst ? Math.max(0, starts[first]! - LEAD_FRAMES) : jointBefore(begin, task, phrase, starts);
    const to = isLast ? phrase.alignment.length : jointBefore(end, task, phrase, starts);
    const count = phrase.alignment.length;
    const part = partFrames(count, isFirst && isLast ? 0 : from, to);
    const generated = await this.#model.generateFrames(phrase, part.frames);
    const sound = generated.subarray(part.position * perFrame, (part.position + part.length) * perFrame);
    const origin = part.start * perFrame;

    const threshold = SILENCE * peakOf(sound);
    let onset = from * perFrame - origin - CROSSFADE / 2;
    if (isFirst) {
      const heard = firstAbove(sound, threshold, 0, starts[first]! * perFrame - origin);
      onset = Math.max(0, heard - Math.round(LEAD * SAMPLE_RATE));
    }
    let stop = to * perFrame - origin + CROSSFADE / 2;
    let silence = 0;
    if (isLast) {
      // The duration of the last phoneme holds silence, up to 0.3 s of it.
      const lastPhoneme = Math.max(onset, starts[last]! * perFrame - origin);
      const phraseEnd = Math.round((starts.at(-1)! - LAG) * perFrame) - origin;
      const decay = decayAt(sound, threshold, lastPhoneme, phraseEnd);
      if (decay < phraseEnd) {
        // The model may click in the token that follows the phrase.
        fadeOut(sound.subarray(0, phraseEnd), FADE);
        sound.fill(0, phraseEnd);
      }
      stop = Math.min(sound.length, decay + Math.round(RING * SAMPLE_RATE));
      const pause = Math.max(RING, pauses[boundary] / speed);
      silence = Math.max(0, decay + Math.round(pause * SAMPLE_RATE) - stop);
    }
    const samples = new Float32Array(stop - onset + silence);
    samples.set(sound.subarray(onset, stop));
    fadeIn(samples, isFirst ? FADE : CROSSFADE);
    fadeOut(samples.subarray(0, stop - onset), isLast ? FADE : CROSSFADE);
    for (let index = 0; index < samples.length; index++) samples[index] = Math.max(-1, Math.min(1, samples[index]!));

    const times = this.#times(task, { starts, sound, origin, onset });
    if (isLast) return { samples, times };
    const joint = samples.length - CROSSFADE;
    return { samples: samples.slice(0, joint), tail: samples.slice(joint), times };
  }

  /** The times of the words of a task in its samples, which begin at `onset` of the sound. */
  #times(
    { phonemes, owners, begin, end }: SpeechTask,
    { starts, sound, origin, onset }: { starts: readonly number[]; sound: Float32Array; origin: number; onset: number },
  ): SpokenChunk['times'] {
    const space = this.#model.configuration.tokens.get(' ');
    const times = wordTimes({
      owners,
      isSpace: (phoneme) => phonemes[phoneme] === space,
      begin,
      end,
      startOf: (phoneme) => Math.max(0, starts[phoneme]! - LAG) * this.#model.frameSamples,
      sound,
      origin,
    });
    const offset = (origin + onset) / SAMPLE_RATE;
    return times.map((word) => ({
      token: word.token,
      start: Math.max(0, word.start - offset),
      end: Math.max(0, word.end - offset),
    }));
  }

  /** The prosody of a task's phrase, cached from an earlier part if there was one. */
  async #prepared(task: SpeechTask): Promise<Phrase> {
    const kept = this.#phrases.findIndex((entry) => isSamePhrase(entry.task, task));
    const [entry] = kept < 0 ? [] : this.#phrases.splice(kept, 1);
    const { phonemes, style, speed } = task;
    // The same phonemes always sound the same.
    const phrase = entry?.phrase ?? (await this.#model.prepare(phonemes, style, { speed, seed: seedOf(phonemes) }));
    // No part follows the last one.
    if (task.end < phonemes.length) this.#phrases.push({ task, phrase });
    if (this.#phrases.length > MAX_PHRASES) this.#phrases.shift();
    return phrase;
  }
}

function isSamePhrase(one: SpeechTask, other: SpeechTask): boolean {
  const isEqual = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    a.length === b.length && Array.prototype.every.call(a, (value, index) => value === b[index]);
  return one.speed === other.speed && isEqual(one.phonemes, other.phonemes) && isEqual(one.style, other.style);
}

/** The first frame of each phoneme, and of the end. Token 0 of the model precedes them. */
function startsOf(frames: readonly number[]): number[] {
  const starts: number[] = [];
  for (const count of frames.slice(0, -1)) starts.push((starts.at(-1) ?? 0) + count);
  return starts;
}

/** The frame at which to join parts: between two words, where the model predicts the least energy. */
function jointBefore(phoneme: number, { owners }: SpeechTask, { energy }: Phrase, starts: readonly number[]): number {
  const before = owners.findLastIndex((owner, index) => index < phoneme && owner >= 0);
  const from = Math.max(1, Math.round(starts[before + 1]! - LAG - JOINT_RANGE));
  const to = Math.min(energy.length / 2 - 1, Math.round(starts[phoneme]! - LAG + JOINT_RANGE));
  let best = from;
  const energyAt = (frame: number) => energy[2 * frame - 1]! + energy[2 * frame]!;
  for (let frame = from; frame <= to; frame++) if (energyAt(frame) < energyAt(best)) best = frame;
  return best;
}

/** Frames of a phrase to generate together. */
export interface PartFrames {
  /** Indices of frames, ascending. */
  frames: number[];
  /** The contiguous frames that hold the part: the first one, its position in `frames`, and their number. */
  start: number;
  position: number;
  length: number;
}

/**
 * The frames to generate so that a part of a phrase sounds as in the whole. The generator normalizes each channel over
 * all of its frames; a part alone would be normalized by its own loudness and timbre. Windows spread over the rest of
 * the phrase represent it.
 * @param count frames of the phrase
 * @param begin first frame of the part
 * @param end frame after its last
 */
export function partFrames(count: number, begin: number, end: number): PartFrames {
  const start = Math.max(0, begin - NEAR);
  const length = Math.min(count, end + NEAR) - start;
  const rest = count - length;
  const windows = Math.min(WINDOWS, Math.ceil(rest / WINDOW_FRAMES));
  const last = Math.max(0, rest - WINDOW_FRAMES);
  const chosen = new Set<number>();
  for (let window = 0; window < windows; window++) {
    const from = Math.round(windows === 1 ? last / 2 : (last * window) / (windows - 1));
    for (let index = from; index < Math.min(rest, from + WINDOW_FRAMES); index++) chosen.add(index);
  }
  const before = [...chosen].filter((index) => index < start);
  const after = [...chosen].filter((index) => index >= start).map((index) => index + length);
  const stretch = Array.from({ length }, (_, index) => start + index);
  return { frames: [...before, ...stretch, ...after], start, position: before.length, length };
}

/** A raised cosine, in place. That of `fadeOut` adds up to 1 with it. */
function fadeIn(samples: Float32Array, length: number): void {
  const count = Math.min(length, samples.length >> 1);
  for (let index = 0; index < count; index++) samples[index]! *= (1 - Math.cos((Math.PI * index) / count)) / 2;
}

function fadeOut(samples: Float32Array, length: number): void {
  const count = Math.min(length, samples.length >> 1);
  for (let index = 0; index < count; index++) {
    samples[samples.length - count + index]! *= (1 + Math.cos((Math.PI * index) / count)) / 2;
  }
}

function peakOf(samples: Float32Array): number {
  return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}

/** Index of the first sample in `from` … `to` above a threshold; `to` if there is none. */
function firstAbove(samples: Float32Array, threshold: number, from: number, to: number): number {
  for (let index = from; index < to; index++) if (Math.abs(samples[index]!) > threshold) return index;
  return to;
}

/**
 * Index after the last sample above a threshold, from `from` on. Sound after `to` counts only if it goes on from sound
 * before.
 */
function decayAt(samples: Float32Array, threshold: number, from: number, to: number): number {
  let decay = lastAbove(samples, threshold, from, to);
  for (;;) {
    const end = lastAbove(samples, threshold, decay, Math.min(samples.length, decay + SHORT_GAP));
    if (end === decay) return decay;
    decay = end;
  }
}

/** Index after the last sample in `from` … `to` above a threshold; `from` if there is none. */
function lastAbove(samples: Float32Array, threshold: number, from: number, to: number): number {
  for (let index = to; index > from; index--) if (Math.abs(samples[index - 1]!) > threshold) return index;
  return from;
}
