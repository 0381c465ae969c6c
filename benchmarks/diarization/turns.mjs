import { activeLevel, RATE } from '../accuracy/noise.mjs';

/** 10 ms. */
const FRAME = RATE / 100;
/** Louder than this share of the active level is speech: 24 dB below it, above breath and the room. */
const SPEECH_FLOOR = 10 ** (-24 / 20);
/** Audio more than 30 dB below it is cut off around a turn. */
const FLOOR = 10 ** (-30 / 20);
/** Frames of a pause that the reference leaves out. */
const PAUSE = 30;

/** Seconds of speech within samples, pauses of 0.3 s and more left out. Meant for clean recordings. */
export function speechIn(samples) {
  const floor = SPEECH_FLOOR * activeLevel(samples);
  const loud = levels(samples).map((level) => level > floor);
  const spans = [];
  for (const [frame, isLoud] of loud.entries()) {
    if (!isLoud) continue;
    const last = spans.at(-1);
    if (last && frame - last.end < PAUSE) last.end = frame + 1;
    else spans.push({ start: frame, end: frame + 1 });
  }
  return spans
    .filter(({ start, end }) => end - start >= 10)
    .map(({ start, end }) => ({ start: (start * FRAME) / RATE, end: (end * FRAME) / RATE }));
}

/**
 * Cuts a clip into turns of about the lengths asked for, at the quietest moments near.
 * @param nextLength seconds of the next turn
 */
export function turnsOf(samples, nextLength) {
  const energy = levels(samples);
  const smooth = energy.map((_, frame) => {
    let sum = 0;
    for (let near = frame - 3; near <= frame + 3; near++) sum += energy[near] ?? 0;
    return sum;
  });
  const turns = [];
  let start = 0;
  while (start < energy.length) {
    const length = Math.round(nextLength() * 100);
    let end = energy.length;
    if (energy.length - start > length + 100) {
      const from = start + Math.max(80, Math.round(0.75 * length));
      const to = start + Math.round(1.25 * length) + 20;
      end = from;
      for (let frame = from; frame < Math.min(to, energy.length); frame++) if (smooth[frame] < smooth[end]) end = frame;
    }
    turns.push(trimmed(samples.subarray(start * FRAME, end * FRAME)));
    start = end;
  }
  return turns.filter(({ length }) => length >= 0.5 * RATE);
}

/** Without the silence around it. */
function trimmed(samples) {
  const floor = FLOOR * activeLevel(samples);
  const loud = levels(samples).map((level) => level > floor);
  return samples.subarray(Math.max(0, loud.indexOf(true)) * FRAME, (loud.lastIndexOf(true) + 1) * FRAME);
}

/** Root mean square of each frame. */
function levels(samples) {
  return Array.from({ length: Math.floor(samples.length / FRAME) }, (_, frame) => {
    let sum = 0;
    for (let index = frame * FRAME; index < (frame + 1) * FRAME; index++) sum += samples[index] ** 2;
    return Math.sqrt(sum / FRAME);
  });
}
