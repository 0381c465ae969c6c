/** The months of a language, from January. */
export function monthNames(tag: string, length: 'long' | 'short'): string[] {
  const month = new Intl.DateTimeFormat(tag, { month: length, timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, index) => month.format(Date.UTC(2024, index, 15)));
}

/** With the nasal that begins the next syllable. */
const hindiShort = [
  ['फर', 1],
  ['सितं', 8],
  ['अक्टू', 9],
  ['अक्तू', 9],
  ['नवं', 10],
  ['दिसं', 11],
] as const;

/** The months by their abbreviations, without full stops: those of Unicode, and the first three letters if only one has them. */
export function shortMonths(tag: string): ReadonlyMap<string, string> {
  const names = monthNames(tag, 'long');
  const begin = (start: string) => names.filter((name) => name.toLowerCase().startsWith(start));
  const starts = names.map((name) => name.slice(0, 3).toLowerCase()).filter((start) => begin(start).length === 1);
  const entries = [
    ...starts.map((start) => [start, begin(start)[0]!] as const),
    ...monthNames(tag, 'short').map(
      (short, index) => [short.toLowerCase().replace(/[.॰]$/, ''), names[index]!] as const,
    ),
  ];
  if (tag === 'fr') entries.push(['juill', names[6]!]);
  if (tag === 'hi') {
    for (const [short, month] of hindiShort) entries.push([short, names[month]!]);
  }
  // Hindi is often written without the dot below.
  return new Map(entries.flatMap(([short, name]) => [[short, name] as const, [withoutNukta(short), name] as const]));
}

function withoutNukta(word: string): string {
  return word.normalize('NFD').replaceAll('\u093C', '').normalize('NFC');
}
