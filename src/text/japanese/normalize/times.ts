import { isTimeUnit } from '../../cjk/time-units.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { type CueTime, cueAt } from '../../subtitles.ts';
import { kanaCounted } from '../counters.ts';
import { numeralKana } from './numerals.ts';
import type { Rule } from './rule.ts';

const time = /(午前|午後|[AaPp]\.?[Mm]\.?\s?)?([01]?\d|2\d):([0-5]\d)(?::([0-5]\d))?(?![\d:])/y;
const hour = /(?:([AaPp])\.?[Mm]\.?\s?)?(1?\d)(?:時(?!間)|\s?([AaPp])\.?[Mm]\.?(?![A-Za-z\d]))/y;
const halfAfter = /\s?([AaPp])\.?[Mm]\.?(?![A-Za-z])/y;
const duration = /(?:(\d{1,3})h\s?)?([0-5]?\d)m(?:in)?(?:\s?([0-5]?\d)s)?(?![A-Za-z\d])/y;
const timeUnit = /(h|min|s)(?![A-Za-z\d])/y;
/** Units of time by symbol, and their counters. */
const COUNTERS: Readonly<Record<string, string>> = { h: '時間', min: '分', s: '秒' };

/** Next to the sides of a ratio: 比率は1:10 */
const ratioBefore = /(?:比率|割合|縮尺|濃度|オッズ|黄金比|混合比)[はがを]?[:：]?\s?$/;
const ratioAfter = /\s?(?:の(?:比率?|割合|縮尺|濃度)|に(?:薄め|希釈|割))/y;

/** When a subtitle begins and ends: 00:01:23,456 --> 00:01:25,000. */
export const rewriteCue: Rule = ({ text, index }) => {
  const cue = cueAt(text, index);
  return cue && { end: cue.end, spoken: `${cueTime(cue.from)} から ${cueTime(cue.to)}`, replacement: '一秒' };
};

function cueTime({ hours, minutes, seconds }: CueTime): string {
  const words = [
    hours && kanaCounted(hours, '時間'),
    minutes && kanaCounted(minutes, '分'),
    seconds.includes('.') ? `${numeralKana(seconds)}びょー` : kanaCounted(seconds, '秒'),
  ];
  return words.filter(Boolean).join(' ');
}

/** 15:30, 午後7:05, 3:30pm */
export const rewriteTime: Rule = ({ text, index }) => {
  const match = matchAt(time, text, index);
  if (!match) return undefined;
  const [whole, half = '', hours, minutes, seconds] = match as unknown as [string, string?, string?, string?, string?];
  const isRatio = ratioBefore.test(textBefore({ text, index }, 8)) || matchAt(ratioAfter, text, index + whole.length);
  if (isRatio) return undefined;
  const after = matchAt(halfAfter, text, index + whole.length);
  const isMorning = half === '午前' || /^a/i.test(half) || /a/i.test(after?.[1] ?? '');
  const isEvening = half === '午後' || /^p/i.test(half) || /p/i.test(after?.[1] ?? '');
  const spoken = [
    isMorning ? 'ごぜん' : isEvening ? 'ごご' : '',
    kanaCounted(hours!, '時'),
    minutes === '00' ? '' : kanaCounted(minutes!, '分'),
    seconds === undefined ? '' : kanaCounted(seconds, '秒'),
  ];
  return {
    end: index + whole.length + (after?.[0].length ?? 0),
    spoken: spoken.filter(Boolean).join(' '),
    replacement: '一時',
  };
};

/** 9am, AM9時 */
export const rewriteHour: Rule = ({ text, index }) => {
  const match = matchAt(hour, text, index);
  if (!match || /[A-Za-z]/.test(text[index - 1] ?? '')) return undefined;
  const [whole, before, hours, after] = match as unknown as [string, string?, string?, string?];
  const half = before ?? after;
  if (half === undefined) return undefined;
  const spoken = `${/a/i.test(half) ? 'ごぜん' : 'ごご'} ${kanaCounted(hours!, '時')}`;
  return { end: index + whole.length, spoken, replacement: '一時' };
};

/** 1h30m, 5m30s */
export const rewriteDuration: Rule = ({ text, index }) => {
  const match = matchAt(duration, text, index);
  if (!match || (match[1] === undefined && match[3] === undefined)) return undefined;
  const [whole, hours, minutes, seconds] = match as unknown as [string, string?, string?, string?];
  const spoken = [
    hours === undefined ? '' : kanaCounted(hours, '時間'),
    kanaCounted(minutes!, '分'),
    seconds === undefined ? '' : kanaCounted(seconds, '秒'),
  ];
  return { end: index + whole.length, spoken: spoken.filter(Boolean).join(' '), replacement: '一時間' };
};

/** The counter for the symbol of a unit of time after a number: 24h, 30min. */
export function timeCounterAt(text: string, start: number, end: number): { end: number; counter: string } | undefined {
  const unit = matchAt(timeUnit, text, end)?.[1];
  if (unit === undefined || !isTimeUnit(text, start, end, unit)) return undefined;
  return { end: end + unit.length, counter: COUNTERS[unit]! };
}
