import type { Phone } from '../arpabet.ts';
import type { Lexicon } from '../lexicon.ts';

/**
 * Words in Latin letters as a Japanese speaker says them: letters by their names, romanized Japanese by its kana, other
 * words by the sounds of their English pronunciation, a vowel put behind each consonant that has none.
 */

const LETTERS =
  'えー びー しー でぃー いー えふ じー えいち あい じぇー けー える えむ えぬ おー ぴー きゅー あーる えす てぃー ゆー ぶい だぶりゅー えっくす わい ぜっと'.split(
    ' ',
  );
/** Capitals that are a word all the same, as all are that can be said and are no longer than this are not. */
const LONGEST_SPELLED = 4;
const SAID_AS_WORDS = new Set(
  'NASA NATO UNESCO UNICEF OPEC ASEAN FIFA TOEIC TOEFL JAXA NAVI IKEA SONY JPEG'.split(' '),
);

/** Kana of one word. @param word letters of the Latin alphabet, apostrophes */
export function latinKana(word: string, lexicon: Lexicon): string {
  const plain = word
    .normalize('NFD')
    .replace(/[^A-Za-z']/g, '')
    .replace(/'+$/, '');
  const letters = plain.replaceAll("'", '');
  if (letters === '') return '';
  const spelled =
    letters.length === 1 ||
    (/^[A-Z]+s?$/.test(letters) && letters.length <= LONGEST_SPELLED && !SAID_AS_WORDS.has(letters)) ||
    !/[aeiouyAEIOUY]/.test(letters);
  if (spelled) return letterNames(letters);
  const lower = plain.toLowerCase();
  if (!lexicon.known(lower, 'us')) {
    const kana = romajiKana(letters.toLowerCase());
    if (kana !== undefined) return kana;
  }
  // CamelCase is words in one.
  const parts = plain.split(/(?<=[a-z])(?=[A-Z])/);
  if (parts.length > 1 && !lexicon.known(lower, 'us')) return parts.map((part) => latinKana(part, lexicon)).join('');
  return phonesKana(lexicon.phones(lower, 'us'), letters.toLowerCase());
}

/** The names of the letters. */
export function letterNames(letters: string): string {
  return [...letters.toLowerCase()].map((letter) => LETTERS[letter.charCodeAt(0) - 97] ?? '').join('');
}

const ROMAJI: Readonly<Record<string, string>> = {
  '': 'あいうえお',
  k: 'かきくけこ',
  g: 'がぎぐげご',
  s: 'さしすせそ',
  z: 'ざじずぜぞ',
  t: 'たちつてと',
  d: 'だぢづでど',
  n: 'なにぬねの',
  h: 'はひふへほ',
  b: 'ばびぶべぼ',
  p: 'ぱぴぷぺぽ',
  m: 'まみむめも',
  y: 'や ゆ よ',
  r: 'らりるれろ',
  w: 'わ   を',
  f: '  ふ  ',
};
const syllable = /(ch|sh|ts|[kgsztdnhbpmyrwfj]y?|)([aiueo])|n(?![aiueoy])|([kstpgdbz])(?=\3)|tch(?=[aiueo])/y;

/** Hepburn or Kunrei romanization in kana; nothing for a word that is none. */
function romajiKana(word: string): string | undefined {
  const long = word.replace(/oo|ou/g, 'o-').replace(/uu/g, 'u-');
  let kana = '';
  for (let at = 0; at < long.length; ) {
    if (long[at] === '-') {
      kana += 'ー';
      at++;
      continue;
    }
    syllable.lastIndex = at;
    const found = syllable.exec(long);
    if (!found) return undefined;
    const [whole, consonant, vowel] = found;
    if (vowel === undefined) {
      kana += whole === 'n' ? 'ん' : 'っ';
      at += whole === 'tch' ? 1 : whole.length;
      continue;
    }
    const next = romajiSyllable(consonant!, 'aiueo'.indexOf(vowel));
    if (next === undefined) return undefined;
    kana += next;
    at += whole.length;
  }
  return kana;
}

function romajiSyllable(consonant: string, vowel: number): string | undefined {
  const special = { ch: 'ち', sh: 'し', j: 'じ', ts: 'つ' }[consonant];
  if (consonant === 'ts') return vowel === 2 ? 'つ' : undefined;
  if (special) return vowel === 1 ? special : special + 'ゃぃゅぇょ'[vowel]!;
  if (consonant.length === 2) {
    const base = ROMAJI[consonant[0]!]?.[1]?.trim();
    return base && 'ゃ ゅ ょ'[vowel]?.trim() ? base + 'ゃ ゅ ょ'[vowel]! : undefined;
  }
  return ROMAJI[consonant]?.[vowel]?.trim() || undefined;
}

/** Kana of a consonant before a, i, u, e, o. */
const ROWS: Readonly<Record<string, string>> = {
  B: 'ば び ぶ べ ぼ',
  CH: 'ちゃ ち ちゅ ちぇ ちょ',
  D: 'だ でぃ どぅ で ど',
  DH: 'ざ じ ず ぜ ぞ',
  F: 'ふぁ ふぃ ふ ふぇ ふぉ',
  G: 'が ぎ ぐ げ ご',
  HH: 'は ひ ふ へ ほ',
  JH: 'じゃ じ じゅ じぇ じょ',
  K: 'か き く け こ',
  L: 'ら り る れ ろ',
  M: 'ま み む め も',
  N: 'な に ぬ ね の',
  P: 'ぱ ぴ ぷ ぺ ぽ',
  R: 'ら り る れ ろ',
  S: 'さ し す せ そ',
  SH: 'しゃ し しゅ しぇ しょ',
  T: 'た てぃ とぅ て と',
  TH: 'さ し す せ そ',
  V: 'ば び ぶ べ ぼ',
  W: 'わ うぃ う うぇ うぉ',
  Y: 'や い ゆ いぇ よ',
  Z: 'ざ じ ず ぜ ぞ',
  ZH: 'じゃ じ じゅ じぇ じょ',
};
/** A consonant without a vowel behind it. */
const ALONE: Readonly<Record<string, string>> = {
  T: 'と',
  D: 'ど',
  CH: 'ち',
  JH: 'じ',
  N: 'ん',
  NG: 'んぐ',
  SH: 'しゅ',
  Y: 'い',
};
/** The vowel of the row, and what follows it. */
const VOWELS: Readonly<Record<string, readonly [vowel: number, rest: string]>> = {
  AA: [0, ''],
  AE: [0, ''],
  AH: [0, ''],
  AO: [4, 'ー'],
  AW: [0, 'う'],
  AY: [0, 'い'],
  EH: [3, ''],
  ER: [0, 'ー'],
  EY: [3, 'ー'],
  IH: [1, ''],
  IY: [1, 'ー'],
  OW: [4, 'ー'],
  OY: [4, 'い'],
  UH: [2, ''],
  UW: [2, 'ー'],
};
const BARE = ['あ', 'い', 'う', 'え', 'お'];
const SHORT = new Set(['AA', 'AE', 'AH', 'EH', 'IH', 'UH']);
const DOUBLED = new Set(['P', 'T', 'K', 'CH', 'JH', 'D', 'G', 'SH']);

function phonesKana(phones: readonly Phone[], spelling: string): string {
  const symbols = phones.map(({ symbol }) => symbol);
  const written = spelling.replace(/(?<=[^aeiou])e$/, '').match(/[aeiouy]+/g) ?? [];
  const vowels = symbols.filter((symbol) => VOWELS[symbol] !== undefined).length;
  let kana = '';
  let vowelsSeen = 0;
  for (let at = 0; at < symbols.length; at++) {
    const symbol = symbols[at]!;
    const vowel = VOWELS[symbol];
    if (vowel) {
      kana += BARE[letterVowel(symbol, written.length === vowels ? written[vowelsSeen] : undefined) ?? vowel[0]]!;
      kana += restOf(symbols, at);
      vowelsSeen++;
      continue;
    }
    const next = symbols[at + 1];
    const following = next === undefined ? undefined : VOWELS[next];
    // A short vowel before the last stop closes the syllable: bag, check, box.
    const closes = next === undefined || (next === 'S' && at + 2 === symbols.length);
    if (DOUBLED.has(symbol) && closes && SHORT.has(symbols[at - 1] ?? '')) kana += 'っ';
    // The l of little has no vowel of its own.
    const dark = next === 'AH' && symbols[at + 2] === 'L' && symbols[at + 3] === undefined;
    if (following && !dark) {
      const row = ROWS[symbol]?.split(' ');
      const at_ = letterVowel(next!, written.length === vowels ? written[vowelsSeen] : undefined) ?? following[0];
      kana += (row?.[at_] ?? ALONE[symbol] ?? '') + restOf(symbols, at + 1);
      if (symbol === 'NG') kana += '';
      vowelsSeen++;
      at++;
      continue;
    }
    if (dark) {
      kana += ALONE[symbol] ?? ROWS[symbol]!.split(' ')[2]!;
      vowelsSeen++;
      at++;
      continue;
    }
    if (symbol === 'R' && VOWELS[symbols[at - 1] ?? ''])
      kana += /[AEIU]H$|AY|AW/.test(symbols[at - 1]!) ? 'あ' : kana.endsWith('ー') ? '' : 'ー';
    else if (symbol === 'M' && /^[PB]$/.test(next ?? '')) kana += 'ん';
    else if (symbol === 'NG' && /^[KG]$/.test(next ?? '')) kana += 'ん';
    else if (symbol === 'HH' || (symbol === 'Y' && next === 'UW')) kana += '';
    else kana += ALONE[symbol] ?? ROWS[symbol]?.split(' ')[2] ?? '';
  }
  return kana;
}

/** What follows the vowel; the r behind it is part of its length. */
function restOf(symbols: readonly string[], at: number): string {
  return VOWELS[symbols[at]!]![1];
}

/** A weak vowel, and the o of hot, have the sound of their letter. */
function letterVowel(symbol: string, letters: string | undefined): number | undefined {
  if (letters?.length !== 1 || (symbol !== 'AH' && symbol !== 'AA')) return undefined;
  const at = 'aiueo'.indexOf(letters);
  return at < 0 || (symbol === 'AH' && letters === 'o') ? undefined : at;
}
