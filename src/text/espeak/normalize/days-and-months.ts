import { firstMatch } from '../../first-match.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { ordinal } from './numbers.ts';
import { type Context, nextWord } from './rule.ts';
import { endsWithWeekday } from './weekdays.ts';

/** The pattern of the number of a day. */
export const DAY = '(0?[1-9]|[12]\\d|3[01])';
/** The pattern of the number of a month. */
export const MONTH = '(0?[1-9]|1[0-2])';

/** Two numbers with a slash that may be a date, as written. */
interface Pair extends Context {
  day: string;
  month: string;
  end: number;
  before: string;
  /** Whether they are likely a fraction: 3/4. */
  isFraction: boolean;
}

/** In this order: the first that knows whether the two numbers are a date decides. */
const rules: readonly ((pair: Pair) => boolean | undefined)[] = [
  beforeMonthName,
  besideWeekday,
  beforeTime,
  beforeStatement,
  afterDateWord,
  inBrackets,
  ofItem,
  withZero,
  beforePostposition,
  ofFraction,
  ofTitle,
  afterUntil,
  afterPreposition,
  withoutFractionName,
];

/** Whether the numbers of `5/11` at the index are a day and a month. */
export function isDayAndMonth(context: Context, day: string, month: string, end: number): boolean {
  const isFraction = Number(month) <= 10 && Number(day) < Number(month);
  const pair = { ...context, day, month, end, before: textBefore(context, 24), isFraction };
  return firstMatch(rules, pair) ?? false;
}

/** `le 3/5 mai` are two days. */
function beforeMonthName(pair: Pair): boolean | undefined {
  return pair.language.months.includes(nextWord(pair, pair.end).toLowerCase()) ? false : undefined;
}

/** `lunes 3/6` */
function besideWeekday({ language, before }: Pair): boolean | undefined {
  return endsWithWeekday(language, before) || undefined;
}

const TIME_NEXT =
  /,?\s(?:a las?|às|à(?=\s\d{1,2}\s?[h:])|alle|dalle|ore|h|को (?:सुबह|शाम|रात|दोपहर))\s?\d{1,2}(?![\d/%]|[.,]\d{3})/uy;

/** `5/11 a las 10` */
function beforeTime({ text, end }: Pair): boolean | undefined {
  return matchAt(TIME_NEXT, text, end) ? true : undefined;
}

const DAY_STATED_NEXT =
  /\s(?:(?:é|será|foi|cai|es|fue|cae|è|sarà|cade|est|sera|tombe|était)(?:\s(?:o|a|um|uma|el|la|un|una|il|le|une|jour|giorno|dia|día|de|do|da|del|di|em|en|num|no)|\sl['’](?=\p{L})){0,3}\s?(?<=[\s'’])(?:feriad|festiv|férié|fête|fest[ae]|natal|navidad|natale|noël|dia|día|giorno|jour|aniversári|cumplea|compleann|anniversaire|domingo|sábado|domenica|sabato|dimanche|samedi|segunda|lunes|lunedì|lundi|véspera|víspera|vigilia|veille|páscoa|pascua|pasqua|pâques|ponte|puente|prazo|plazo|ferragosto|independência|ano[ -]novo|año nuevo|capodanno|nochebuena|nochevieja)|(?:(?:(?!(?:दिन|की|का|के|घंटे?)\s)[\p{L}\p{M}]{1,12}\s){1,2}(?:दिवस|जयंती|जयन्ती|पुण्यतिथि|अवकाश|छुट्टी|त्योहार)|क्रिसमस|दिवाली|होली)(?![\p{L}\p{M}]))/iuy;

/** `7/9 é feriado`, `15/8 स्वतंत्रता दिवस है` */
function beforeStatement({ text, end }: Pair): boolean | undefined {
  return matchAt(DAY_STATED_NEXT, text, end) ? true : undefined;
}

const DAY_NAMED_BEFORE = /(?:d[ií]a|giorno|दिनांक|तारीख)\s$/iu;
const RANGE_NEXT = new RegExp(`(?:\\s?[-–]\\s?|\\s(?:a|al|até|au|à)\\s)${DAY}/${MONTH}(?![\\d/])`, 'uy');
/** What a fraction is part of, or what describes one. */
const OF_NEXT =
  /\s(?:(?:restante?s?|rimanente|centre|aile|arrière|plein|vide|lleno|vacío|pieno|vuoto|cheio|vazio|de|del|des|du|di|do|da|dos|das|della|dello|dei|degli|delle)(?!\p{L})|(?:d|dell)['’])/iuy;

/** `el 5/11`; `el 1/5` is a day if nothing follows. Several parts take a plural article: `los 3/4`. */
function afterDateWord(pair: Pair): boolean | undefined {
  const { text, language, day, month, end, before, isFraction } = pair;
  if (!language.rules.dateBefore?.test(before)) return undefined;
  const isOne = day === '1' && (Number(month) < 5 || nextWord(pair, end) !== '');
  const isPart = isFraction && (isOne || [OF_NEXT, language.unit].some((next) => matchAt(next, text, end)));
  return !isPart || DAY_NAMED_BEFORE.test(before) || matchAt(RANGE_NEXT, text, end) ? true : undefined;
}

const TODAY_BEFORE = /(?<!\p{L})(?:hoje|ontem|amanhã|hoy|ayer|mañana|oggi|ieri|domani|aujourd['’]hui|hier|demain)\s$/iu;

/** `Ontem (16/12)`, `hoje (8/5)` */
function inBrackets({ text, language, day, end, before }: Pair): boolean | undefined {
  if (!before.endsWith('(') || text[end] !== ')') return undefined;
  const named = before.slice(0, -1);
  return Number(day) > 12 || TODAY_BEFORE.test(named) || endsWithWeekday(language, named) || undefined;
}

/** Where an item of a list begins. */
const ITEM_BEFORE = /(?:^|[;•|]|[-–—*]\s)\s*$/u;
const BRACKET_NEXT = /\s[(]([\p{L}\p{M}]{3,10})(?:-feira)?[.॰]?[)]/uy;

/** `- 5/11 (lunes)` */
function ofItem({ text, language, end, before }: Pair): boolean | undefined {
  const word = ITEM_BEFORE.test(before) ? matchAt(BRACKET_NEXT, text, end)?.[1] : undefined;
  return endsWithWeekday(language, word ?? '') || undefined;
}

const MARK_BEFORE = /(?:^|[(:;,•–—-])\s*$/u;
const UNTIL_BEFORE = /(?<!\p{L})(?:hasta|desde|até|entro|jusqu['’]au|avant|dès)\s$/iu;
const PREPOSITION_BEFORE = /(?<!\p{L})(?:en|em|in|para|de|da|a|à|y|e|et|entre|pour|tra|o|ou)\s$/iu;
/** Hindi puts these behind. */
const POSTPOSITION_NEXT = /\s(?:को|तक|से|का|की|के)(?![\p{L}\p{M}])/uy;

/** `hasta 05/11`, `15/03: reunión` */
function withZero({ text, day, month, end, before }: Pair): boolean | undefined {
  if (!day.startsWith('0') && !month.startsWith('0')) return undefined;
  const isAfterAny = [UNTIL_BEFORE, PREPOSITION_BEFORE, MARK_BEFORE].some((each) => each.test(before));
  return isAfterAny || matchAt(POSTPOSITION_NEXT, text, end) !== undefined;
}

const ON_DAY_NEXT = /\sको(?![\p{L}\p{M}])/uy;

/** `2/10 को`, but `3/4 को` */
function beforePostposition({ text, month, end, isFraction }: Pair): boolean | undefined {
  const isLikely = Number(month) > 4 || !isFraction;
  return isLikely && matchAt(ON_DAY_NEXT, text, end) ? true : undefined;
}

/** `3/4`; `24/7` is around the clock. */
function ofFraction({ day, month, isFraction }: Pair): boolean | undefined {
  return isFraction || (day === '24' && month === '7') ? false : undefined;
}

const COLON_NEXT = /:\s/y;

/** `15/3: reunión` */
function ofTitle({ text, end, before }: Pair): boolean | undefined {
  return ITEM_BEFORE.test(before) && matchAt(COLON_NEXT, text, end) ? true : undefined;
}

/** `hasta 31/12` */
function afterUntil({ before }: Pair): boolean | undefined {
  return UNTIL_BEFORE.test(before) || undefined;
}

/** `para 31/12`, `de 5/3 a 8/3` */
function afterPreposition({ text, day, end, before }: Pair): boolean | undefined {
  if (!PREPOSITION_BEFORE.test(before)) return undefined;
  return Number(day) > 12 || matchAt(RANGE_NEXT, text, end) ? true : undefined;
}

/** What two numbers belong to that are no day: laws, numbers of documents, equations. */
const OTHER_PAIR_BEFORE =
  /(?:(?<!\p{L})(?:ley|decreto|orden|sentencia|real decreto|rd|loi|décret|legge|decreto|lei|portaria|art[íi]culos?|articolo|artigo|arts?\.?|n\.?[°º]|n\.|n[úu]m\.?|p[áa]gs?\.?|pp\.?|pagg\.|p[áa]ginas?|pages?|pagine|n[úu]mero|numéro|expediente|exp\.|processo|ref\.:?|presi[oó]n|pression|pressione|pressão|TA|PA|ratio|relaci[oó]n|rapport|rapporto|comp[áa]s|compasso|mesure|tempo|calle|rue|via|rua|grupp?o|groupe|habitaci[oó]n|sala|salle|stanza|quarto|l[ií]nea|ligne|linha|model[oe]|modèle|versi[oó]n|vers[aã]o|saqué|obtuve|tirei|preso|नं\.|नंबर|सं\.|संख्या|मकान|गली|खसरा|प्लॉट|ब्लॉक|वार्ड|स्कोर)(?:\s\p{L}{1,3})?\s|(?<!\p{L})u[nm][ae]?\s|[\p{L}\p{M}-]|[=+*×÷^(]\s?)$/iu;
const OTHER_PAIR_NEXT =
  /\s?(?:[=%×÷*+^]|(?:V|bar|psi|Hz|mm|cm|kg|ml|mg|g|m|h|años|anos|ans|anni|meses|mois|mesi|जना|घंटे|पन्ने)(?![\p{L}\p{M}]))/uy;

/** `25/11`, unless something else has two numbers here: `ley 25/11`, `1/12 partes` */
function withoutFractionName(pair: Pair): boolean | undefined {
  const { text, end, before } = pair;
  if (!isUnnamed(pair) || isPart(pair)) return false;
  return !OTHER_PAIR_BEFORE.test(before) && !matchAt(OTHER_PAIR_NEXT, text, end);
}

function isUnnamed({ language, day, month }: Pair): boolean {
  const { fraction, isUnnamedFractionDate = false } = language.rules;
  if (Number(month) > 10) return true;
  return isUnnamedFractionDate && !fraction(Number(day), Number(month), (number) => ordinal(language, number));
}

const PARTS_NEXT = /\s(?:partes?|parties?|parti|भाग)(?![\p{L}\p{M}])/uy;

function isPart({ text, day, month, end, before }: Pair): boolean {
  if (Number(day) >= Number(month)) return false;
  return /(?<!\p{L})u[nm]a?\s$/iu.test(before) || [PARTS_NEXT, OF_NEXT].some((next) => matchAt(next, text, end));
}
