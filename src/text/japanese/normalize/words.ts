import { compatibleAt, otherLettersAt } from '../../cjk/other-characters.ts';
import { anyOf, matchAt, textBefore } from '../../patterns.ts';
import { latinKana } from '../latin.ts';
import { kanaNumber, kanjiNumber } from '../numbers.ts';
import { UNITS } from '../units.ts';
import { WEEKDAYS } from './dates.ts';
import type { Rule } from './rule.ts';

const latin = /\p{Script=Latin}[\p{Script=Latin}\p{M}]*(?:['’]\p{Script=Latin}+)*/uy;
const compatible = /[ｦ-ﾟ]+|[Ⅰ-ⅿ]+|[㈠-㊰①-⓿㋀-㏿㍻-㍿㎀-㏟]/uy;
const policeCall = /110番(?![目線地台札手街号組])/y;
const shop = /100均(?![一等衡])/y;
const laugh = /笑(?=$|[\s。、，,.!?！？)」])/y;
/** Words that the dictionary lacks, replaced by others. */
const NEW_WORDS: Readonly<Record<string, { spoken: string; replacement: string }>> = {
  令和: { spoken: 'れーわ', replacement: '平成' },
  予熱: { spoken: 'よねつ', replacement: '加熱' },
  何百: { spoken: 'なんびゃく', replacement: '百' },
  何千: { spoken: 'なんぜん', replacement: '千' },
  毎分: { spoken: 'まいふん', replacement: '毎日' },
  税抜き: { spoken: 'ぜーぬき', replacement: '税込み' },
  税抜: { spoken: 'ぜーぬき', replacement: '税込み' },
  今日中: { spoken: 'きょーじゅー', replacement: '終日' },
  明日中: { spoken: 'あすじゅー', replacement: '終日' },
  一昨年: { spoken: 'おととし', replacement: '去年' },
  一日中: { spoken: 'いちにちじゅー', replacement: '終日' },
  明々後日: { spoken: 'しあさって', replacement: '翌日' },
  十分後: { spoken: 'じゅっぷん ご', replacement: '翌日' },
  山手線: { spoken: 'やまのてせん', replacement: '電車' },
  聡太: { spoken: 'そーた', replacement: '太郎' },
  結弦: { spoken: 'ゆづる', replacement: '太郎' },
  翔平: { spoken: 'しょーへー', replacement: '太郎' },
  百合: { spoken: 'ゆり', replacement: '花' },
  二重: { spoken: 'にじゅー', replacement: '一重' },
  何曜日: { spoken: 'なんよーび', replacement: '月曜日' },
  この間: { spoken: 'この あいだ', replacement: '先日' },
  他人事: { spoken: 'ひとごと', replacement: '無関心' },
  上手投げ: { spoken: 'うわてなげ', replacement: '寄り切り' },
  下手投げ: { spoken: 'したてなげ', replacement: '寄り切り' },
  百均: { spoken: 'ひゃっきん', replacement: '店' },
  三十三間堂: { spoken: 'さんじゅーさんげんどー', replacement: '寺' },
};
/** Titles, whose full stop is no pause before a name. */
const TITLES: Readonly<Record<string, string>> = {
  Mr: 'みすたー',
  Mrs: 'みせす',
  Ms: 'みず',
  Dr: 'どくたー',
  Prof: 'ぷろふぇっさー',
};
const title = new RegExp(`(${anyOf(Object.keys(TITLES))})\\.?\\s?(?=[\\p{Script=Katakana}\\p{Script=Han}])`, 'uy');
const netLaugh = /[wｗ]{1,20}(?=$|[\s。、，,.!?！？)」])/y;
const netLaughBefore = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー！？!?]$/u;
/** 有限会社 before its name; elsewhere 有 means that there is one. */
const company = /有(?=[)）][\p{Script=Han}\p{Script=Katakana}])/uy;
const companyBefore = /(?:^|[^\p{L}\d])[(（]$/u;
const newWord = new RegExp(anyOf(Object.keys(NEW_WORDS)), 'y');
/** Single characters in brackets: days of the week after a date, a laugh. */
const BRACKETED: Readonly<Record<string, string>> = { ...WEEKDAYS, 笑: 'わらい', 株: 'かぶしきがいしゃ' };
/** One-character words whose reading differs from their folded form. */
const SQUARED: Readonly<Record<string, string>> = {
  '㈱': 'かぶしきがいしゃ',
  '㈲': 'ゆーげんがいしゃ',
  '㍿': 'かぶしきがいしゃ',
};

/** 令和 */
export const rewriteNewWord: Rule = ({ text, index }) => {
  const word = matchAt(newWord, text, index)?.[0];
  return word === undefined ? undefined : { end: index + word.length, ...NEW_WORDS[word]! };
};

/** Words that others beside them tell from the same characters. */
const NEIGHBOURS: readonly { pattern: RegExp; spoken: string; replacement: string }[] = [
  // Not この辺り.
  { pattern: /[こそあど]の辺(?![りに]|境|地)|[こそあど]の辺(?=に(?!り))/y, spoken: 'へん', replacement: '所' },
  // From morning to evening; in 15日中 the day counts.
  {
    pattern: /(?<![\d\p{Script=Han}]|[こそあ]の)日中(?!\p{Script=Han}{0,2}字)/uy,
    spoken: 'にっちゅー',
    replacement: '昼間',
  },
  { pattern: /(?<![\d月])1日中(?![にの旬])/y, spoken: 'いちにちじゅー', replacement: '終日' },
  { pattern: /角(?=を曲が|の(?:店|家|コンビニ))/y, spoken: 'かど', replacement: '門' },
  { pattern: /(?<=[牛鹿羊鬼]の)角/y, spoken: 'つの', replacement: '耳' },
  // A person; in この方がいい and その方に a side.
  { pattern: /[こそ]の方(?=[はをもと、。]|$)|[あど]の方(?![法向針々])/y, spoken: 'かた', replacement: '人' },
  {
    pattern: /人気(?=の(?:ない|少ない|無い)(?:道|場所|路地|公園|夜|森|通り|山|海|浜|街|町|校舎|教室|駅|廊下|裏))/y,
    spoken: 'ひとけ',
    replacement: '気配',
  },
];

/** この辺, この方, 人気のない道 */
export const rewriteByNeighbour: Rule = ({ text, index }) => {
  for (const { pattern, spoken, replacement } of NEIGHBOURS) {
    const written = matchAt(pattern, text, index)?.[0];
    if (written === undefined) continue;
    const demonstrative = /^[こそあど]の/.test(written) ? written.slice(0, 2) : '';
    return {
      end: index + written.length,
      spoken: demonstrative ? `${demonstrative} ${spoken}` : spoken,
      replacement: demonstrative + replacement,
    };
  }
  return undefined;
};

/** 100均, a shop where everything costs 100 yen. */
export const rewriteShop: Rule = ({ text, index }) =>
  matchAt(shop, text, index) && { end: index + 4, ...NEW_WORDS.百均! };

/** 110番 calls the police. */
export const rewritePoliceCall: Rule = ({ text, index }) =>
  matchAt(policeCall, text, index) && { end: index + 4, spoken: 'ひゃくとーばん', replacement: '電話' };

/** やばい笑 */
export const rewriteLaugh: Rule = ({ text, index }) =>
  matchAt(laugh, text, index) && !/\p{Script=Han}/u.test(text[index - 1] ?? '')
    ? { end: index + 1, spoken: BRACKETED.笑! }
    : undefined;

/** 楽しいwww: a laugh. */
export const rewriteNetLaugh: Rule = (context) => {
  const laughs = netLaughBefore.test(textBefore(context, 1))
    ? matchAt(netLaugh, context.text, context.index)
    : undefined;
  return laughs && { end: context.index + laughs[0].length, spoken: 'わら' };
};

/** Mr. スミス */
export const rewriteTitle: Rule = ({ text, index }) => {
  const [written, name = ''] = matchAt(title, text, index) ?? [];
  return written === undefined ? undefined : { end: index + written.length, spoken: TITLES[name]! };
};

/** (有)田中 */
export const rewriteCompany: Rule = (context) =>
  companyBefore.test(textBefore(context, 2)) && matchAt(company, context.text, context.index)
    ? { end: context.index + 1, spoken: SQUARED['㈲']! }
    : undefined;

/** (金), (笑) */
export const rewriteBracketed: Rule = ({ text, index }) => {
  const spoken = BRACKETED[text[index]!];
  const isBracketed = /[(（]/.test(text[index - 1] ?? '') && /[)）]/.test(text[index + 1] ?? '');
  return spoken !== undefined && isBracketed ? { end: index + 1, spoken } : undefined;
};

/** Words in Latin letters. */
export const rewriteLatin: Rule = ({ text, index, english }) => {
  const match = matchAt(latin, text, index)?.[0];
  if (match === undefined) return undefined;
  const spoken = latinKana(match.replaceAll('’', "'"), english);
  return spoken ? { end: index + match.length, spoken } : undefined;
};

/** Greek and Cyrillic words. */
export const rewriteOtherLetters: Rule = ({ text, index, english }) => {
  const letters = otherLettersAt(text, index);
  if (!letters) return undefined;
  const { end, written, plain } = letters;
  const spoken = latinKana(plain, english);
  // Take them whole even without a sound: otherwise each character would be tried with all that follow.
  return spoken ? { end, spoken } : { end, replacement: written };
};

/** Half-width katakana, circled digits, Roman numerals of one character, squared words. */
export const rewriteCompatible: Rule = ({ text, index, english }) => {
  const characters = compatibleAt(compatible, text, index);
  if (!characters) return undefined;
  const { end, written, plain } = characters;
  if (Object.hasOwn(UNITS, written)) return { end, spoken: UNITS[written]! };
  if (Object.hasOwn(SQUARED, written)) return { end, spoken: SQUARED[written]! };
  // ①切る is not 一切, but 第①章 is one word.
  const isCounted = text[index - 1] === '第' || /[章節条項号番回]/.test(text[end] ?? '');
  if (/^\d+$/.test(plain))
    return { end, spoken: kanaNumber(plain), replacement: `${kanjiNumber(plain)}${isCounted ? '' : '、'}` };
  if (/^[A-Za-z]+$/.test(plain)) return { end, spoken: latinKana(plain, english) };
  return plain === written ? undefined : { end, replacement: plain };
};
