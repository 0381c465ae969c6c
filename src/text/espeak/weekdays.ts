/** The days of the week of a language from Monday. */
export function weekdayList(tag: string): string[] {
  // segunda-feira
  return formatted(tag, 'long').map((name) => name.replace(/-.+$/, ''));
}

/** The days of the week of a language by their names and abbreviations, in lower case and without full stops. */
export function weekdayNames(tag: string): ReadonlyMap<string, string> {
  const names = weekdayList(tag);
  return new Map([
    ...names.map((name) => [name, name] as const),
    ...formatted(tag, 'short').map((short, index) => [short.replace(/[.॰]$/, ''), names[index]!] as const),
  ]);
}

function formatted(tag: string, style: 'long' | 'short'): string[] {
  const weekday = new Intl.DateTimeFormat(tag, { weekday: style, timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, index) => weekday.format(Date.UTC(2024, 0, 1 + index)));
}

const DAY =
  /^,?\s(?:(?:[12]?\d|3[01])|0?\d([/.-])\d{1,2}\1(?:\d{4}|\d{2})|[123]\d([/.-])\d{1,2}\2(?:\d{4}|\d{2})|0\d\/\d\d|\d{4}-\d\d-\d\d)(?![\d%]|[.,]\d)(?:\sde)?(?:\s([\p{L}\p{M}]{3,}))?/u;

const TIME = /^,?\s(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d(?!\d)|\s?h(?!\p{L}))/u;

/** Before a time, as in `lun. 25 alle 9`. */
const TIME_NEXT = /^(?:alle|dalle|ore|das|desde)$/;

/** Whether a text continues with a time or the day of a month, not with a number that counts something. */
export function isDayNext(text: string, months: readonly string[]): boolean {
  if (TIME.test(text)) return true;
  const match = DAY.exec(text);
  const word = match?.at(-1);
  const isDay = word === undefined || TIME_NEXT.test(word);
  return match !== null && (isDay || months.some((name) => name.startsWith(word.toLowerCase())));
}
