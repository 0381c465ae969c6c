import { expect, it } from 'vitest';
import { BrowserStorage } from '../shared/storage.ts';
import { SAMPLE_RATE } from './microphone.ts';
import { PcmRecording, recoveredFile, removeParts } from './pcm-recording.ts';

const bytesOf = async (file: File) => Buffer.from(await file.arrayBuffer());
const ramp = (from: number, count: number) => Int16Array.from({ length: count }, (_, index) => (from + index) % 30_000);

it('makes a WAV file of all samples', async () => {
  const recording = new PcmRecording(new BrowserStorage(), 'a');
  for (let from = 0; from < 100_000; from += 1000) recording.push(ramp(from, 1000));
  expect(recording.seconds).toBeCloseTo(100_000 / SAMPLE_RATE);
  const wav = await bytesOf(recording.file('x.wav'));
  expect(wav.toString('latin1', 0, 16)).toBe('RIFF\x64\x0d\x03\x00WAVEfmt ');
  expect([wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([1, 24_000, 16]);
  expect([wav.readUInt32LE(40), wav.length]).toEqual([200_000, 200_044]);
  expect(wav.readInt16LE(44 + 2 * 77_777)).toBe(77_777 % 30_000);
});

it('recovers all but the last two seconds after the page was closed', async () => {
  const storage = new BrowserStorage();
  const recording = new PcmRecording(storage, 'a');
  for (let from = 0; from < 5 * SAMPLE_RATE; from += 1000) recording.push(ramp(from, 1000));
  const other = new PcmRecording(storage, 'ab');
  other.push(ramp(0, 3 * SAMPLE_RATE));
  await new Promise((resolve) => setTimeout(resolve));
  const wav = await bytesOf((await recoveredFile(storage, 'a', 'x.wav'))!);
  const whole = await bytesOf(recording.file('x.wav'));
  expect(wav.length).toBe(44 + 2 * 4 * SAMPLE_RATE);
  expect(wav.subarray(44).equals(whole.subarray(44, wav.length))).toBe(true);
  await removeParts(storage, 'a');
  expect(await recoveredFile(storage, 'a', 'x.wav')).toBeUndefined();
  expect(await recoveredFile(storage, 'ab', 'x.wav')).toBeDefined();
});
