import { squaredUnit } from '../folding.ts';
import { matchAt } from '../patterns.ts';

/** Adds the single characters for whole units (㎡ for m², ㎏ for kg) and plain digits (m2) to a table of units by symbol. */
export function withSquared(units: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const squared = Array.from({ length: 0x33e0 - 0x3380 }, (_, index) => String.fromCharCode(0x3380 + index));
  const entries = squared.map((character) => {
    const symbol = squaredUnit(character);
    return [character, Object.hasOwn(units, symbol) ? units[symbol]! : ''] as const;
  });
  const plain = Object.entries(units)
    .filter(([symbol]) => /[²³]$/.test(symbol))
    .map(([symbol, name]) => [symbol.normalize('NFKC'), name] as const);
  return { ...units, ...Object.fromEntries([...plain, ...entries.filter(([, name]) => name !== '')]) };
}

const raisedUnit = /[kcm]?m[²³]/y;

/** The name of the unit at an index without a number: m². */
export function raisedUnitAt(
  text: string,
  index: number,
  units: Readonly<Record<string, string>>,
): { end: number; name: string } | undefined {
  const unit = matchAt(raisedUnit, text, index)?.[0];
  if (unit === undefined || !Object.hasOwn(units, unit)) return undefined;
  return { end: index + unit.length, name: units[unit]! };
}
