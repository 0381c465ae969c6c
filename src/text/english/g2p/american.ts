import { PRIMARY_STRESS, SECONDARY_STRESS } from '../../phoneme-alphabet.ts';
import { CONSONANTS, hasSymbol, type Phone } from './arpabet.ts';
import { alignLetters, compileRules, type PhoneRule } from './phone-rules.ts';
import { withKokoroStress } from './stress.ts';

const SOUNDS: Record<string, string> = {
  AA: 'ɑ',
  AE: 'æ',
  AH: 'ʌ',
  AO: 'ɔ',
  AW: 'W',
  AY: 'I',
  EH: 'ɛ',
  ER: 'ɜɹ',
  EY: 'A',
  IH: 'ɪ',
  IY: 'i',
  OW: 'O',
  OY: 'Y',
  UH: 'ʊ',
  UW: 'u',
  ...CONSONANTS,
};

/** Superlatives, not words that only end in -est. */
const SUPERLATIVE = /(?<!inter|for|hon|earn|mod|harv|temp|conqu|prot)est$/;
/** Words whose re- has a weak vowel; in others it is a productive prefix. */
const REDUCED_RE =
  /^re(?:ceiv|ceipt|cept|ciev|cord|cover|cruit|cur|duc|duct|fer|flect|form|fresh|frain|fus|gard|gret|ject|lat|lax|leas|lev|lia|lie|ligi|ly|luct|main|mark|member|mind|mot|mov|new|peat|peal|plac|plen|pl(?:y|ie)|port|pos|pres|pro(?!d|g)|public|puls|pugn|quest|quir|sem|sent|serv|sist|solv|sort|sourc|spect|spond|spons|stor|stric|sult|sum|tain|tard|tir|treat|triev|turn|veal|veng|ver|view|vis|viv|volt|volv|vok|ward)/;

const RULES: readonly PhoneRule[] = [
  { from: 'SH', context: 'N _', letters: /^t/, to: 'ʧ' },
  // T is a flap before a weak vowel, unless that makes a syllabic n.
  { from: 'T', context: '_ AH0|IH0 N !vowel', to: 't' },
  { from: 'T', context: 'vowel R? _ weak', to: 'T' },

  { from: 'IY1|IY2', context: '_ R', to: 'ɪ' },
  { from: 'AO', context: '_ JH', to: 'ɑ' },
  { from: 'AO', context: '_ B|CH|D|K|L|P|T', letters: /^o$/, to: 'ɑ' },
  { from: 'AO', context: '_ S|G weak', letters: /^o$/, to: 'ɑ' },
  { from: 'AO', context: 'start any any _', spelling: /^pro[cfgs]/, to: 'ɑ' },
  { from: 'AA', letters: /^(?:au|aw|augh|ough)$/, to: 'ɔ' },
  { from: 'AA', context: '_ F|G|NG|S|TH', letters: /^o$/, to: 'ɔ' },
  { from: 'AE', context: '_ R', to: 'ɛ' },

  { from: 'ER0', to: 'əɹ' },
  { from: 'UW0', context: 'Y|CH|JH|ZH _ vowel', to: 'əw' },
  { from: 'UW0', context: 'vowel … Y|CH|JH|ZH _ any any', to: 'ə' },
  { from: 'EH0', context: 'start _ * !vowel', to: 'ɪ' },
  { from: 'AE0', context: 'start _ K|D|B', to: 'ə' },
  { from: 'AA0', context: '_ end', spelling: /a$/, to: 'ə' },
  { from: 'OW0', context: '_ weak&!IY', to: 'əw' },
  { from: 'OW0', context: '_ consonant consonant', spelling: /^pro/, to: 'ə' },
  { from: 'IY0', context: 'start any _', spelling: REDUCED_RE, to: 'ə' },

  // The dictionary writes the weak vowel as AH0 or IH0, often at random.
  { from: 'AH0|IH0', context: '_ D end', spelling: /ed$/, to: 'ᵻ' },
  { from: 'AH0|IH0', context: '_ Z end', spelling: /es$|'s$/, to: 'ᵻ' },
  { from: 'AH0|IH0', context: '_ S T end', spelling: SUPERLATIVE, to: 'ᵻ' },
  { from: 'AH0|IH0', context: '_ S T', letters: /^i/, spelling: /ists?$|istic/, to: 'ɪ' },
  { from: 'AH0|IH0', context: '_ S end', spelling: /is$/, to: 'ɪ' },
  { from: 'AH0|IH0', context: 'K _ L', spelling: /ically$/, to: 'ᵊ' },
  // One syllabic consonant is enough: national.
  { from: 'AH0|IH0', context: 'SH weak N _ L', to: 'ə' },
  { from: 'AH0|IH0', context: 'start|vowel|Y|R|W _ L', to: 'ə' },
  { from: 'AH0|IH0', context: '_ L end', to: 'ᵊ' },
  { from: 'AH0|IH0', context: '_ L Z|D end', spelling: /(?:s|ed)$/, to: 'ᵊ' },
  { from: 'AH0|IH0', context: 'D _ L weak', to: 'ᵊ' },
  { from: 'AH0|IH0', context: '_ L vowel', to: 'ə' },
  { from: 'AH0|IH0', context: 'T|D|F|K|B _ L', to: 'ᵊ' },
  { from: 'AH0|IH0', context: '_ L', to: 'ə' },
  { from: 'AH0|IH0', context: 'SH _ N weak', to: 'ᵊ' },
  // After a vowel or r, t and a weak n are glottal: `button`. Kokoro's notation drops the weak vowel.
  { from: 'AH0|IH0', context: 'vowel|R T _ N end', to: '' },
  { from: 'AH0|IH0', context: 'T|D|S|Z _ N !vowel', to: 'ᵊ' },
  { from: 'AH0|IH0', context: 'V _ N T', to: 'ᵊ' },
  { from: 'AH0|IH0', context: 'JH _ N end', to: 'ᵊ' },
  { from: 'AH0|IH0', context: '_ NG', to: 'ɪ' },
  { from: 'AH0|IH0', context: '_ JH|SH end', to: 'ɪ' },
  { from: 'AH0|IH0', context: '_ JH|SH', spelling: /(?:age|ish)(?:ed|es|s|ing|er|ly|ness|ment)?$/, to: 'ɪ' },
  { from: 'AH0', to: 'ə' },
  { from: 'IH0', context: '_ K|V end', to: 'ɪ' },
  { from: 'IH0', context: '_ K S', to: 'ɪ' },
  { from: 'IH0', context: 'start any any _', spelling: /^pre/, to: 'i' },
  { from: 'IH0', context: 'start _', spelling: /^in/, to: 'ɪ' },
  { from: 'IH0', context: 'start _ any vowel|Y|W', to: 'ə' },
  { from: 'IH0', context: 'start _', to: 'ɪ' },
  { from: 'IH0', context: '_ end|vowel', to: 'i' },
  { from: 'IH0', context: '_ R', to: 'ɪ' },
  { from: 'IH0', to: 'ə' },
];
const rewrite = compileRules(RULES);
const STRESS_MARKS = ['', PRIMARY_STRESS, SECONDARY_STRESS] as const;

/**
 * A word's dictionary phones in Kokoro's American notation: weak vowels by their context, the flap T, ᵊ for the vowel of
 * syllabic l and n, and stress as in the model's training data: one primary per word and none on weak vowels.
 * @param spelling the word in lower case, which tells -ed from -id; may be empty
 */
export function american(dictionaryPhones: readonly Phone[], spelling: string): string {
  const phones = withKokoroStress(dictionaryPhones, spelling);
  // The dictionary drops a vowel that careful speech keeps: `basically`.
  if (spelling.endsWith('ically') && hasSymbol(phones.at(-3), 'K')) phones.splice(-2, 0, { symbol: 'AH', stress: 0 });
  const letters = spelling ? alignLetters(spelling, phones) : phones.map(() => '');
  const word = { phones, letters, spelling };
  return phones
    .map(({ symbol, stress }, index) => STRESS_MARKS[stress ?? 0] + (rewrite(word, index) ?? SOUNDS[symbol]!))
    .join('');
}
