import { firstMatch } from '../../first-match.ts';
import { lookUp, matchAt, textBefore } from '../../patterns.ts';
import type { Abbreviation, Meaning } from './abbreviation-rule.ts';
import type { Context } from './rule.ts';

/** In this order: the first that knows the words wins. */
const meanings: readonly Meaning[] = [ofCentury, beforeAreaCode, beforeNumber, beforeLetter, beforeLabel, ofExtreme];

/** The words for one of the abbreviations that stand only before a number, if they do here, or next to another clue. */
export function numberedMeaning(abbreviation: Abbreviation): string | undefined {
  return abbreviation.isNumbered ? firstMatch(meanings, abbreviation) : undefined;
}

const CENTURY_BEFORE = /(?<![\p{L}\d])[IVX]{1,6}(?:er?|ème)?\s$/u;

/** `XIXe s.`, `IV sec.` */
function ofCentury(abbreviation: Abbreviation): string | undefined {
  const { language, common } = abbreviation;
  const isNumbered = common !== undefined && language.rules.numbered.has(common);
  return isNumbered && CENTURY_BEFORE.test(textBefore(abbreviation, 10)) ? common : undefined;
}

const AREA_CODE_NEXT = /\s\(\d{2,3}\)\s\d/y;

/** `Cel. (21) 98765-4321` */
function beforeAreaCode({ text, end, common = '' }: Abbreviation): string | undefined {
  return matchAt(AREA_CODE_NEXT, text, end) ? common : undefined;
}

const CENTURY = /^(?:siglos?|siècle|secol[oi]|séculos?)$/;
const NUMERAL_NEXT = /\s?[IVXLC]{1,8}(?![\p{L}\d])/uy;
const NUMBER_NEXT = /:?\s?(?:(?:de\s)?[-−(]?\d|\p{Lu}{1,3}-?\d|[IVXLC]{1,8}(?![\p{L}\d]))/uy;

/** `p. 5`, `s. XX`, `555-1234 ext. 12`; `20 s. 5` is not a century, and `v. 5` may be a verse. */
function beforeNumber(abbreviation: Abbreviation): string | undefined {
  const { text, lower, end, isCounted, common = '' } = abbreviation;
  if (isCounted && lower !== 'ext.' && lower !== 'ep.') return undefined;
  const isRoman = lower === 'v.' || CENTURY.test(common);
  return matchAt(isRoman ? NUMERAL_NEXT : NUMBER_NEXT, text, end) ? inGender(abbreviation, common) : undefined;
}

const LETTER_NEXT = /\s\p{Lu}(?![\p{L}\d.])/uy;

/** `esc. A` */
function beforeLetter({ text, lower, end, isCounted, common = '' }: Abbreviation): string | undefined {
  const isLettered = lower.length > 3 || lower === 'sc.';
  return !isCounted && isLettered && matchAt(LETTER_NEXT, text, end) ? common : undefined;
}

/** `n. verde` */
function beforeLabel({ text, language, end, common = '' }: Abbreviation): string | undefined {
  const { labelled } = language.rules;
  return labelled && matchAt(labelled, text, end) ? common : undefined;
}

const EXTREME = /^(?:m[áa]xim|m[íi]nim|massim|minim)o$/;
const MEASURED_BEFORE = /\d\s?(?:[\p{L}°%²³/]{1,6}|€)\s$/u;

/** `5 kg máx., caben` */
function ofExtreme(abbreviation: Abbreviation): string | undefined {
  const { common = '' } = abbreviation;
  return EXTREME.test(common) && MEASURED_BEFORE.test(textBefore(abbreviation, 12)) ? common : undefined;
}

const NOUN_BEFORE = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{4,})\.?\s$/u;

/** *Máximo*, *minimo* with the gender of the noun before: `velocidad máx. 120`. */
export function inGender(context: Context, words: string): string {
  const { rules } = context.language;
  const noun = EXTREME.test(words) ? NOUN_BEFORE.exec(textBefore(context, 30))?.[1] : undefined;
  if (noun === undefined) return words;
  const name = lookUp(rules.abbreviations, `${noun.toLowerCase()}.`) ?? noun;
  return rules.genderOf(name) === 'feminine' ? words.replace(/o$/, 'a') : words;
}
