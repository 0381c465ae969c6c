import { matchAt } from '../../patterns.ts';
import { cardinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const record = /\d{1,3}[WLDT](?:[-– ]\d{1,3}[WLDT]){1,2}(?![\p{L}\d]|[-–/]\d)/uy;
const outcomes: Record<string, [one: string, many: string]> = {
  W: ['win', 'wins'],
  L: ['loss', 'losses'],
  D: ['draw', 'draws'],
  T: ['tie', 'ties'],
};

/** What a team won and lost: `10W-5L-2D` */
export function matchRecord({ text, index }: Context): Match | undefined {
  const all = /[\p{L}\d.,/-]/u.test(text[index - 1] ?? '') ? undefined : matchAt(record, text, index)?.[0];
  const letters = all?.replace(/[^A-Z]/g, '');
  // Watts and liters have other signs between them.
  if (!all || !letters || new Set(letters).size < letters.length || !letters.includes('W')) return undefined;
  const words = all.split(/[-– ]/).map((part) => {
    const [one, many] = outcomes[part.at(-1)!]!;
    return `${cardinal(part.slice(0, -1))} ${Number.parseInt(part, 10) === 1 ? one : many}`;
  });
  return { end: index + all.length, words: words.join(', ') };
}
