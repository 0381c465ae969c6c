import { matchAt, textBefore } from '../../patterns.ts';
import type { Context, Match } from './rule.ts';

const letters: Record<string, string> = { N: 'North', S: 'South', E: 'East', W: 'West' };
/** Countries, states and seas that are named after a direction; each may be the name of its people too. */
const place =
  /([NSEW])\.\s(?=(?:Dakota|Carolina|Korea|Virginia|Africa|America|Ireland|German|Sudan|Yorkshire|Sussex|Vietnam|Macedonia|Ossetia|Timor|Anglia|Midlands|Bank|Indies|Sea|Pole|Atlantic|Pacific|Hollywood|Jerusalem)(?:s|n|ns|y|ese)?(?!\p{L}))/uy;
const street =
  /([NS][EW]?|[EW])\.?\s(?=(?:\p{Lu}[\p{L}'’-]{1,20}|\d{1,3}(?:st|nd|rd|th))(?:\s\p{Lu}\p{L}{1,20})?\s(?:St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Dr|Drive|Ln|Lane|Hwy|Highway|Pkwy|Parkway|Ct|Court|Pl|Place|Way|Ter|Terrace|Cir|Circle|Sq|Square)(?!\p{L}))/uy;
const houseBefore = /(?:^|[\s,(])\d{1,5}[A-Z]?\s$/;
const bound = /([NSEW])(?:B(?!\p{L}))?(?![\p{L}\d'’.&-])/uy;
const routeBefore = /\b(?:I-|US[- ]|[A-Z]{2}-|Interstate |(?:Rte\.?|Route|Hwy\.?|Highway) )\d{1,3}\s$/;
const coordinate = /([NSEW])(?![\p{L}\d'’&-])/uy;
/** Degrees, maybe with minutes and seconds: `45°30'15" N` */
const degreesBefore = /\d°\s?(?:\d{1,2}(?:\.\d+)?\s?[′'’]\s?(?:\d{1,2}(?:\.\d+)?\s?(?:[″"”]|'')\s?)?)?$/;
/** `Pennsylvania Ave. NW` */
const roadBefore = /\b(?:St|Ave|Rd|Blvd|Dr|Pl|Street|Avenue|Road|Boulevard|Drive|Place)\.?,?\s$/;
const quarter = /([NS][EW])(?![\p{L}\d'’&-])/uy;
const windBefore = /\b(?:(?:wind|gust|breeze)s?|moving|heading|headed|bearing):?\s(?:(?:from|out of)\s(?:the\s)?)?$/i;
const compassPoint = /(?=[NSEW])([NS]{0,2}[EW]?|[EW](?:NE|NW|SE|SW))(?![\p{L}\d'’&-]|\.\p{L})/uy;

/** The letters of a direction: `N. Dakota`, `101 NW 5th Ave`, `I-95 S`, `45° N`, `winds NW`. */
export function matchDirection({ text, index }: Context): Match | undefined {
  const before = textBefore({ text, index }, 24);
  if (/[\p{L}\d.]$/u.test(before)) return undefined;
  const match =
    matchAt(place, text, index) ??
    (houseBefore.test(before) ? matchAt(street, text, index) : undefined) ??
    (routeBefore.test(before) ? matchAt(bound, text, index) : undefined) ??
    (degreesBefore.test(before) ? matchAt(coordinate, text, index) : undefined) ??
    (roadBefore.test(before) ? matchAt(quarter, text, index) : undefined) ??
    (windBefore.test(before) ? matchAt(compassPoint, text, index) : undefined);
  if (!match) return undefined;
  const words = Array.from(match[1]!, (letter) => letters[letter]).join(' ');
  return { end: index + match[0].trimEnd().length, words };
}
