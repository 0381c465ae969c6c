import { matchAt, textBefore } from '../../patterns.ts';
import { type CueTime, cueAt } from '../../subtitles.ts';
import { chineseCounted } from '../measures.ts';
import { chineseNumber } from '../numbers.ts';
import { chineseNumeral } from './numerals.ts';
import type { Rule } from './rule.ts';

const time =
  /(?:([AaPp])\.?[Mm]\.?\s?)?([01]?\d|2[0-4])[:：]([0-5]\d)(?:[:：]([0-5]\d))?(?![\d:：]|\s?(?:美?元|[万亿%个]))/y;
const halfAfter = /\s?([AaPp])\.?[Mm]\.?(?![A-Za-z])/y;
const hour = /(1?\d)\s?([AaPp])\.?[Mm]\.?(?![A-Za-z\d])/y;
const duration = /(\d{1,3})h\s?([0-5]?\d)m(?:in)?(?![A-Za-z\d])/y;

/** Before the sides of a ratio: 比例为1:10 */
const ratioBefore = /(?:比例|比率|比分|配比|赔率|缩尺|稀释|兑换|混合)(?:[为是约按]|大约)?[:：]?\s?$/;
const ratioAfter = /\s?(?:的?(?:比例|比率|配比|赔率|概率)|稀释|混合|兑换)/y;

/** Before a length of time: 马拉松2:01:09 */
const lengthBefore = /(?:马拉松|成绩|用时|耗时|时长|片长|历时)[为是约:：]?\s?$/;

/** When a subtitle begins and ends: 00:01:23,456 --> 00:01:25,000. */
export const rewriteCue: Rule = ({ text, index }) => {
  const cue = cueAt(text, index);
  return cue && { end: cue.end, replacement: `${cueTime(cue.from)}到${cueTime(cue.to)}` };
};

function cueTime({ hours, minutes, seconds }: CueTime): string {
  const whole = `${hours && `${chineseCounted(hours, '小时')}小时`}${minutes && `${chineseNumber(minutes)}分`}`;
  return `${whole}${chineseNumeral(seconds)}秒`;
}

/** 15:30, AM9:00, 3:30pm */
export const rewriteTime: Rule = ({ text, index }) => {
  const match = matchAt(time, text, index);
  if (!match) return undefined;
  const [whole, before, hours, minutes, seconds] = match as unknown as [string, string?, string?, string?, string?];
  const end = index + whole.length;
  if (ratioBefore.test(textBefore({ text, index }, 8)) || matchAt(ratioAfter, text, end)) return undefined;
  if (lengthBefore.test(textBefore({ text, index }, 8))) return { end, replacement: length(hours!, minutes!, seconds) };
  const after = matchAt(halfAfter, text, end);
  // 8:05分
  const unit = seconds === undefined && /^分(?!钟)/.test(text.slice(end, end + 2)) ? 1 : 0;
  const minute = minutes === '00' && seconds === undefined ? '' : `${minutes === '00' ? '零' : two(minutes!)}分`;
  return {
    end: end + (after?.[0].length ?? unit),
    replacement: `${half(before ?? after?.[1])}${clock(hours!)}${minute}${seconds === undefined ? '' : `${two(seconds)}秒`}`,
  };
};

function two(digits: string): string {
  return digits.startsWith('0') ? `零${chineseNumber(digits)}` : chineseNumber(digits);
}

function length(first: string, second: string, third: string | undefined): string {
  return third === undefined
    ? `${chineseCounted(first, '分钟')}分${two(second)}秒`
    : `${chineseCounted(first, '小时')}小时${two(second)}分${two(third)}秒`;
}

/** 9am */
export const rewriteHour: Rule = ({ text, index }) => {
  const match = matchAt(hour, text, index);
  return match && { end: index + match[0].length, replacement: half(match[2]) + clock(match[1]!) };
};

/** The half of the day by the first letter of am or pm. */
function half(letter: string | undefined): string {
  if (letter === undefined) return '';
  return /a/i.test(letter) ? '上午' : '下午';
}

function clock(hours: string): string {
  return `${Number(hours) === 2 ? '两' : chineseNumber(hours)}点`;
}

/** 1h30min */
export const rewriteDuration: Rule = ({ text, index }) => {
  const match = matchAt(duration, text, index);
  if (!match) return undefined;
  const [whole, hours, minutes] = match as unknown as [string, string, string];
  const replacement = `${chineseCounted(hours, '小时')}小时${chineseCounted(minutes, '分钟')}分钟`;
  return { end: index + whole.length, replacement };
};
