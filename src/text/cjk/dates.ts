import { matchAt } from '../patterns.ts';

/** A date in digits. */
export interface WrittenDate {
  end: number;
  year: string;
  month: string;
  day: string;
}

/** The T of a time stamp belongs to it: 2024-03-05T14:05. */
const yearFirst = /(\d{4})([/.·-])(\d{1,2})\2(\d{1,2})(?![\d/.-]*\d)(?:T(?=\d\d:))?/y;
const yearLast = /(\d{1,2})\/(\d{1,2})\/(\d{4})(?![\d/])/y;

/** The date at an index: 2024-03-15, 05/11/2024. If the year is last, the first number is the month if it can be one. */
export function dateAt(text: string, index: number): WrittenDate | undefined {
  return yearFirstAt(text, index) ?? yearLastAt(text, index);
}

const yearAndMonth = /((?:19|20)\d\d)-(0[1-9]|1[0-2])(?![\d-]|\.\d|\s?[年月歳岁人个])/y;

/** The month at an index: 2024-01. */
export function monthAt(text: string, index: number): (Omit<WrittenDate, 'day'> & { day?: undefined }) | undefined {
  const [all, year = '', month = ''] = matchAt(yearAndMonth, text, index) ?? [];
  return all === undefined || text[index - 1] === '-' ? undefined : { end: index + all.length, year, month };
}

function yearFirstAt(text: string, index: number): WrittenDate | undefined {
  const match = matchAt(yearFirst, text, index);
  if (!match) return undefined;
  const [whole, year, , month, day] = match as unknown as [string, string, string, string, string];
  return isDay(month, day) ? { end: index + whole.length, year, month, day } : undefined;
}

function yearLastAt(text: string, index: number): WrittenDate | undefined {
  const match = matchAt(yearLast, text, index);
  if (!match || text[index - 1] === '/') return undefined;
  const [whole, first, second, year] = match as unknown as [string, string, string, string];
  const [month, day] = Number(first) <= 12 ? [first, second] : [second, first];
  return isDay(month, day) ? { end: index + whole.length, year, month, day } : undefined;
}

function isDay(month: string, day: string): boolean {
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) <= 31;
}
