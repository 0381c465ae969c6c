/**
 * How far are our English phonemes from misaki's? Character error rate (stress marks, punctuation and spaces included)
 * over the goldens in src/text/english and in files given as arguments (scripts/phoneme-goldens.py writes them), and
 * over `../shared/misaki/prose.jsonl.gz` if it exists.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { English } from '../dist/text/english/g2p/phonemes.js';
import { englishSegments } from '../dist/text/english/normalize.js';
import { Espeak } from '../dist/text/espeak/espeak.js';
import { englishWord } from '../dist/text/espeak/phonemes.js';
import { defaultNormalization } from '../dist/text/normalization.js';
import { round, save } from './measure.mjs';
import { errorRates, readGoldens } from './phoneme-errors.mjs';

const beside = (path) => fileURLToPath(new URL(path, import.meta.url));
const lexicons = beside('../../shared/misaki');
const prose = beside('../../shared/misaki/prose.jsonl.gz');
const files = [
  beside('../src/text/english/g2p/phonemes.golden.jsonl.gz'),
  ...(existsSync(prose) ? [prose] : []),
  ...process.argv.slice(2),
];

const espeak = await Espeak.load();
const sayUnknown = (word, accent) => englishWord(espeak, word, accent);
const rows = [];
for (const file of files) {
  const goldens = readGoldens(file);
  for (const [title, options] of [
    ['with the lexicons', { lexicons }],
    ['with the lexicons and eSpeak', { lexicons, sayUnknown }],
    ['without the lexicons', {}],
    ['with eSpeak alone', { sayUnknown }],
  ]) {
    const english = await English.load(options);
    for (const [accent, name] of [
      ['us', 'American'],
      ['gb', 'British'],
    ]) {
      const started = performance.now();
      const rates = errorRates(goldens, accent, { english, englishSegments, defaultNormalization });
      const ms = (performance.now() - started) / goldens.length;
      const percent = ([of, rate]) => `${of} ${round(100 * rate, 2)} %`;
      const all = `${round(100 * rates.get('all'), 3)} %`;
      rates.delete('all');
      rows.push([
        `${name} ${title}: ${goldens.length} sentences of ${basename(file)}`,
        `${all} (${[...rates].map(percent).join(', ')}; ${round(ms, 2)} ms per sentence)`,
      ]);
    }
  }
}
save(import.meta.url, rows);
