import { PLACEHOLDER } from '../../cjk/listed-words.ts';
import { isMinus, isTimes } from '../../cjk/minus.ts';
import { AMOUNT, isPressureSlash, rangeSignAt } from '../../cjk/number-patterns.ts';
import { operatorAt } from '../../cjk/operators.ts';
import { isPointInName, punctuationAt } from '../../cjk/punctuation.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { SYMBOLS } from '../units.ts';
import { CURRENCY } from './money.ts';
import { numeralKana } from './numerals.ts';
import type { Rule } from './rule.ts';
import { isValueBefore } from './values.ts';

/** A loss in finance; in shogi a numeral in kanji follows. */
const loss = new RegExp(`[▲△](?=[¥￥$€£]?${AMOUNT}\\s?(?:[%％円万億兆千百]|ポイント|ドル|ユーロ|pt|bp))`, 'y');

const negative = new RegExp(`[-−](?=(?:(?:${CURRENCY})\\s?)?\\d)`, 'y');
const fahrenheit = new RegExp(`(${AMOUNT})\\s?(?:°\\s?F|℉)(?![A-Za-z])`, 'y');
const hashtag = /(?<![^\s、，,。・])#(?=\p{L})(?![をはがのにでと]|キー|ボタン)/uy;

/** A range without an end. */
const openRange = /[〜～~](?=$|[\s)）、。,.|｜])/y;

/** 5-3=2 */
export const rewriteMinus: Rule = ({ text, index }) => (isMinus(text, index) ? minus(index) : undefined);

/** ▲5% */
export const rewriteLoss: Rule = ({ text, index }) => matchAt(loss, text, index) && minus(index);

/** -5度, -$5 */
export const rewriteNegative: Rule = ({ text, index }) => {
  const isNegative = matchAt(negative, text, index) !== undefined;
  return isNegative && !/[\d\p{Script=Latin}]/u.test(text[index - 1] ?? '') ? minus(index) : undefined;
};

function minus(index: number) {
  return { end: index + 1, spoken: 'まいなす', replacement: PLACEHOLDER };
}

/** 212°F: the scale comes first. */
export const rewriteFahrenheit: Rule = ({ text, index }) => {
  const [written, degrees = ''] = matchAt(fahrenheit, text, index) ?? [];
  if (written === undefined) return undefined;
  return { end: index + written.length, spoken: `かし ${numeralKana(degrees)}ど`, replacement: '一度' };
};

/** #月曜日, not the key in #を押す */
export const rewriteHashtag: Rule = ({ text, index }) =>
  matchAt(hashtag, text, index) && { end: index + 1, spoken: 'はっしゅたぐ', replacement: PLACEHOLDER };

/** 血圧は120/80 */
export const rewritePressure: Rule = ({ text, index }) =>
  isPressureSlash(text, index) ? { end: index + 1, spoken: 'の', replacement: 'の' } : undefined;

/** 10〜20 */
export const rewriteRange: Rule = (context) => {
  const { text, index } = context;
  // 10:00〜
  if (matchAt(openRange, text, index) && isValueBefore(context))
    return { end: index + 1, spoken: 'から', replacement: 'から' };
  if (isNumberOfModel(text, index)) return { end: index + 1, spoken: 'の', replacement: 'の' };
  const sign = rangeSignAt(text, index);
  if (!sign || !isValueBefore({ ...context, index: sign.start })) return undefined;
  return { end: sign.end, spoken: 'から', replacement: 'から' };
};

const partOfModel = /(?<=[ァ-ヴー](\d{2,4}))-(\d{1,2})(?!\d|\.\d)/y;

/** クモハ123-1: a model and its number; in a score both numbers are large. */
function isNumberOfModel(text: string, index: number): boolean {
  const [, model, number] = matchAt(partOfModel, text, index) ?? [];
  return model !== undefined && Number(model) > 4 * Number(number);
}

/** Node.js, U.S.A.: neither ends a sentence. */
export const rewriteDot: Rule = (context) => {
  if (context.text[context.index] !== '.') return undefined;
  const before = textBefore(context, 4);
  const after = context.text.slice(context.index + 1, context.index + 6);
  if (/[A-Za-z]{2}$/.test(before) && /^(?:[a-z]|[A-Z]{2,4}(?![a-z]))/.test(after))
    return { end: context.index + 1, spoken: 'どっと' };
  const isInitial = /(?<![A-Za-z])[A-Z]$/.test(before) && /^[A-Z](?![a-z])/.test(after);
  const isLastInitial = /(?<![A-Za-z])[A-Z]\.[A-Z]$/.test(before) && /^[\p{L}]/u.test(after);
  return isInitial || isLastInitial ? { end: context.index + 1, mark: ' ', replacement: ' ' } : undefined;
};

/** 3*4, 100x50 */
export const rewriteTimes: Rule = ({ text, index }) =>
  isTimes(text, index) ? { end: index + 1, spoken: 'かける', replacement: PLACEHOLDER } : undefined;

/** H.264: no sentence ends here. */
export const rewritePoint: Rule = ({ text, index }) =>
  isPointInName(text, index) ? { end: index + 1, mark: ' ', replacement: ' ' } : undefined;

/** Punctuation. */
export const rewriteMark: Rule = ({ text, index }) => {
  const punctuation = punctuationAt(text, index);
  if (!punctuation) return undefined;
  const { mark } = punctuation;
  // The analyser takes several signs in a row for one unknown word.
  return { ...punctuation, replacement: mark === ' ' ? ' ' : /[.!?…]/.test(mark) ? '。' : '、' };
};

/** `x != 3`, `a -> b`, `|x|` */
export const rewriteOperator: Rule = ({ text, index }) => {
  const found = operatorAt(text, index);
  return found && { end: found.end, spoken: SYMBOLS[found.sign]!, replacement: PLACEHOLDER };
};

/** The name of a symbol. */
export const rewriteSymbol: Rule = ({ text, index }) => {
  const symbol = SYMBOLS[text[index]!];
  // A sentence that begins so is a heading or a quotation.
  return symbol === undefined || (index === 0 && /[#>＞]/.test(text[index]!))
    ? undefined
    : { end: index + 1, spoken: symbol, replacement: PLACEHOLDER };
};
