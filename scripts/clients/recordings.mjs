import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

/** Silence after a recording, which closes its last turn. */
const TAIL_SECONDS = 2;

/**
 * The recording as signed 16-bit samples of one channel, read by ffmpeg.
 * @param {string} path
 * @param {number} rate in Hz
 */
export function pcm(path, rate) {
  const format = ['-f', 's16le', '-ac', '1', '-ar', String(rate)];
  return execFileSync('ffmpeg', ['-v', 'error', '-i', path, ...format, '-'], { maxBuffer: 2 ** 30 });
}

/**
 * Yields `audio` and silence after it in pieces of `seconds`, each when it would have been spoken.
 * @param {Buffer} audio
 * @param {number} rate in Hz
 * @param {number} seconds
 */
export async function* atSpeedOfSpeech(audio, rate, seconds) {
  const whole = Buffer.concat([audio, Buffer.alloc(TAIL_SECONDS * rate * 2)]);
  const size = Math.floor(seconds * rate) * 2;
  const started = performance.now();
  for (let offset = 0; offset < whole.length; offset += size) {
    await wait(Math.max(0, started + (offset / (rate * 2)) * 1000 - performance.now()));
    yield whole.subarray(offset, offset + size);
  }
}

/** @param {string} text */
export const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

/**
 * Words to replace, insert and remove to make the one list the other.
 * @param {string[]} heard
 * @param {string[]} meant
 */
export function errors(heard, meant) {
  let row = Array.from({ length: meant.length + 1 }, (_, index) => index);
  for (const [index, word] of heard.entries()) {
    const next = [index + 1];
    for (const [at, other] of meant.entries()) {
      next.push(Math.min(row[at + 1] + 1, next[at] + 1, row[at] + (word === other ? 0 : 1)));
    }
    row = next;
  }
  return row[meant.length];
}

/**
 * Prints the turns that a client heard alongside the text of a request.
 * @param {string} how
 * @param {string} path
 * @param {string[]} turns
 * @param {string} whole
 */
export function report(how, path, turns, whole) {
  const meant = words(whole);
  const wrong = errors(words(turns.join(' ')), meant);
  console.log(`${how}, ${path}: ${turns.length} turns, ${wrong} of ${meant.length} words other than by request`);
  for (const turn of turns) console.log(`  ${turn}`);
}
