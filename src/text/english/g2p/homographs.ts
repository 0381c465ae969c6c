import { wordSet } from '../../patterns.ts';
import { type Phone, parsePhones } from './arpabet.ts';
import { byRule, hasRule } from './homograph-rules.ts';
import { withS } from './morphology.ts';
import { type Use, usedAs } from './verb-or-noun.ts';
import type { Context } from './word-classes.ts';

/** Whether the word, in lower case, has two pronunciations. */
export function isHomograph(word: string): boolean {
  return hasRule(word) || isNounVerbPair(word);
}

/**
 * Phones of a homograph by its neighbours; undefined for other words.
 * @param entry the dictionary's phones of a word
 */
export function homograph(
  context: Context,
  index: number,
  entry: (word: string) => readonly Phone[],
): readonly Phone[] | undefined {
  const word = context.words[index]!;
  return hasRule(word) ? byRule(context, index) : nounOrVerb(word, usedAs(context, index), entry);
}

/** Words whose noun or adjective differs from the verb, mostly in stress; `usual` is noun unless given. */
const PAIRS: Readonly<Record<string, readonly [noun: string, verb: string, usual?: 'verb']>> = {
  absent: ['AE1 B S AH0 N T', 'AE0 B S EH1 N T'],
  abstract: ['AE1 B S T R AE2 K T', 'AE0 B S T R AE1 K T'],
  addict: ['AE1 D IH0 K T', 'AH0 D IH1 K T'],
  affix: ['AE1 F IH2 K S', 'AH0 F IH1 K S', 'verb'],
  attribute: ['AE1 T R AH0 B Y UW2 T', 'AH0 T R IH1 B Y UW2 T'],
  augment: ['AO1 G M AH0 N T', 'AO0 G M EH1 N T', 'verb'],
  combine: ['K AA1 M B AY2 N', 'K AH0 M B AY1 N', 'verb'],
  commune: ['K AA1 M Y UW2 N', 'K AH0 M Y UW1 N'],
  compact: ['K AA1 M P AE2 K T', 'K AH0 M P AE1 K T'],
  compound: ['K AA1 M P AW2 N D', 'K AH0 M P AW1 N D'],
  compress: ['K AA1 M P R EH2 S', 'K AH0 M P R EH1 S', 'verb'],
  concert: ['K AA1 N S ER0 T', 'K AH0 N S ER1 T'],
  conduct: ['K AA1 N D AH2 K T', 'K AH0 N D AH1 K T'],
  confine: ['K AA1 N F AY2 N', 'K AH0 N F AY1 N', 'verb'],
  conflict: ['K AA1 N F L IH2 K T', 'K AH0 N F L IH1 K T'],
  console: ['K AA1 N S OW2 L', 'K AH0 N S OW1 L'],
  consort: ['K AA1 N S AO0 R T', 'K AH0 N S AO1 R T'],
  construct: ['K AA1 N S T R AH2 K T', 'K AH0 N S T R AH1 K T', 'verb'],
  content: ['K AA1 N T EH0 N T', 'K AH0 N T EH1 N T'],
  contest: ['K AA1 N T EH2 S T', 'K AH0 N T EH1 S T'],
  contract: ['K AA1 N T R AE2 K T', 'K AH0 N T R AE1 K T'],
  contrast: ['K AA1 N T R AE2 S T', 'K AH0 N T R AE1 S T'],
  converse: ['K AA1 N V ER2 S', 'K AH0 N V ER1 S', 'verb'],
  convert: ['K AA1 N V ER2 T', 'K AH0 N V ER1 T', 'verb'],
  convict: ['K AA1 N V IH0 K T', 'K AH0 N V IH1 K T', 'verb'],
  decrease: ['D IY1 K R IY2 S', 'D IH0 K R IY1 S'],
  defect: ['D IY1 F EH0 K T', 'D IH0 F EH1 K T'],
  desert: ['D EH1 Z ER0 T', 'D IH0 Z ER1 T'],
  digest: ['D AY1 JH EH2 S T', 'D AY0 JH EH1 S T', 'verb'],
  discard: ['D IH1 S K AA2 R D', 'D IH0 S K AA1 R D', 'verb'],
  discharge: ['D IH1 S CH AA2 R JH', 'D IH0 S CH AA1 R JH', 'verb'],
  discount: ['D IH1 S K AW2 N T', 'D IH0 S K AW1 N T'],
  discourse: ['D IH1 S K AO2 R S', 'D IH0 S K AO1 R S'],
  entrance: ['EH1 N T R AH0 N S', 'EH0 N T R AE1 N S'],
  escort: ['EH1 S K AO2 R T', 'EH0 S K AO1 R T'],
  exploit: ['EH1 K S P L OY2 T', 'EH0 K S P L OY1 T', 'verb'],
  export: ['EH1 K S P AO2 R T', 'EH0 K S P AO1 R T'],
  extract: ['EH1 K S T R AE2 K T', 'EH0 K S T R AE1 K T', 'verb'],
  ferment: ['F ER1 M EH2 N T', 'F ER0 M EH1 N T', 'verb'],
  frequent: ['F R IY1 K W AH0 N T', 'F R IY0 K W EH1 N T'],
  import: ['IH1 M P AO2 R T', 'IH0 M P AO1 R T', 'verb'],
  incense: ['IH1 N S EH2 N S', 'IH0 N S EH1 N S'],
  incline: ['IH1 N K L AY2 N', 'IH0 N K L AY1 N', 'verb'],
  increase: ['IH1 N K R IY2 S', 'IH0 N K R IY1 S', 'verb'],
  insert: ['IH1 N S ER2 T', 'IH0 N S ER1 T', 'verb'],
  insult: ['IH1 N S AH2 L T', 'IH0 N S AH1 L T'],
  invite: ['IH1 N V AY2 T', 'IH0 N V AY1 T', 'verb'],
  object: ['AA1 B JH EH0 K T', 'AH0 B JH EH1 K T'],
  perfect: ['P ER1 F IH0 K T', 'P ER0 F EH1 K T'],
  perfume: ['P ER1 F Y UW2 M', 'P ER0 F Y UW1 M'],
  permit: ['P ER1 M IH0 T', 'P ER0 M IH1 T'],
  pervert: ['P ER1 V ER2 T', 'P ER0 V ER1 T'],
  present: ['P R EH1 Z AH0 N T', 'P R IY0 Z EH1 N T'],
  progress: ['P R AA1 G R EH0 S', 'P R AH0 G R EH1 S'],
  project: ['P R AA1 JH EH2 K T', 'P R AH0 JH EH1 K T'],
  prospect: ['P R AA1 S P EH2 K T', 'P R AH0 S P EH1 K T'],
  protest: ['P R OW1 T EH2 S T', 'P R AH0 T EH1 S T'],
  rebel: ['R EH1 B AH0 L', 'R IH0 B EH1 L'],
  recall: ['R IY1 K AO2 L', 'R IH0 K AO1 L', 'verb'],
  record: ['R EH1 K ER0 D', 'R IH0 K AO1 R D'],
  refill: ['R IY1 F IH2 L', 'R IY0 F IH1 L', 'verb'],
  refund: ['R IY1 F AH2 N D', 'R IH0 F AH1 N D', 'verb'],
  refuse: ['R EH1 F Y UW2 S', 'R IH0 F Y UW1 Z', 'verb'],
  regress: ['R IY1 G R EH2 S', 'R IH0 G R EH1 S', 'verb'],
  reject: ['R IY1 JH EH2 K T', 'R IH0 JH EH1 K T', 'verb'],
  relapse: ['R IY1 L AE2 P S', 'R IH0 L AE1 P S', 'verb'],
  relay: ['R IY1 L EY2', 'R IY0 L EY1'],
  remake: ['R IY1 M EY2 K', 'R IY0 M EY1 K', 'verb'],
  reprint: ['R IY1 P R IH2 N T', 'R IY0 P R IH1 N T', 'verb'],
  rerun: ['R IY1 R AH2 N', 'R IY0 R AH1 N', 'verb'],
  rewrite: ['R IY1 R AY2 T', 'R IY0 R AY1 T', 'verb'],
  segment: ['S EH1 G M AH0 N T', 'S EH1 G M EH2 N T'],
  subject: ['S AH1 B JH EH0 K T', 'S AH0 B JH EH1 K T'],
  survey: ['S ER1 V EY2', 'S ER0 V EY1'],
  suspect: ['S AH1 S P EH2 K T', 'S AH0 S P EH1 K T'],
  torment: ['T AO1 R M EH2 N T', 'T AO0 R M EH1 N T'],
  transfer: ['T R AE1 N S F ER0', 'T R AE0 N S F ER1'],
  transform: ['T R AE1 N S F AO2 R M', 'T R AE0 N S F AO1 R M', 'verb'],
  transplant: ['T R AE1 N S P L AE2 N T', 'T R AE0 N S P L AE1 N T', 'verb'],
  transport: ['T R AE1 N S P AO2 R T', 'T R AE0 N S P AO1 R T'],
  upset: ['AH1 P S EH2 T', 'AH2 P S EH1 T', 'verb'],
  // These differ in the last consonant or vowel instead.
  abuse: ['AH0 B Y UW1 S', 'AH0 B Y UW1 Z'],
  diffuse: ['D IH0 F Y UW1 S', 'D IH0 F Y UW1 Z', 'verb'],
  excuse: ['IH0 K S K Y UW1 S', 'IH0 K S K Y UW1 Z', 'verb'],
  house: ['HH AW1 S', 'HH AW1 Z'],
  misuse: ['M IH0 S Y UW1 S', 'M IH0 S Y UW1 Z'],
  mouth: ['M AW1 TH', 'M AW1 DH'],
  reuse: ['R IY0 Y UW1 S', 'R IY0 Y UW1 Z', 'verb'],
  sow: ['S AW1', 'S OW1', 'verb'],
};

/** The verb ends in eɪt, the noun or adjective in ət. */
const ATE = wordSet(
  'advocate affiliate aggregate alternate animate appropriate approximate articulate associate carbonate certificate ' +
    'confederate conglomerate conjugate coordinate degenerate delegate deliberate desolate duplicate elaborate estimate ' +
    'expatriate graduate initiate intimate laminate legitimate moderate postulate precipitate predicate regenerate ' +
    'separate subordinate syndicate triplicate underestimate',
);
const ATE_USUALLY_VERB = wordSet(
  'animate delegate elaborate estimate initiate laminate postulate precipitate regenerate underestimate',
);

/** The verb ends in a full mɛnt. */
const MENT = wordSet('complement compliment document fragment implement ornament supplement');
const MENT_USUALLY_VERB = wordSet('implement');

/** Endings that are full in the verb and weak in the noun or adjective. */
const ENDINGS = [
  { words: ATE, usuallyVerb: ATE_USUALLY_VERB, verb: 'EY2 T', noun: 'AH0 T' },
  { words: MENT, usuallyVerb: MENT_USUALLY_VERB, verb: 'EH2 N T', noun: 'AH0 N T' },
];

/** Whether the word, in lower case, is pronounced differently as a noun and as a verb, including plurals and -s forms. */
function isNounVerbPair(word: string): boolean {
  const stem = stemOf(word);
  return Object.hasOwn(PAIRS, stem) || ENDINGS.some(({ words }) => words.has(stem));
}

/** The more usual use of a word that is pronounced differently as a noun and as a verb; undefined for other words. */
export function usualUse(word: string): Use | undefined {
  const stem = stemOf(word);
  if (Object.hasOwn(PAIRS, stem)) return PAIRS[stem]![2] ?? 'noun';
  const ending = ENDINGS.find(({ words }) => words.has(stem));
  return ending && (ending.usuallyVerb.has(stem) ? 'verb' : 'noun');
}

/**
 * Phones of a word that is pronounced differently as a noun and as a verb; undefined for other words.
 * @param word in lower case
 * @param use the more usual one if undefined
 * @param entry the dictionary's phones of a word
 */
function nounOrVerb(
  word: string,
  use: Use | undefined,
  entry: (word: string) => readonly Phone[],
): readonly Phone[] | undefined {
  const stem = stemOf(word);
  const phones = stemPhones(stem, use, entry);
  return phones && stem !== word ? withS(phones) : phones;
}

function stemPhones(stem: string, use: Use | undefined, entry: (word: string) => readonly Phone[]) {
  const isVerb = (use ?? usualUse(stem)) === 'verb';
  if (Object.hasOwn(PAIRS, stem)) return parsePhones(PAIRS[stem]![isVerb ? 1 : 0].split(' '));
  const ending = ENDINGS.find(({ words }) => words.has(stem));
  if (!ending) return undefined;
  const phones = parsePhones((isVerb ? ending.verb : ending.noun).split(' '));
  return [...entry(stem).slice(0, -phones.length), ...phones];
}

function stemOf(word: string): string {
  if (!word.endsWith('s') || Object.hasOwn(PAIRS, word)) return word;
  return word.endsWith('sses') ? word.slice(0, -2) : word.slice(0, -1);
}
