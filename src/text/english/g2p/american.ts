import { PRIMARY_STRESS, SECONDARY_STRESS } from '../../phoneme-alphabet.ts';
import type { Phone, Stress } from './arpabet.ts';
import { CONSONANTS, isOneOf, isVowel, isWeak } from './phone-classes.ts';
import { lettersBehind } from './spelling.ts';

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

/** Vowels that stay full, with a secondary stress, wherever they stand after the primary one. */
const FULL = 'AA AE AO AW AY EH EY OY';
const NOT_SUPERLATIVE = /(?:inter|for|hon|earn|mod|harv|temp|conqu|prot)est$/;
/** Words with re- whose vowel is weak; in others it is the living prefix. */
const REDUCED_RE =
  /^re(?:ceiv|ceipt|cept|ciev|cord|cover|cruit|cur|duc|duct|fer|flect|form|fresh|frain|fus|gard|gret|ject|lat|lax|leas|lev|lia|lie|ligi|ly|luct|main|mark|member|mind|mot|mov|new|peat|peal|plac|plen|pl(?:y|ie)|port|pos|pres|pro(?!d|g)|public|puls|pugn|quest|quir|sem|sent|serv|sist|solv|sort|sourc|spect|spond|spons|stor|stric|sult|sum|tain|tard|tir|treat|triev|turn|veal|veng|ver|view|vis|viv|volt|volv|vok|ward)/;

/**
 * A word's dictionary phones in Kokoro's American notation: weak vowels by what follows them, the flap T, ᵊ for the
 * vowel of syllabic l and n, and stress as the model saw it in training, one primary a word and none on weak vowels.
 * @param spelling the word in small letters, which tells -ed from -id; may be empty
 */
export function american(phones: readonly Phone[], spelling: string): string {
  const word = rhythm(phones, spelling);
  // The dictionary swallows a vowel that is kept in careful speech: `basically`.
  if (spelling.endsWith('ically') && isOneOf(word.at(-3), 'K')) word.splice(-2, 0, { symbol: 'AH', stress: 0 });
  const letters = spelling ? lettersBehind(spelling, word) : word.map(() => '');
  let text = '';
  word.forEach((phone, index) => {
    text +=
      phone.stress === undefined
        ? consonant(word, index, letters)
        : mark(phone.stress) + vowel(word, index, letters, spelling);
  });
  return text;
}

const mark = (stress: Stress) => ['', PRIMARY_STRESS, SECONDARY_STRESS][stress];

/** Stress as the model knows it, from stress as the dictionary has it. */
export function rhythm(phones: readonly Phone[], spelling: string): Phone[] {
  const word = phones.map((phone) => ({ ...phone }));
  const vowels = word.filter(isVowel);
  const last = vowels.findLastIndex(({ stress }) => stress === 1);
  if (last < 0) {
    const only = vowels.length === 1 ? vowels[0] : vowels.find(({ stress }) => stress === 2);
    if (only && (only.stress === 2 || vowels.length === 1))
      only.stress = only.symbol === 'AH' && only.stress === 0 ? 0 : 1;
    return word;
  }
  vowels.forEach((vowel, index) => {
    if (index < last && vowel.stress === 1) vowel.stress = 2;
  });
  const level = phones.filter(({ stress }) => stress === 1).length > 1;
  // Words with these prefixes are verbs and participles mostly; the dictionary often has the noun's stress for both.
  const stem = /^(?:over|under)..../.test(spelling) ? vowels.slice(2).find(({ stress }) => stress === 2) : undefined;
  if (stem && vowels[0]!.stress === 1) {
    vowels[0]!.stress = 2;
    stem.stress = 1;
  }
  const ation = /[^aeiou]ations?$/.test(spelling) ? vowels.at(-2) : undefined;
  if (ation?.symbol === 'EY' && ation.stress === 2) {
    for (const vowel of vowels) if (vowel.stress === 1) vowel.stress = 2;
    ation.stress = 1;
  }
  const primary = vowels.findIndex(({ stress }) => stress === 1);
  // Two weak syllables do not open a word before the stress.
  if (primary >= 2 && isWeak(vowels[0]) && isWeak(vowels[1]) && vowels.slice(2, primary).every(isWeak)) {
    vowels[0]!.stress = 2;
  }
  const first = vowels[0]!;
  const before = vowels[primary - 1];
  if (before?.stress === 2 && !level && !(before === first && keepsStress(spelling))) before.stress = 0;
  if (first !== vowels[primary] && first.stress === 0 && keepsStress(spelling)) first.stress = 2;
  const main = word.indexOf(vowels[primary]!);
  word.forEach((phone, index) => {
    const next = word[index + 1];
    if (phone.stress === 0 && index > main) {
      if (isOneOf(phone, 'IH AH') && isOneOf(next, 'Z') && /isms?$/.test(spelling) && isOneOf(word[index + 3], 'M')) {
        phone.symbol = 'IH';
        phone.stress = 2;
      }
      if (isOneOf(phone, FULL) && (next !== undefined || isOneOf(phone, 'AY'))) phone.stress = 2;
    }
    if (phone.stress !== 2) return;
    if (phone.symbol === 'IY' && (next === undefined || isVowel(next))) phone.stress = 0;
    if (phone.symbol === 'OW' && next === undefined && index > main) phone.stress = 0;
  });
  return word;
}

/** Prefixes that keep a secondary stress right before the primary one. */
function keepsStress(spelling: string): boolean {
  return /^(?:un(?!i[aeioutvfs]|ti|le)|mis|dis(?![tcp])|non)(?=..)/.test(spelling);
}

function vowel(word: readonly Phone[], index: number, letters: readonly string[], spelling: string): string {
  const phone = word[index]!;
  const previous = word[index - 1];
  const next = word[index + 1];
  const after = word[index + 2];
  const { symbol, stress } = phone;
  if (symbol === 'IY' && isOneOf(next, 'R') && stress !== 0) return 'ɪ';
  if (symbol === 'AO' && isOneOf(next, 'JH')) return 'ɑ';
  if (symbol === 'AO' && letters[index] === 'o' && isOneOf(next, 'B CH D K L P T')) return 'ɑ';
  if (symbol === 'AO' && letters[index] === 'o' && isOneOf(next, 'S G') && isWeak(after)) return 'ɑ';
  if (symbol === 'AO' && /^pro[cfgs]/.test(spelling) && index === 2) return 'ɑ';
  if (symbol === 'AA' && /^(?:au|aw|augh|ough)$/.test(letters[index]!)) return 'ɔ';
  if (symbol === 'AA' && letters[index] === 'o' && isOneOf(next, 'F G NG S TH')) return 'ɔ';
  if (symbol === 'AE' && isOneOf(next, 'R')) return 'ɛ';
  if (stress !== 0) return SOUNDS[symbol]!;
  switch (symbol) {
    case 'ER':
      return 'əɹ';
    case 'UW':
    case 'UH':
      if (isOneOf(previous, 'Y CH JH ZH') && symbol === 'UW') {
        if (isVowel(next)) return 'əw';
        if (next && after && word.slice(0, index).some(isVowel)) return 'ə';
      }
      return SOUNDS[symbol]!;
    case 'EH':
      if (index === 0 && !isVowel(after)) return 'ɪ';
      return SOUNDS[symbol]!;
    case 'AE':
      return index === 0 && isOneOf(next, 'K D B') ? 'ə' : 'æ';
    case 'AA':
      return next === undefined && spelling.endsWith('a') ? 'ə' : 'ɑ';
    case 'OW':
      if (isWeak(next) && !isOneOf(next, 'IY')) return 'əw';
      return next && after && !isVowel(next) && !isVowel(after) && /^pro/.test(spelling) ? 'ə' : 'O';
    case 'IY':
      return index === 1 && REDUCED_RE.test(spelling) ? 'ə' : 'i';
    case 'AH':
    case 'IH':
      return weak(word, index, letters, spelling);
    default:
      return SOUNDS[symbol]!;
  }
}

/** The weak vowel that the dictionary writes AH0 or IH0, often at random. */
function weak(word: readonly Phone[], index: number, letters: readonly string[], spelling: string): string {
  const { symbol } = word[index]!;
  const previous = word[index - 1];
  const next = word[index + 1];
  const after = word[index + 2];
  const final = index + 2 === word.length;
  const inflected = index + 3 === word.length && isOneOf(after, 'Z D') && /(?:s|ed)$/.test(spelling);
  if (isOneOf(next, 'D') && final && spelling.endsWith('ed')) return 'ᵻ';
  if (isOneOf(next, 'Z') && final && /es$|'s$/.test(spelling)) return 'ᵻ';
  if (isOneOf(next, 'S') && isOneOf(after, 'T')) {
    if (index + 3 === word.length && spelling.endsWith('est') && !NOT_SUPERLATIVE.test(spelling)) return 'ᵻ';
    if (/ists?$|istic/.test(spelling) && letters[index]?.startsWith('i')) return 'ɪ';
  }
  if (isOneOf(next, 'S') && final && spelling.endsWith('is')) return 'ɪ';
  if (isOneOf(next, 'L') && isOneOf(previous, 'K') && spelling.endsWith('ically')) return 'ᵊ';
  if (isOneOf(next, 'L')) {
    // One syllabic sound is enough: national.
    if (isOneOf(previous, 'N') && isOneOf(word[index - 3], 'SH') && isWeak(word[index - 2])) return 'ə';
    return beforeL(previous, final || inflected, after);
  }
  if (isOneOf(next, 'N')) {
    const syllabic = beforeN(word, index, final, after);
    if (syllabic !== undefined) return syllabic;
  }
  if (isOneOf(next, 'NG')) return 'ɪ';
  if (isOneOf(next, 'JH SH') && (final || /(?:age|ish)(?:ed|es|s|ing|er|ly|ness|ment)?$/.test(spelling))) return 'ɪ';
  if (symbol === 'AH') return 'ə';
  if (isOneOf(next, 'K V') && final) return 'ɪ';
  if (isOneOf(next, 'K') && isOneOf(after, 'S')) return 'ɪ';
  if (/^pre/.test(spelling) && index === 2) return 'i';
  if (index === 0 && spelling.startsWith('in')) return 'ɪ';
  if (index === 0) return isVowel(after) || isOneOf(after, 'Y W') ? 'ə' : 'ɪ';
  if (next === undefined || isVowel(next)) return 'i';
  if (isOneOf(next, 'R')) return 'ɪ';
  return 'ə';
}

function beforeL(previous: Phone | undefined, final: boolean, after: Phone | undefined): string {
  if (previous === undefined || isVowel(previous) || isOneOf(previous, 'Y R W')) return 'ə';
  if (final) return 'ᵊ';
  if (isVowel(after)) return isOneOf(previous, 'D') && isWeak(after) ? 'ᵊ' : 'ə';
  return isOneOf(previous, 'T D F K B') ? 'ᵊ' : 'ə';
}

function beforeN(word: readonly Phone[], index: number, final: boolean, after: Phone | undefined): string | undefined {
  const previous = word[index - 1];
  if (isVowel(after)) return isOneOf(previous, 'SH') && isWeak(after) ? 'ᵊ' : undefined;
  if (isOneOf(previous, 'T') && final && isGlottal(word, index - 1)) return '';
  if (isOneOf(previous, 'T D S Z') || (isOneOf(previous, 'V') && isOneOf(after, 'T'))) return 'ᵊ';
  return final && isOneOf(previous, 'JH') ? 'ᵊ' : undefined;
}

/** Whether t stands after a vowel or r and before a weak n, as in `button`. Kokoro's notation drops the weak vowel. */
function isGlottal(word: readonly Phone[], index: number): boolean {
  const previous = word[index - 1];
  const rhotic = isOneOf(previous, 'R ER') || isVowel(previous);
  return rhotic && isOneOf(word[index + 1], 'AH IH') && isWeak(word[index + 1]) && isOneOf(word[index + 2], 'N');
}

function consonant(word: readonly Phone[], index: number, letters: readonly string[]): string {
  const { symbol } = word[index]!;
  if (symbol === 'SH' && isOneOf(word[index - 1], 'N') && letters[index]?.startsWith('t')) return 'ʧ';
  if (symbol === 'T' && isFlap(word, index)) return 'T';
  return SOUNDS[symbol]!;
}

/** Whether t is a flap: between a vowel (or a vowel with r) and a weak vowel that does not make a syllabic n. */
function isFlap(word: readonly Phone[], index: number): boolean {
  const previous = word[index - 1];
  const before = isOneOf(previous, 'R') ? word[index - 2] : previous;
  const next = word[index + 1];
  if (!isVowel(before) || !isWeak(next)) return false;
  return !(isOneOf(next, 'AH IH') && isOneOf(word[index + 2], 'N') && !isVowel(word[index + 3]));
}
