/**
 * Speaks lines with Flite for speech.py. Reads one JSON object per line from standard input, { voice, text, speed }. Writes
 * for each a line of JSON, { count, words: [[text, start, end], …] } in seconds, then `count` samples: little-endian
 * float32, mono, 16 kHz. Needs `npm run build`.
 */
import { createInterface } from 'node:readline';

const built = new URL('../../dist/models/flite/', import.meta.url);
const { compileFlite, Flite } = await import(new URL('flite.js', built).href);
const { speakPart } = await import(new URL('speech.js', built).href);
const { wordsOf } = await import(new URL('words.js', built).href);

const flite = Flite.of(await compileFlite());
for await (const line of createInterface({ input: process.stdin })) {
  const { voice, text, speed } = JSON.parse(line);
  const tokens = text.split(' ').map((word) => ({ written: word, spoken: word }));
  const task = { speaker: voice, words: wordsOf(tokens), joint: 'clause', speed };
  const { samples, times } = speakPart(flite, task);
  const words = times.map(({ token, start, end }) => [tokens[token].written, start, end]);
  process.stdout.write(`${JSON.stringify({ count: samples.length, words })}\n`);
  process.stdout.write(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
}
