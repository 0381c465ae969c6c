import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type LanguageGolden, languageErrorRate, readGoldens } from '../../../benchmarks/phoneme-errors.mjs';
import { Languages } from '../languages.ts';
import { defaultNormalization } from '../normalization.ts';
import { unknownPhonemes } from '../phoneme-alphabet.ts';

const goldens = readGoldens<LanguageGolden>(fileURLToPath(new URL('phonemes.golden.jsonl.gz', import.meta.url)));

// The bound is just above the measured rate.
it("Mandarin phonemes are close to misaki's", async () => {
  const language = await new Languages().load('z');
  expect(goldens.length).toBeGreaterThan(300);
  expect(await languageErrorRate(goldens, language, { defaultNormalization, unknownPhonemes })).toBeLessThan(0.0165);
}, 60_000);
