import { PLACEHOLDER } from '../../cjk/listed-words.ts';
import { markOutOfAt } from '../../cjk/marks-out-of.ts';
import { ratingAt } from '../../cjk/number-patterns.ts';
import { type Compare, ratioRule, scorePattern, scoreRule } from '../../cjk/scores.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { kanaCounted } from '../counters.ts';
import { kanaNumber, NUMERAL } from '../numbers.ts';
import { numeralKana } from './numerals.ts';
import type { Rule } from './rule.ts';

const teams =
  '巨人|阪神|広島|中日|ヤクルト|DeNA|横浜|ソフトバンク|日本ハム|ロッテ|楽天|西武|オリックス|浦和|鹿島|川崎|名古屋|神戸|[CG]大阪|日本|韓国|中国|米国|アメリカ|ブラジル|ドイツ|スペイン|フランス|イタリア|イングランド|アルゼンチン|クロアチア|ポルトガル|オランダ|ベルギー|オーストラリア|イラン|カタール|メキシコ|カナダ|台湾';
const score = scorePattern(
  teams,
  '(?:スコア|前半|後半|延長戦?|PK戦?|セット|ゲーム|クォーター|ピリオド|\\d{1,2}回[表裏]?)[はがを]?',
  '[(（](?:PK|延長)|で(?:サヨナラ|さよなら|勝|負|敗|引|下し|下す|破|快勝|完勝|圧勝|辛勝|惜敗|大勝|大敗|逆転|先制|リード|制し|制す|折り返)|で[一-鿿ァ-ヺーA-Za-z・]{1,14}(?:[にを](?:勝|敗|下|破|快勝|完勝|圧勝|辛勝|惜敗|大勝|大敗|逆転|競り|退け)|と引き?分)|の(?:勝利|敗戦|引き分け|逆転|同点|ストレート|接戦|リード|完封|スコア)|と(?:リード|逆転)',
);

const against: Compare = (end, numbers) => ({
  end,
  spoken: numbers.map(numeralKana).join('たい '),
  replacement: NUMERAL,
});

/** 16:9 */
export const rewriteRatio: Rule = ratioRule(against);

const namedScore = scoreRule(score, against);
/** Between teams: 智弁和歌山 4-3 横浜 */
const spaced = /(\d{1,3})\s?[-–−]\s?(\d{1,3})(?=\s[\p{Script=Han}\p{Script=Katakana}])/uy;
const wordBefore = /[\p{Script=Han}\p{Script=Katakana}ー]\s$/u;

/** 3-2で勝つ */
export const rewriteScore: Rule = (context) => {
  const [all, first = '', second = ''] = wordBefore.test(textBefore(context, 2))
    ? (matchAt(spaced, context.text, context.index) ?? [])
    : [];
  // A range would rise.
  return all !== undefined && Number(first) > Number(second)
    ? against(context.index + all.length, [first, second])
    : namedScore(context);
};

/** 4.7/5 */
export const rewriteMarkOutOf: Rule = ({ text, index }) => {
  const found = markOutOfAt(text, index, '点');
  if (!found) return undefined;
  const spoken = `${kanaCounted(found.best, '点')} まんてんちゅー ${numeralKana(found.mark)}てん`;
  return { end: found.end, spoken, replacement: '一点' };
};

/** ★★★☆☆: three of five stars. */
export const rewriteRating: Rule = ({ text, index }) => {
  const rating = ratingAt(text, index);
  return rating && { end: rating.end, spoken: `ほし ${kanaCounted(rating.stars, 'つ')}`, replacement: PLACEHOLDER };
};

const draws = /(\d{1,3})分(?![けかのま])/y;
const topHalf = /表(?![彰情現示明面記紙題記])/y;

/** 3勝2敗1分: a draw, not a minute. */
export const rewriteDraws: Rule = (context) => {
  const [all, number = ''] = /敗\s?$/.test(textBefore(context, 2))
    ? (matchAt(draws, context.text, context.index) ?? [])
    : [];
  return all === undefined
    ? undefined
    : { end: context.index + all.length, spoken: `${kanaNumber(number)}わけ`, replacement: NUMERAL };
};

/** 3回表, the top of an inning. */
export const rewriteTopHalf: Rule = (context) =>
  /\d回$/.test(textBefore(context, 2)) && matchAt(topHalf, context.text, context.index)
    ? { end: context.index + 1, spoken: 'おもて', replacement: PLACEHOLDER }
    : undefined;
