import { vowelOf } from '../cjk/kana.ts';
import { groupWords, type Span, type WordGroup } from '../cjk/spans.ts';
import type { Word } from '../cjk/tokens.ts';
import type { UserLexicon } from '../user-lexicon.ts';
import type { Analyser, Morpheme } from './analyser.ts';
import { counterAt, kanaApproximate, kanaCounted, kanaHowMany } from './counters.ts';
import { digitsOf, kanaNumber } from './numbers.ts';
import { COMPOUNDS, otherReading, RARE_KANJI } from './readings.ts';

/** A word, and the morphemes that it begins and ends with. */
interface Item {
  written: string;
  kana: string;
  mark?: string;
  first?: Morpheme;
  last?: Morpheme;
}

/**
 * The words of a sentence. `spoken` is hiragana with ー, as it sounds; spaces separate its words. Phonemes that the user
 * gave are between slashes.
 * @param entries pronunciations that override the analyser's
 */
export function readWords(spans: readonly Span[], analyser: Analyser, entries?: UserLexicon): Word[] {
  const text = spans.map(({ replacement }) => replacement).join('');
  const groups = groupWords(spans, analyser.morphemes(text));
  const items = joinNumbers(groups.map((group, index) => itemOf(group, groups[index + 1]?.words[0])));
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
      const lengthens = item.first?.surface === 'う' && vowelOf(previous.kana.at(-1) ?? '') === 'お';
      previous.kana += lengthens ? 'ー' : item.kana;
      if (item.last) previous.last = item.last;
    } else words.push({ ...item });
  }
  return words.map(({ written, kana, mark }) => ({ written, spoken: kana, ...(mark !== undefined && { mark }) }));
}

function itemOf({ written, words, span }: WordGroup<Morpheme>, next: Morpheme | undefined): Item {
  if (span?.mark !== undefined) return { written, kana: '', mark: span.mark };
  if (words.length === 0) return { written, kana: span?.spoken ?? '', ...(written.trim() === '' && { mark: ' ' }) };
  const kana = span?.spoken ?? words.map((word, index) => kanaOf(word, words[index + 1] ?? next)).join('');
  return { written, kana, first: words[0]!, last: words.at(-1)! };
}

function kanaOf(word: Morpheme, next: Morpheme | undefined): string {
  const compound = word.pos === '助詞' ? COMPOUNDS.get(word.surface) : undefined;
  if (compound !== undefined) return compound;
  const kana = otherReading(word, next) ?? word.kana;
  return kana === '' ? characterKana(word.surface) : longVowels(kana, word);
}

/** Reads a word that the dictionary cannot, character by character. */
function characterKana(surface: string): string {
  let kana = '';
  let previous = '';
  for (const character of surface) {
    let reading = RARE_KANJI.get(character) ?? '';
    if (/[々ゝヽ]/.test(character)) reading = previous || 'おなじ';
    else if (/[ぁ-ゖー]/.test(character)) reading = character;
    else if (/[ァ-ヶ]/.test(character)) reading = String.fromCharCode(character.charCodeAt(0) - 0x60);
    else if (reading === '' && /\p{Script=Han}/u.test(character)) reading = UNREADABLE;
    kana += reading;
    previous = reading;
  }
  return kana;
}

/** "Unknown": spoken for a Han character that no dictionary here has. */
const UNREADABLE = 'ふめー';

const LONG_E = /([えけせてねへめれげぜでべぺ])い/g;
const LONG_I = /([いきしちにひみりぎじぢびぴ])い/g;

/** Writes long vowels as they sound: せいかつ is せーかつ, おおきい is おーきー. Katakana words already are. */
function longVowels(kana: string, { surface, pos }: Morpheme): string {
  if (/^[ァ-ヺー]/.test(surface)) return kana;
  const long = kana.replace(LONG_E, '$1ー').replace(/ゆう$/, 'ゆー');
  return pos === '名詞' ? long : long.replace(LONG_I, '$1ー');
}

/** Whether 々 repeats a kanji, in a word that the dictionary does not have: 昔々. */
function repeats({ written, last }: Item, item: Item): boolean {
  return item.written === '々' && last !== undefined && /^(?!々)\p{Script=Han}$/u.test(written);
}

/** Joins adjacent numerals, and their counter, to one number. */
function joinNumbers(items: readonly Item[]): Item[] {
  const joined: Item[] = [];
  for (let index = 0; index < items.length; ) {
    let numerals = 0;
    while (isNumeral(items[index + numerals])) numerals++;
    const run = items.slice(index, index + Math.max(1, numerals));
    index += run.length;
    const written = run.map((item) => item.written).join('');
    const next = items[index];
    const counter = next?.first && counterAt(next.written, 0) === next.written ? next : undefined;
    const afterMonth = /月$/.test(joined.at(-1)?.written ?? '');
    const kana = numerals > 0 ? numeralKana(written, counter?.written, afterMonth) : howManyKana(run[0]!, counter);
    // A single numeral without a counter may be an ordinary word: 一.
    if (kana === undefined || (run.length === 1 && !counter)) {
      joined.push(...run);
      continue;
    }
    if (counter) index++;
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
function howManyKana(item: Item, counter: Item | undefined): string | undefined {
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

/** Endings that join the verb before them. */
const ENDINGS = new Set('て た だ ない れる う ん ず ば られる せる なかっ たら たり ちゃっ ちゃう てる'.split(' '));
const SUFFIXES = new Set('学 権 家 論 者 性 たち 達 さん'.split(' '));
/**
 * Frequent exceptions to the rules of `joins`: misaki, which Kokoro was trained with, joins words by a word list. Without
 * names and old spelling.
 */
const JOINED = new Set(
  `さ|れ を|し に|なっ と|は こと|に で|あっ の|が 何|か あり|ませ の|か だ|から だ|が と|も は|もう さ|せ なる|と あり|まし
  です|から ござい|ましょ ござい|まし ござい|ませ 第|一 は|し な|ん し|たり どう|し すぐ|に 何|の 今|まで いま|まで を|ば
  何|と いっしょ|に 一緒|に か|の 思わ|れ も|し に|あっ 元|より だ|か もの|か 主|に 主|な 先|に 何|度 誰|か 基本|的
  社会|的 科学|的 積極|的 具体|的 歴史|的 世界|的 せら|れ と|が もん|だ 何|でも は|こう ある|か いる|か この|頃 の|かも
  べ|ん お|酒 大|部分 わかり|ませ か|へ は|そう さすが|に そう|で ところ|で 外国|人 の|し`.split(/\s+/),
);
const SEPARATE = new Set(
  `でし|た だっ|た なけれ|ば ませ|う い|なかっ まし|たら ね|ば れ|ない たく|ない いけ|ない し|ます し|なかっ なかっ|たら
  なら|なかっ なら|ん でき|なかっ 上っ|て 出来|た 坐っ|て 恐れ|て 飲ん|で 驚い|て 驚い|た 与え|て 与え|た 著作|者`.split(
    /\s+/,
  ),
);

/** Whether two words are spoken as one. */
function joins({ last }: Item, { first, mark }: Item): boolean {
  if (!last || !first || mark !== undefined) return false;
  const pair = `${last.surface}|${first.surface}`;
  if (JOINED.has(pair)) return true;
  if (SEPARATE.has(pair)) return false;
  const isInflected = last.pos === '動詞' || last.pos === '助動詞' || last.pos === '形容詞';
  if (first.pos === '助動詞' || first.detail === '接続助詞' || (first.pos === '動詞' && first.detail === '接尾')) {
    if (first.surface === 'で') return last.pos === '動詞';
    if (first.surface === 'ます') return isInflected;
    if (first.surface === 'ませ') return last.pos === '助動詞';
    return isInflected && ENDINGS.has(first.surface) && !(first.surface === 'だ' && last.pos !== '動詞');
  }
  return first.pos === '名詞' && first.detail === '接尾' && last.pos === '名詞' && SUFFIXES.has(first.surface);
}
