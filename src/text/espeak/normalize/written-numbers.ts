import { matchAt } from '../../patterns.ts';
import { isMinus } from './calculations.ts';
import type { Context, Match } from './rule.ts';

/** A written number, without its sign. */
export interface WrittenNumber {
  end: number;
  /** Digits, without grouping marks. */
  whole: string;
  /** Digits. */
  decimals: string;
  point: ',' | '.';
}

const APOSTROPHE = /(?:'\d{3})+(?!\d)(?:[.,](?<decimals>\d{1,2})(?!\d|[.,]\d))?|'(?<tenth>\d{1,2})(?![\d'"])/y;
const RANGE = /(\s?)[-–]\s?(?=\d)/y;

export function numberAt({ text, language }: Context, index: number): WrittenNumber | undefined {
  const { number, grouping, apostropheDecimals } = language.rules;
  const match = matchAt(number, text, index);
  if (!match) return undefined;
  const { whole, decimals = '' } = match.groups as { whole: string; decimals?: string };
  const end = index + match[0].length;
  // 10'000.50, as in Switzerland
  const behind = decimals === '' && whole.length <= 3 ? matchAt(APOSTROPHE, text, end) : undefined;
  const { tenth, decimals: hundredths = '' } = behind?.groups ?? {};
  if (behind && (tenth === undefined || apostropheDecimals)) {
    const [groups = ''] = behind[0].split(/[.,]/);
    const parts = tenth
      ? { whole, decimals: tenth }
      : { whole: whole + groups.replaceAll("'", ''), decimals: hundredths };
    return { end: end + behind[0].length, ...parts, point: ',' };
  }
  // 220,000: no decimals are three zeros.
  if (/^[.,]000$/.test(decimals) && /^[1-9]\d{0,2}$/.test(whole))
    return { end, whole: `${whole}000`, decimals: '', point: ',' };
  return {
    end,
    whole: whole.replace(grouping, ''),
    decimals: decimals.slice(1),
    point: decimals[0] === '.' ? '.' : ',',
  };
}

/** The end of a dash between two values of a range. */
export function rangeDash(context: Context, index: number): number | undefined {
  const dash = matchAt(RANGE, context.text, index);
  return dash && !isMinus(context, index + dash[1]!.length) ? index + dash[0].length : undefined;
}

/** Adds the word between the ends of a range, if another value with the same suffix follows a dash. */
export function withRange(context: Context, match: Match, suffix: string): Match {
  const next = rangeDash(context, match.end);
  const to = next === undefined ? undefined : numberAt(context, next);
  if (next === undefined || !to) return match;
  const isSameKind = next === match.end + 1 || matchAt(/\s?\S{1,6}/y, context.text, to.end)?.[0].includes(suffix);
  return isSameKind ? { end: next, words: `${match.words} ${context.language.rules.range}` } : match;
}
