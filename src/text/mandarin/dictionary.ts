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

/** Words whose usual reading is not pinyin-pro's first. */
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
]);
/** Words with 儿 as a syllable ("child"), not as an r-colored ending. */
const CHILD = /^(?:女|婴|幼|孤|胎|健|少|男|小|孩|婴幼|孙|侄|生|育|托|混血)儿$/;
/** Words with a full-tone 子 (child, master, seed, particle), not a neutral ending. */
const FULL_ZI =
  /^(?:[男女孔老孟庄荀墨韩朱曾孙君弟王太公才孝浪赤游骄臣天父母养义独诸学长嫡庶世原电粒离质中因量分胞瓜莲种精卵菜棋栗松]|.+(?:分|原|电|粒|离|质|中|因|量|弟|君|王|公|女|男))子$/;

/**
 * Loads jieba for words and pinyin-pro for readings: about 0.4 s and 110 MB of memory. pinyin-pro reads polyphones by
 * their word, and applies the sandhi of 一 and 不.
 */
export async function loadDictionary(): Promise<Dictionary> {
  const [{ cut }, { pinyin }] = await Promise.all([import('jieba-wasm'), import('pinyin-pro')]);
  const read = (text: string) => pinyin(text, { toneType: 'num', toneSandhi: true, type: 'array', v: true });
  // Both unpack their dictionaries on first use.
  read(cut('中文', true)[0]!);
  return {
    // `false`: do not guess words that are not in the dictionary.
    isWord: (text) => cut(text, false).length === 1,
    words: (text) => {
      const words = cut(text, true).map((surface): DictionaryWord => ({ surface, syllables: [] }));
      const inContext = contextReadings(text, read);
      const ones = new Set<number>();
      for (const { 0: digits, index } of text.matchAll(DIGITWISE)) {
        for (const [offset, digit] of [...digits].entries()) if (digit === '一') ones.add(index + offset);
      }
      let end = 0;
      return words.map(({ surface }) => {
        const start = end;
        end += surface.length;
        if (/[ぁ-ヺー]/.test(surface)) return { surface, syllables: [surface] };
        if (!/\p{Script=Han}/u.test(surface)) return { surface, syllables: [] };
        const listed = READINGS.get(surface)?.split(' ');
        const single = Array.from(surface).length === 1 ? inContext.get(start) : undefined;
        const syllables = withEnding(surface, listed ?? (single ? [single] : read(surface))).flatMap(readable);
        return {
          surface,
          syllables: syllables.map((syllable, offset) => (ones.has(start + offset) ? 'yi1' : syllable)),
        };
      });
    },
  };
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

/** The endings 儿 and 子 have no tone: 花儿, 桌子. */
function withEnding(surface: string, syllables: readonly string[]): string[] {
  if (surface.length < 2) return [...syllables];
  if (surface.endsWith('儿') && !CHILD.test(surface)) return [...syllables.slice(0, -1), 'er5'];
  return surface.endsWith('子') && !FULL_ZI.test(surface) ? [...syllables.slice(0, -1), 'zi5'] : [...syllables];
}

function readable(syllable: string): readonly string[] {
  return /^[a-zêü]+[0-5]$/.test(syllable) ? [syllable] : UNREADABLE;
}
