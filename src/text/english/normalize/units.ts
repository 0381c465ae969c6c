import { matchAt, wordSet } from '../../patterns.ts';
import { spell } from './acronyms.ts';
import { timeUnits } from './durations.ts';
import { type Context, finalStop, type Match } from './rule.ts';

/** Singular and plural; the singular alone if the plural adds an s. */
const units: Record<string, string | [string, string]> = {
  km: 'kilometer',
  m: 'meter',
  cm: 'centimeter',
  mm: 'millimeter',
  μm: 'micrometer',
  nm: 'nanometer',
  mi: 'mile',
  yd: 'yard',
  yds: 'yard',
  ft: ['foot', 'feet'],
  in: ['inch', 'inches'],
  ha: 'hectare',
  kg: 'kilogram',
  g: 'gram',
  mg: 'milligram',
  μL: 'microliter',
  uL: 'microliter',
  ug: 'microgram',
  μl: 'microliter',
  μmol: 'micromole',
  μA: 'microamp',
  μV: 'microvolt',
  μF: 'microfarad',
  μg: 'microgram',
  mcg: 'microgram',
  lb: 'pound',
  lbs: 'pound',
  oz: 'ounce',
  l: 'liter',
  L: 'liter',
  ml: 'milliliter',
  mL: 'milliliter',
  cl: 'centiliter',
  cL: 'centiliter',
  hl: 'hectoliter',
  hL: 'hectoliter',
  dl: 'deciliter',
  dL: 'deciliter',
  mmol: 'millimole',
  mol: 'mole',
  mmHg: ['millimeter of mercury', 'millimeters of mercury'],
  inHg: ['inch of mercury', 'inches of mercury'],
  Å: 'angstrom',
  N: 'newton',
  kN: 'kilonewton',
  Bq: 'becquerel',
  kBq: 'kilobecquerel',
  MBq: 'megabecquerel',
  Sv: 'sievert',
  mSv: 'millisievert',
  lm: 'lumen',
  lx: ['lux', 'lux'],
  nmi: 'nautical mile',
  deg: 'degree',
  dpi: ['dot per inch', 'dots per inch'],
  ppi: ['pixel per inch', 'pixels per inch'],
  Ω: 'ohm',
  kΩ: 'kilohm',
  MΩ: 'megohm',
  gal: 'gallon',
  qt: 'quart',
  tbsp: 'tablespoon',
  Tbsp: 'tablespoon',
  tsp: 'teaspoon',
  pts: 'point',
  ast: 'assist',
  reb: 'rebound',
  ov: 'over',
  wkt: 'wicket',
  wkts: 'wicket',
  kts: 'knot',
  μM: ['micromolar', 'micromolar'],
  μSv: 'microsievert',
  ...timeUnits,
  μs: 'microsecond',
  ns: 'nanosecond',
  ng: 'nanogram',
  nmol: 'nanomole',
  mo: 'month',
  mos: 'month',
  yr: 'year',
  yrs: 'year',
  wk: 'week',
  wks: 'week',
  mph: ['mile per hour', 'miles per hour'],
  kph: ['kilometer per hour', 'kilometers per hour'],
  kmh: ['kilometer per hour', 'kilometers per hour'],
  mpg: ['mile per gallon', 'miles per gallon'],
  fps: ['frame per second', 'frames per second'],
  rpm: ['revolution per minute', 'revolutions per minute'],
  bpm: ['beat per minute', 'beats per minute'],
  Hz: ['hertz', 'hertz'],
  kHz: ['kilohertz', 'kilohertz'],
  MHz: ['megahertz', 'megahertz'],
  GHz: ['gigahertz', 'gigahertz'],
  KB: 'kilobyte',
  kB: 'kilobyte',
  MB: 'megabyte',
  GB: 'gigabyte',
  TB: 'terabyte',
  PB: 'petabyte',
  KiB: 'kibibyte',
  MiB: 'mebibyte',
  GiB: 'gibibyte',
  kb: 'kilobit',
  Mb: 'megabit',
  Gb: 'gigabit',
  kbps: ['kilobit per second', 'kilobits per second'],
  Mbps: ['megabit per second', 'megabits per second'],
  Gbps: ['gigabit per second', 'gigabits per second'],
  W: 'watt',
  kW: 'kilowatt',
  MW: 'megawatt',
  GW: 'gigawatt',
  mW: 'milliwatt',
  Wh: 'watt hour',
  kWh: 'kilowatt hour',
  MWh: 'megawatt hour',
  GWh: 'gigawatt hour',
  TWh: 'terawatt hour',
  V: 'volt',
  kV: 'kilovolt',
  mV: 'millivolt',
  mA: 'milliamp',
  mAh: 'milliamp hour',
  kJ: 'kilojoule',
  MJ: 'megajoule',
  cal: 'calorie',
  kcal: 'kilocalorie',
  eV: 'electronvolt',
  keV: 'kiloelectronvolt',
  MeV: 'megaelectronvolt',
  GeV: 'gigaelectronvolt',
  TeV: 'teraelectronvolt',
  mbar: 'millibar',
  atm: 'atmosphere',
  Pa: 'pascal',
  hPa: 'hectopascal',
  kPa: 'kilopascal',
  MPa: 'megapascal',
  hp: ['horsepower', 'horsepower'],
  psi: ['pound per square inch', 'pounds per square inch'],
  dB: 'decibel',
  ly: 'light year',
  px: 'pixel',
};

const unit =
  /(?:(sq|cu)\.?[\s-])?([A-Za-zµμΩÅ]{1,4})(\^?[²³23](?!\d))?(?:\/(100\s?)?([A-Za-z]{1,3})(\^?[²³23](?!\d))?)?(\.(?=\s|["'”’),;:-]|$))?(?![\p{L}\d])/uy;
/** Units that are read in full even without `unit_normalization`: nobody spells their letters. */
const unitsInFull = wordSet(
  'hr hrs min mins sec secs mo mos wk wks yr yrs lb lbs oz Hz kHz MHz GHz mmHg inHg tsp tbsp Tbsp pts yd yds mi gal qt ft Ω kΩ MΩ μm μg μL μl μs μM μSv Å kcal ly ast reb ov wkt wkts kts deg mbar',
);
/** Units such as `mAh`, which would be cut at their capitals as a word. */
const mixedCase = /[a-z][A-Z]|[A-Z][a-z]/;
const torque = /lbf?-ft|ft-lbf?s?/y;
const mercury = /mm Hg(?!\p{L})/uy;
const fluidOunces = /fl\.? ?oz\.?(?!\p{L})/uy;
/** `5 gal imp.`, `5 imp. gal` */
const imperial = /(?:(gal|qt|pt)s?\.? imp|imp\.? (gal|qt|pt)s?)(?:\.(?=\s|[,;:)]|$))?(?![\p{L}\d])/uy;
const imperialNames: Record<string, string> = { gal: 'gallon', qt: 'quart', pt: 'pint' };
const cups = /c\.(?=\s(?:\p{Ll}{3}|\p{Lu}{3})|\))/uy;
/** `2 1/2 c flour` in a recipe */
const cupsOfRecipe = /c(?=\s\p{Ll}{3})/uy;
const recipe = /(?<!\p{L})(?:tsp|tbsp|Tbsp|cups?|teaspoons?|tablespoons?|oz|flour|sugar|butter|milk|oven)(?!\p{L})/u;
const basisPoints = /(?:bps|bp(?=\s(?:cut|hike|rise|increase|move|drop|reduction)))(?![\p{L}\d])/uy;
const points = /pt(?=\s\p{L})/uy;
/** What is counted by the million. */
const manyNext =
  /\s(?:(?:new|active|monthly|daily|paying|registered|total|unique|more|other|such|of its|of the|of their)\s){0,2}(?:people|users|copies|views|subscribers|followers|downloads|customers|members|records|rows|lines|tokens|param(?:eter)?s|requests|visit(?:or)?s|jobs|homes|households|units|shares|barrels|workers|students|patients|cases|deaths|doses|vote(?:r)?s|items|images|files|events|messages|accounts|players|hits|plays|streams|ratings|reviews|books|words|residents|inhabitants|devices|cars|vehicles|passengers|tourists|euros|dollars|pounds)(?!\p{L})/uy;
// After a space these are words or letters more often than units.
const needsNumber = new Set(['in', 'a', 's', 'l', 'V', 'W', 'L', 'N', 'h']);
const degreeLetter = /\s?°\s?([CFK])(?![\p{L}\d])/uy;

/** The unit after a number: `km`, `km/h`, `m²`, `sq ft`. Singular after 1 and after a hyphen. */
export function matchUnit(context: Context): Match | undefined {
  const { text, index, previous, options } = context;
  if (!/^(?:\d{1,9}[\s-])?[\d.,/½¼¾⅓⅔]+$|^[⁰¹²³⁴-⁹]+$/.test(previous)) return undefined;
  const before = text[index - 1] ?? '';
  const spaced = /[\s-]/.test(before) && /[\d½¼¾⅓⅔⁰¹²³⁴-⁹]/.test(text[index - 2] ?? '');
  if (!spaced && !/[\d½¼¾⅓⅔]/.test(before)) return undefined;
  const special = matchSpecial(context);
  if (special) return special;
  const match = matchAt(unit, text, index);
  const [all = '', dimension, written = '', power, hundred, perSymbol, perPower, stop] = match ?? [];
  // The micro sign becomes the letter mu.
  const symbol = written.normalize('NFKC');
  const end = index + all.length;
  // `1.5M copies`, not metres or a molar solution
  if (/^[MB]$/.test(all) && !spaced && matchAt(manyNext, text, end))
    return { end, words: all === 'M' ? 'million' : 'billion' };
  // `1.2bn people`
  if (/^(?:bn|tn)$/.test(symbol) && !perSymbol)
    return { end: index + symbol.length, words: symbol === 'bn' ? 'billion' : 'trillion' };
  const single =
    previous === '1' || before === '-' || isAttributive(text, index, end) || /^\d+\/\d+$|^[½¼¾⅓⅔]$/.test(previous);
  // `a 6-in pipe`, `2-in. cookies`
  const isInch = symbol === 'in' && before === '-' && text[index + 2] !== '-' && !perSymbol;
  // `29.92 in., falling`, `1 in = 2.54 cm`
  const isMeasured =
    symbol === 'in' &&
    spaced &&
    ((stop !== undefined && /^[,;)]/.test(text.slice(end, end + 1))) || /^\s[=≈]\s?\d/.test(text.slice(end, end + 4)));
  // `3.2s`, `9.58 s`
  const isSeconds = symbol === 's' && before !== '-' && /\.\d/.test(previous);
  if (!options.unit_normalization && !((unitsInFull.has(symbol) || isSeconds || isInch || isMeasured) && !perSymbol)) {
    if (unitsInFull.has(symbol)) return { end: index + symbol.length, words: nameOf(symbol, previous === '1')! };
    // `40 km2`
    if (/^[23]$/.test(power ?? '') && !perSymbol && !dimension && Object.hasOwn(units, symbol)) {
      const isNamed = symbol === 'in' || unitsInFull.has(symbol);
      const words = isNamed
        ? `${power === '2' ? 'square' : 'cubic'} ${nameOf(symbol, single)}`
        : `${spell(symbol)} ${power === '2' ? 'squared' : 'cubed'}`;
      return { end: index + symbol.length + 1, words };
    }
    const isSpelled = (mixedCase.test(symbol) || /^(?:mm|[dp]pi)$/.test(symbol)) && Object.hasOwn(units, symbol);
    return isSpelled ? { end: index + symbol.length, words: spell(symbol) } : undefined;
  }
  // `1-in-10`
  if (before === '-' && symbol === 'in' && /^-\d/.test(text.slice(index + 2, index + 4))) return undefined;
  const name = nameOf(symbol, single);
  if (
    !match ||
    !name ||
    (/\s/.test(before) &&
      needsNumber.has(symbol) &&
      !(stop && symbol === 'in') &&
      !isMeasured &&
      !isSeconds &&
      !perSymbol &&
      !power)
  )
    return undefined;
  // `7.5 L/100 km`
  const per = perSymbol === undefined ? undefined : nameOf(perSymbol, hundred === undefined);
  if (perSymbol !== undefined && !per) return undefined;
  const area = power ?? (dimension?.toLowerCase() === 'cu' ? '3' : dimension && '2');
  let words = area ? `${/[²2]/.test(area) ? 'square' : 'cubic'} ${name}` : name;
  if (per)
    words += ` per ${hundred ? 'one hundred ' : ''}${per}${perPower ? (/[²2]/.test(perPower) ? ' squared' : ' cubed') : ''}`;
  return { end, words: words + finalStop(text, end) };
}

/** Units of several words: `lb-ft`, `mm Hg`, `fl oz`, and cups: `1 c. milk`. */
function matchSpecial({ text, index, previous, options }: Context): Match | undefined {
  const heat =
    /^\d{2,3}$/.test(previous) && /\d/.test(text[index - 1]!) ? matchAt(heatLetter, text, index)?.[1] : undefined;
  if (heat && heatWords.test(text)) {
    return { end: index + 1, words: `degrees ${options.unit_normalization ? scaleNames[heat] : heat}` };
  }
  const measured = matchAt(torque, text, index)?.[0];
  if (measured)
    return { end: index + measured.length, words: measured.startsWith('lb') ? 'pound feet' : 'foot pounds' };
  const pressure = matchAt(mercury, text, index)?.[0];
  if (pressure) return { end: index + pressure.length, words: 'millimeters of mercury' };
  // `3-pt shot`
  if (text[index - 1] === '-' && matchAt(points, text, index)) return { end: index + 2, words: 'point' };
  const volume = matchAt(fluidOunces, text, index)?.[0];
  const isOne = /^(?:1|\d+\/\d+|[½¼¾⅓⅔])$/.test(previous);
  if (volume) {
    const end = index + volume.length;
    return { end, words: `fluid ounce${isOne ? '' : 's'}${volume.endsWith('.') ? finalStop(text, end) : ''}` };
  }
  const [british, before, behind] = matchAt(imperial, text, index) ?? [];
  if (british) {
    const end = index + british.length;
    return { end, words: `imperial ${imperialNames[(before ?? behind)!]}${isOne ? '' : 's'}${finalStop(text, end)}` };
  }
  // `4 bps`, not `9600 bps` of a modem
  const isYield = Number(previous.replace(',', '')) < 1000 && !/\b(?:modem|baud|serial|link|bit ?rate)/i.test(text);
  if (isYield && matchAt(basisPoints, text, index)) {
    const isSingle = isOne || text[index - 1] === '-' || text[index + 2] !== 's';
    return { end: text[index + 2] === 's' ? index + 3 : index + 2, words: `basis point${isSingle ? '' : 's'}` };
  }
  const isCups = matchAt(cupsOfRecipe, text, index) !== undefined && recipe.test(text);
  if (isCups) return { end: index + 1, words: isOne ? 'cup' : 'cups' };
  return matchAt(cups, text, index) && { end: index + 2, words: isOne ? 'cup' : 'cups' };
}

const determined = /(?:^|\s)(?:an?|the|my|your|his|her|our|their|this|that|each|every)\s[\d.,]{1,12}[\s-]?$/i;
/** A noun that the measure before it describes: `a 5 lb baby`. */
export const nounNext =
  /\s(?!(?:of|and|or|to|in|at|from|per|by|for|is|are|was|were|on|with|away|ago|long|wide|high|deep|tall|thick|later|earlier|before|after|into|between|that|we|he|she|they|it|you|a|as|than|if|when|but)(?!\p{L}))\p{Ll}{3,}/uy;

/** Whether a measure describes the noun after it: `a 5 lb baby`. */
function isAttributive(text: string, index: number, end: number): boolean {
  return determined.test(text.slice(Math.max(0, index - 24), index)) && matchAt(nounNext, text, end) !== undefined;
}

function nameOf(symbol: string, single: boolean): string | undefined {
  const names = Object.hasOwn(units, symbol) ? units[symbol] : undefined;
  if (typeof names === 'string') return single ? names : `${names}s`;
  return names?.[single ? 0 : 1];
}

const scaleNames: Record<string, string> = { C: 'Celsius', F: 'Fahrenheit', K: 'Kelvin' };

/** `bake at 350F`: degrees without their sign, in a text about heat */
const heatLetter = /([CF])(?=$|[\s.,;:!?)/–-])/uy;
const heatWords =
  /\b(?:bak(?:e|ing)|oven|(?:pre)?heat(?:ed|ing)?|temps?|temperatures?|roast(?:ed|ing)?|cook(?:ed|ing)?|grill|broil|smoker?|degrees|weather|highs?|lows?|forecast|fever|chilled|freez\w{0,5})\b/i;

/** `°C` after a number. */
export function matchDegrees({ text, index, previous, options }: Context): Match | undefined {
  const match = matchAt(degreeLetter, text, index);
  if (!match?.[1] || !options.unit_normalization) return undefined;
  return { end: index + match[0].length, words: `${previous === '1' ? 'degree' : 'degrees'} ${scaleNames[match[1]]}` };
}
