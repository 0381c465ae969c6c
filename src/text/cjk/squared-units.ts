/** Adds the single characters for whole units (㎡ for m², ㎏ for kg) to a table of units by symbol. */
export function withSquared(units: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const squared = Array.from({ length: 0x33e0 - 0x3380 }, (_, index) => String.fromCharCode(0x3380 + index));
  const entries = squared.map((character) => {
    const symbol = character.normalize('NFKC').replace('∕', '/').replace(/2$/, '²').replace(/3$/, '³');
    return [character, Object.hasOwn(units, symbol) ? units[symbol]! : ''] as const;
  });
  return { ...units, ...Object.fromEntries(entries.filter(([, name]) => name !== '')) };
}
