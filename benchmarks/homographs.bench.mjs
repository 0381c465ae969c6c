/**
 * How often is an English word with two pronunciations read with the wrong one? Compares ours with what misaki's lexicon lists for the
 * part of speech that a treebank gives: `npm run benchmark homographs -- FILE...`, with CoNLL-U files such as those of Universal
 * Dependencies' UD_English-EWT and UD_English-GUM, and misaki's lexicons in `../shared/misaki`. SHOW=1 prints each difference.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { English } from '../dist/text/english/g2p/phonemes.js';
import { Espeak } from '../dist/text/espeak/espeak.js';
import { englishWord } from '../dist/text/espeak/phonemes.js';
import { round, save } from './measure.mjs';

const lexicons = fileURLToPath(new URL('../../shared/misaki', import.meta.url));
const listed = JSON.parse(readFileSync(`${lexicons}/us_gold.json`, 'utf8'));
/** Words with a weak and a strong form, and words whose sound depends on the next word. */
const FUNCTION_WORDS = new Set(
  'a am an as at be but by did do for from had have her his i in is it not of on or that the to us used was will'.split(
    ' ',
  ),
);
const PARTS = [
  [/^VB/, 'VERB'],
  [/^NN/, 'NOUN'],
  [/^RB/, 'ADV'],
  [/^JJ/, 'ADJ'],
];

/** Words with their tags, sentence by sentence; contractions are one word with the tag of their first part. */
function* sentencesOf(file) {
  let words = [];
  let partsUntil = 0;
  let isContraction = false;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [id = '', form, , , tag] = line.split('\t');
    if (/^\d+-\d+$/.test(id)) {
      partsUntil = Number(id.split('-')[1]);
      isContraction = true;
      words.push({ form });
    } else if (/^\d+$/.test(id)) {
      if (isContraction) words.at(-1).tag = tag;
      else if (Number(id) > partsUntil) words.push({ form, tag });
      isContraction = false;
    } else if (line === '') {
      if (words.length > 0) yield words;
      words = [];
      partsUntil = 0;
    }
  }
}

const plain = (phonemes) => phonemes.replace(/[ˈˌ]/g, '').replace(/T/g, 't');

/** misaki's pronunciation of a word with a tag; undefined if the word has only one. */
function meant({ form, tag }) {
  const word = form.toLowerCase();
  const entry = listed[word];
  if (!entry || typeof entry === 'string' || FUNCTION_WORDS.has(word) || !/^[A-Za-z][a-z]+$/.test(form))
    return undefined;
  if (new Set(Object.values(entry).filter(Boolean).map(plain)).size < 2) return undefined;
  const part = PARTS.find(([pattern]) => pattern.test(tag))?.[1];
  return plain(entry[tag] ?? entry[part] ?? entry.DEFAULT ?? '') || undefined;
}

const espeak = await Espeak.load();
const sayUnknown = (word, accent) => englishWord(espeak, word, accent);
const rows = [];
for (const [title, options] of [
  ['with the lexicons', { lexicons, sayUnknown }],
  ['without the lexicons', { sayUnknown }],
]) {
  const english = await English.load(options);
  let all = 0;
  let wrong = 0;
  for (const file of process.argv.slice(2)) {
    for (const words of sentencesOf(file)) {
      const said = english.pronounce(
        words.map(({ form }) => form),
        'us',
      );
      for (const [index, word] of words.entries()) {
        const right = meant(word);
        if (right === undefined) continue;
        all++;
        if (plain(said[index]) === right) continue;
        wrong++;
        const near = words.slice(Math.max(0, index - 6), index + 6).map(({ form }) => form);
        if (process.env.SHOW)
          console.log(`${word.form} (${word.tag}): ${plain(said[index])}, ${right}: ${near.join(' ')}`);
      }
    }
  }
  rows.push([
    `${all} words with two pronunciations, ${title}`,
    `${wrong} differ from the pronunciation listed for their part of speech, ${round((100 * wrong) / all, 2)} %`,
  ]);
}
save(import.meta.url, rows);
