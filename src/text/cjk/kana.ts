/**
 * Kana to phonemes, as the reader that Kokoro was trained with writes them (misaki, version `cutlet`,
 * https://github.com/hexgrad/misaki/blob/main/misaki/cutlet.py): palatals with ʲ, the u after s, z and ts as ɨ, a
 * geminate as ʔ, a long vowel as ː, the moraic nasal by what follows it. It marks no pitch and no devoicing.
 */

const VOWELS = 'あいうえお';
const SOUNDS = ['a', 'i', 'ɯ', 'e', 'o'];

/** A mora to its sounds. */
const moras = new Map<string, string>();
const row = (kana: string, sounds: string) => {
  const each = sounds.split(' ');
  Array.from(kana).forEach((character, index) => {
    moras.set(character, each[index]!);
  });
};
row('あいうえお', 'a i ɯ e o');
row('ぁぃぅぇぉ', 'a i ɯ e o');
row('かきくけこ', 'ka kʲi kɯ ke ko');
row('がぎぐげご', 'ɡa ɡʲi ɡɯ ɡe ɡo');
row('さしすせそ', 'sa ɕi sɨ se so');
row('ざじずぜぞ', 'ʣa ʥi zɨ ʣe ʣo');
row('たちつてと', 'ta ʨi ʦɨ te to');
row('だぢづでど', 'da ʥi zɨ de do');
row('なにぬねの', 'na ɲi nɯ ne no');
row('はひふへほ', 'ha çi ɸɯ he ho');
row('ばびぶべぼ', 'ba bʲi bɯ be bo');
row('ぱぴぷぺぽ', 'pa pʲi pɯ pe po');
row('まみむめも', 'ma mʲi mɯ me mo');
row('やゆよゃゅょ', 'ja jɯ jo ja jɯ jo');
row('らりるれろ', 'ɾa ɾʲi ɾɯ ɾe ɾo');
row('わゎゐゑを', 'βa βa i e o');
row('ゔゕゖ', 'vɯ ka ke');
row('ー', 'ː');
row('っ', 'ʔ');

/** What a small kana makes of the kana before it: its consonants, then the vowels of the small kana that it may have. */
const pairs: readonly [kana: string, consonants: string, small: string][] = [
  ['きぎしじちぢにひびぴみり', 'kʲ ɡʲ ɕ ʥ ʨ ʥ ɲ ç bʲ pʲ mʲ ɾʲ', 'ゃゅょぇ'],
  ['ふてでゔ', 'ɸʲ tʲ dʲ bʲ', 'ゃゅょ'],
  ['うくぐつ', 'β kᵝ ɡᵝ ʦ', 'ぁぃぇぉ'],
  ['ふゔ', 'ɸ v', 'ぁぇぉ'],
  ['とど', 't d', 'ぅ'],
  ['てでふゔつ', 'tʲ dʲ ɸʲ vʲ ʦʲ', 'ぃ'],
  ['い', 'j', 'ぇ'],
];
const SMALL: Readonly<Record<string, string>> = {
  ゃ: 'a',
  ゅ: 'ɨ',
  ょ: 'o',
  ぁ: 'a',
  ぃ: 'i',
  ぅ: 'ɯ',
  ぇ: 'e',
  ぉ: 'o',
};
for (const [kana, consonants, small] of pairs) {
  const each = consonants.split(' ');
  Array.from(kana).forEach((character, index) => {
    for (const following of small) moras.set(character + following, each[index]! + SMALL[following]!);
  });
}

/** Katakana as hiragana; all else stays. */
export function toHiragana(text: string): string {
  return text.replace(/[ァ-ヶ]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0x60));
}

/** Whether the text is in hiragana and long vowel marks alone. */
export function isHiragana(text: string): boolean {
  return /^[ぁ-ゖー]+$/.test(text);
}

/**
 * The phonemes of a word.
 * @param kana hiragana, with ー for long vowels; other characters are dropped
 */
export function kanaPhonemes(kana: string): string {
  const units: string[] = [];
  for (let at = 0; at < kana.length; ) {
    const pair = kana.slice(at, at + 2);
    const unit = pair.length === 2 && (moras.has(pair) || SMALL[pair[1]!] !== undefined) ? pair : kana[at]!;
    units.push(unit);
    at += unit.length;
  }
  return units.map((unit, index) => (unit === 'ん' ? nasal(units[index + 1]) : soundsOf(unit))).join('');
}

function soundsOf(unit: string): string {
  const known = moras.get(unit);
  if (known !== undefined || unit.length === 1) return known ?? '';
  // The small vowel takes the place of the kana's own: すぃ.
  const before = soundsOf(unit[0]!);
  return (/[aiɯeoɨ]$/.test(before) ? before.slice(0, -1) : before) + (SMALL[unit[1]!] ?? '');
}

/** The moraic nasal takes the place of what follows it within the word. */
function nasal(next: string | undefined): string {
  const [first = ''] = next === undefined || next === 'ん' ? '' : soundsOf(next);
  if ('mpb'.includes(first) && first) return 'm';
  if ('kɡ'.includes(first) && first) return 'ŋ';
  if ('ɲʨʥ'.includes(first) && first) return 'ɲ';
  if ('ntdɾz'.includes(first) && first) return 'n';
  return 'ɴ';
}

/** The vowel that a kana ends with, as a kana; nothing for ん, っ and ー. */
export function vowelOf(kana: string): string | undefined {
  const sounds = moras.get(kana) ?? '';
  const at = SOUNDS.indexOf(sounds.at(-1) === 'ɨ' ? 'ɯ' : (sounds.at(-1) ?? ''));
  return at < 0 ? undefined : VOWELS[at];
}
