import { operatorSigns } from '../operator-signs.ts';
import { matchAt, textBefore } from '../patterns.ts';

const operator = /<={1,2}>|[<>]=|!={1,2}|={2,3}(?!=)|-{1,2}>|=>/y;
const signs: Readonly<Record<string, string>> = { ...operatorSigns, '=>': '⇒' };
/** Between digits and names it separates: 3·15, 马克·吐温. */
const dot = /[·∙](?=\s?[a-z](?![A-Za-z]))/y;
const factorBefore = /(?<![A-Za-z·])[a-z]\s?$/;
const modulo = /%(?=\s(?:\d|[a-z](?![A-Za-z])))/y;
const dividendBefore = /(?:(?<![A-Za-z])[a-z]|[)\]])\s$/;
const operand = String.raw`(?:\d{1,9}(?:[.,]\d{1,9})?|[A-Za-z](?![A-Za-z])|[-+−*×·/^²³()]|\s(?!\|))`;
const openBar = new RegExp(String.raw`\|(?![\s|])(?=${operand}{1,24}\|(?!\|))`, 'y');

/** The operator at an index, and the single sign or name of what it means: `->`, `x != 3`, `a · b`, `i % 2`, `|x|`. */
export function operatorAt(text: string, index: number): { end: number; sign: string } | undefined {
  const written = matchAt(operator, text, index)?.[0];
  if (written !== undefined) return { end: index + written.length, sign: signs[written]! };
  const before = textBefore({ text, index }, 12);
  const end = index + 1;
  if (matchAt(dot, text, index) && factorBefore.test(before)) return { end, sign: '×' };
  if (matchAt(modulo, text, index) && dividendBefore.test(before)) return { end, sign: 'mod' };
  return matchAt(openBar, text, index) && !/[\p{L}\d|)]$/u.test(before) ? { end, sign: '|x|' } : undefined;
}
