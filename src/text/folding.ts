/** Text with variants of characters folded to those that language rules handle, and the origin of each character. */
export interface FoldedText {
  text: string;
  /** The index in the written text of a character of `text`, and of its end. */
  sourceOf(index: number): number;
  /** What was written for the characters between two indexes. What was dropped belongs to the character before it. */
  written(from: number, to: number): string;
}

const composed = String.raw`(?<composed>[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}{1,8})`;
// Full-width characters except the tilde, which joins ranges; ligatures; squared units; mathematical and enclosed letters.
const compatible = String.raw`(?<compatible>[！-｝ﬀ-ﬆ℃℉ℂℓℕℙℚℝℤ㍱-㍺㎀-㏟㏿\u{1D400}-\u{1D7FF}Ⓐ-ⓩ\u{1F130}-\u{1F149}])`;
const negative = String.raw`(?<negative>[\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}]\uFE0F?)`;
// Letters of an ordinal that are raised, as in `5ᵗʰ`.
const raised = '(?<raised>(?<=\\d)(?:ˢᵗ|ⁿᵈ|ʳᵈ|ᵗʰ)(?!\\p{L}))';
// A hyphen that breaks no line, and the spaces of a number: `5‑6`, `10 000`.
const hyphen = '(?<hyphen>[\u2010\u2011])';
const numberSpace = '(?<numberSpace>(?<=\\d)[\u2007\u2009](?=\\d))';
const smallCapitals = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ';
// A single one may be phonetic notation.
const small = `(?<small>[${smallCapitals}]{2,60})`;
// Joiners matter in emoji and in other Indic scripts; in Devanagari they change only the shapes of letters.
// Also colors of a terminal: `\x1b[31m`
const invisible = String.raw`(?<invisible>\u001B\[[\d;]{0,20}[A-Za-z]|[\u00AD\u061C\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]|(?<=[\p{L}\p{N}])[\uFE00-\uFE0F](?=[\p{L}\p{N}])|(?<=\p{Script=Latin}\p{M}?)[\u200B-\u200D](?=\p{Script=Latin})|(?<=\p{Script=Devanagari})[\u200C\u200D](?=\p{Script=Devanagari}))`;
// Backticks may also stand around code of one letter.
const apostrophe = String.raw`(?<apostrophe>(?<=\p{L})[´‘‛′ʼ](?=\p{L})|(?<=\p{L}{2})\x60(?=\p{L})|(?<=\p{L})\x60(?=\p{L}{2}))`;
// What an editor changed in a quotation: `[T]he`, `turn[ing]`
const edited = String.raw`\[(?<edited>(?<!\p{L}\[)\p{L}{1,2}(?=\]\p{Ll})|(?<=\p{L}{2}\[)(?:ing|ed|es|s|er|ly|al)(?=\]))\]`;
const variants = new RegExp(
  [composed, compatible, raised, hyphen, numberSpace, negative, small, invisible, apostrophe, edited].join('|'),
  'gu',
);

/**
 * Folds variants of characters: composes letters with their marks, makes full-width, enclosed, mathematical and small
 * capital letters plain, opens ligatures and squared units (㎏), drops invisible characters, and reads an accent or a
 * quotation mark between two letters as an apostrophe, removes brackets around letters of a word, and makes plain the
 * hyphens, the spaces in numbers and the raised letters of ordinals. Exponents, indexes and fractions stay.
 */
export function fold(written: string): FoldedText {
  return foldMatches(written, variants, ({ groups }) => replacement(groups!));
}

/**
 * Replaces the matches of a pattern.
 * @param pattern with the flag `g`
 */
export function foldMatches(
  written: string,
  pattern: RegExp,
  replace: (match: RegExpMatchArray) => string,
): FoldedText {
  let text = '';
  let end = 0;
  const sources: number[] = [];
  const copy = (until: number) => {
    for (let index = end; index < until; index++) sources.push(index);
    text += written.slice(end, until);
  };
  for (const match of written.matchAll(pattern)) {
    const folded = replace(match);
    copy(match.index);
    end = match.index + match[0].length;
    for (let index = 0; index < folded.length; index++) sources.push(index === 0 ? match.index : end);
    text += folded;
  }
  if (end === 0) return unfolded(written);
  copy(written.length);
  const sourceOf = (index: number) => sources[index] ?? written.length;
  // What was dropped at the beginning belongs to the first character.
  return { text, sourceOf, written: (from, to) => written.slice(from === 0 ? 0 : sourceOf(from), sourceOf(to)) };
}

/** A text as it is. */
export function unfolded(text: string): FoldedText {
  return { text, sourceOf: (index) => index, written: (from, to) => text.slice(from, to) };
}

/** The symbol that a character for a whole unit stands for: `㎡` → `m²`, `㎧` → `m/s`. */
export function squaredUnit(character: string): string {
  return character.normalize('NFKC').replace('∕', '/').replace(/2$/, '²').replace(/3$/, '³');
}

function replacement(groups: Record<string, string>): string {
  const { composed, compatible, raised, hyphen, numberSpace, negative, small, apostrophe, edited } = groups;
  if (edited) return edited;
  if (raised) return raised.normalize('NFKC');
  if (hyphen) return '-';
  if (numberSpace) return '\u202F';
  // A variation selector is a mark, too.
  if (composed) return composed.replace(/[\uFE00-\uFE0F]/g, '').normalize('NFC');
  if (compatible) return /[㍱-㏿]/.test(compatible) ? squaredUnit(compatible) : compatible.normalize('NFKC');
  if (negative) return String.fromCharCode(65 + ((negative.codePointAt(0)! - 0x1f150) % 32));
  if (small) return Array.from(small, (letter) => String.fromCharCode(97 + smallCapitals.indexOf(letter))).join('');
  return apostrophe ? "'" : '';
}
