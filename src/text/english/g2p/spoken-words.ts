import type { SpokenToken } from '../../types.ts';
import type { UserLexicon } from '../../user-lexicon.ts';

/** A word to pronounce with the punctuation around it, or punctuation by itself. */
export interface SpokenWord {
  text: string;
  /** A given pronunciation, which overrides the text's own. */
  ipa?: string;
  /** Index of its token. */
  token: number;
  /** Whether no space precedes it. */
  joined: boolean;
}

/** The letter's name, in both accents. */
const LETTER_A = 'ˈA';
const CLOSING = /^[;:,.!?…”)]+$/;
/** Words with an initial apostrophe, which normalization takes for a quotation mark. */
const CLIPPED =
  /^[^\p{L}]*['’‘](em|tis|twas|twere|twill|twould|til|bout|cause|round|gainst|mongst|neath|pon|tween|un)(?!\p{L})/iu;
const MARKS = /^[\s"“”'‘’()[\].,;:!?…—-]+|[\s"“”'‘’()[\].,;:!?…—-]+$/gu;
const EDGES = /^[^\p{L}]+|[^\p{L}]+$/gu;

/**
 * The words of normalized tokens. Normalization separates the letters of acronyms and drops the hyphens of compounds;
 * this restores them, because stress depends on them.
 */
export function spokenWords(tokens: readonly SpokenToken[], entries?: UserLexicon): SpokenWord[] {
  const words: SpokenWord[] = [];
  // In mixed case, a word in capitals is emphasized.
  const mixedCase = tokens.some(({ written }) => /\p{Ll}/u.test(written));
  for (const [token, { written, spoken, ipa }] of tokens.entries()) {
    const listed = entries && ipa === undefined ? listedWords(written, spoken, entries) : undefined;
    if (ipa !== undefined) words.push({ text: spoken, ipa, token, joined: false });
    else if (listed) words.push(...listed.map((word) => ({ ...word, token })));
    else {
      for (const word of splitWords(asWritten(written, spoken, mixedCase))) {
        // The letter of A4 and A/B: normalization writes the article in lower case.
        words.push({ ...word, token, ...(word.text === 'A' && written !== spoken && { ipa: LETTER_A }) });
      }
    }
  }
  let isQuoted = false;
  let previous: SpokenWord | undefined;
  for (const word of words) {
    word.text = word.text.replace(/"/g, () => {
      isQuoted = !isQuoted;
      return isQuoted ? '“' : '”';
    });
    const afterDash = previous?.joined === true && previous.text === '—' && previous.token !== word.token;
    if (afterDash || (CLOSING.test(word.text) && previous !== undefined)) word.joined = true;
    previous = word;
  }
  return words;
}

/** Splits text into words, at whitespace and at punctuation between letters. */
export function splitWords(text: string): { text: string; joined: boolean }[] {
  // Looking ahead before looking back keeps long runs of punctuation linear.
  const spaced = text
    .replace(/\.{3,}/g, '…')
    .replace(/[«»]/g, '"')
    .replace(/(?<=\s)[-–](?=\s)|--+|[–―]/g, '—')
    .replace(/(?<=[\p{L}\p{M}])[^\p{L}\p{M}\s'’.,;:!?…()—-]+(?=[\p{L}\p{M}])/gu, ' ')
    .replace(/(?=\p{L})(?<=[\p{L}\p{M}][,;:!?…)]+)|(?<=\p{L})(?=\()|(?<=\p{L}{2}\.)(?=\p{L}{2})/gu, ' ');
  let end = -1;
  return [...spaced.matchAll(/[^\s—]+|—/g)].map(({ 0: word, index }) => {
    const joined = index === end;
    end = index + word.length;
    return { text: word, joined };
  });
}

/** The user's entry for a token as written, without the punctuation around it. */
export function listedAsWritten(written: string, entries: UserLexicon): { text: string; ipa: string } | undefined {
  const text = written.replace(MARKS, '');
  const ipa = text && entries.pronounce(text);
  return ipa ? { text, ipa } : undefined;
}

/** The word of a token with a user's entry, and the punctuation around it. */
function listedWords(written: string, spoken: string, entries: UserLexicon): Omit<SpokenWord, 'token'>[] | undefined {
  const listed = listedAsWritten(written, entries);
  if (!listed) return undefined;
  const { text, ipa } = listed;
  const [opening] = /^[^\p{L}\p{N}]*/u.exec(spoken)!;
  const closing = opening === spoken ? '' : /[^\p{L}\p{N}]*$/u.exec(spoken)![0];
  return [
    { text: opening, joined: false },
    { text, ipa, joined: opening !== '' },
    { text: closing, joined: true },
  ].filter((word) => word.text !== '');
}

function asWritten(written: string, spoken: string, mixedCase: boolean): string {
  if (/\d/.test(written)) return initials(spoken.replace(/(?<=\p{L})-(?=\p{L})/gu, ' '));
  const word = written.replace(EDGES, '');
  const spokenWord = spoken.replace(EDGES, '');
  if (spokenWord !== word && /^[\p{L}\p{M}'’-]+$/u.test(word)) {
    const isSame = flat(word) === flat(spokenWord);
    const isCompound = word.includes('-') || /\p{Ll}\p{Lu}/u.test(word);
    const isSpelled = /(?<!\p{L})\p{L} \p{L}(?!\p{L})/u.test(spokenWord);
    const isEmphatic = mixedCase && word.length > 2 && word === word.toUpperCase() && spokenWord === word.toLowerCase();
    if (isSame && ((isCompound && !isSpelled) || isEmphatic)) return spoken.replace(spokenWord, () => word);
  }
  const [, clipped] = CLIPPED.exec(written) ?? [];
  if (clipped !== undefined)
    return spoken.replace(new RegExp(`(?<![\\p{L}'’])${clipped}(?!\\p{L})`, 'u'), `'${clipped}`);
  return initials(spoken);
}

/** Lower case without whitespace and hyphens. */
function flat(text: string): string {
  return text.toLowerCase().replace(/[\s-]/g, '').replaceAll('’', "'");
}

/** `F B I's` → `F.B.I's` */
function initials(spoken: string): string {
  return spoken.replace(/(?<!\p{L})(?:\p{Lu} )+\p{Lu}(?!\p{L})/gu, (letters) => letters.replaceAll(' ', '.'));
}
