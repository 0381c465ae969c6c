import { characterEntities } from 'character-entities';
import { lookUp, matchAt } from './patterns.ts';

/** Longest name: `CounterClockwiseContourIntegral`. Text that was escaped twice has `amp;` before it. */
const reference = /&(?:amp;){0,2}(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/y;

/** The characters of Windows-1252 at 0x80 to 0x9F, as HTML reads these numbers. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

/**
 * The characters of a character reference of HTML at an index (`&eacute;`, `&#233;`, `&#xE9;`), which ends in a semicolon.
 * Source: https://html.spec.whatwg.org/multipage/named-characters.html and the section on numeric references.
 */
export function entityAt(input: string, index: number): { text: string; end: number } | undefined {
  const match = matchAt(reference, input, index);
  if (!match) return undefined;
  const [all, decimal, hexadecimal, name] = match;
  const text = name === undefined ? numbered(Number(decimal ?? `0x${hexadecimal}`)) : lookUp(characterEntities, name);
  return text === undefined ? undefined : { text, end: index + all.length };
}

function numbered(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252[code - 0x80]!;
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
}
