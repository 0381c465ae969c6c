import { matchAt, textBefore } from '../../patterns.ts';
import { keyNames } from './code-symbols.ts';
import type { Match } from './rule.ts';
import type { SymbolContext } from './symbol-rule.ts';

const ruler = /([=#*_~$+&@%^|<>/\\`°•·-])\1{2,}/y;
/** Of a table: `+---+---+`, `|---|:--:|` */
const border = /[+|](?:[-=:]{2,200}[+|]){1,60}(?!\S)/y;

/** Two underscores are the mark of Markdown: `__ for bold`. */
const gap = /_{3,60}(?=\s[\p{Ll}(]|[.,;?!](?:\s|$))/uy;
const gapBefore = /(?:^|(?:[\p{L}\d,’'”"_]|[.?!] )\s)[(“"]?$/u;

/** What a reader fills in: `Paris is the capital of ____.`; silent in a form, after a colon. */
export function matchGap(symbol: SymbolContext): Match | undefined {
  const found =
    symbol.character === '_' && gapBefore.test(textBefore(symbol, 4)) && /\p{L}{2}/u.test(symbol.text)
      ? matchAt(gap, symbol.text, symbol.index)
      : undefined;
  return found && symbol.say('blank', symbol.index + found[0].length);
}

/** A line of one symbol. */
export function matchRuler({ text, index }: SymbolContext): Match | undefined {
  const found = matchAt(ruler, text, index) ?? matchAt(border, text, index);
  return found && { end: index + found[0].length, words: '' };
}

/** What stands between angle brackets that are not a comparison: a name, a remark, an address. */
const ENCLOSED = String.raw`(?:<<[\p{L}\d"“]|<(?:\p{Lu}|mailto:|https?:|[\w.+-]+@))[^<>]{0,200}`;
const enclosed = new RegExp(`${ENCLOSED}(?=>)`, 'uy');
const enclosedBefore = new RegExp(`(?:^|[\\s("“])${ENCLOSED}$`, 'u');

/** A tag in code, `<div>`, `</p>`, `<a href="x">`, a file of C, `<stdio.h>`, and what is to be filled in, `<branch-name>`. */
const TAG = String.raw`(?:(?<![\w)\]])<|<\/)[A-Za-z][\w.:-]{0,40}(?:\s[\w:-]{1,30}=[^<>]{0,200})?\s?\/?`;
const tag = new RegExp(`${TAG}>`, 'uy');
const tagBefore = new RegExp(`${TAG}$`, 'u');

const openingQuote = /<<(?=["“]?\p{L})/uy;
/** `<< File: a.doc >>`, unlike `1 << 2 >> 1` */
const spacedQuote = /<<(?=\s\p{Lu}\p{L}[^<>]{0,200}\s>>)/uy;
const spacedQuoteBefore = /<<\s\p{Lu}\p{L}[^<>]{0,200}\s$/u;

/**
 * Angle brackets around text: `<see below>`, and for quotation marks `<<File>>`, whose other end may be in another sentence.
 */
export function matchAngleBracket(symbol: SymbolContext): Match | undefined {
  const { text, index, before } = symbol;
  if (text[index] !== '<' && text[index] !== '>') return undefined;
  if (text.startsWith('<!--', index)) return { end: index + 4, words: '' };
  const length = text[index + 1] === text[index] ? 2 : 1;
  if (length === 2 && isQuote(symbol)) return { end: index + length, words: '' };
  if (isOfTag(symbol)) return { end: index + length, words: '' };
  const isOpening = /^$|[\s("“]/.test(before) && matchAt(enclosed, text, index) !== undefined;
  const isClosing = text[index] === '>' && enclosedBefore.test(textBefore(symbol, 212));
  return isOpening || isClosing ? { end: index + length, words: '' } : undefined;
}

/** Whether a bracket opens or closes a tag. */
function isOfTag(symbol: SymbolContext): boolean {
  const { text, index } = symbol;
  if (text[index] === '<') return matchAt(tag, text, index) !== undefined;
  return tagBefore.test(textBefore(symbol, 280));
}

/** Whether `<<` or `>>` is a quotation mark: around a remark, or at an end of the sentence. */
function isQuote(symbol: SymbolContext): boolean {
  const { text, index, before, previous } = symbol;
  if (text[index] === '>')
    return spacedQuoteBefore.test(textBefore(symbol, 212)) || (/[.!?…]["”]?$/.test(before) && isLast(text, index + 2));
  return (
    matchAt(spacedQuote, text, index) !== undefined ||
    (previous === '' && matchAt(openingQuote, text, index) !== undefined)
  );
}

const isLast = (text: string, index: number) => matchAt(onlySpace, text, index) !== undefined;

/** The marks of a quotation at the start of a line. */
export function matchQuoteMark({ text, character, previous, end }: SymbolContext): Match | undefined {
  if ((character !== '<' && character !== '>') || previous !== '') return undefined;
  return /^>?\s/.test(text.slice(end, end + 2)) ? { end, words: '' } : undefined;
}

/** Marks of emphasis: `**bold**`, `_so_` */
export function matchEmphasis({ text, index, character, after, end, say }: SymbolContext): Match | undefined {
  if (!/[*_~]/.test(character) || !isEdge(text, index)) return undefined;
  return character === '~' && after === '/' ? say('tilde') : { end, words: '' };
}

/** Whether a mark is at the edge of a word. */
function isEdge(text: string, index: number): boolean {
  const before = text[index - 1] ?? ' ';
  let end = index;
  while (text[end] === text[index]) end++;
  const after = text[end] ?? ' ';
  const wordBefore = /[\p{L}\d]/u.test(before);
  const wordAfter = /[\p{L}\d]/u.test(after);
  const alone = /\s/.test(before) && /\s/.test(after) && index > 0;
  return !(wordBefore && wordAfter) && !alone;
}

const onlySpace = /\s*$/y;

/** A bullet, a scene break, the border of a table. */
export function matchBullet({ text, character, before, after, previous, end }: SymbolContext): Match | undefined {
  const isAlone = /^$|\s/.test(before) && /^$|\s/.test(after);
  const isMark = /[*_]/.test(character) || (character === '|' && (previous === '' || matchAt(onlySpace, text, end)));
  return isMark && isAlone && !keyNames.has(previous.toLowerCase()) ? { end, words: '' } : undefined;
}
