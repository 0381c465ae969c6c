import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal, designation, digitByDigit } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const paths = /(?:\.{1,2}\/){1,4}(?=[\w.])/y;
/** The dot of a hidden file or of `.NET`; a capitalized word after it follows a full stop. */
const leading = /\.(?=[a-z](?:\w|\.[a-z])|[A-Z]{2}|Net\b)/y;
/** `.env` of `.env.local`, `.d` of `.d.ts` */
const hidden = /(?:^|[\s("'“`/])\.[a-z][\w-]{0,30}(?:\.[a-z][\w-]{0,20}){0,4}$/;
const lowerNext = /\.(?=[a-z])/y;
/** `nvim/init.lua` */
const pathBefore = /[/\\][\w-]{1,60}$/;
const decimals = /\.(\d{1,9})(?!\d)/y;
const clockBefore = /\d:\d{1,2}$/;
/** `PM2`, `v1.2.3-beta`: a name with digits. */
const nameBefore = /(?:^|[\s("'“/—–])(?=[\w.+-]*\p{L})(?=[\w.+-]*\d)[\p{L}\d_+-]{1,40}(?:\.[\p{L}\d_+-]{1,40}){0,8}$/u;
/** `BA.5`, `XBB.1.5`, `BS.1770` */
const series = /(?:^|[\s("'“])[A-Z]{2,4}(?:\.\d{1,3}){0,3}$/;
const wildcard = /\.(?=x(?![\p{L}\d]))/uy;
/** `sensor.kitchen_motion`, `kitchen_light.state` */
const underscored = /\.(?=[A-Za-z]\w{0,60}_\w)/y;
const underscoredBefore = /(?:^|[\s("'“`])\w{1,60}_\w{0,60}$/;
/** `foo.bar()` */
const member = /\.(?=[A-Za-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}){0,6}\()/y;

/** Classes of shares: `BRK.B` */
const ticker = /(?:^|[\s(])[A-Z]{2,4}$/;
const shareClass = /\.(?=[AB](?![\p{L}\d.]))/uy;
const moduleBefore =
  /(?<![\w.])(?:np|pd|tf|plt|df|os|sys|math|torch|self|this|console|document|window|process|module)$/;
const camelBefore = /(?<![\w.])[a-z]\w{0,30}[a-z][A-Z]\w{0,30}$/;
const camelNext = /\.(?=[A-Za-z]\w{0,30}[a-z][A-Z])/y;
/** `velocity.x += 1`, `names.length > 0` */
const operatorNext = /\.(?=[a-z]\w{0,30}\s?(?:[-+*/%!<>=]=|[<>]\s|=\s))/y;

/** A name that only code has before a point: with digits, behind an arrow, in a chain or behind `@` */
const codeBefore =
  /(?:(?<![\w.])[A-Za-z][A-Za-z_]*\d\w{0,20}|->\w{1,30}|@[a-z]\w{0,30}|[\w)\]]\.[a-z]\w{0,30}|\w\[\w{1,20}\])$/;
const chainNext = /\.(?=[A-Za-z]\w)/y;
const chainBefore = /(?<![\w.])[A-Za-z]\w{1,30}\.[A-Z]\w{1,30}$/;
const codeNext = /\.(?=[a-z]\w*|[A-Z]{2,20}(?![a-z]))/y;
/** Two points between names, a member of one letter, and common members: `a.b.c`, `pos.x`, `user.id` */
const memberNext =
  /\.(?=[A-Za-z]\w{0,30}\.[A-Za-z]\w|[a-z]\w{0,30}\[\w|[b-hj-z](?!\w)|(?:length|size|id|name|value|keys?|data|text|title|type|tag|index|count|width|height|url|props|prototype|exports|Parent)(?![\w-]))/y;

/** Whether a point is between the names of code: `player.userName`, `self.name`, `math.pi`. */
function joinsNames(view: string, text: string, index: number): boolean {
  if (codeBefore.test(view) && matchAt(codeNext, text, index)) return true;
  if (chainBefore.test(view) && matchAt(chainNext, text, index)) return true;
  if (!/[A-Za-z]\w*$/.test(view)) return false;
  if (/(?<![\w.])[A-Za-z]\w+$/.test(view) && matchAt(memberNext, text, index)) return true;
  if (matchAt(camelNext, text, index) ?? matchAt(operatorNext, text, index)) return true;
  return matchAt(lowerNext, text, index) !== undefined && (moduleBefore.test(view) || camelBefore.test(view));
}

/**
 * A point that does not end a sentence: `PM2.5`, `v1.2-beta.1`, `1:02.35`, `20.x`, `.env`, `./run.sh`, `foo.bar()`.
 */
export function matchPoint({ text, index }: Context): Match | undefined {
  if (text[index] !== '.') return undefined;
  const before = text[index - 1] ?? ' ';
  if (/[\s"'“”‘’(`/~]/.test(before)) return leadingPoint(text, index, before);
  const view = textBefore({ text, index }, 60);
  const dot = { end: index + 1, words: 'dot' };
  if (isInPath(view, text, index) || (matchAt(member, text, index) && /[\w)\]]/.test(before))) return dot;
  if (ticker.test(view) && matchAt(shareClass, text, index)) return { end: index + 2, words: `dot ${text[index + 1]}` };
  if (joinsNames(view, text, index) || joinsUnderscored(view, text, index)) return dot;
  if (matchAt(wildcard, text, index) && /\d/.test(before)) return { end: index + 1, words: 'point' };
  return decimalPoint(view, text, index);
}

/** A point that no name precedes: `./run.sh`, `.env` */
function leadingPoint(text: string, index: number, before: string): Match | undefined {
  const path = before === '/' ? undefined : matchAt(paths, text, index)?.[0];
  if (path) return { end: index + path.length, words: path.replaceAll('.', ' dot').replaceAll('/', ' slash').trim() };
  return matchAt(leading, text, index) && { end: index + 1, words: 'dot' };
}

/** `*.ts`, `.env.local`, `nvim/init.lua` */
function isInPath(view: string, text: string, index: number): boolean {
  return (
    matchAt(lowerNext, text, index) !== undefined && (view.endsWith('*') || hidden.test(view) || pathBefore.test(view))
  );
}

/** Whether a point is beside a name with underscores. */
function joinsUnderscored(view: string, text: string, index: number): boolean {
  const next = underscoredBefore.test(view) ? lowerNext : underscored;
  return /\w$/.test(view) && matchAt(next, text, index) !== undefined;
}

/** `PM2.5`, `1:02.35`, `BS.1770` */
function decimalPoint(view: string, text: string, index: number): Match | undefined {
  const [all = '', digits = ''] = matchAt(decimals, text, index) ?? [];
  if (digits === '') return undefined;
  const end = index + all.length;
  if (clockBefore.test(view)) return { end, words: `point ${digitByDigit(digits)}` };
  if (series.test(view)) return { end, words: `point ${designation(digits)}` };
  if (!nameBefore.test(view)) return undefined;
  const number = digits.startsWith('0') && digits.length > 1 ? digitByDigit(digits) : cardinal(digits);
  return { end, words: `${/\d$/.test(view) ? 'point' : 'dot'} ${number}` };
}
