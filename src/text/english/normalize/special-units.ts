import { firstMatch } from '../../first-match.ts';
import { matchAt } from '../../patterns.ts';
import { type Context, finalStop, type Match, type Rule } from './rule.ts';
import { matchHeat } from './temperatures.ts';

/** In this order: the first that matches wins. */
const rules: readonly Rule[] = [
  matchHeat,
  matchTorque,
  matchMercury,
  matchPoints,
  matchFluidOunces,
  matchImperial,
  matchBasisPoints,
  matchCups,
];

/** After a number, units of several words or of special texts: `lb-ft`, `mm Hg`, `fl oz`, `1 c. milk`, `350F`. */
export function matchSpecialUnit(context: Context): Match | undefined {
  return firstMatch(rules, context);
}

const plural = ({ previous }: Context) => (/^(?:1|\d+\/\d+|[½¼¾⅓⅔])$/.test(previous) ? '' : 's');

const torque = /lbf?-ft|ft-lbf?s?/y;
const mercury = /mm Hg(?!\p{L})/uy;

function matchTorque({ text, index }: Context): Match | undefined {
  const unit = matchAt(torque, text, index)?.[0];
  return unit ? { end: index + unit.length, words: unit.startsWith('lb') ? 'pound feet' : 'foot pounds' } : undefined;
}

function matchMercury({ text, index }: Context): Match | undefined {
  const unit = matchAt(mercury, text, index)?.[0];
  return unit ? { end: index + unit.length, words: 'millimeters of mercury' } : undefined;
}

const points = /pt(?=\s\p{L})/uy;

/** `3-pt shot` */
function matchPoints({ text, index }: Context): Match | undefined {
  return text[index - 1] === '-' && matchAt(points, text, index) ? { end: index + 2, words: 'point' } : undefined;
}

const fluidOunces = /fl\.? ?oz\.?(?!\p{L})/uy;

function matchFluidOunces(context: Context): Match | undefined {
  const { text, index } = context;
  const unit = matchAt(fluidOunces, text, index)?.[0];
  if (!unit) return undefined;
  const end = index + unit.length;
  return { end, words: `fluid ounce${plural(context)}${finalStop(text, end)}` };
}

/** `5 gal imp.`, `5 imp. gal` */
const imperial = /(?:(gal|qt|pt)s?\.? imp|imp\.? (gal|qt|pt)s?)(?:\.(?=\s|[,;:)]|$))?(?![\p{L}\d])/uy;
const imperialNames: Record<string, string> = { gal: 'gallon', qt: 'quart', pt: 'pint' };

function matchImperial(context: Context): Match | undefined {
  const { text, index } = context;
  const [unit, first, last] = matchAt(imperial, text, index) ?? [];
  if (!unit) return undefined;
  const end = index + unit.length;
  return { end, words: `imperial ${imperialNames[(first ?? last)!]}${plural(context)}${finalStop(text, end)}` };
}

const basisPoints = /(?:bps|bp(?=\s(?:cut|hike|rise|increase|move|drop|reduction)))(?![\p{L}\d])/uy;

/** `4 bps`, not `9600 bps` of a modem */
function matchBasisPoints(context: Context): Match | undefined {
  const { text, index, previous } = context;
  const unit = matchAt(basisPoints, text, index)?.[0];
  const isYield = Number(previous.replace(',', '')) < 1000 && !/\b(?:modem|baud|serial|link|bit ?rate)/i.test(text);
  if (!unit || !isYield) return undefined;
  const isSingle = text[index - 1] === '-' || unit === 'bp';
  return { end: index + unit.length, words: `basis point${isSingle ? '' : plural(context)}` };
}

const cups = /c\.(?=\s(?:\p{Ll}{3}|\p{Lu}{3})|\))/uy;
/** `2 1/2 c flour` in a recipe */
const cupsOfRecipe = /c(?=\s\p{Ll}{3})/uy;
const recipe = /(?<!\p{L})(?:tsp|tbsp|Tbsp|cups?|teaspoons?|tablespoons?|oz|flour|sugar|butter|milk|oven)(?!\p{L})/u;

/** `1 c. milk`, `2 c flour` */
function matchCups(context: Context): Match | undefined {
  const { text, index } = context;
  if (matchAt(cupsOfRecipe, text, index) && recipe.test(text))
    return { end: index + 1, words: `cup${plural(context)}` };
  return matchAt(cups, text, index) && { end: index + 2, words: `cup${plural(context)}` };
}
