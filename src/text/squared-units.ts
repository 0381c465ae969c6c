/** Units with the characters that hold one whole (㎡ for m², ㎏ for kg), wherever there is such a one. */
export function withSquared(units: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const squared = Array.from({ length: 0x33e0 - 0x3380 }, (_, index) => String.fromCharCode(0x3380 + index));
  const known = squared.map((character) => {
    const letters = character.normalize('NFKC').replace('∕', '/').replace(/2$/, '²').replace(/3$/, '³');
    return [character, Object.hasOwn(units, letters) ? units[letters]! : ''] as const;
  });
  return { ...units, ...Object.fromEntries(known.filter(([, name]) => name !== '')) };
}
