/**
 * Latin words as a Japanese speaker says them: letters by name, romanized Japanese as its kana, other words by their
 * English phones, with a vowel after each consonant that has none.
 */

/** A phone of ARPAbet; only vowels have a stress: 0 none, 1 primary, 2 secondary. */
interface Phone {
  symbol: string;
  stress?: 0 | 1 | 2;
}

/** English words, in lower case, and their phones. */
export interface EnglishWords {
  /** Whether the dictionary has the word itself. */
  has(word: string): boolean;
  /** Phones of a word from the dictionary, or of parts from it; undefined for others. */
  known(word: string, accent: 'us'): readonly Phone[] | undefined;
  /** Phones of any word, by its letters if necessary. */
  phones(word: string, accent: 'us'): readonly Phone[];
}

const LETTERS =
  'えー びー しー でぃー いー えふ じー えいち あい じぇー けー える えむ えぬ おー ぴー きゅー あーる えす てぃー ゆー ぶい だぶりゅー えっくす わい ぜっと'.split(
    ' ',
  );
/** Up to this many capitals are spelled; exactly this many only if they are no word. */
const MAX_SPELLED = 4;
/** Names, mostly Japanese, that English pronounces differently. */
const LISTED: ReadonlyMap<string, string> = new Map(
  `tokyo:とーきょー osaka:おーさか kyoto:きょーと kobe:こーべ kyushu:きゅーしゅー hokkaido:ほっかいどー fukushima:ふくしま hiroshima:ひろしま
  nagasaki:ながさき yokohama:よこはま nagoya:なごや toyota:とよた honda:ほんだ nissan:にっさん suzuki:すずき matsuda:まつだ mitsubishi:みつびし
  hitachi:ひたち toshiba:とーしば fujitsu:ふじつー sake:さけ anime:あにめ manga:まんが ramen:らーめん judo:じゅーどー karate:からて
  twitter:ついったー excel:えくせる netflix:ねっとふりっくす tiktok:てぃっくとっく web:うぇぶ sushi:すし tofu:とーふ miso:みそ kimono:きもの samurai:さむらい ninja:にんじゃ tsunami:つなみ emoji:えもじ sudoku:すーどく
  jaxa:じゃくさ jal:じゃる nato:なとー asean:あせあん opec:おぺっく topix:とぴっくす nisa:にーさ suica:すいか
  ram:らむ rom:ろむ lan:らん sim:しむ pin:ぴん gif:じふ json:じぇいそん ipv:あいぴーぶい readme:りーどみー jpeg:じぇーぺぐ ikea:いけあ toeic:とーいっく toefl:とーふる unesco:ゆねすこ wifi:わいふぁい radio:らじお news:にゅーす hello:はろー youtube:ゆーちゅーぶ uniqlo:ゆにくろ
  ctrl:こんとろーる alt:おると esc:えすけーぷ off:おふ on:おん in:いん up:あっぷ go:ごー new:にゅー max:まっくす top:とっぷ hot:ほっと all:おーる one:わん yes:いえす set:せっと big:びっぐ day:でー get:げっと box:ぼっくす mix:みっくす out:あうと pop:ぽっぷ tel:てる fax:ふぁっくす the:ざ of:おぶ`
    .split(/\s+/)
    .map((entry) => entry.split(':') as [string, string]),
);

/**
 * The kana of one word.
 * @param word Latin letters and apostrophes
 */
export function latinKana(word: string, english: EnglishWords): string {
  const plain = word
    .normalize('NFD')
    .replace(/[^A-Za-z']/g, '')
    .replace(/'+$/, '');
  const letters = plain.replaceAll("'", '');
  const lower = plain.toLowerCase();
  const listed = LISTED.get(lower);
  if (letters === '' || listed !== undefined) return listed ?? '';
  const isCapitals = /^[A-Z]+s?$/.test(letters) && letters.length <= MAX_SPELLED;
  const isWord = letters.length === MAX_SPELLED && english.has(lower);
  if (letters.length === 1 || !/[aeiouy]/i.test(letters) || (isCapitals && !isWord)) return letterNames(letters);
  // CamelCase is several words; McDonald is one.
  const parts = plain.split(/(?<=[a-z])(?=[A-Z])/);
  if (parts.length > 1 && !/^Ma?c$/.test(parts[0]!)) return parts.map((part) => latinKana(part, english)).join('');
  const romaji = english.known(lower, 'us') ? undefined : romajiKana(lower);
  return romaji ?? phonesKana(english.phones(lower, 'us'), lower);
}

/** Kana of the letters' names; a small s after capitals is a plural's: PCs. */
export function letterNames(letters: string): string {
  if (/^[A-Z]{2,}s$/.test(letters)) return `${letterNames(letters.slice(0, -1))}ず`;
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

/** Kana of a word in Hepburn or Kunrei romanization; undefined for others. */
function romajiKana(word: string): string | undefined {
  const long = word.replace(/oo|ou/g, 'o-').replace(/uu/g, 'u-');
  let kana = '';
  for (let index = 0; index < long.length; ) {
    if (long[index] === '-') {
      kana += 'ー';
      index++;
      continue;
    }
    syllable.lastIndex = index;
    const match = syllable.exec(long);
    if (!match) return undefined;
    const [whole, consonant, vowel] = match;
    if (vowel === undefined) {
      kana += whole === 'n' ? 'ん' : 'っ';
      index += whole === 'tch' ? 1 : whole.length;
      continue;
    }
    const next = romajiSyllable(consonant!, 'aiueo'.indexOf(vowel));
    if (next === undefined) return undefined;
    kana += next;
    index += whole.length;
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
/** Consonants without a following vowel, except those that use the u of their row. */
const ALONE: Readonly<Record<string, string>> = {
  T: 'と',
  D: 'ど',
  CH: 'ち',
  JH: 'じ',
  N: 'ん',
  NG: 'んぐ',
  Y: 'い',
  HH: '',
};
/** The vowel's column in a row, and the kana after it. */
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
const BARE = 'あいうえお';
const SHORT = /^(?:AA|AE|AH|EH|IH|UH)$/;
const DOUBLED = /^(?:P|T|K|CH|JH|D|G|SH)$/;

/** English phones in kana. */
function phonesKana(phones: readonly Phone[], spelling: string): string {
  // The r begins the next syllable: camera.
  const split = phones.flatMap((phone, index) =>
    phone.symbol === 'ER' && isVowel(phones[index + 1]) ? [{ ...phone, symbol: 'AH' }, { symbol: 'R' }] : [phone],
  );
  const letters = vowelLetters(split, spelling);
  let kana = '';
  for (let index = 0; index < split.length; ) {
    const syllable = syllableAt(split, index, letters, kana);
    kana += syllable.kana;
    index += syllable.length;
  }
  return kana;
}

/**
 * A vowel, or a consonant with the vowel after it if there is one.
 * @param before the kana of the phones before it
 */
function syllableAt(
  phones: readonly Phone[],
  index: number,
  letters: ReadonlyMap<number, string>,
  before: string,
): { kana: string; length: number } {
  const [previous, { symbol }, next] = [phones[index - 1], phones[index]!, phones[index + 1]];
  const vowel = (at: number) => vowelOf(phones, at, letters);
  const length = (at: number) => lengthOf(phones, at, letters);
  if (isVowel(phones[index])) return { kana: BARE[vowel(index)]! + length(index), length: 1 };
  const row = ROWS[symbol]?.split(' ');
  if (next?.symbol === 'Y' && isVowel(phones[index + 2]) && row) {
    // music, computer, tube
    const kana = symbol === 'T' ? 'ち' : symbol === 'D' ? 'で' : row[1]!;
    return { kana: kana + 'ゃぃゅぇょ'[vowel(index + 2)]! + length(index + 2), length: 3 };
  }
  const isLast = next === undefined || (next.symbol === 'S' && phones[index + 2] === undefined);
  const isShort =
    previous && (SHORT.test(previous.symbol) || (previous.symbol === 'AO' && letters.get(index - 1) === 'o'));
  // A short vowel before the last stop closes the syllable: bag, check, box.
  const doubled = DOUBLED.test(symbol) && isLast && isShort ? 'っ' : '';
  // its, cats
  if (symbol === 'T' && next?.symbol === 'S' && isLast) return { kana: `${doubled}つ`, length: 2 };
  // The l is a syllable by itself: little.
  const isSyllabic = next?.symbol === 'AH' && phones[index + 2]?.symbol === 'L' && phones[index + 3] === undefined;
  if (isVowel(next) && !isSyllabic) {
    const kana = symbol === 'NG' ? `ん${BARE[vowel(index + 1)]}` : row![vowel(index + 1)]!;
    return { kana: doubled + kana + length(index + 1), length: 2 };
  }
  return { kana: doubled + bareConsonant(symbol, previous, next, before), length: isSyllabic ? 2 : 1 };
}

/** A consonant without a following vowel. */
function bareConsonant(symbol: string, before: Phone | undefined, next: Phone | undefined, kana: string): string {
  // An r after a vowel lengthens it.
  if (symbol === 'R' && isVowel(before))
    return /^(?:[AEIU]H|AY|AW)$/.test(before!.symbol) ? 'あ' : kana.endsWith('ー') ? '' : 'ー';
  if (symbol === 'M' && /^[PB]$/.test(next?.symbol ?? '')) return 'ん';
  if (symbol === 'NG' && /^[KG]$/.test(next?.symbol ?? '')) return 'ん';
  return ALONE[symbol] ?? ROWS[symbol]?.split(' ')[2] ?? '';
}

function isVowel(phone: Phone | undefined): boolean {
  return phone !== undefined && VOWELS[phone.symbol] !== undefined;
}

/** The letters of each vowel, by its index; empty unless the spelling has as many groups of vowel letters as vowels. */
function vowelLetters(phones: readonly Phone[], spelling: string): ReadonlyMap<number, string> {
  const groups = spelling.replace(/(?<=[^aeiou])e$/, '').match(/[aeiouy]+/g) ?? [];
  const vowels = [...phones.keys()].filter((index) => isVowel(phones[index]));
  return new Map(groups.length === vowels.length ? vowels.map((vowel, index) => [vowel, groups[index]!]) : []);
}

/** The column of a vowel; weak vowels and the o of hot sound as spelled. */
function vowelOf(phones: readonly Phone[], index: number, letters: ReadonlyMap<number, string>): number {
  const { symbol, stress } = phones[index]!;
  const letter = letters.get(index)?.replace(/^io$/, 'o') ?? '';
  const soundsAsSpelled = symbol === 'AA' || (symbol === 'AH' && stress !== 1 && letter !== 'u');
  const column = letter.length === 1 ? 'aiueo'.indexOf(letter) : -1;
  return soundsAsSpelled && column >= 0 ? column : VOWELS[symbol]![0];
}

/** The kana after a vowel; none after the o of dog or the i of video. */
function lengthOf(phones: readonly Phone[], index: number, letters: ReadonlyMap<number, string>): string {
  const { symbol } = phones[index]!;
  const next = phones[index + 1];
  if (symbol === 'AO' && letters.get(index) === 'o' && next?.symbol !== 'R') return '';
  return symbol === 'IY' && isVowel(next) ? '' : VOWELS[symbol]![1];
}
