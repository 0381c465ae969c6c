import { matchAt, textBefore } from '../../patterns.ts';
import type { Match } from './rule.ts';
import type { SymbolContext } from './symbol-rule.ts';

const imperial =
  '°?F|cups?|fl oz|oz|ounces?|lbs?|pounds?|miles?|mi|in|inch(?:es)?|ft|feet|foot|tbsp|tablespoons?|tsp|teaspoons?|quarts?|gal|gallons?|yards?|mph';
const metric = String.raw`°?C|m?[lL]|(?:milli)?lit(?:er|re)s?|k?g|grams?|kilograms?|[kcm]?m|(?:kilo|centi)?met(?:er|re)s?|kph|km\/h`;
const imperialBefore = new RegExp(String.raw`\d[°\s]?\s?(?:${imperial})\.?$`, 'u');
const metricBefore = new RegExp(String.raw`\d[°\s]?\s?(?:${metric})\.?$`, 'u');
/** Not a single unit, of a dose: `2 tsp/1 liter of water` */
const measure = String.raw`(?!1[\s-]?\p{L})[-−]?\d[\d.,½¼¾]{0,6}(?:[-–]\d{1,4})?[-\s]?`;
const imperialNext = new RegExp(String.raw`${measure}(?:${imperial})(?![\p{L}\d])`, 'uy');
const metricNext = new RegExp(String.raw`${measure}(?:${metric})(?![\p{L}\d])`, 'uy');

/** A measure in the units of two systems: `350°F/175°C`, `25°C/68-77°F`, `1 cup/240 ml` */
export function matchTwoSystems(symbol: SymbolContext): Match | undefined {
  const { text, end, say } = symbol;
  const view = textBefore(symbol, 16);
  const isSame =
    (imperialBefore.test(view) && matchAt(metricNext, text, end)) ||
    (metricBefore.test(view) && matchAt(imperialNext, text, end));
  return isSame ? say('or') : undefined;
}
