import { maxPauseSeconds } from '../control-tokens.ts';
import { lookUp } from '../patterns.ts';

/** Seconds of a break by its strength. */
const STRENGTHS: Readonly<Record<string, number>> = {
  none: 0,
  'x-weak': 0.25,
  weak: 0.5,
  medium: 0.75,
  strong: 1,
  'x-strong': 1.25,
};

const RATES: Readonly<Record<string, number>> = {
  'x-slow': 0.5,
  slow: 0.75,
  medium: 1,
  default: 1,
  fast: 1.25,
  'x-fast': 1.5,
};

/** Steps of 6 dB. */
const VOLUMES: Readonly<Record<string, number>> = {
  silent: 0,
  'x-soft': 0.25,
  soft: 0.5,
  medium: 1,
  default: 1,
  loud: 2,
  'x-loud': 4,
};

const DURATION = /^\+?(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(ms|s)$/i;
const NUMBER = String.raw`(\d{1,6}(?:\.\d{0,6})?|\.\d{1,6})`;
const SIGNED_PERCENT = new RegExp(`^([+-])${NUMBER}%$`);
const PERCENT = new RegExp(`^${NUMBER}%$`);
const FACTOR = new RegExp(`^${NUMBER}$`);
const DECIBELS = new RegExp(`^([+-]?)${NUMBER}dB$`, 'i');

/** A value relative to that of the request, or to what surrounds the element. */
export interface Relative {
  factor: number;
  to: 'request' | 'surrounding';
}

/**
 * Seconds of a `break`: `time` decides, else `strength`, else it is a medium one.
 * @returns an explanation if a value is malformed or too long
 */
export function breakSeconds(time: string | undefined, strength = 'medium'): number | string {
  if (time === undefined) {
    const seconds = lookUp(STRENGTHS, strength.trim().toLowerCase());
    return seconds ?? `the strength of a break is one of ${Object.keys(STRENGTHS).join(', ')}.`;
  }
  const [, number, unit] = DURATION.exec(time.trim()) ?? [];
  if (number === undefined) return 'the time of a break is a number with its unit, such as 500ms or 1.5s.';
  const seconds = Number(number) / (unit!.toLowerCase() === 'ms' ? 1000 : 1);
  return seconds > maxPauseSeconds ? `a break may last ${maxPauseSeconds}s at most.` : seconds;
}

/** The `rate` of a `prosody`: `slow`, `80%` or `0.8` of the usual tempo, or `-20%` of the surrounding one. */
export function rateOf(rate: string): Relative | string {
  const value = rate.trim();
  const factor = lookUp(RATES, value.toLowerCase()) ?? percent(value) ?? number(FACTOR, value);
  if (factor !== undefined && factor > 0) return { factor, to: 'request' };
  const change = signedPercent(value);
  if (change !== undefined && change > 0) return { factor: change, to: 'surrounding' };
  return `a rate is one of ${Object.keys(RATES).join(', ')}, a percentage such as 80% or +20%, or a factor above 0.`;
}

/** The `volume` of a `prosody`: `soft` or `50%` of the usual volume; `+6dB` or `-20%` changes the surrounding one. */
export function volumeOf(volume: string): Relative | string {
  const value = volume.trim();
  // A plain number is a percentage in SSML 1.0.
  const plain = number(FACTOR, value);
  const factor =
    lookUp(VOLUMES, value.toLowerCase()) ?? percent(value) ?? (plain === undefined ? undefined : plain / 100);
  if (factor !== undefined) return { factor, to: 'request' };
  const [, sign, decibels] = DECIBELS.exec(value) ?? [];
  const change = decibels === undefined ? signedPercent(value) : 10 ** (Number(`${sign}${decibels}`) / 20);
  if (change !== undefined && change >= 0) return { factor: change, to: 'surrounding' };
  return `a volume is one of ${Object.keys(VOLUMES).join(', ')}, decibels such as +6dB, or a percentage such as 80% or +20%.`;
}

function number(pattern: RegExp, value: string): number | undefined {
  const match = pattern.exec(value)?.[1];
  return match === undefined ? undefined : Number(match);
}

function percent(value: string): number | undefined {
  const match = number(PERCENT, value);
  return match === undefined ? undefined : match / 100;
}

function signedPercent(value: string): number | undefined {
  const [, sign, change] = SIGNED_PERCENT.exec(value) ?? [];
  return sign === undefined ? undefined : 1 + Number(`${sign}${change}`) / 100;
}
