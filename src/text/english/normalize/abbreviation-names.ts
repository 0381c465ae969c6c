import { wordSet } from '../../patterns.ts';

/** Before a name; never at the end of a sentence. */
export const titles: Record<string, string> = {
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
export const beforeNumber: Record<string, string> = {
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
export const books: Record<string, string> = {
  gen: 'Genesis',
  ex: 'Exodus',
  cor: 'Corinthians',
  matt: 'Matthew',
  rom: 'Romans',
};
/** In brackets or after a comma, before a year. */
export const lives: Record<string, string> = { b: 'born', d: 'died' };
/** Those that need no full stop, if capitalized. */
export const stoplessBeforeNumber = wordSet('apt ste hwy rte fig figs vol');

/** Never at the end of a sentence. */
export const midSentence: Record<string, string> = {
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
export const maybeFinal: Record<string, string> = {
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
export const stopless = wordSet('mr mrs ms dr prof vs jr sr approx etc');

/** The full words of an abbreviation in one of the tables. */
export function lookUp(table: Record<string, string>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
