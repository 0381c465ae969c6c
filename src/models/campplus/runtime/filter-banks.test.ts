import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BANDS } from '../graph/shapes.ts';
import { FilterBanks, framesIn, samplesUnder } from './filter-banks.ts';
import { PowerOfTwoSpectrum } from './fourier.ts';

/** Made by scripts/campplus-goldens.py. */
const golden: { banks: number[][] } = JSON.parse(
  readFileSync(new URL('../../../../test/fixtures/campplus.golden.json', import.meta.url), 'utf8'),
);

describe('FilterBanks', () => {
  it('are those of Kaldi', () => {
    const sound = Float32Array.from(
      { length: 4000 },
      (_, index) => 0.3 * Math.sin(0.21 * index) * Math.cos(0.0007 * index) + 0.01,
    );
    const banks = new FilterBanks().compute(sound);
    expect(banks.length).toBe(23 * BANDS);
    for (const [index, frame] of [0, 11, 22].entries()) {
      for (let band = 0; band < BANDS; band++) {
        expect(banks[frame * BANDS + band]).toBeCloseTo(golden.banks[index]![band]!, 2);
      }
    }
  });

  it('of digital silence are the least there is, and none of less than a frame', () => {
    const banks = new FilterBanks();
    expect(new Set(banks.compute(new Float32Array(800)))).toEqual(new Set([Math.fround(Math.log(2 ** -23))]));
    expect(banks.compute(new Float32Array(399)).length).toBe(0);
  });

  it('count whole frames', () => {
    expect([0, 399, 400, 559, 560, 24_000].map(framesIn)).toEqual([0, 0, 1, 1, 2, 148]);
    expect(framesIn(samplesUnder(148))).toBe(148);
    expect(framesIn(samplesUnder(148) - 1)).toBe(147);
  });
});

describe('PowerOfTwoSpectrum', () => {
  it('is that of the definition', () => {
    const samples = Float64Array.from({ length: 16 }, (_, index) => Math.sin(index * index) + 0.3);
    const power = new Float64Array(8);
    new PowerOfTwoSpectrum(16).compute(samples, power);
    for (let frequency = 0; frequency < 8; frequency++) {
      let real = 0;
      let imaginary = 0;
      for (const [index, sample] of samples.entries()) {
        real += sample * Math.cos((2 * Math.PI * frequency * index) / 16);
        imaginary -= sample * Math.sin((2 * Math.PI * frequency * index) / 16);
      }
      expect(power[frequency]).toBeCloseTo(real ** 2 + imaginary ** 2, 9);
    }
  });
});
