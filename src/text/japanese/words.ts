import { type Group, groupWords, type Part } from '../part-split.ts';
import type { UserLexicon } from '../user-lexicon.ts';
import type { Analyser, Morpheme } from './analyser.ts';
import { vowelOf } from './kana.ts';
import { counterAt, digitsOf, kanaApproximate, kanaCounted, kanaHowMany, kanaNumber } from './numbers.ts';
import { COMPOUNDS, otherReading, RARE_KANJI } from './readings.ts';

/** A word of a sentence, or a mark. */
export interface Word {
  written: string;
  /**
   * In hiragana with ー, as it sounds; blanks part what is said as several words. Empty where nothing is said. Phonemes that
   * the user gave stand between slashes.
   */
  spoken: string;
  mark?: string;
}

interface Item {
  written: string;
  kana: string;
  mark?: string;
  first?: Morpheme;
  last?: Morpheme;
}

/**
 * Words of a sentence with their readings.
 * @param entries pronunciations that go before them
 */
export function readWords(parts: readonly Part[], analyser: Analyser, entries?: UserLexicon): Word[] {
  const text = parts.map(({ read }) => read).join('');
  const groups = groupWords(parts, analyser.morphemes(text));
  const items = numbersJoined(groups.map((group, index) => itemOf(group, groups[index + 1]?.words[0])));
  const words: Item[] = [];
  for (const item of items) {
    const previous = words.at(-1);
    const listed = item.mark === undefined ? entries?.pronounce(item.written) : undefined;
    if (listed !== undefined) words.push({ written: item.written, kana: `/${listed}/` });
    else if (previous && repeats(previous, item)) {
      previous.written += item.written;
      previous.kana += previous.kana;
    } else if (previous && joins(previous, item)) {
      previous.written += item.written;
      // だろう, 行こう
      const long = item.first?.surface === 'う' && vowelOf(previous.kana.at(-1) ?? '') === 'お';
      previous.kana += long ? 'ー' : item.kana;
      if (item.last) previous.last = item.last;
    } else words.push({ ...item });
  }
  return words.map(({ written, kana, mark }) => ({ written, spoken: kana, ...(mark !== undefined && { mark }) }));
}

function itemOf({ written, words, part }: Group<Morpheme>, next: Morpheme | undefined): Item {
  if (part?.mark !== undefined) return { written, kana: '', mark: part.mark };
  if (words.length === 0) return { written, kana: part?.said ?? '', ...(written.trim() === '' && { mark: ' ' }) };
  const kana = part?.said ?? words.map((word, index) => kanaOf(word, words[index + 1] ?? next)).join('');
  return { written, kana, first: words[0]!, last: words.at(-1)! };
}

function kanaOf(word: Morpheme, next: Morpheme | undefined): string {
  const compound = word.pos === '助詞' ? COMPOUNDS.get(word.surface) : undefined;
  if (compound !== undefined) return compound;
  const known = otherReading(word, next) ?? word.kana;
  return known === '' ? charactersKana(word.surface) : longVowels(known, word);
}

/** What the dictionary cannot read, character by character. */
function charactersKana(surface: string): string {
  let kana = '';
  let previous = '';
  for (const character of surface) {
    let said = RARE_KANJI.get(character) ?? '';
    if (/[々ゝヽ]/.test(character)) said = previous || 'おなじ';
    else if (/[ぁ-ゖー]/.test(character)) said = character;
    else if (/[ァ-ヶ]/.test(character)) said = String.fromCharCode(character.charCodeAt(0) - 0x60);
    else if (said === '' && /\p{Script=Han}/u.test(character)) said = UNREADABLE;
    kana += said;
    previous = said;
  }
  return kana;
}

/** Said for a Chinese character that no dictionary here knows: "unknown". */
const UNREADABLE = 'ふめー';

const LONG_E = /([えけせてねへめれげぜでべぺ])い/g;
const LONG_I = /([いきしちにひみりぎじぢびぴ])い/g;

/** Long vowels as they sound: せいかつ is せーかつ, おおきい is おーきー. Foreign words are written as they sound. */
function longVowels(kana: string, { surface, pos }: Morpheme): string {
  if (/^[ァ-ヺー]/.test(surface)) return kana;
  const long = kana.replace(LONG_E, '$1ー').replace(/ゆう$/, 'ゆー');
  return pos === '名詞' ? long : long.replace(LONG_I, '$1ー');
}

/** 昔々: a character once more that the dictionary does not hold so. */
function repeats({ written, last }: Item, item: Item): boolean {
  return item.written === '々' && last !== undefined && /^(?!々)\p{Script=Han}$/u.test(written);
}

/** Numerals that stand in a row are one number, and its counter belongs to it. */
function numbersJoined(items: readonly Item[]): Item[] {
  const joined: Item[] = [];
  for (let at = 0; at < items.length; ) {
    let numerals = 0;
    while (isNumeral(items[at + numerals])) numerals++;
    const run = items.slice(at, at + Math.max(1, numerals));
    at += run.length;
    const written = run.map((item) => item.written).join('');
    const next = items[at];
    const counter = next?.first && counterAt(next.written, 0) === next.written ? next : undefined;
    const afterMonth = /月$/.test(joined.at(-1)?.written ?? '');
    const kana = numerals > 0 ? numeralKana(written, counter?.written, afterMonth) : unknownNumber(run[0]!, counter);
    // A numeral by itself may be a word of its own: 一.
    if (kana === undefined || (run.length === 1 && !counter)) {
      joined.push(...run);
      continue;
    }
    if (counter) at++;
    const first = run[0]!.first!;
    joined.push({ written: written + (counter?.written ?? ''), kana, first, last: counter?.last ?? first });
  }
  return joined;
}

function numeralKana(numeral: string, counter: string | undefined, afterMonth: boolean): string | undefined {
  const digits = digitsOf(numeral);
  if (digits === undefined) return kanaApproximate(numeral, counter);
  if (counter === undefined) return kanaNumber(digits);
  return counter === '日' && digits === '1' && !afterMonth ? 'いちにち' : kanaCounted(digits, counter);
}

/** 何本, 数人 */
function unknownNumber(item: Item, counter: Item | undefined): string | undefined {
  if (counter?.first?.detail !== '接尾' || item.mark !== undefined) return undefined;
  return kanaHowMany(item.written, counter.written);
}

function isNumeral(item: Item | undefined): boolean {
  return (
    item?.first?.detail === '数' &&
    item.first === item.last &&
    /^[〇一二三四五六七八九十百千万億兆]+$/.test(item.written)
  );
}

/** Endings that are said as one with the verb before them. */
const ENDINGS = new Set('て た だ ない れる う ん ず ば られる せる なかっ たら たり ちゃっ ちゃう てる'.split(' '));
const SUFFIXES = new Set('学 権 家 論 者 性 たち 達 さん'.split(' '));
/**
 * Pairs that go against the rules: the reader that Kokoro was trained with looks up in a list of words what it writes as
 * one. Those that are frequent, and no accident of a name or of old spelling.
 */
const ONE = new Set(
  `さ|れ を|し に|なっ と|は こと|に で|あっ の|が 何|か あり|ませ の|か だ|から だ|が と|も は|もう さ|せ なる|と あり|まし
  です|から ござい|ましょ ござい|まし ござい|ませ 第|一 は|し な|ん し|たり どう|し すぐ|に 何|の 今|まで いま|まで を|ば
  何|と いっしょ|に 一緒|に か|の 思わ|れ も|し に|あっ 元|より だ|か もの|か 主|に 主|な 先|に 何|度 誰|か 基本|的
  社会|的 科学|的 積極|的 具体|的 歴史|的 世界|的 せら|れ と|が もん|だ 何|でも は|こう ある|か いる|か この|頃 の|かも
  べ|ん お|酒 大|部分 わかり|ませ か|へ は|そう さすが|に そう|で ところ|で 外国|人 の|し`.split(/\s+/),
);
const TWO = new Set(
  `でし|た だっ|た なけれ|ば ませ|う い|なかっ まし|たら ね|ば れ|ない たく|ない いけ|ない し|ます し|なかっ なかっ|たら
  なら|なかっ なら|ん でき|なかっ 上っ|て 出来|た 坐っ|て 恐れ|て 飲ん|で 驚い|て 驚い|た 与え|て 与え|た 著作|者`.split(
    /\s+/,
  ),
);

/** Whether two words are said as one. */
function joins({ last }: Item, { first, mark }: Item): boolean {
  if (!last || !first || mark !== undefined) return false;
  const pair = `${last.surface}|${first.surface}`;
  if (ONE.has(pair)) return true;
  if (TWO.has(pair)) return false;
  const inflected = last.pos === '動詞' || last.pos === '助動詞' || last.pos === '形容詞';
  if (first.pos === '助動詞' || first.detail === '接続助詞' || (first.pos === '動詞' && first.detail === '接尾')) {
    if (first.surface === 'で') return last.pos === '動詞';
    if (first.surface === 'ます') return inflected;
    if (first.surface === 'ませ') return last.pos === '助動詞';
    return inflected && ENDINGS.has(first.surface) && !(first.surface === 'だ' && last.pos !== '動詞');
  }
  return first.pos === '名詞' && first.detail === '接尾' && last.pos === '名詞' && SUFFIXES.has(first.surface);
}
