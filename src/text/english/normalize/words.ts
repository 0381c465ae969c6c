import { matchAt } from '../../control-tokens.ts';
import { romanToDigits } from '../../roman-numerals.ts';
import { spell } from './abbreviations.ts';
import { cardinal, designation, ordinal, year } from './numbers.ts';
import { type Place, type Reading, wordSet } from './reading.ts';

/** Capitals that are said as a word. */
const wordAcronyms =
  wordSet(`NASA NATO UNESCO UNICEF OPEC FIFA UEFA NAFTA OSHA FEMA ASEAN AIDS SARS MERS COVID LASER RADAR
  SONAR SCUBA SWAT NASDAQ IKEA LEGO YOLO FOMO PETA TED RAM ROM PIN SIM LAN WAN GIF ASCII BASIC COBOL FORTRAN YAML TOML
  CUDA BIOS CAPTCHA CAD NIMBY LIDAR ZIP ICE DOS SAAS WASM HIPAA INTERPOL MENSA NORAD POTUS SCOTUS FLOTUS`);
/** Capitals that are spelled, although they look like a word or are longer than most that are spelled. */
const spelledAcronyms =
  wordSet(`LMAO ROFL UCLA USDA IMDB AARP ASAP ASMR AAAS EULA UEFI UNHCR NAACP USA UK EU UN UAE USSR CEO CFO CTO CIA
  FBI NSA IRS API URL URI SQL CPU GPU USB FAQ DIY UFO IOU TV PC DJ VIP ATM NBA NFL NHL MLB BBC CNN NBC ABC CBS HBO MIT NYC
  LA NY DC IQ EQ RIP DNA RNA HIV BMW IBM AMD AOL AI ML IP ID VPN PDF HTML CSS XML HTTP BC AD CE BCE GMT UTC EST PST
  EDT PDT CST MST CET BST UPS FAA FDA EPA FCC SEC DOJ IMF ISO IOS ETA AKA FYI BBQ UV AC EV MBA BA MA ESPN NCAA AAA ACLU
  IPA IPO APR ROI HR PR QA UI UX OS IM SMS MMS ESL GPA SAT MRI ICU ER EKG ADHD OCD UTI IV ISP IDE SDK CLI LED LCD GPS`);
/** Spelled only where the sentence is not all in capitals. */
const spelledUnlessShouting = wordSet('US IT');
/** Short words: in capitals they are words said loudly. */
const loudWords =
  wordSet(`AM AN AS AT BE BY DO GO HE IF IN IS ME MY NO OF OH ON OR SO TO UP WE AH HA HI HM OW THE AND FOR ARE BUT
  NOT YOU ALL ANY CAN HAD HER WAS ONE OUR OUT DAY GET HAS HIM HIS HOW MAN NEW NOW OLD SEE TWO WAY WHO BOY DID ITS LET PUT SAY
  SHE TOO USE DAD MOM AGE AGO AIR BAD BAG BED BET BIG BIT BUY CAR CAT CUP CUT DOG DRY EAR EAT EGG END EYE FAR FEW FIT FLY FUN
  GOT GUN GUY HIT HOT JOB JOY KEY KID LAW LAY LEG LIE LOT LOW MAD MAY MEN MET MIX NET NOR ODD OFF OIL OWN PAY RAN RED RUN SAD
  SAT SET SIT SIX SKY SON SUN TEA TEN TOP TRY WAR WET WHY WIN WON YES YET ART ASK BOX BUS EGO ERA FAN HEY HUG ICE MUD NUT PEN
  PIE POP RAW ROW SEX SIR TAX TIE TOY VAN WAX WOW ZOO FREE OPEN ONLY AREA IDEA ALSO EVEN OVER EVER VERY INTO NOTE TODO LOVE`);
const namedAcronyms: Record<string, string> = {
  OK: 'okay',
  IEEE: 'I triple E',
  JSON: 'Jason',
  JPEG: 'jay peg',
  MPEG: 'M peg',
  GUI: 'gooey',
  HVAC: 'H vac',
  WWI: 'World War one',
  WWII: 'World War two',
  MS: 'M S',
};
/** Mixed capitals and short forms that are no ordinary words. */
const namedWords: Record<string, string> = {
  ok: 'okay',
  phd: 'P H D',
  ios: 'I O S',
  ipv: 'I P V',
  macos: 'Mac O S',
  latex: 'latex',
  wifi: 'why fie',
};
const interjection = /^(?:h?m+|h+m+|sh+|br+|gr+|z+|ps+t|pf+t|tsk|nth)$/i;
const vowelless = /^[bcdfghjklmnpqrstvwxz]{2,}$/;
const invisible = /\u00AD|[\u200B-\u200F]|\u2060|\uFE0F|\uFEFF/g;

const regnalNames =
  wordSet(`Henry Louis Charles George Edward Richard James William Elizabeth Mary John Paul Pius Benedict
  Francis Philip Frederick Catherine Napoleon Nicholas Alexander Ivan Leo Gregory Innocent Urban Clement Ferdinand Wilhelm Otto
  Leopold Victor Umberto Haakon Olav Gustav Christian Carl Peter Ramesses Rameses Ptolemy Cleopatra Xerxes Darius Alfonso Pedro
  Margaret Isabella Albert Constantine Malcolm Robert David Harald Sixtus Boniface Martin Stephen Kenneth Edgar Adrian Alfred
  Anne Julius Justinian Theodosius Selim Mehmed Murad Suleiman Mohammed Hassan Abdullah Hussein Felipe Juan Carlos Mithridates`);
const numberedNouns =
  wordSet(`chapter part parts wars act scene volume book section article war type phase appendix figure table class title
  level stage bowl rocky episode canto lesson unit verse vol ch no grade group category tier step round game apollo saturn
  mark vatican division corps symphony sonata concerto opus psalm factor schedule exhibit`);
/** Words after which a single `I` is the pronoun. */
const pronounVerbs =
  /\s(?:am|was|have|had|will|would|could|should|think|thought|know|knew|can|do|did|don't|want|wanted|love|like|see|saw|said|say|must|might|may|shall|never|just|really|believe|hope|need|met|told|feel|felt|guess|suppose|mean|wish|went|go|used)\b/y;
/** Words before which a single `I` is the pronoun no more: `Elizabeth I was crowned`. */
const reigns =
  /\s(?:was|had|did)\s(?:a|an|the|born|crowned|king|queen|succeeded|died|reigned|ruled|executed|emperor|pope)\b/y;

const lowerNumeral = /[ivxl]{2,8}(?![\p{L}\d'’&]|\.\p{L})/uy;
const romanNumeral = /([IVXLCDM]{1,15})(?![\p{L}\d]|['’](?!s(?!\p{L}))\p{L}|\.\p{L}|&)/uy;

/** `Henry VIII`, `Chapter IV`, `World War II`, `MMXXVI`. */
export function readRomanNumeral(place: Place): Reading | undefined {
  const { text, at, shouting } = place;
  // A mark between them parts a name and its numeral: `No, I thought so`.
  const previous = /[\p{L}.]\s{1,3}$/u.test(text.slice(Math.max(0, at - 4), at)) ? place.previous : '';
  const lower = numberedNouns.has(previous.toLowerCase()) ? matchAt(lowerNumeral, text, at)?.[0] : undefined;
  const lowerDigits = lower && romanToDigits(lower.toUpperCase());
  if (lowerDigits) return { end: at + lower.length, words: cardinal(lowerDigits) };
  const found = matchAt(romanNumeral, text, at);
  const numeral = found?.[1] ?? '';
  const digits = romanToDigits(numeral);
  if (!digits || /[\p{L}\d&.]/u.test(text[at - 1] ?? '')) return undefined;
  const end = at + numeral.length;
  if (numeral.length >= 4 && Number(digits) >= 1000) return { end, words: year(digits) };
  if (previous === '' || !/^[IVXL]+$/.test(numeral) || !/\s/.test(text[at - 1] ?? '')) return undefined;
  if (numberedNouns.has(previous.toLowerCase())) return { end, words: cardinal(digits) };
  const name = shouting ? previous[0] + previous.slice(1).toLowerCase() : previous;
  if (regnalNames.has(name)) {
    if (numeral === 'I' && matchAt(pronounVerbs, text, end) && !matchAt(reigns, text, end)) return undefined;
    if (numeral === 'X' && name === 'Malcolm') return undefined;
    return { end, words: `the ${ordinal(digits)}` };
  }
  if (/^(?:II|III|VII|VIII|XII|XIII|XIV|XVI)$/.test(numeral)) return { end, words: cardinal(digits) };
  // Names of films, games and people: only what cannot be a word or an acronym.
  if (/^(?:VI|IX|XI|XV)$/.test(numeral) && /^\p{Lu}/u.test(previous)) {
    return { end, words: cardinal(digits) };
  }
  return undefined;
}

// Letters that name a thing rather than the article, after these.
const letterNouns =
  wordSet(`plan vitamin grade group type class hepatitis section appendix option point team model exhibit side
  part letter an the straight influenza studio gate terminal building block row platform schedule`);
const verbNext = /\s(?:is|was|and|or|to|has|through|minus|plus|vs|means|equals)\b/y;
const articleNext = /\s{1,3}["“‘(]?[\p{L}\d$£€]/uy;
const word =
  /[\p{Script=Latin}\p{M}\u00AD\u200B-\u200D\u2060]+(?:['’ʼ＇][\p{Script=Latin}\p{M}\u00AD\u200B-\u200D\u2060]+)*/uy;
const mixed = /[A-Za-z]{1,30}[\d₀-₉]{1,30}(?:[A-Za-z]{1,30}|[\d₀-₉]{1,30}){0,12}/y;
const wifi = /wi-fi(?!\p{L})/iuy;
const timesNext = /\s?\d/y;

/** A word in Latin letters, or one with digits in it: `H2O`. */
export function readWord(place: Place): Reading | undefined {
  const { text, at } = place;
  const before = text[at - 1] ?? '';
  if (text[at] === 'x') {
    const reading = readTimes(place);
    if (reading) return reading;
  }
  const wireless = matchAt(wifi, text, at);
  if (wireless) return { end: at + wireless[0].length, words: 'why fie' };
  const mixedFound = matchAt(mixed, text, at);
  if (mixedFound) return { end: at + mixedFound[0].length, words: sayMixed(mixedFound[0]) };
  const found = matchAt(word, text, at)?.[0];
  if (!found) return undefined;
  const end = at + found.length;
  // A mark without a letter, as in keycaps and emoji.
  if (!/\p{L}/u.test(found)) return { end, words: '' };
  if (found === 'A' && !place.shouting) return { end, words: isArticle(place, end) ? 'a' : 'A' };
  if (found.length === 1 && /\d/.test(before)) return { end, words: found.toUpperCase() };
  // `rock 'n' roll`
  if (/^n$/i.test(found) && /['’‘]/.test(before) && /['’]/.test(text[end] ?? '')) return { end, words: 'and' };
  // `AT&T`
  const joined = /^[A-Z]{2,3}$/.test(found) && (before === '&' || text[end] === '&');
  return { end, words: joined ? spell(found) : sayWord(found, place.shouting) };
}

function isArticle({ text, previous }: Place, end: number): boolean {
  return (
    matchAt(articleNext, text, end) !== undefined &&
    !matchAt(verbNext, text, end) &&
    !(previous && letterNouns.has(previous.toLowerCase()))
  );
}

/** `4x4`, `1920 x 1080`, `10x`. */
function readTimes({ text, at, previous }: Place): Reading | undefined {
  const digitBefore = /\d/.test(text[at - 1] === ' ' ? (text[at - 2] ?? '') : (text[at - 1] ?? ''));
  const end = at + 1;
  if (!digitBefore || !/^[\d.,]+$/.test(previous)) return undefined;
  if (matchAt(timesNext, text, end)) return { end, words: text.includes('=') ? 'times' : 'by' };
  const alone = /\d/.test(text[at - 1]!) && !/[\p{L}\d]/u.test(text[end] ?? '');
  return alone && !/[=+]/.test(text) ? { end, words: 'times' } : undefined;
}

/** `H2O` → `H two O`, `iPhone15` → `I Phone fifteen`. */
function sayMixed(text: string): string {
  const parts = text.normalize('NFKC').match(/\d+|\D+/g) ?? [];
  return parts
    .map((part) => {
      if (/\d/.test(part)) return designation(part);
      const short = part.length <= 3 && (part === part.toUpperCase() || part.length === 1);
      return short || vowelless.test(part.toLowerCase()) ? spell(part) : sayWord(part, false);
    })
    .join(' ');
}

/** What is said for a word by itself: spelled where it is an acronym, split where capitals begin new words. */
export function sayWord(written: string, shouting: boolean): string {
  const text = written
    .replace(invisible, '')
    .normalize('NFKC')
    .replace(/[’ʼ＇]/g, "'");
  if (!/^[A-Za-z']+$/.test(text)) return shouting ? text.toLowerCase() : text;
  const possessive = /^(.+)'s$/i.exec(text);
  if (possessive) return `${sayWord(possessive[1]!, shouting)}'s`;
  if (text.length === 1) return text === 'a' || (text === 'A' && shouting) ? 'a' : text.toUpperCase();
  const named = Object.hasOwn(namedWords, text.toLowerCase()) ? namedWords[text.toLowerCase()] : undefined;
  if (named) return named;
  if (/^[A-Z']+$/.test(text)) return sayCapitals(text, shouting);
  const plural = /^([A-Z]{2,6})s$/.exec(text);
  if (plural) {
    const singular = sayCapitals(plural[1]!, false);
    return / [A-Z]$/.test(singular) ? `${singular}'s` : `${singular}s`;
  }
  const parts = text.match(/[A-Z]+(?![a-z'])|[A-Z]?[a-z']+/g) ?? [text];
  if (parts.length > 1 && !text.includes("'") && !/^(?:Mc|Mac|O'|Fitz)[A-Z][a-z]+$/.test(text)) {
    return parts.map((part) => sayWord(part, false)).join(' ');
  }
  return vowelless.test(text) && !interjection.test(text) ? spell(text) : text;
}

function sayCapitals(text: string, shouting: boolean): string {
  if (Object.hasOwn(namedAcronyms, text)) return namedAcronyms[text]!;
  if (wordAcronyms.has(text)) return text[0] + text.slice(1).toLowerCase();
  const quiet = text.toLowerCase();
  if (text.includes("'") || interjection.test(text)) return text.startsWith("I'") ? `I${quiet.slice(1)}` : quiet;
  if (spelledAcronyms.has(text) && !(shouting && loudWords.has(text))) return spell(text);
  if (spelledUnlessShouting.has(text)) return shouting ? quiet : spell(text);
  if (loudWords.has(text)) return quiet;
  if (!/[AEIOUY]/.test(text)) return spell(text);
  if (shouting) return quiet;
  return text.length <= 3 || !isPronounceable(text) ? spell(text) : quiet;
}

/** Whether capitals look like a word: vowels between groups of consonants that English has. */
function isPronounceable(text: string): boolean {
  const sounds = text.replace(/[CST]H|CK|NG|PH/g, 'T').replace(/S$/, '');
  if (text.length > 4) return !/[^AEIOUY]{5}/.test(sounds) && !/^[^AEIOUY]{4}/.test(sounds);
  return /^[^AEIOUY]{0,2}(?:[AEIOUY]{1,2}[^AEIOUY]{1,2}){0,2}[AEIOUY]{0,2}$/.test(sounds);
}

/** Whether a text is in capitals throughout, as headlines are, rather than a name or an acronym. */
export function isShouting(text: string): boolean {
  if (/\p{Ll}/u.test(text)) return false;
  const words = text.match(/[A-Z]{2,}/g) ?? [];
  return words.length > 1 && words.some((each) => loudWords.has(each) || (each.length > 3 && /[AEIOUY]/.test(each)));
}
