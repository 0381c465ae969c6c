/**
 * What pronounces English words best that are missing from misaki's lexicons? The pronouncing dictionary, eSpeak NG and letter-to-sound
 * rules against Wiktionary's transcriptions, as WikiPron collected them.
 *
 * `npm run benchmark unlisted-words -- FOLDER`: `data/scrape/tsv` of https://github.com/CUNY-CL/wikipron.
 *
 * Stress, length and what differs between the transcribers of one accent do not count: ɪ and ə, ɑ and ɔ, flapped t. Each
 * word is compared with the closest of its transcriptions.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { american } from '../dist/text/english/g2p/american.js';
import { british } from '../dist/text/english/g2p/british.js';
import { Lexicon, PronouncingDictionary } from '../dist/text/english/g2p/lexicon.js';
import { MisakiLexicon } from '../dist/text/english/g2p/misaki-lexicon.js';
import { Espeak } from '../dist/text/espeak/espeak.js';
import { englishWord } from '../dist/text/espeak/phonemes.js';
import { round, save } from './measure.mjs';
import { errors } from './phoneme-errors.mjs';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the directory of the transcriptions.');
const lexicons = fileURLToPath(new URL('../../shared/misaki', import.meta.url));
const lexicon = new Lexicon(await PronouncingDictionary.load());
const espeak = await Espeak.load();

/** Converts to Kokoro's alphabet, with one sign for everything that does not count. */
const KOKORO = [
  [/[ːˈˌ. ]|\p{M}/gu, ''],
  [/dʒ/g, 'ʤ'],
  [/tʃ/g, 'ʧ'],
  [/oʊ|əʊ|Q/g, 'O'],
  [/eɪ/g, 'A'],
  [/aɪ/g, 'I'],
  [/aʊ/g, 'W'],
  [/ɔɪ/g, 'Y'],
  [/ɚ|ɝ/g, 'əɹ'],
  [/[ɾT]/g, 't'],
  [/ɫ/g, 'l'],
  [/r/g, 'ɹ'],
  [/ʍ/g, 'w'],
  [/g/g, 'ɡ'],
  [/[ɪᵻəᵊɐʌɜ]/g, 'ə'],
  [/[ɔɒɑ]/g, 'ɑ'],
  [/n(?=[kɡ])/g, 'ŋ'],
];
const plain = (phonemes) => KOKORO.reduce((text, [from, to]) => text.replace(from, to), phonemes);

/** Transcriptions of each word in lower case. */
function transcriptions(name) {
  const words = new Map();
  for (const line of readFileSync(join(folder, name), 'utf8').trim().split('\n')) {
    const [written, phones] = line.split('\t');
    if (!/^[A-Za-z']{3,}$/.test(written)) continue;
    const word = written.toLowerCase();
    words.set(word, [...(words.get(word) ?? []), plain(phones)]);
  }
  return words;
}

const rows = [];
for (const [accent, name, file, render] of [
  ['us', 'American', 'eng_latn_us_broad.tsv', american],
  ['gb', 'British', 'eng_latn_uk_broad.tsv', british],
]) {
  const misaki = await MisakiLexicon.load(lexicons, accent);
  const context = { tag: () => 'NNP', nextVowel: false, nextTo: false };
  const isListed = (word) =>
    [word, word[0].toUpperCase() + word.slice(1)].some((each) => misaki.pronounce(each, context) !== undefined);
  const ours = (word) => render(lexicon.phones(word, accent), word);
  const theirs = (word) => englishWord(espeak, word, accent);
  const unlisted = [...transcriptions(file)].filter(([word]) => !isListed(word));
  for (const [what, own, belongs] of [
    ['in the dictionary', 'dictionary', (word) => lexicon.has(word)],
    ['made of parts in the dictionary', 'parts', (word) => !lexicon.has(word) && lexicon.known(word, accent)],
    ['others', 'letter-to-sound rules', (word) => !lexicon.known(word, accent)],
  ]) {
    const words = unlisted.filter(([word]) => belongs(word));
    const far = words.map(([word, meant]) =>
      [ours, theirs].map((pronounce) => Math.min(...meant.map((each) => errors(plain(pronounce(word)), each)))),
    );
    const right = (index) => `${round((100 * far.filter((pair) => pair[index] === 0).length) / far.length, 3)} %`;
    const closer = (index) => far.filter((pair) => pair[index] < pair[1 - index]).length;
    rows.push([
      `${name}, ${what}: ${words.length} words`,
      `${own} right in ${right(0)}, closer in ${closer(0)}; eSpeak right in ${right(1)}, closer in ${closer(1)}`,
    ]);
  }
}
save(import.meta.url, rows);
