import { wordSet } from '../patterns.ts';
import { contextReading } from './context-readings.ts';

/** A word of a text. */
export interface DictionaryWord {
  surface: string;
  /** Pinyin with the tone as a digit, 5 if neutral; kana stay kana. Empty if neither. */
  syllables: readonly string[];
}

/** Cuts Chinese into words with their readings. */
export interface Dictionary {
  /** The words of a text, in order. */
  words(text: string): DictionaryWord[];
  /** Whether it has the text as one word. */
  isWord(text: string): boolean;
}

/** 未知, "unknown": read for characters that the dictionary does not have. */
const UNREADABLE = ['wei4', 'zhi1'];
const HAN = /\p{Script=Han}+/gu;
/** Numbers read digit by digit, and days of the month: 一 keeps its tone in them. */
const DIGITWISE =
  /(?<=月[二三]?十?)一(?=[日号])|[零一二三四五六七八九十百千]*点[零一二三四五六七八九]+|[零一二三四五六七八九]{3,}/g;

/** Words whose usual reading is not the first one of pinyin-pro. */
const READINGS: ReadonlyMap<string, string> = new Map([
  ['了', 'le5'],
  ['只', 'zhi3'],
  ['倒', 'dao4'],
  ['唉', 'ai1'],
  ['载', 'zai4'],
  ['哦', 'o2'],
  ['咳', 'ke2'],
  ['意思', 'yi4 si5'],
  ['只得', 'zhi3 de2'],
  ['有空', 'you3 kong4'],
  ['抽空', 'chou1 kong4'],
  ['得空', 'de2 kong4'],
  ['数数', 'shu3 shu4'],
  ['数一数', 'shu3 yi5 shu3'],
  ['相片', 'xiang4 pian4'],
  ['猛地', 'meng3 de5'],
  ['忽地', 'hu1 de5'],
  ['教', 'jiao1'],
  ['教书', 'jiao1 shu1'],
  ['教课', 'jiao1 ke4'],
  ['教给', 'jiao1 gei3'],
  ['还书', 'huan2 shu1'],
  ['还钱', 'huan2 qian2'],
  ['还款', 'huan2 kuan3'],
  ['还贷', 'huan2 dai4'],
  ['长得', 'zhang3 de5'],
  ['长得帅', 'zhang3 de5 shuai4'],
  ['长到', 'zhang3 dao4'],
  ['长高', 'zhang3 gao1'],
  ['长出', 'zhang3 chu1'],
  ['长胖', 'zhang3 pang4'],
  ['长满', 'zhang3 man3'],
  ['长成', 'zhang3 cheng2'],
  ['长着', 'zhang3 zhe5'],
  ['粘', 'zhan1'],
  ['粘贴', 'zhan1 tie1'],
  ['复制粘贴', 'fu4 zhi4 zhan1 tie1'],
  ['粘住', 'zhan1 zhu4'],
  ['粘上', 'zhan1 shang4'],
  ['发质', 'fa4 zhi4'],
  ['和面', 'huo2 mian4'],
  ['载体', 'zai4 ti3'],
  ['倒车', 'dao4 che1'],
  ['系鞋带', 'ji4 xie2 dai4'],
  ['背着', 'bei1 zhe5'],
  ['背着手', 'bei4 zhe5 shou3'],
  ['他教', 'ta1 jiao1'],
  ['教他', 'jiao1 ta1'],
  ['教我', 'jiao1 wo3'],
  ['教你', 'jiao1 ni3'],
  ['教她', 'jiao1 ta1'],
  ['扇风', 'shan1 feng1'],
  ['曾国藩', 'zeng1 guo2 fan1'],
  ['曾巩', 'zeng1 gong3'],
  ['曾国荃', 'zeng1 guo2 quan2'],
  ['曾志伟', 'zeng1 zhi4 wei3'],
]);
/** jieba's tags of what 地 makes an adverb: adverbs, adjectives and idioms; and of what it does before a verb. */
const ADVERBIAL = /^(?:d|ad|a|z|i|l)$/;
const ADVERBIAL_BEFORE_VERB = /^(?:v|b|t)$/;
/** Words after 打的 (to take a taxi). Before parts of longer words it is 打 and 的: 打的到底是谁. */
const DESTINATIONS: ReadonlySet<string> = wordSet(`
  去 去往 回 回家 回去 回来 回到 回国 回校 到 到达 来 来到 过去 过来 前往 赶到 赶去 赶往 赶回 离开 上班 上课 上学 上街 上山 下班
`);
/** Words with 儿 as a syllable ("child"), not as an r-colored ending. */
const CHILD = /^(?:女|婴|幼|孤|胎|健|少|男|小|孩|婴幼|孙|侄|生|育|托|混血)儿$/;
/** Titles that end in 长, a head; elsewhere the length. */
const HEAD =
  /^(?:[局所处院馆厂站队店社团连排营班校会部科厅市县区乡镇村组船机家司庭署段股室台师军省州首酋道学]|秘书|董事|理事|议|检察|列车|护士|乘务|参谋|[副代]\p{Script=Han})长$/u;
/** Words with a full-tone 子 (child, master, seed, particle), not a neutral ending. */
const FULL_ZI =
  /^(?:[男女孔老孟庄荀墨韩朱曾孙君弟王太公才孝浪赤游骄臣天父母养义独诸学长嫡庶世原电粒离质中因量分胞瓜莲种精卵菜棋栗松]|.+(?:分|原|电|粒|离|质|中|因|量|弟|君|王|公|女|男))子$/;

/**
 * Loads jieba for words and pinyin-pro for readings: about 0.4 s and 110 MB of memory. pinyin-pro reads polyphones by
 * their word, and applies the sandhi of 一 and 不.
 */
export async function loadDictionary(): Promise<Dictionary> {
  const [{ cut, tag }, { pinyin }] = await Promise.all([import('jieba-wasm'), import('pinyin-pro')]);
  const read = (text: string) => pinyin(text, { toneType: 'num', toneSandhi: true, type: 'array', v: true });
  // Both unpack their dictionaries on first use.
  read(cut('中文', true)[0]!);
  return {
    // `false`: do not guess words that are not in the dictionary.
    isWord: (text) => cut(text, false).length === 1,
    words: (text) => readWords(text, { cut, tag, read }),
  };
}

type Reader = Pick<typeof import('jieba-wasm'), 'cut' | 'tag'> & {
  /** The syllable of each character of a text. */
  read: (text: string) => string[];
};

/** The words of a text with their syllables. */
function readWords(text: string, { cut, tag, read }: Reader): DictionaryWord[] {
  const surfaces = cut(text, true);
  const adverbial = surfaces.some(isParticle) ? adverbialParticles(tag(text, true)) : new Set<number>();
  const inContext = contextReadings(text, read);
  const ones = onesIn(text);
  let end = 0;
  return surfaces.map((surface, index) => {
    const start = end;
    end += surface.length;
    if (/[ぁ-ヺー]/.test(surface)) return { surface, syllables: [surface] };
    if (!/\p{Script=Han}/u.test(surface)) return { surface, syllables: [] };
    if (surface === '的' && surfaces[index - 1] === '打' && DESTINATIONS.has(surfaces[index + 1] ?? ''))
      return { surface, syllables: ['di1'] };
    const beside = contextReading(text, start, surface);
    const listed = (beside ?? READINGS.get(surface))?.split(' ');
    const single = Array.from(surface).length === 1 ? inContext.get(start) : undefined;
    const syllables = withEnding(surface, listed ?? (single ? [single] : read(surface))).flatMap(readable);
    if (adverbial.has(index) && isParticle(surface)) syllables[0] = 'de5';
    return { surface, syllables: syllables.map((syllable, offset) => (ones.has(start + offset) ? 'yi1' : syllable)) };
  });
}

/** Indexes of the ones in numbers that are read digit by digit, where they keep their tone. */
function onesIn(text: string): Set<number> {
  const ones = new Set<number>();
  for (const { 0: digits, index } of text.matchAll(DIGITWISE)) {
    for (const [offset, digit] of [...digits].entries()) if (digit === '一') ones.add(index + offset);
  }
  return ones;
}

/** The reading of each character in its clause, by index: words of one character depend on their neighbours. */
function contextReadings(text: string, read: (text: string) => string[]): Map<number, string> {
  const readings = new Map<number, string>();
  for (const { 0: clause, index } of text.matchAll(HAN)) {
    const syllables = read(clause);
    let characterIndex = index;
    for (const [position, character] of Array.from(clause).entries()) {
      readings.set(characterIndex, syllables[position] ?? '');
      characterIndex += character.length;
    }
  }
  return readings;
}

/** 地 alone, or with a syllable that jieba only guesses to be of its word: 高兴|地说. */
function isParticle(surface: string): boolean {
  return /^地.?$/u.test(surface);
}

/** Indexes of the words that begin with the particle 地, which has no tone: 认真|地|学习. */
function adverbialParticles(words: readonly { word: string; tag: string }[]): Set<number> {
  const indexes = words.flatMap(({ word, tag }, index) => {
    const before = words[index - 1];
    if (!isParticle(word) || (word.length > 1 && tag !== 'x') || before === undefined) return [];
    const isBeforeVerb = word.length > 1 || words[index + 1]?.tag.startsWith('v') === true;
    const isAdverbial =
      before.word.length > 1 &&
      (ADVERBIAL.test(before.tag) || (isBeforeVerb && ADVERBIAL_BEFORE_VERB.test(before.tag)));
    const isRepeated = before.word === words[index - 2]?.word || /^(.{2,})\1$/u.test(before.word);
    return isAdverbial || isRepeated ? [index] : [];
  });
  return new Set(indexes);
}

/** The endings 儿 and 子, and 地 after a repeated syllable, have no tone: 花儿, 桌子, 静静地. */
function withEnding(surface: string, syllables: readonly string[]): string[] {
  if (surface.length < 2) return [...syllables];
  if (HEAD.test(surface)) return [...syllables.slice(0, -1), 'zhang3'];
  if (/^(.)\1地$/u.test(surface)) return [...syllables.slice(0, -1), 'de5'];
  if (surface.endsWith('儿') && !CHILD.test(surface)) return [...syllables.slice(0, -1), 'er5'];
  return surface.endsWith('子') && !FULL_ZI.test(surface) ? [...syllables.slice(0, -1), 'zi5'] : [...syllables];
}

function readable(syllable: string): readonly string[] {
  return /^[a-zêü]+[0-5]$/.test(syllable) ? [syllable] : UNREADABLE;
}
