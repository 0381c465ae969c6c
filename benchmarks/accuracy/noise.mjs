import { gaussian, seeded } from './random.mjs';

export const RATE = 16_000;

export const seconds = (count) => Math.round(count * RATE);

export function silence(length) {
  return new Float32Array(seconds(length));
}

export function white(length, seed) {
  const normal = gaussian(seeded(seed));
  return Float32Array.from({ length }, normal);
}

/** White noise with 3 dB less for each octave: a sum of six one-pole filters whose corners are spread over the band. */
export function pink(length, seed) {
  const normal = gaussian(seeded(seed));
  const corners = [4, 16, 64, 256, 1024, 4096].map((hertz) => 1 - Math.exp((-2 * Math.PI * hertz) / RATE));
  const states = corners.map(() => 0);
  return Float32Array.from({ length }, () => {
    const input = normal();
    let sum = 0;
    for (const [index, share] of corners.entries()) {
      states[index] += share * (input - states[index]);
      sum += states[index] / Math.sqrt(share);
    }
    return sum;
  });
}

/** Mains hum: 50 Hz, its harmonics, and a little hiss. */
export function hum(length, seed) {
  const hiss = white(length, seed);
  return Float32Array.from({ length }, (_, index) => {
    let sum = 0.05 * hiss[index];
    for (let harmonic = 1; harmonic <= 9; harmonic++)
      sum += Math.sin((2 * Math.PI * 50 * harmonic * index) / RATE) / harmonic;
    return sum;
  });
}

/** Several voices at once, each from its own place, repeated to the length. */
export function babble(voices, length, seed) {
  const random = seeded(seed);
  const mixed = new Float32Array(length);
  for (const voice of voices) {
    const start = Math.floor(random() * voice.length);
    const gain = 1 / activeLevel(voice);
    for (let index = 0; index < length; index++) mixed[index] += gain * voice[(start + index) % voice.length];
  }
  return mixed;
}

/** Root mean square of the frames of 20 ms within 40 dB of the loudest one: pauses do not count. */
export function activeLevel(samples) {
  const FRAME = 320;
  const energies = [];
  for (let start = 0; start + FRAME <= samples.length; start += FRAME) {
    let energy = 0;
    for (let index = start; index < start + FRAME; index++) energy += samples[index] ** 2;
    energies.push(energy / FRAME);
  }
  const floor = energies.reduce((a, b) => Math.max(a, b), 0) * 1e-4;
  const active = energies.filter((energy) => energy > floor);
  return Math.sqrt(active.reduce((sum, energy) => sum + energy, 0) / active.length);
}

/** Speech with noise at `decibels` below it, at a peak of 0.9. */
export function mix(speech, noise, decibels) {
  const gain = activeLevel(speech) / activeLevel(noise) / 10 ** (decibels / 20);
  return atPeak(
    speech.map((sample, index) => sample + gain * noise[index]),
    20 * Math.log10(0.9),
  );
}

/** The same at a peak in dBFS. */
export function atPeak(samples, decibels) {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const gain = peak === 0 ? 0 : 10 ** (decibels / 20) / peak;
  return samples.map((sample) => gain * sample);
}

/** Impulse response of a linear-phase band pass: a sinc with a Hann window, symmetric. */
function bandPass(low, high, rate, taps = 257) {
  const middle = (taps - 1) / 2;
  const lowPass = (hertz, at) =>
    at === 0 ? (2 * hertz) / rate : Math.sin((2 * Math.PI * hertz * at) / rate) / (Math.PI * at);
  return Float64Array.from({ length: taps }, (_, tap) => {
    const at = tap - middle;
    return (lowPass(high, at) - lowPass(low, at)) * (0.5 + 0.5 * Math.cos((Math.PI * at) / (middle + 1)));
  });
}

function filtered(samples, response) {
  const middle = (response.length - 1) / 2;
  const padded = new Float32Array(samples.length + response.length - 1);
  padded.set(samples, middle);
  return samples.map((_, index) => {
    let sum = 0;
    for (let tap = 0; tap < response.length; tap++) sum += response[tap] * padded[index + tap];
    return sum;
  });
}

/** µ-law with 8 bits (G.711): the continuous curve, rounded to 128 steps for each sign. */
function muLaw(sample) {
  const MU = 255;
  const step = Math.round((127 * Math.log1p(MU * Math.min(1, Math.abs(sample)))) / Math.log1p(MU)) / 127;
  return Math.sign(sample) * (Math.expm1(step * Math.log1p(MU)) / MU);
}

/** A telephone line: 300 to 3400 Hz, 8 kHz, µ-law, and back to 16 kHz. */
export function telephone(samples) {
  const narrow = atPeak(filtered(samples, bandPass(300, 3400, RATE)), -3);
  const line = narrow.map((sample, index) => (index % 2 === 0 ? 2 * muLaw(sample) : 0));
  return atPeak(filtered(line, bandPass(0, 3600, RATE)), -3);
}

/**
 * A room: echoes that fall by 60 dB in `reverberationTime` seconds, at random times, with as much energy in all as the direct
 * sound has `directDecibels` more.
 */
export function reverberant(samples, { reverberationTime, directDecibels, seed }) {
  const random = seeded(seed);
  const ECHOES = 2000;
  const echoes = Array.from({ length: ECHOES }, () => {
    const at = 0.005 + random() * reverberationTime;
    return { delay: seconds(at), gain: (random() < 0.5 ? -1 : 1) * 10 ** ((-3 * at) / reverberationTime) };
  });
  const energy = echoes.reduce((sum, { gain }) => sum + gain ** 2, 0);
  const scale = Math.sqrt(10 ** (-directDecibels / 10) / energy);
  const wet = new Float32Array(samples.length + seconds(reverberationTime + 0.005));
  wet.set(samples);
  for (const { delay, gain } of echoes) {
    for (let index = 0; index < samples.length; index++) wet[index + delay] += scale * gain * samples[index];
  }
  return atPeak(wet, -3);
}
