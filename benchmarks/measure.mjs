import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Median; of an even number of values the upper one. */
export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

export const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

export const round = (value, digits = 3) => Number(value.toPrecision(digits));

/** Path of a recording next to the repository. */
export function recording(name) {
  return fileURLToPath(new URL(`../../shared/audio/${name}`, import.meta.url));
}

/** Samples of a 16-bit mono wav at 16 kHz, as float32. */
export function readWav(path) {
  const file = readFileSync(path);
  let offset = 12;
  while (file.toString('latin1', offset, offset + 4) !== 'data') offset += 8 + file.readUInt32LE(offset + 4);
  const samples = new Float32Array(Math.floor((file.length - offset - 8) / 2));
  for (let index = 0; index < samples.length; index++)
    samples[index] = file.readInt16LE(offset + 8 + 2 * index) / 32768;
  return samples;
}

/** A 16-bit mono wav. @param rate in Hz */
export function wavFile(samples, rate = 16_000) {
  const file = Buffer.alloc(44 + 2 * samples.length);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(2 * rate, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(2 * samples.length, 40);
  for (const [index, sample] of samples.entries()) file.writeInt16LE(Math.round(sample * 32767), 44 + 2 * index);
  return file;
}

/**
 * URL of a benchmark's result. `MACHINE` names another machine than the usual one (`MACHINE=zen5`); its figures are kept
 * next to the usual ones.
 */
function resultFile(benchmarkUrl, variant = process.env.MACHINE) {
  const name = [nameOf(benchmarkUrl), ...(variant ? [variant] : [])].join('.');
  return new URL(`./results/${name}.json`, import.meta.url);
}

const nameOf = (benchmarkUrl) => basename(fileURLToPath(benchmarkUrl)).replace(/\.bench\.mjs$/, '');

/** Rows saved before. */
export function savedRows(benchmarkUrl) {
  const file = resultFile(benchmarkUrl);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).rows : [];
}

/**
 * Writes rows to benchmarks/results, the source of docs/benchmarks.md.
 * @param variant keeps them apart from those of other runs
 */
export function save(benchmarkUrl, rows, variant) {
  const given = process.argv.slice(2);
  const file = resultFile(benchmarkUrl, variant);
  mkdirSync(new URL('.', file), { recursive: true });
  const result = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus()[0].model.trim()}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: process.version,
    command: `npm run benchmark ${[...(given.length > 0 ? ['--'] : []), nameOf(benchmarkUrl), ...given].join(' ')}`,
    rows,
  };
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  for (const [what, value] of rows) console.log(`${what}: ${value}`);
}

/** Lets threads of earlier runs fall asleep: onnxruntime's spin for 40 ms by default. */
export const rest = () => new Promise((resolve) => setTimeout(resolve, 100));
