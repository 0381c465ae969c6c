import { matchAt } from '../../patterns.ts';
import { cardinal, decimal } from './numbers.ts';
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

const tally = /\d{1,3}(?:\/\d{1,3}){2}(?=\s(?:lines?|nights?|games?|rules?|splits?)(?!\p{L}))/uy;

/** Three numbers of a whole: `a 32/10/8 line` of points, rebounds and assists, `the 50/30/20 rule` */
export function matchTally({ text, index }: Context): Match | undefined {
  const all = /^$|[\s(]/.test(text[index - 1] ?? '') ? matchAt(tally, text, index)?.[0] : undefined;
  return all ? { end: index + all.length, words: all.split('/').map(cardinal).join(', ') } : undefined;
}

const rooms = /(\d{1,2})\s?(?:BR|BD|br|bd)\s?[/,]?\s?(\d{1,2}(?:\.5)?)\s?(?:BA|ba)(?![\p{L}\d])/uy;

/** `a 3BR/2BA house` */
export function matchRooms({ text, index }: Context): Match | undefined {
  const [all, bedrooms = '', baths = ''] = matchAt(rooms, text, index) ?? [];
  if (all === undefined) return undefined;
  return { end: index + all.length, words: `${cardinal(bedrooms)} bedroom, ${decimal(baths)} bath` };
}
