import { matchAt } from '../../patterns.ts';
import { chineseCounted, chineseNumber } from '../numbers.ts';
import type { Rule } from './rule.ts';

const time = /([01]?\d|2[0-4])[:：]([0-5]\d)(?:[:：]([0-5]\d))?(?![\d:：])/y;
const duration = /(\d{1,3})h\s?([0-5]?\d)m(?:in)?(?![A-Za-z\d])/y;

/** 15:30 */
export const rewriteTime: Rule = ({ text, index }) => {
  const match = matchAt(time, text, index);
  if (!match) return undefined;
  const [whole, hours, minutes, seconds] = match as unknown as [string, string, string, string | undefined];
  const two = (digits: string) => (digits.startsWith('0') ? `零${chineseNumber(digits)}` : chineseNumber(digits));
  const hour = Number(hours) === 2 ? '两' : chineseNumber(hours);
  const minute = minutes === '00' && seconds === undefined ? '' : `${minutes === '00' ? '零' : two(minutes)}分`;
  return {
    end: index + whole.length,
    replacement: `${hour}点${minute}${seconds === undefined ? '' : `${two(seconds)}秒`}`,
  };
};

/** 1h30min */
export const rewriteDuration: Rule = ({ text, index }) => {
  const match = matchAt(duration, text, index);
  if (!match) return undefined;
  const [whole, hours, minutes] = match as unknown as [string, string, string];
  const replacement = `${chineseCounted(hours, '小时')}小时${chineseCounted(minutes, '分钟')}分钟`;
  return { end: index + whole.length, replacement };
};
