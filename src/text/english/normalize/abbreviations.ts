import { matchAt, wordSet } from '../../patterns.ts';
import { sentenceEndRule } from '../../segments.ts';
import { type Context, finalStop, type Match } from './rule.ts';

/** Full names of months by their short or long form in lower case. */
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

/** Before a name; never at the end of a sentence. */
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
  sens: 'senators',
  rep: 'representative',
  reps: 'representatives',
  drs: 'doctors',
  profs: 'professors',
  pres: 'president',
  supt: 'superintendent',
  fr: 'father',
  msgr: 'monsignor',
  mme: 'madame',
  mlle: 'mademoiselle',
  st: 'saint',
  mt: 'mount',
  ft: 'fort',
  cpl: 'corporal',
  lcpl: 'lance corporal',
  pvt: 'private',
  pfc: 'private first class',
  ssgt: 'staff sergeant',
  msgt: 'master sergeant',
  sfc: 'sergeant first class',
  cpt: 'captain',
  brig: 'brigadier',
  cdr: 'commander',
  ens: 'ensign',
  spc: 'specialist',
  insp: 'inspector',
  det: 'detective',
  amb: 'ambassador',
  atty: 'attorney',
  asst: 'assistant',
  assoc: 'associate',
  mx: 'mix',
  mgr: 'manager',
};

/** Before a number; no sentence ends between the two. */
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
  rs: 'rupees',
  max: 'maximum',
  min: 'minimum',
  avg: 'average',
  para: 'paragraph',
  paras: 'paragraphs',
  cl: 'clause',
  op: 'opus',
  rte: 'route',
  hwy: 'highway',
  ver: 'version',
  ex: 'example',
};
/** Before a chapter and a verse. */
const books: Record<string, string> = {
  gen: 'Genesis',
  ex: 'Exodus',
  cor: 'Corinthians',
  matt: 'Matthew',
  rom: 'Romans',
};
/** In brackets or after a comma, before a year. */
const lives: Record<string, string> = { b: 'born', d: 'died' };
/** Those that need no full stop, if capitalized. */
const stoplessBeforeNumber = wordSet('apt ste hwy rte fig figs vol');

/** Never at the end of a sentence. */
const midSentence: Record<string, string> = {
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
const maybeFinal: Record<string, string> = {
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

/** Abbreviations that need no full stop. */
const stopless = wordSet('mr mrs ms dr prof vs jr sr approx etc');
/** Also words: they are weekdays and months only beside a date. */
const ambiguousDates = wordSet('sat sun mon mar may');

/** Words that begin sentences far more often than names: an abbreviation before them ends its sentence. */
const starters =
  wordSet(`The He She It They We You But And In On At This That These Those There Then When What Where Who
  Why How If Is Are Was Were Do Did Does So My His Her Our Their Its For From With After Before As However Yes Not Please
  An A Let Although Because While Since Once Now Here Some Many Most All Both Each Every One Two To By Or Can Could Would
  Will Should Have Has Had Also Still Even Only I I'm I've I'd I'll It's That's There's Don't`);
const unitsWithStop = wordSet('ft in lb lbs oz sec min mins hr hrs yr yrs mo mos wk wks mi yd gal qt tsp tbsp deg');
const zones = wordSet('EST EDT CST CDT MST MDT PST PDT ET CT MT PT GMT UTC BST CET CEST IST JST');

/**
 * Whether a sentence may end at the full stop after a word, as `StopMayEnd`.
 * @param word as written, without its last full stop
 * @param next the word that follows, as written
 * @param before the word before it, as written
 */
export function stopMayEnd(word: string, next: string, before: string): boolean {
  const key = word.toLowerCase().replaceAll('.', '');
  const has = (table: Record<string, string>) => Object.hasOwn(table, key);
  const isBeforeNumber = /^\d|^(?:[IVXL]{2,}|[ivxl]{2,})$/.test(next);
  // An initial or `U.S.`; longer words between dots are names of files and hosts.
  const isInitials = /^\p{L}(?:\.\p{L})*$/u.test(word);
  // Next to whitespace and a word they are letters: `plan b.`
  if (Object.hasOwn(lives, word)) return before !== '' || !/^1\d{3}$|^20\d\d$/.test(next);
  if (has(books) && verse.test(next)) return false;
  // `I met Max. 3 days later`, `my ex. 5 years later`
  const isWord = before !== '' && (word === 'Max' || word === 'ex');
  if ((has(beforeNumber) || has(midSentence)) && isBeforeNumber && !isWord) return false;
  // After a name they are a street and a drive.
  const isTitle = has(titles) && (word !== key || key === 'mr' || key === 'mrs' || key === 'dr');
  if (isTitle && !((key === 'st' || key === 'dr') && /^\p{Lu}|\d/u.test(before))) return false;
  if (has(midSentence) && !(word === 'ca' || word === 'resp')) return false;
  const date = months.get(key)?.toLowerCase() ?? lookUp(days, key);
  if (date && date !== key && /^\p{Lu}/u.test(word)) {
    return !isBeforeNumber && !/^[\p{Ll}&]/u.test(next) && (ambiguousDates.has(key) || starters.has(next));
  }
  if (key === 'am' || key === 'pm' || key === 'etc') {
    const isBeforeDate = months.has(next.toLowerCase()) || /day$/.test(next);
    return /^\p{Lu}/u.test(next) && !isBeforeDate && !zones.has(next);
  }
  if (unitsWithStop.has(word)) return !/^[\p{Ll}\d]/u.test(next);
  if (word === 'I') return !/^\p{Ll}/u.test(next);
  if (word.length === 1 && /^[\d$£€]/.test(next)) return true;
  if (isInitials || has(maybeFinal) || isTitle) return starters.has(next);
  return true;
}

const abbreviation = /([A-Za-z]{1,8})(\.?)(?![\p{L}'’]|(?<!\.)\d|\.\p{L})/uy;
const dotted = /[A-Za-z]{1,3}(?:\.[A-Za-z]{1,3}){1,6}(?:\.(?![A-Za-z])|(?![A-Za-z\d.]))/y;
const initialBeforeName = /\p{Lu}\.(?=\s?\p{Lu})/uy;
const numberAfter = /\s?#?\d|\s(?:[IVXLC]+|[ivxl]{2,8})\b/y;
const monthAfterDash = /\s?[-–]\s?(\p{Lu}\p{Ll}{2,8})(?!\p{L})/uy;
const verse = /^\d{1,3}:\d/;
const verseAfter = /\s\d{1,3}:\d/y;
const yearAfter = /\s(?:1\d{3}|20\d\d)(?!\d)/y;
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
  const known = lookUp(midSentence, key) ?? (match[0].endsWith('.') ? lookUp(maybeFinal, key) : undefined);
  const isInitials = match[0].split('.').every((part) => part.length <= 1);
  if (known === undefined && !isInitials) return undefined;
  return { end, words: (known ?? spell(letters)) + finalStop(text, end) };
}

function matchSingle({ text, index, previous }: Context): Match | undefined {
  const match = matchAt(abbreviation, text, index);
  if (!match?.[1]) return undefined;
  const hasStop = match[2] === '.';
  const key = match[1].toLowerCase();
  const end = index + match[0].length;
  const isCapitalized = match[1] !== key;
  const matched = (words: string | undefined) =>
    words === undefined ? undefined : { end, words: withCaseOf(words, match[1]!) + finalStop(text, end) };
  // `Gen. 1:1`
  if (hasStop && Object.hasOwn(books, key) && matchAt(verseAfter, text, end)) return matched(books[key]);
  const isAside = /(?:[([]|[,;]\s)$/.test(text.slice(Math.max(0, index - 2), index));
  if (hasStop && isAside && matchAt(yearAfter, text, end) && lookUp(lives, match[1])) return matched(lives[key]);
  const mayBeNumbered = hasStop || (isCapitalized && stoplessBeforeNumber.has(key));
  if (mayBeNumbered && Object.hasOwn(beforeNumber, key) && matchAt(numberAfter, text, end)) {
    return matched(beforeNumber[key]);
  }
  const month = months.get(key);
  if (month && isCapitalized && key.length < 5 && month.length > key.length) {
    const isDated = matchAt(numberAfter, text, end) || /^\d/.test(previous) || isMonthRange(text, index, end, previous);
    if (isDated || (hasStop && isDate(key, text, end, previous))) return matched(month);
  }
  const day = lookUp(days, key);
  if (day && isCapitalized) {
    if (hasStop ? isDate(key, text, end, previous) : /^[-–]\p{Lu}/u.test(text.slice(end, end + 2))) return matched(day);
    if (!hasStop && text[index - 1]?.match(/[-–]/) && lookUp(days, previous.toLowerCase())) return matched(day);
    if (text[end] === ',' || isDateNext(text, end)) return matched(day);
  }
  if (!hasStop && !stopless.has(key) && !(key === 'st' && isCapitalized)) return undefined;
  if ((key === 'dr' || key === 'st') && isCapitalized) return matched(streetOrTitle(key, match, previous, text, end));
  if (key === 'ft' || key === 'mt' || key === 'co') {
    if (key === 'co') return hasStop && isCapitalized ? matched('company') : undefined;
    return isCapitalized && matchAt(nameNext, text, end) ? matched(titles[key]) : undefined;
  }
  // `sen.` in lower case is no title, and `fr` no father.
  const title = lookUp(titles, key);
  if (title && (isCapitalized || key === 'mr' || key === 'mrs')) return matched(title);
  if (key === 'al' && previous.toLowerCase() !== 'et') return undefined;
  return matched(lookUp(midSentence, key) ?? lookUp(maybeFinal, key));
}

/** `Jan-Mar` */
function isMonthRange(text: string, index: number, end: number, previous: string): boolean {
  const next = matchAt(monthAfterDash, text, end)?.[1] ?? '';
  return months.has(next.toLowerCase()) || (/[-–]/.test(text[index - 1] ?? '') && months.has(previous.toLowerCase()));
}

/** Whether a word with a full stop is a weekday or a month: `Sat.`; otherwise it ends a sentence: `sat.` */
function isDate(key: string, text: string, end: number, previous: string): boolean {
  if (!ambiguousDates.has(key) || finalStop(text, end) === '') return true;
  return previous !== '' && key !== 'sun' && key !== 'may';
}

const monthNext = /,?\s\p{Lu}\p{L}{2,8}\.?\s\d/uy;
const dayNext =
  /,?\s\d{1,2}(?:(?:st|nd|rd|th)(?![\p{L}\d])|(?:st|nd|rd|th)?\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|:[0-5]\d|(?::[0-5]\d)?\s?[ap]\.?m(?!\p{L}))/uy;

function isDateNext(text: string, end: number): boolean {
  return (matchAt(monthNext, text, end) ?? matchAt(dayNext, text, end)) !== undefined;
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

/** Capitalizes the words if the abbreviation is capitalized. */
function withCaseOf(words: string, written: string): string {
  const isCapitalized = /^\p{Lu}/u.test(written);
  return isCapitalized ? words[0]!.toUpperCase() + words.slice(1) : words;
}

/** `FBI` → `F B I`. */
export function spell(letters: string): string {
  return Array.from(letters.toUpperCase()).join(' ');
}

/** Where English sentences end, as `SentenceRules.sentenceEnd`. */
export const sentenceEnd = sentenceEndRule(stopMayEnd);
