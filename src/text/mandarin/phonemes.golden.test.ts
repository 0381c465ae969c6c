import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type LanguageGolden, languageErrorRate, readGoldens } from '../../../benchmarks/phoneme-errors.mjs';
import { Languages } from '../languages.ts';
import { defaultNormalization } from '../normalization.ts';
import { unknownPhonemes } from '../phoneme-alphabet.ts';

const goldens = readGoldens<LanguageGolden>(fileURLToPath(new URL('phonemes.golden.jsonl.gz', import.meta.url)));

// The bound lies right above what was reached.
it("Mandarin is near misaki's own phonemes", async () => {
  const language = await new Languages().load('z');
  expect(goldens.length).toBeGreaterThan(300);
  expect(await languageErrorRate(goldens, language, { defaultNormalization, unknownPhonemes })).toBeLessThan(0.0165);
}, 60_000);
