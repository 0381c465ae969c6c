/**
 * Japanese counters, which change their own sound and that of the number (NHK 日本語発音アクセント新辞典, appendix on numerals
 * and counters).
 */
import { type Change, DIGIT_KANA, joined, kanaNumber } from './numbers.ts';

interface Counter {
  kana: string;
  change: Change;
  /** Irregular numbers by their digits, counter included. */
  whole?: Readonly<Record<string, string>>;
  /** Irregular last digits before it: 4 よ. */
  last?: Readonly<Record<string, string>>;
}

const YO = { 4: 'よ' };
const SHICHI_KU = { 7: 'しち', 9: 'く' };
const DAYS: Readonly<Record<string, string>> = {
  1: 'ついたち',
  2: 'ふつか',
  3: 'みっか',
  4: 'よっか',
  5: 'いつか',
  6: 'むいか',
  7: 'なのか',
  8: 'よーか',
  9: 'ここのか',
  10: 'とーか',
  14: 'じゅーよっか',
  20: 'はつか',
  24: 'にじゅーよっか',
};

const counters = new Map<string, Counter>();
/** Adds counters, each with its kana. */
const add = (list: string, change: Change, more: Partial<Counter> = {}) => {
  for (const entry of list.trim().split(/\s+/)) {
    const [written, kana] = entry.split(':') as [string, string];
    counters.set(written, { kana, change, ...more });
  }
};
/** Counters before which one and two are Japanese words. */
const addNative = (list: string, change: Change, whole: Counter['whole'] = {}) => {
  for (const entry of list.split(' ')) {
    const [, kana] = entry.split(':') as [string, string];
    add(entry, change, { whole: { 1: `ひと${kana}`, 2: `ふた${kana}`, ...whole } });
  }
};
add(
  `個:こ 箇:か コ:こ 回:かい 回目:かいめ 回戦:かいせん か月:かげつ ヶ月:かげつ カ月:かげつ ヵ月:かげつ ケ月:かげつ 箇月:かげつ
  か国:かこく ヶ国:かこく カ国:かこく ヵ国:かこく か所:かしょ ヶ所:かしょ カ所:かしょ 箇所:かしょ 件:けん 曲:きょく 級:きゅー
  課:か 巻:かん 缶:かん 機:き 基:き 局:きょく 句:く 区:く 冠:かん 口座:こーざ 校:こー 戸:こ 画:かく 桁:けた 斤:きん`,
  'k',
);
add('行:ぎょー 号:ごー 語:ご 合:ごー', '-');
add(
  '冊:さつ 首:しゅ 升:しょー 章:しょー 種類:しゅるい 種:しゅ 週:しゅー 週間:しゅーかん 周年:しゅーねん 周:しゅー 社:しゃ 席:せき 隻:せき 世紀:せーき 世帯:せたい 線:せん 戦:せん 勝:しょー 色:しょく 室:しつ 審:しん 節:せつ 試合:しあい 進:しん 食:しょく',
  's',
);
add(
  '点:てん 店:てん 頭:とー 通:つー 着:ちゃく 丁:ちょー 丁目:ちょーめ 体:たい 等:とー 島:とー 党:とー 棟:とー 店舗:てんぽ',
  't',
);
add('本:ほん 匹:ひき 杯:はい 票:ひょー 俵:ひょー 遍:へん', 'h');
add('分:ふん 分間:ふんかん 泊:はく 発:はつ 歩:ほ 版:はん 班:はん 編:へん 品:ひん 敗:はい 拍:はく', 'f');
add('人:にん', '-', { whole: { 1: 'ひとり', 2: 'ふたり' }, last: YO });
add('人前:にんまえ 人組:にんぐみ 人家族:にんかぞく 人分:にんぶん 人用:にんよー 人目:にんめ', '-', { last: YO });
add('年:ねん 年間:ねんかん 年生:ねんせー 年目:ねんめ 年代:ねんだい 年度:ねんど 年前:ねんまえ 年後:ねんご', '-', {
  last: YO,
});
add('円:えん', '-', { last: YO });
add('時間:じかん 時間目:じかんめ 時半:じはん 時限:じげん', '-', { last: { ...YO, ...SHICHI_KU } });
add('時:じ', '-', { last: { ...YO, ...SHICHI_KU }, whole: { 0: 'れーじ' } });
add('月:がつ', '-', { last: { 4: 'し', ...SHICHI_KU } });
add('日:にち', '-', { whole: DAYS, last: SHICHI_KU });
add('日間:にちかん 日目:にちめ', '-', {
  last: SHICHI_KU,
  whole: Object.fromEntries(Object.entries(DAYS).filter(([digits]) => digits !== '1')),
});
add('畳:じょー', '-', { last: YO });
add('つ:つ', '-', {
  whole: {
    1: 'ひとつ',
    2: 'ふたつ',
    3: 'みっつ',
    4: 'よっつ',
    5: 'いつつ',
    6: 'むっつ',
    7: 'ななつ',
    8: 'やっつ',
    9: 'ここのつ',
  },
});
add(
  `番:ばん 番目:ばんめ 番線:ばんせん 号車:ごーしゃ 号室:ごーしつ 枚:まい 台:だい 度:ど 度目:どめ 名:めー 名様:めーさま 秒:びょー 秒間:びょーかん 倍:ばい
  位:い 話:わ 代:だい 割:わり 割引:わりびき 組:くみ 世:せー 段:だん 問:もん 部:ぶ 膳:ぜん 羽:わ 面:めん 両:りょー 列:れつ 男:なん 女:じょ
  次:じ 乗:じょー 文字:もじ 字:じ 議席:ぎせき 銭:せん 里:り 坪:つぼ 反:たん 石:こく 番街:ばんがい 条:じょー 項:こー 対:たい 錠:じょー 万:まん 瓶:びん 厘:りん`,
  '-',
);
addNative('口:くち 株:かぶ 切れ:きれ 家族:かぞく', 'k');
addNative('皿:さら', 's');
addNative('束:たば 粒:つぶ 通り:とーり 玉:たま', 't');
addNative('袋:ふくろ 部屋:へや 駅:えき', '-');
// さんばこ and さんぱこ are both said; the latter is NHK's first.
addNative('箱:はこ', 'h', { 3: 'さんぱこ' });
add('片:へん', 'h', { whole: { 1: 'ひとかけ', 2: 'ふたかけ' } });
add('歳:さい 才:さい', 's', { whole: { 20: 'はたち' } });
add('階:かい', 'k', { whole: { 3: 'さんがい' } });
add('軒:けん', 'k', { whole: { 3: 'さんげん' } });
add('足:そく', 's', { whole: { 3: 'さんぞく' } });
addNative('晩:ばん', '-');

/** All counters as written. */
export const COUNTERS: readonly string[] = [...counters.keys()];

const MAX_COUNTER_LENGTH = Math.max(...[...counters.keys()].map(({ length }) => length));

/** The longest counter at an index of a text. */
export function counterAt(text: string, index: number): string | undefined {
  for (let length = MAX_COUNTER_LENGTH; length > 0; length--) {
    const counter = text.slice(index, index + length);
    if (counter.length === length && counters.has(counter)) return counter;
  }
  return undefined;
}

/** A whole number and its counter in kana: 3, 本 is さんぼん. */
export function kanaCounted(digits: string, counter: string): string {
  const { kana, change, whole, last } = counters.get(counter)!;
  const plain = digits.replace(/^0+(?=\d)/, '');
  if (whole && Object.hasOwn(whole, plain)) {
    const suffix = counter === '日間' ? 'かん' : counter === '日目' ? 'め' : '';
    return whole[plain]! + suffix;
  }
  const number = kanaNumber(plain);
  const end = plain.at(-1)!;
  if (!last || !Object.hasOwn(last, end)) return joined(number, kana, change);
  return number.slice(0, -DIGIT_KANA[Number(end)]!.length) + last[end]! + kana;
}

const APPROXIMATE: Readonly<Record<string, string>> = {
  一二: 'いちに',
  二三: 'にさん',
  三四: 'さんよん',
  四五: 'しご',
  五六: 'ごろく',
  六七: 'ろくしち',
  七八: 'しちはち',
  八九: 'はっく',
};

/** Two adjacent numerals, "two or three", with their counter: 二三日, 四五人, 二三十; undefined for others. */
export function kanaApproximate(numeral: string, counter: string | undefined): string | undefined {
  const kana = APPROXIMATE[numeral.slice(0, 2)];
  const unit = { '': '', 十: 'じゅー', 百: 'ひゃく', 千: 'せん', 万: 'まん' }[numeral.slice(2)];
  if (kana === undefined || unit === undefined) return undefined;
  const number = kana + (unit === 'ひゃく' && kana.endsWith('さん') ? 'びゃく' : unit);
  const entry = counter === undefined ? undefined : counters.get(counter);
  if (!entry) return number;
  // 三四人, and 三四日, whose irregular four is a separate word.
  if (numeral === '三四' && counter === '日') return `さん${DAYS['4']}`;
  const four = numeral === '三四' ? entry.last?.['4'] : undefined;
  return four === undefined ? joined(number, entry.kana, entry.change) : `さん${four}${entry.kana}`;
}

/** "How many" or "some" with a counter: 何本 is なんぼん, 数回 すーかい; undefined for others. */
export function kanaHowMany(word: string, counter: string): string | undefined {
  const kana = { 何: 'なん', 幾: 'いく', 数: 'すー' }[word];
  const entry = counters.get(counter);
  return kana === undefined || !entry ? undefined : joined(kana, entry.kana, entry.change);
}
