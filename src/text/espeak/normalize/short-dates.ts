import { matchAt, textBefore } from '../../patterns.ts';
import { romanValue } from '../../roman-numerals.ts';
import { cardinal, ordinal, year } from './numbers.ts';
import { type Context, type Language, type Match, nextWord } from './rule.ts';
import { endsWithWeekday } from './weekdays.ts';

/** The pattern of the number of a day. */
export const DAY = '(0?[1-9]|[12]\\d|3[01])';
/** The pattern of the number of a month. */
export const MONTH = '(0?[1-9]|1[0-2])';
const DAY_AND_MONTH = new RegExp(`${DAY}(er|[º°])?/${MONTH}(?![\\d/°]|\\p{L})`, 'uy');
const NAMED_MONTH = new RegExp(`${DAY}(?:er|[º°])?([/-])([\\p{L}\\p{M}]{3,10})[.॰]?\\2(\\d{4}|\\d{2})(?!\\d)`, 'uy');
const ROMAN_MONTH = new RegExp(
  `${DAY}([-./])(I{1,3}|IV|VI{0,3}|I?X|XI{1,2})(?:\\2((?:1[5-9]|20)\\d\\d)(?!\\d)|(?![\\p{L}\\d./-]))`,
  'uy',
);
const DAY_OF_NAMED_MONTH = new RegExp(`${DAY}/([\\p{L}\\p{M}]{3,10})(?![\\p{L}\\p{M}\\d/-])`, 'uy');
const MONTH_AND_YEAR = /([\p{L}\p{M}]{3,10})[.॰]?([/-])((?:19|20)\d{2}|\d{2})(?![\d/-])/uy;
const DAY_NAMED_BEFORE = /(?:d[ií]a|giorno|दिनांक|तारीख)\s$/iu;
/** Where an item of a list begins. */
const ITEM_BEFORE = /(?:^|[;•|]|[-–—*]\s)\s*$/u;
const MARK_BEFORE = /(?:^|[(:;,•–—-])\s*$/u;
const UNTIL_BEFORE = /(?<!\p{L})(?:hasta|desde|até|entro|jusqu['’]au|avant|dès)\s$/iu;
const PREPOSITION_BEFORE = /(?<!\p{L})(?:en|em|in|para|de|da|a|à|y|e|et|entre|pour|tra|o|ou)\s$/iu;
const RANGE_NEXT = new RegExp(`(?:\\s?[-–]\\s?|\\s(?:a|al|até|au|à)\\s)${DAY}/${MONTH}(?![\\d/])`, 'uy');
/** Hindi puts these behind. */
const POSTPOSITION_NEXT = /\s(?:को|तक|से|का|की|के)(?![\p{L}\p{M}])/uy;
const ON_DAY_NEXT = /\sको(?![\p{L}\p{M}])/uy;
const TODAY_BEFORE = /(?<!\p{L})(?:hoje|ontem|amanhã|hoy|ayer|mañana|oggi|ieri|domani|aujourd['’]hui|hier|demain)\s$/iu;
/** A time of day. */
const TIME_NEXT =
  /,?\s(?:a las?|às|à(?=\s\d{1,2}\s?[h:])|alle|dalle|ore|h|को (?:सुबह|शाम|रात|दोपहर))\s?\d{1,2}(?![\d/%]|[.,]\d{3})/uy;
/** 7/9 é feriado, 15/8 स्वतंत्रता दिवस है */
const DAY_STATED_NEXT =
  /\s(?:(?:é|será|foi|cai|es|fue|cae|è|sarà|cade|est|sera|tombe|était)(?:\s(?:o|a|um|uma|el|la|un|una|il|le|une|jour|giorno|dia|día|de|do|da|del|di|em|en|num|no)|\sl['’](?=\p{L})){0,3}\s?(?<=[\s'’])(?:feriad|festiv|férié|fête|fest[ae]|natal|navidad|natale|noël|dia|día|giorno|jour|aniversári|cumplea|compleann|anniversaire|domingo|sábado|domenica|sabato|dimanche|samedi|segunda|lunes|lunedì|lundi|véspera|víspera|vigilia|veille|páscoa|pascua|pasqua|pâques|ponte|puente|prazo|plazo|ferragosto|independência|ano[ -]novo|año nuevo|capodanno|nochebuena|nochevieja)|(?:(?:(?!(?:दिन|की|का|के|घंटे?)\s)[\p{L}\p{M}]{1,12}\s){1,2}(?:दिवस|जयंती|जयन्ती|पुण्यतिथि|अवकाश|छुट्टी|त्योहार)|क्रिसमस|दिवाली|होली)(?![\p{L}\p{M}]))/iuy;
const COLON_NEXT = /:\s/y;
/** What a fraction is part of, or what describes one. */
const OF_NEXT =
  /\s(?:(?:restante?s?|rimanente|centre|aile|arrière|plein|vide|lleno|vacío|pieno|vuoto|cheio|vazio|de|del|des|du|di|do|da|dos|das|della|dello|dei|degli|delle)(?!\p{L})|(?:d|dell)['’])/iuy;
const PARTS_NEXT = /\s(?:partes?|parties?|parti|भाग)(?![\p{L}\p{M}])/uy;
const BRACKET_NEXT = /\s[(]([\p{L}\p{M}]{3,10})(?:-feira)?[.॰]?[)]/uy;

/** The words of a date after an article that is elided before *uno*: dall'uno marzo, but il primo marzo. */
export function elidedDay({ text, index, language }: Context, words: string, day: string): string {
  const { firstDay } = language.rules;
  const isElided = Number(day) === 1 && firstDay && /['’]/.test(text[index - 1] ?? '');
  return isElided ? words.replace(firstDay, cardinal(language, '1')) : words;
}

/** `el 5/11`, `lunes 3/6`, `15/03: reunión`, `hasta 31/12`: a day and a month, unless rather a fraction or a number of two parts. */
export function matchDayAndMonth(context: Context): Match | undefined {
  const { text, index, language } = context;
  const match = matchAt(DAY_AND_MONTH, text, index);
  if (!match) return undefined;
  const [all, day, suffix, month] = match as unknown as [string, string, string | undefined, string];
  const end = index + all.length;
  if (suffix === undefined ? !isDate(context, day, month, end) : Number(day) !== 1) return undefined;
  const words = dateWords(language, day, language.months[Number(month) - 1]!, '');
  return { end, words: elidedDay(context, words, day) };
}

function isDate(context: Context, day: string, month: string, end: number): boolean {
  const { text, language } = context;
  const before = textBefore(context, 24);
  // Le 3/5 mai are two days.
  if (language.months.includes(nextWord(context, end).toLowerCase())) return false;
  if (endsWithWeekday(language, before) || matchAt(TIME_NEXT, text, end) || matchAt(DAY_STATED_NEXT, text, end))
    return true;
  const isFraction = Number(month) <= 10 && Number(day) < Number(month);
  if (language.rules.dateBefore?.test(before)) {
    // Several parts take a plural article: los 3/4.
    // El 1/5 is a day if nothing follows.
    const isOne = day === '1' && (Number(month) < 5 || nextWord(context, end) !== '');
    const isPart = isFraction && (isOne || [OF_NEXT, language.unit].some((next) => matchAt(next, text, end)));
    if (!isPart || DAY_NAMED_BEFORE.test(before) || matchAt(RANGE_NEXT, text, end)) return true;
  }
  // Ontem (16/12), hoje (8/5)
  const isBracketed = before.endsWith('(') && text[end] === ')';
  const named = before.slice(0, -1);
  if (isBracketed && (Number(day) > 12 || TODAY_BEFORE.test(named) || endsWithWeekday(language, named))) return true;
  const isItem = ITEM_BEFORE.test(before);
  if (isItem && endsWithWeekday(language, matchAt(BRACKET_NEXT, text, end)?.[1] ?? '')) return true;
  const isUntil = UNTIL_BEFORE.test(before);
  const isPreposed = isUntil || PREPOSITION_BEFORE.test(before);
  if (/^0/.test(month) || /^0/.test(day))
    return isPreposed || MARK_BEFORE.test(before) || matchAt(POSTPOSITION_NEXT, text, end) !== undefined;
  // 2/10 को, but 3/4 को
  if (Number(month) > 4 && matchAt(ON_DAY_NEXT, text, end)) return true;
  // Around the clock.
  if (isFraction || `${day}/${month}` === '24/7') return false;
  if (matchAt(ON_DAY_NEXT, text, end)) return true;
  if (isItem && matchAt(COLON_NEXT, text, end)) return true;
  if (isUntil || (isPreposed && (Number(day) > 12 || matchAt(RANGE_NEXT, text, end) !== undefined))) return true;
  const { fraction, isUnnamedFractionDate } = language.rules;
  const isUnnamed =
    Number(month) > 10 ||
    (isUnnamedFractionDate && !fraction(Number(day), Number(month), (number) => ordinal(language, number)));
  const isPart =
    Number(day) < Number(month) &&
    (/(?<!\p{L})u[nm]a?\s$/iu.test(before) || matchAt(PARTS_NEXT, text, end) || matchAt(OF_NEXT, text, end));
  return isUnnamed === true && !isPart && !OTHER_PAIR_BEFORE.test(before) && !matchAt(OTHER_PAIR_NEXT, text, end);
}

/** What two numbers belong to that are no day: laws, numbers of documents, equations. */
const OTHER_PAIR_BEFORE =
  /(?:(?<!\p{L})(?:ley|decreto|orden|sentencia|real decreto|rd|loi|décret|legge|decreto|lei|portaria|art[íi]culos?|articolo|artigo|arts?\.?|n\.?[°º]|n\.|n[úu]m\.?|n[úu]mero|numéro|expediente|exp\.|processo|ref\.:?|presi[oó]n|pression|pressione|pressão|TA|PA|ratio|relaci[oó]n|rapport|rapporto|comp[áa]s|compasso|mesure|tempo|calle|rue|via|rua|grupp?o|groupe|habitaci[oó]n|sala|salle|stanza|quarto|l[ií]nea|ligne|linha|model[oe]|modèle|versi[oó]n|vers[aã]o|saqué|obtuve|tirei|preso|नं\.|नंबर|सं\.|संख्या|मकान|गली|खसरा|प्लॉट|ब्लॉक|वार्ड|स्कोर)(?:\s\p{L}{1,3})?\s|(?<!\p{L})u[nm][ae]?\s|[\p{L}\p{M}-]|[=+*×÷^(]\s?)$/iu;
const OTHER_PAIR_NEXT =
  /\s?(?:[=%×÷*+^]|(?:V|bar|psi|Hz|mm|cm|kg|ml|mg|g|m|h|años|anos|ans|anni|meses|mois|mesi|जना|घंटे|पन्ने)(?![\p{L}\p{M}]))/uy;

/** `12-nov-2024` */
export function matchNamedMonth({ text, index, language }: Context): Match | undefined {
  const match = matchAt(NAMED_MONTH, text, index);
  const month = match && monthOf(language, match[3]!);
  return month ? { end: index + match[0].length, words: dateWords(language, match[1]!, month, match[4]!) } : undefined;
}

/** `5-III-2024`, `12.XI.1999`, `el 5-XII` */
export function matchRomanMonth(context: Context): Match | undefined {
  const { text, index, language } = context;
  const [all, day = '', mark, month = '', yearDigits = ''] = matchAt(ROMAN_MONTH, text, index) ?? [];
  if (all === undefined) return undefined;
  const isNamed = mark === '-' && language.rules.dateBefore?.test(textBefore(context, 24));
  if (yearDigits === '' && !isNamed) return undefined;
  return {
    end: index + all.length,
    words: dateWords(language, day, language.months[romanValue(month) - 1]!, yearDigits),
  };
}

/** `2/jan` */
export function matchDayOfNamedMonth({ text, index, language }: Context): Match | undefined {
  if (/[\p{L}\d/.,-]/u.test(text[index - 1] ?? '')) return undefined;
  const match = matchAt(DAY_OF_NAMED_MONTH, text, index);
  const month = match && monthOf(language, match[2]!);
  return month ? { end: index + match[0].length, words: dateWords(language, match[1]!, month, '') } : undefined;
}

/** `nov/2024`, `enero/2025`, `jan/24` */
export function matchMonthAndYear({ text, index, language }: Context): Match | undefined {
  if (/[\p{L}\p{M}\d/-]/u.test(text[index - 1] ?? '')) return undefined;
  const match = matchAt(MONTH_AND_YEAR, text, index);
  const month = match && monthOf(language, match[1]!);
  if (!month || (match[2] === '-' && match[3]!.length === 2)) return undefined;
  return { end: index + match[0].length, words: monthAndYearWords(language, month, match[3]!) };
}

/** The name of a month by its name or abbreviation. */
export function monthOf({ months, shortMonths }: Language, word: string): string | undefined {
  const lower = word.toLowerCase();
  return shortMonths.get(lower) ?? months.find((name) => name.toLowerCase() === lower);
}

/** A month and a year in words. */
export function monthAndYearWords(language: Language, month: string, yearDigits: string): string {
  return language.rules.date('', month, year(language, yearDigits)).trim().replace(/^de /, '');
}

/**
 * A date in words.
 * @param month in words
 * @param yearDigits empty for a date without a year
 */
export function dateWords(language: Language, day: string, month: string, yearDigits: string): string {
  const { firstDay, date } = language.rules;
  const dayWords = Number(day) === 1 && firstDay ? firstDay : cardinal(language, String(Number(day)));
  const words = date(dayWords, month, yearDigits && year(language, yearDigits));
  return yearDigits === '' ? words.replace(/\s*(?:de)?\s*$/, '') : words;
}
