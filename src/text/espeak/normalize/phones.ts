import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal, digitByDigit } from './numbers.ts';
import { type Context, type Match, nextWord } from './rule.ts';

const INTERNATIONAL = /\+\d{1,15}(?:(?:[ .-]\(?|\(|(?<=\)))\d{1,12}\)?){0,6}(?!\d)/y;
/** Without separators; a round number rather counts something. */
const LONG_NUMBER = /\d{9,15}(?<!000)(?![\d.,]*\d|\s?[%‰€$£₹])/y;
/** Articles in the singular, and words before a telephone number. */
const NUMBER_NAMED_BEFORE = /(?:(?<!\p{L})(?:al|el|au|le|il|ao|o|t[eé]l[.]?|t[eé]l[eéè]fono?e?|número|numero)|:)\s$/iu;
/** After a letter: `6A12345678901` */
const LONG_CODE = /\d{6,20}(?![\d%]|[.,]\d)/y;
/** What looks like a number with groups of thousands. */
const THOUSANDS = /^\d{2,3}(?:[. ]\d{3}){2}$/;
const MILLIONS_END = /000[. ]000$/;
const AMOUNT_NEXT = /,\d|\s?[%‰€$£₹]/y;
/** In a number without separators: https://www.itu.int/pub/T-SP-E.164D */
const COUNTRY_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(?=\d{6})/;

const LABELS = String.raw`(?:[Cc][óo]digo|[Cc]ode|[Cc]odice|[Cc]lave|[Ss]enha|[Mm]ot de passe)(?:\s(?:de|du|di|d['’])\s?\p{L}{2,15})?(?:\s(?:es|est|è|é))?|ऑर्डर|ट्रैकिंग|[Pp]edido|[Cc]ommande|[Oo]rdine|[Ss]pedizione|[Ss]uivi|SS|NIR|[Ss]écurité sociale|SIRET|SIREN|TVA(?=[ :]{1,3}[A-Z]{2} ?$)|NIF|NIE|DNI|CIF|RUT|RUC|CUIT|RG|PIS|NIS|P\.\s?IVA|Aadhaar|आधार|PIN|पिन|पिनकोड|OTP|IMEI|ISBN|[Tt][eé]l[eéè]?fono|[Tt]elefone|[Ff]one|[Tt]él[eé]phone|[Tt][eé]lf?\.?|[Cc]el(?:ular|l)?\.?|[Mm]óvil|WhatsApp|Fax|[Ff]ax|FAX|[Nn](?:umero|\.) verde|फ़ोन|फोन|मोबाइल`;
/** What names a number, and the letters that it may begin with. */
const LABEL_BEFORE = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${LABELS})(?:\\s(?:n[.]?[°º.]|नं\\.?|नंबर|संख्या|कोड|code))?\\s?:?\\s(?:[A-Z]{1,2}[ -]?)?$`,
  'u',
);
/** An Indian PIN after its town: `दिल्ली-110001` */
const TOWN_BEFORE = /[\u0904-\u0963]-$/;
const LABELLED = /\d{1,14}(?:[ .-]\d{1,9}){0,6}(?![\d/]|[.,]\d|\s?[%‰€$£₹])/y;
const PIN = /[1-9]\d{5}(?![\p{L}\d%]|[.,:/-]\d)/uy;
const MIN_LABELLED = 6;
/** https://www.swift.com/standards/data-standards/iban-international-bank-account-number */
const IBAN = /[A-Z]{2}\d{2}(?: [A-Z\d]{4}){2,7}(?: [A-Z\d]{1,3})?(?![\p{L}\d])/uy;

/** Telephone numbers and numbers like them, by group. */
export function matchPhone(context: Context): Match | undefined {
  const { text, index, language, options } = context;
  if (!options.phone_normalization) return undefined;
  const code = /\p{L}/u.test(text[index - 1] ?? '') ? matchAt(LONG_CODE, text, index)?.[0] : undefined;
  if (code) return { end: index + code.length, words: digitByDigit(language, code) };
  const account = accountNumber(context) ?? labelledNumber(context);
  if (account || /[\p{L}\d.,]/u.test(text[index - 1] ?? '')) return account;
  const { phone, phonePairs, plus } = language.rules;
  const national = matchAt(phone, text, index);
  const isNumber = national && THOUSANDS.test(national[0]) && counts(context, index + national[0].length);
  const match = matchAt(INTERNATIONAL, text, index) ?? (isNumber ? undefined : national) ?? longNumber(context);
  if (!match || match[0].replace(/\D/g, '').length < 8) return undefined;
  const [written] = match;
  const groups = groupsOf(written, phonePairs);
  const isPaired = phonePairs && groups.every((group) => group.length <= 2 || written.startsWith(`+${group}`));
  const words = groups.map((group) => (isPaired ? cardinal : digitByDigit)(language, group)).join(', ');
  return { end: index + written.length, words: written.startsWith('+') ? `${plus} ${words}` : words };
}

/** `ES91 2100 0418 4502 0005 1332` */
function accountNumber({ text, index, language }: Context): Match | undefined {
  const match = /[\p{L}\d]/u.test(text[index - 1] ?? '') ? undefined : matchAt(IBAN, text, index)?.[0];
  if (!match) return undefined;
  const groups = match.split(' ').map((group) => group.match(/[A-Z]|\d+/g)!);
  const words = groups.map((parts) =>
    parts.map((part) => (/\d/.test(part) ? digitByDigit(language, part) : part)).join(' '),
  );
  return { end: index + match.length, words: words.join(', ') };
}

/** `SIRET 732 829 320 00074`, `tel. 555-1234`: a number that a word names, by group. */
function labelledNumber(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (!/\d/.test(text[index]!) || /[\d.,]/.test(text[index - 1] ?? '')) return undefined;
  const town = TOWN_BEFORE.test(textBefore(context, 2)) ? matchAt(PIN, text, index)?.[0] : undefined;
  if (town) return { end: index + town.length, words: digitByDigit(language, town) };
  if (!LABEL_BEFORE.test(textBefore(context, 40))) return undefined;
  const { phone, phonePairs } = language.rules;
  const written = matchAt(phone, text, index)?.[0] ?? matchAt(LABELLED, text, index)?.[0];
  if (!written || written.replace(/\D/g, '').length < MIN_LABELLED) return undefined;
  const groups = groupsOf(written, phonePairs);
  const say = (group: string) => (phonePairs && group.length <= 3 ? cardinal : digitByDigit)(language, group);
  return { end: index + written.length, words: groups.map(say).join(', ') };
}

/** Whether a number that ends at `end` is an amount or counts what follows: `650.000.000 habitantes`. */
function counts(context: Context, end: number): boolean {
  if (MILLIONS_END.test(textBefore({ text: context.text, index: end }, 7))) return true;
  if (NUMBER_NAMED_BEFORE.test(textBefore(context, 10))) return false;
  if (matchAt(AMOUNT_NEXT, context.text, end) || context.text.endsWith('000', end)) return true;
  const { countable, genderOf } = context.language.rules;
  const next = nextWord(context, end);
  return genderOf(next) !== undefined && /^\p{Ll}{4}/u.test(next) && countable?.test(next) === true;
}

/** A long number, unless it counts what follows. */
function longNumber(context: Context): RegExpExecArray | undefined {
  const match = matchAt(LONG_NUMBER, context.text, context.index);
  return match && counts(context, context.index + match[0].length) ? undefined : match;
}

function groupsOf(phone: string, inPairs = false): string[] {
  const groups = phone.match(/\d+/g)!;
  if (groups.length > 1) return groups;
  const [digits] = groups as [string];
  const [country = ''] = phone.startsWith('+') ? (COUNTRY_CODE.exec(digits) ?? []) : [];
  const rest = digits.slice(country.length);
  const parts = inPairs ? rest.match(/^\d(?=(?:\d{2})+$)|\d{2}|\d/g)! : [rest];
  return [country, ...parts].filter(Boolean);
}
