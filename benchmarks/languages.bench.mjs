/**
 * How far are our phonemes from misaki's, in languages other than English? Character error rate (stress marks,
 * punctuation and spaces included) over the goldens in src/text and in files given as arguments
 * (scripts/espeak-goldens.py writes them), and the cost of loading each language.
 */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languageNames } from '../dist/say/voices/language-codes.js';
import { Languages } from '../dist/text/languages.js';
import { defaultNormalization } from '../dist/text/normalization.js';
import { unknownPhonemes } from '../dist/text/phoneme-alphabet.js';
import { round, save } from './measure.mjs';
import { languageErrorRate, readGoldens } from './phoneme-errors.mjs';

const textDir = fileURLToPath(new URL('../src/text/', import.meta.url));
const files = [
  ...readdirSync(textDir, { recursive: true })
    .filter((name) => /[\\/]phonemes\.golden\.jsonl\.gz$/.test(name) && !name.startsWith('english'))
    .map((name) => textDir + name),
  ...process.argv.slice(2),
];

const languages = new Languages();
const rows = [];
for (const file of files) {
  const byLanguage = grouped(readGoldens(file));
  for (const [letter, goldens] of byLanguage) {
    const before = { rss: process.memoryUsage.rss(), time: performance.now() };
    const language = await languages.load(letter);
    const megabytes = Math.max(0, process.memoryUsage.rss() - before.rss) / 1e6;
    const loading = performance.now() - before.time;
    const started = performance.now();
    const rate = await languageErrorRate(goldens, language, { defaultNormalization, unknownPhonemes });
    const ms = (performance.now() - started) / goldens.length;
    rows.push([
      `${languageNames[letter]}: ${goldens.length} sentences of ${basename(file)}`,
      `${round(100 * rate, 2)} % (${round(ms, 2)} ms per sentence; loaded in ${round(loading, 2)} ms, ${round(megabytes, 2)} MB)`,
    ]);
  }
}
save(import.meta.url, rows);

function grouped(goldens) {
  const groups = new Map();
  for (const golden of goldens) groups.set(golden.language, [...(groups.get(golden.language) ?? []), golden]);
  return groups;
}
