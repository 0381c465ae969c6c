import { wordSet } from '../../patterns.ts';

/** `FBI` → `F B I`. */
export function spell(letters: string): string {
  return Array.from(letters.toUpperCase()).join(' ');
}

/** Acronyms that are pronounced as a word. */
const wordAcronyms =
  wordSet(`NASA NATO UNESCO UNICEF OPEC FIFA UEFA NAFTA OSHA FEMA ASEAN AIDS SARS MERS COVID LASER RADAR
  SONAR SCUBA SWAT NASDAQ IKEA LEGO YOLO FOMO PETA TED RAM ROM PIN SIM LAN WAN GIF ASCII BASIC COBOL FORTRAN YAML TOML
  CUDA BIOS CAPTCHA CAD NIMBY LIDAR ZIP ICE DOS SAAS WASM HIPAA FLAC INTERPOL JAMA
  MENSA NORAD ONNX POTUS QNAP SAML SCOTUS FLOTUS TOEFL`);
/** Acronyms that are spelled although they look like a word or are long. */
const spelledAcronyms =
  wordSet(`LMAO ROFL UCLA USDA IMDB AARP ASAP ASMR AAAS EULA UEFI UNHCR NAACP USA UK EU UN UAE USSR CEO CFO CTO CIA
  FBI NSA IRS API URL URI SQL CPU GPU USB FAQ DIY UFO IOU TV PC DJ VIP ATM NBA NFL NHL MLB BBC CNN NBC ABC CBS HBO MIT NYC
  COPD ALCS NLCS AAPL PSAT LSAT MCAT AFAIK EOD LA NY DC IQ EQ RIP DNA RNA HIV BMW IBM AMD AOL AI ML IP ID VPN PDF HTML CSS XML HTTP BC AD CE BCE GMT UTC EST PST USD EUR NYSE
  USPS FDIC NIMH OECD IAEA USAID USMC USGS USCIS USTR UNDP NYPD LAPD GDP GOP AOC CPI PPI CPA CPR DEA DEI DUI DWI ECB ECHR ESG
  ETF GAO ICBM ICC ICJ IDF IED ILO IOC ISS ITV LGBT MTA NGO NIH NOC NPR NRA NTSB OAS OIG RBA RBI SBA SEIU SSA SUV TSA UAW UBS
  USC WBA WTO WNBA YMCA YWCA AFL AIG AMC ATF ATV ACA CBO CNBC COO EEOC EIA EPL FOMC IATA ICAO IUCN NIAID UCSB UCSF UCSD
  UNLV USSF AFAICT ICYMI FWIW IIRC EDT PDT CST MST CET BST UPS FAA FDA EPA FCC SEC DOJ IMF ISO IOS ETA AKA FYI BBQ UV AC EV MBA BA MA ESPN NCAA AAA ACLU
  IPA IPO APR ROI HR PR QA UI UX OS IM SMS MMS ESL GPA SAT MRI ICU ER EKG ADHD OCD UTI IV ISP IDE SDK CLI LED LCD GPS`);
/** Spelled unless the whole sentence is in capitals. */
const spelledUnlessAllCaps = wordSet('US IT');
/** Short words: in capitals they are emphasized, not spelled. */
const loudWords =
  wordSet(`AM AN AS AT BE BY DO GO HE IF IN IS ME MY NO OF OH ON OR SO TO UP WE AH HA HI HM OW THE AND FOR ARE BUT
  NOT YOU ALL ANY CAN HAD HER WAS ONE OUR OUT DAY GET HAS HIM HIS HOW MAN NEW NOW OLD SEE TWO WAY WHO BOY DID ITS LET PUT SAY
  SHE TOO JAY USE DAD MOM AGE AGO AIR BAD BAG BED BET BIG BIT BUY CAR CAT CUP CUT DOG DRY EAR EAT EGG END EYE FAR FEW FIT FLY FUN
  GOT GUN GUY HIT HOT JOB JOY KEY KID LAW LAY LEG LIE LOT LOW MAD MAY MEN MET MIX NET NOR ODD OFF OIL OWN PAY RAN RED RUN SAD
  SAT SET SIT SIX SKY SON SUN TEA TEN TOP TRY WAR WET WHY WIN WON YES YET ART ASK BOX BUS EGO ERA FAN HEY HUG ICE MUD NUT PEN
  PIE POP RAW ROW SEX SIR TAX TIE TOY VAN WAX WOW ZOO PER DUE SAW GAS PET MAP GOD FAT FAX BAR DIE FIX CAP HUB GEM GAP RID CRY
  ATE SIN PIG HUH YAY FEE POT BIN BAN BID GYM PUB TIP ARM AID RAT FREE OPEN ONLY AREA IDEA ALSO EVEN OVER EVER VERY INTO NOTE TODO LOVE MAX`);
const namedAcronyms: Record<string, string> = {
  OK: 'okay',
  IEEE: 'I triple E',
  JSON: 'Jason',
  JPEG: 'jay peg',
  MPEG: 'M peg',
  GUI: 'gooey',
  HVAC: 'H vac',
  README: 'read me',
  SCSI: 'scuzzy',
  VLAN: 'V lan',
  WLAN: 'W lan',
  WWI: 'World War one',
  WWII: 'World War two',
  MS: 'M S',
  HMAC: 'H mac',
  NOAA: 'Noah',
  FOIA: 'foya',
  CABG: 'cabbage',
  XMAS: 'Christmas',
};
/** Sounds without a vowel, which are not acronyms. */
export const interjection = /^(?:h?m+|h+m+|sh+|br+|gr+|z+|ps+t|pf+t|tsk|[jkmn]th)$/i;

/** The spoken form of a word in capitals: a word, or letter by letter. */
export function sayCapitals(text: string, allCaps: boolean): string {
  if (Object.hasOwn(namedAcronyms, text)) return namedAcronyms[text]!;
  if (wordAcronyms.has(text)) return text[0] + text.slice(1).toLowerCase();
  const quiet = text.toLowerCase();
  const isSound = interjection.test(text) && !spelledAcronyms.has(text) && !/^(?:[BG]R|MM|[JKM]TH)$/.test(text);
  if (text.includes("'") || isSound) return text.startsWith("I'") ? `I${quiet.slice(1)}` : quiet;
  if (spelledAcronyms.has(text) && !(allCaps && loudWords.has(text))) return spell(text);
  if (spelledUnlessAllCaps.has(text)) return allCaps ? quiet : spell(text);
  if (loudWords.has(text)) return quiet;
  // `YMMV`, but not `MY`
  if (!/[AEIOU]|.Y/.test(text)) return spell(text);
  if (allCaps) return text.length <= 5 && isOdd(text, true) ? spell(text) : quiet;
  return text.length <= 3 || !isPronounceable(text) ? spell(text) : quiet;
}

/** Whether capitals look like a word: vowels between consonant clusters of English. */
function isPronounceable(text: string): boolean {
  if (text.length < 6 && isOdd(text)) return false;
  const sounds = text
    .replace(/^Y(?=[AEIOU])|(?<=[AEIOU])Y(?=[AEIOU])/g, 'T')
    .replace(/[CST]H|CK|NG|PH|GH(?=S?$)/g, 'T')
    .replace(/S$/, '');
  if (text.length > 4) return !/[^AEIOUY]{5}/.test(sounds) && !/^[^AEIOUY]{4}/.test(sounds);
  return /^[^AEIOUY]{0,2}(?:[AEIOUY]{1,2}[^AEIOUY]{1,2}){0,2}[AEIOUY]{0,2}$/.test(sounds);
}

/** Pairs of consonants that begin English words. */
const onset = /^(?:[BCFGKPS]L|[BCDFGKPTW]R|S[CKMNPQTW]|[DT]W|QU|KN|GN|RH|([A-Z])\1)/;
/** Pairs that begin names and borrowed words, too. */
const rareOnset = /^(?:PS|PN|PT|MN|TS|CZ|GH|DH|BH|KH|ZH|FJ|BJ|KJ|SV|SZ|VL|SR|LV|HM|XM|MB|NK)/;
/** Pairs of consonants that end English words. */
const coda =
  /(?:[CFLMNPRXSB]T|[LNR]D|[LNRS]K|[LRHT]F|[LRSHTGD]M|[LRMKGHWM]N|[LRMSN]P|[LRM]B|[LNRS]C|[LRN]S|[LR]V|[LN]G|RG|RL|HL|[LNRT]Z|[LRN]X|[TPKDC]S|DT|([A-Z])\1)$/;

/** Whether a word begins or ends with consonants that English words do not, as `FDIC` and `NIMH`. */
function isOdd(text: string, isHeadline = false): boolean {
  const sounds = text
    .replace(/^MC(?=[^AEIOUY])|(?<=[AEIOU])GH(?=T|S?$)/, '')
    .replace(/CH(?=L)/, 'C')
    .replace(/[CST]H|CK|NG|PH|WH/g, 'T')
    .replace(/S$/, '');
  const first = /^[^AEIOUY]{2}/.exec(sounds)?.[0];
  if (first && !onset.test(first) && !(isHeadline && rareOnset.test(first))) return true;
  const last = /[^AEIOUYW]{2}$/.exec(sounds)?.[0];
  return last !== undefined && !coda.test(last);
}

/** Whether a text is in capitals throughout, like a headline; a name or an acronym alone is not. */
export function isAllCaps(text: string): boolean {
  if (/\p{Ll}/u.test(text)) return false;
  const words = text.match(/[A-Z]{2,}/g) ?? [];
  return words.length > 1 && words.some((each) => loudWords.has(each) || (each.length > 3 && /[AEIOUY]/.test(each)));
}
