/**
 * Kana to phonemes, as in misaki's `cutlet`, which Kokoro was trained with
 * (https://github.com/hexgrad/misaki/blob/main/misaki/cutlet.py): palatals have ʲ, the u after s, z and ts is ɨ, a
 * geminate ʔ, a long vowel ː; the moraic nasal depends on the next sound. Pitch and devoicing are not marked.
 */

const VOWELS = 'あいうえお';
const SOUNDS = ['a', 'i', 'ɯ', 'e', 'o'];

/** The sounds of each mora. */
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

/** Kana before a small kana: the consonants of each, and the small kana that may follow. */
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

/** Katakana to hiragana; other characters stay. */
export function toHiragana(text: string): string {
  return text.replace(/[ァ-ヶ]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0x60));
}

/** Whether the text is only hiragana and long vowel marks. */
export function isHiragana(text: string): boolean {
  return /^[ぁ-ゖー]+$/.test(text);
}

/**
 * The phonemes of a word.
 * @param kana hiragana, with ー for long vowels; drops other characters
 */
export function kanaPhonemes(kana: string): string {
  const units: string[] = [];
  for (let index = 0; index < kana.length; ) {
    const pair = kana.slice(index, index + 2);
    const unit = pair.length === 2 && (moras.has(pair) || SMALL[pair[1]!] !== undefined) ? pair : kana[index]!;
    units.push(unit);
    index += unit.length;
  }
  return units.map((unit, index) => (unit === 'ん' ? nasal(units[index + 1]) : soundsOf(unit))).join('');
}

function soundsOf(unit: string): string {
  const sounds = moras.get(unit);
  if (sounds !== undefined || unit.length === 1) return sounds ?? '';
  // The small vowel replaces the kana's own: すぃ.
  const before = soundsOf(unit[0]!);
  return (/[aiɯeoɨ]$/.test(before) ? before.slice(0, -1) : before) + (SMALL[unit[1]!] ?? '');
}

/** The moraic nasal, articulated like the next sound of the word. */
function nasal(next: string | undefined): string {
  const [first = ''] = next === undefined || next === 'ん' ? '' : soundsOf(next);
  if ('mpb'.includes(first) && first) return 'm';
  if ('kɡ'.includes(first) && first) return 'ŋ';
  if ('ɲʨʥ'.includes(first) && first) return 'ɲ';
  if ('ntdɾz'.includes(first) && first) return 'n';
  return 'ɴ';
}

/** The final vowel of a kana, as a kana; undefined for ん, っ and ー. */
export function vowelOf(kana: string): string | undefined {
  const sounds = moras.get(kana) ?? '';
  const index = SOUNDS.indexOf(sounds.at(-1) === 'ɨ' ? 'ɯ' : (sounds.at(-1) ?? ''));
  return index < 0 ? undefined : VOWELS[index];
}
