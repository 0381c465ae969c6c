/** The mark may not follow again: then it is code within a line, or an ornament such as `~~~ Part one ~~~`. */
const FENCE = /^[ \t]{0,12}(`{3,}(?=[^`]*$)|~{3,}(?=[^~]*$))/;

/**
 * The mark of the block of code that is open after a line, by the rules of CommonMark: a line of the same mark, no shorter,
 * ends a block.
 * @param open the mark of the block that is open before it
 */
export function fenceAfter(line: string, open: string | undefined): string | undefined {
  const [, mark] = FENCE.exec(line) ?? [];
  if (mark === undefined) return open;
  if (open === undefined) return mark;
  return mark.startsWith(open) && line.trim() === mark ? undefined : open;
}

/**
 * The mark of the block of code that is open after a text.
 * @param open the mark of the block that is open before it
 * @param isLineStart whether a line begins with the text
 */
export function fenceAfterText(text: string, open: string | undefined, isLineStart: boolean): string | undefined {
  const [first = '', ...lines] = text.split(/\r?\n/);
  return (isLineStart ? [first, ...lines] : lines).reduce((fence, line) => fenceAfter(line, fence), open);
}
