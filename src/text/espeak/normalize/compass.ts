import { matchAt, textBefore } from '../../patterns.ts';
import type { Context, Match } from './rule.ts';

/** Points that all languages write with the same letters, and `W` for `O`. */
const POINT = '(?:N{1,2}[EOW]|S{1,2}[EOW]|E[NS]E|[OW][NS][OW]|[NSEOW])';
const WHOLE_POINT = new RegExp(
  `([dl]['’])?(${POINT})(?![\\p{L}\\p{M}\\d'’&]|\\.\\s?\\p{L}|/N(?!\\p{L})|-(?!${POINT}(?![\\p{L}\\d])))`,
  'uy',
);
/** What has a direction, perhaps with its strength and a preposition. */
const DIRECTED_BEFORE =
  /(?<!\p{L})(?:vientos?|vents?|vent[oi]|ventos|rachas?|rafales?|raffic[ah]e?|rajadas?|bris[ae]|brezz[ae]|[Rr]umbo|rotta|[Rr]umo|[Dd]irec(?:ción|tion|ção)|[Dd]irezione|[Oo]rientaci[oó]n|[Oo]rientation|[Oo]rientação|esposizione|componente|[cq]uadrante|secteur|V(?:iento|ent|ento|ientos|ents|enti|entos)|R(?:achas|afales|affiche|ajadas))(?:\s(?:floj[oa]s?|moderad[oa]s?|fuertes?|variables?|faibles?|modérés?|forts?|debol[ei]|moderat[oi]|fort[ei]|frac[oa]s?|fortes?|dominantes?|dominants?|predominantes?)){0,2}(?:\s(?:de|de secteur|del|du|da|dal|di|do|al|a|hacia|vers|verso|para|au))?\s?:?\s?$/u;
const LIST_BEFORE = new RegExp(
  `(?:${POINT}(?:\\s(?:y|o|u|et|ou|e|a|à|al)\\s|\\s?[-–/]\\s?|,\\s)(?:(?:del|du|da|do|de)\\s)?){1,3}$`,
  'u',
);
const SPEED_NEXT =
  /\s(?:[aà]\s)?\d{1,3}(?:\s?[-–]\s?\d{1,3}|\s[aà]\s\d{1,3})?\s?(?:km\/h|kmh|nudos|nœuds|nodi|nós|kt)(?!\p{L})/uy;
/** Degrees or minutes of an angle. */
const ANGLE_BEFORE = /(?:\d{2,3}(?:[.,]\d+)?\s?°|\d\s?['′’″"])\s?$/u;
/** NO and SE are words in small letters, which capitals may stress: *el viento NO sopla*. */
const WORDS_TOO = /^(?:NO|SE|SO|E|O)$/;
const NOT_WORD_NEXT =
  /\s?(?:$|[.,;:)/–-]|\d|(?:y|e|et|o|a|à|de|di|con|com|da|dal|en|floj|moderad|fuerte|faible|modéré|fort|debol|moderat|frac)[\p{L}]{0,2}(?!\p{L}))/uy;

/** `viento NO`, `vents d'O`, `del N y NO`, `NE 20 km/h`, `40° N`: a point of the compass. */
export function matchCompass(context: Context): Match | undefined {
  const { text, index, language } = context;
  const points = language.rules.compassPoints;
  if (!points || /[\p{L}\p{M}\d'’.&]/u.test(text[index - 1] ?? '')) return undefined;
  const [all, elision = '', point = ''] = matchAt(WHOLE_POINT, text, index) ?? [];
  if (all === undefined) return undefined;
  const end = index + all.length;
  const before = textBefore(context, 70);
  // S/N: without a number
  if (before.endsWith('S/')) return undefined;
  const list = LIST_BEFORE.exec(before)?.[0] ?? '';
  const isDirected = DIRECTED_BEFORE.test(before.slice(0, before.length - list.length) + (elision && ' '));
  const mayBeWord = WORDS_TOO.test(point) && list === '' && !matchAt(NOT_WORD_NEXT, text, end);
  const isPoint =
    (isDirected && !mayBeWord) ||
    (point.length > 1 && matchAt(SPEED_NEXT, text, end) !== undefined) ||
    (point.length === 1 && ANGLE_BEFORE.test(before));
  return isPoint ? { end, words: elision + points[point.replaceAll('W', 'O')]! } : undefined;
}
