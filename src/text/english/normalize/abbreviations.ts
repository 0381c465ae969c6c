import { matchAt, wordSet } from '../../patterns.ts';
import { type Context, finalStop, type Match } from './rule.ts';

/** Months as written, in lower case, short or long, to the name that is said. */
export const months = new Map<string, string>();
const monthNames = 'January February March April May June July August September October November December'.split(' ');
for (const name of monthNames) {
  months.set(name.toLowerCase(), name);
  months.set(name.slice(0, 3).toLowerCase(), name);
}
months.set('sept', 'September');

/** @param month 1 to 12 */
export function monthName(month: number): string {
  return monthNames[month - 1]!;
}

const days: Record<string, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  tues: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  thur: 'Thursday',
  thurs: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** Said before a name; a sentence never ends with them. */
const titles: Record<string, string> = {
  mr: 'mister',
  mrs: 'missus',
  ms: 'Ms',
  messrs: 'messieurs',
  dr: 'doctor',
  prof: 'professor',
  rev: 'reverend',
  hon: 'honorable',
  gen: 'general',
  col: 'colonel',
  lt: 'lieutenant',
  maj: 'major',
  sgt: 'sergeant',
  capt: 'captain',
  cmdr: 'commander',
  adm: 'admiral',
  gov: 'governor',
  sen: 'senator',
  rep: 'representative',
  pres: 'president',
  supt: 'superintendent',
  fr: 'father',
  msgr: 'monsignor',
  mme: 'madame',
  mlle: 'mademoiselle',
  st: 'saint',
  mt: 'mount',
  ft: 'fort',
};

/** Said before a number; a sentence does not end between the two. */
const beforeNumber: Record<string, string> = {
  no: 'number',
  nos: 'numbers',
  p: 'page',
  pp: 'pages',
  pg: 'page',
  vol: 'volume',
  vols: 'volumes',
  ch: 'chapter',
  chap: 'chapter',
  fig: 'figure',
  figs: 'figures',
  sec: 'section',
  sect: 'section',
  art: 'article',
  eq: 'equation',
  c: 'circa',
  est: 'established',
  apt: 'apartment',
  ste: 'suite',
};

/** Said within a sentence: one never ends with them. */
const within: Record<string, string> = {
  vs: 'versus',
  eg: 'for example',
  ie: 'that is',
  cf: 'compare',
  viz: 'namely',
  approx: 'approximately',
  ca: 'circa',
  incl: 'including',
  ea: 'each',
  esp: 'especially',
  resp: 'respectively',
};

/** May end a sentence. */
const anywhere: Record<string, string> = {
  etc: 'et cetera',
  inc: 'incorporated',
  ltd: 'limited',
  co: 'company',
  corp: 'corporation',
  bros: 'brothers',
  jr: 'junior',
  sr: 'senior',
  esq: 'esquire',
  ave: 'avenue',
  blvd: 'boulevard',
  rd: 'road',
  ln: 'lane',
  hwy: 'highway',
  pkwy: 'parkway',
  apt: 'apartment',
  dept: 'department',
  govt: 'government',
  univ: 'university',
  assn: 'association',
  intl: 'international',
  natl: 'national',
  misc: 'miscellaneous',
  qty: 'quantity',
  temp: 'temperature',
  tel: 'telephone',
  ext: 'extension',
  al: 'al',
  phd: 'P H D',
  bsc: 'B S C',
  msc: 'M S C',
};

/** Abbreviations that are said in full without a stop too. */
const stopless = wordSet('mr mrs ms dr prof vs jr sr approx etc');
/** A stop after these is as often the end of a sentence: they are weekdays and months only beside a date. */
const ambiguousDates = wordSet('sat sun mon mar may');

/** Words that begin sentences far more often than names: after an abbreviation they tell that a sentence ended. */
const starters =
  wordSet(`The He She It They We You But And In On At This That These Those There Then When What Where Who
  Why How If Is Are Was Were Do Did Does So My His Her Our Their Its For From With After Before As However Yes Not Please
  An A Let Although Because While Since Once Now Here Some Many Most All Both Each Every One Two To By Or Can Could Would
  Will Should Have Has Had Also Still Even Only I I'm I've I'd I'll It's That's There's Don't`);
const unitsWithStop = wordSet('ft in lb lbs oz sec min mins hr hrs yr yrs mi yd gal qt tsp tbsp');
const zones = wordSet('EST EDT CST CDT MST MDT PST PDT ET CT MT PT GMT UTC BST CET CEST IST JST');

/**
 * Whether a sentence may end with the full stop of this word.
 * @param word as written, without the last stop
 * @param next the word that follows, as written
 * @param before the word before it, as written
 */
export function stopMayEnd(word: string, next: string, before: string): boolean {
  const key = word.toLowerCase().replaceAll('.', '');
  const has = (table: Record<string, string>) => Object.hasOwn(table, key);
  const numberNext = /^\d|^(?:[IVXL]{2,}|[ivxl]{2,})$/.test(next);
  // The first letter of a name, or `U.S.`: words of several letters between dots are names of files and hosts.
  const initials = /^\p{L}(?:\.\p{L})*$/u.test(word);
  if ((has(beforeNumber) || has(within)) && numberNext) return false;
  // Behind a name they are a street and a drive.
  const title = has(titles) && (word !== key || key === 'mr' || key === 'mrs' || key === 'dr');
  if (title && !((key === 'st' || key === 'dr') && /^\p{Lu}|\d/u.test(before))) return false;
  if (has(within) && !(word === 'ca' || word === 'resp')) return false;
  const date = months.get(key)?.toLowerCase() ?? lookUp(days, key);
  if (date && date !== key && /^\p{Lu}/u.test(word)) {
    return !numberNext && !/^[\p{Ll}&]/u.test(next) && (ambiguousDates.has(key) || starters.has(next));
  }
  if (key === 'am' || key === 'pm' || key === 'etc') {
    const dateNext = months.has(next.toLowerCase()) || /day$/.test(next);
    return /^\p{Lu}/u.test(next) && !dateNext && !zones.has(next);
  }
  if (unitsWithStop.has(word)) return !/^[\p{Ll}\d]/u.test(next);
  if (word === 'I') return !/^\p{Ll}/u.test(next);
  if (word.length === 1 && /^[\d$£€]/.test(next)) return true;
  if (initials || has(anywhere) || title) return starters.has(next);
  return true;
}

const abbreviation = /([A-Za-z]{1,8})(\.?)(?![\p{L}\d'’]|\.\p{L})/uy;
const dotted = /[A-Za-z]{1,3}(?:\.[A-Za-z]{1,3}){1,6}(?:\.(?![A-Za-z])|(?![A-Za-z\d.]))/y;
const initialBeforeName = /\p{Lu}\.(?=\s?\p{Lu})/uy;
const numberAfter = /\s?#?\d|\s(?:[IVXLC]+|[ivxl]{2,8})\b/y;
const nameNext = /\s{1,2}(?:\p{Lu}|\uFFFC)/uy;
const wordNext = /\s{1,2}["“(]?(\p{L}[\p{L}'’]{0,20})/uy;

/** `Mr.`, `No. 5`, `etc.`, `Nov.`, `e.g.`, `U.S.`, `J. K.` */
export function matchAbbreviation(context: Context): Match | undefined {
  const { text, index } = context;
  const initial = matchAt(initialBeforeName, text, index);
  if (initial && matchAt(wordNext, text, index + 2)?.[1] !== undefined && !isStarter(text, index + 2)) {
    return { end: index + 2, words: initial[0][0]! };
  }
  return matchSingle(context) ?? matchDotted(context);
}

function isStarter(text: string, index: number): boolean {
  return starters.has(matchAt(wordNext, text, index)?.[1] ?? '');
}

function matchDotted({ text, index }: Context): Match | undefined {
  const match = matchAt(dotted, text, index);
  if (!match) return undefined;
  const end = index + match[0].length;
  const letters = match[0].replaceAll('.', '');
  const key = letters.toLowerCase();
  const known = lookUp(within, key) ?? (match[0].endsWith('.') ? lookUp(anywhere, key) : undefined);
  const allSingle = match[0].split('.').every((part) => part.length <= 1);
  if (known === undefined && !allSingle) return undefined;
  return { end, words: (known ?? spell(letters)) + finalStop(text, end) };
}

function matchSingle({ text, index, previous }: Context): Match | undefined {
  const match = matchAt(abbreviation, text, index);
  if (!match?.[1]) return undefined;
  const stop = match[2] === '.';
  const key = match[1].toLowerCase();
  const end = index + match[0].length;
  const capital = match[1] !== key;
  const said = (words: string | undefined) =>
    words === undefined ? undefined : { end, words: matchCase(words, match[1]!) + finalStop(text, end) };
  if (stop && Object.hasOwn(beforeNumber, key) && matchAt(numberAfter, text, end)) return said(beforeNumber[key]);
  const month = months.get(key);
  if (month && capital && key.length < 5 && month.length > key.length) {
    const dated = matchAt(numberAfter, text, end) || /^\d/.test(previous);
    if (dated || (stop && isDate(key, text, end, previous))) return said(month);
  }
  const day = lookUp(days, key);
  if (day && capital) {
    if (stop ? isDate(key, text, end, previous) : /^[-–]\p{Lu}/u.test(text.slice(end, end + 2))) return said(day);
    if (!stop && text[index - 1]?.match(/[-–]/) && lookUp(days, previous.toLowerCase())) return said(day);
    if (text[end] === ',' || isDateNext(text, end)) return said(day);
  }
  if (!stop && !stopless.has(key) && !(key === 'st' && capital)) return undefined;
  if ((key === 'dr' || key === 'st') && capital) return said(streetOrTitle(key, match, previous, text, end));
  if (key === 'ft' || key === 'mt' || key === 'co') {
    if (key === 'co') return stop && capital ? said('company') : undefined;
    return capital && matchAt(nameNext, text, end) ? said(titles[key]) : undefined;
  }
  // `in the sen.` is no title, and `fr` no father.
  const title = lookUp(titles, key);
  if (title && (capital || key === 'mr' || key === 'mrs')) return said(title);
  if (key === 'al' && previous.toLowerCase() !== 'et') return undefined;
  return said(lookUp(within, key) ?? lookUp(anywhere, key));
}

/** Whether a word with a stop is short for a weekday or a month, rather than the end of a sentence: `Sat.`, `Sun.` */
function isDate(key: string, text: string, end: number, previous: string): boolean {
  if (!ambiguousDates.has(key) || finalStop(text, end) === '') return true;
  return previous !== '' && key !== 'sun' && key !== 'may';
}

const monthNext = /,?\s\p{Lu}\p{L}{2,8}\.?\s\d/uy;

function isDateNext(text: string, end: number): boolean {
  return matchAt(monthNext, text, end) !== undefined;
}

/** `Dr. Smith` and `St. Paul`, but `Elm Dr.` and `Main St.` */
function streetOrTitle(key: 'dr' | 'st', match: RegExpExecArray, previous: string, text: string, end: number) {
  const afterName = /^\p{Lu}|^\d+(?:st|nd|rd|th)$/u.test(previous);
  const beforeName = matchAt(nameNext, text, end) && !(afterName && isStarter(text, end));
  if (beforeName) return titles[key];
  if (afterName) return key === 'dr' ? 'drive' : 'street';
  if (key === 'st' && !match[2]) return undefined;
  return key === 'dr' ? 'doctor' : 'street';
}

function lookUp(table: Record<string, string>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The words begin with a capital where the abbreviation does. */
function matchCase(words: string, written: string): string {
  const capital = /^\p{Lu}/u.test(written);
  return capital ? words[0]!.toUpperCase() + words.slice(1) : words;
}

/** `FBI` → `F B I`. */
export function spell(letters: string): string {
  return Array.from(letters.toUpperCase()).join(' ');
}
