import type { SpokenToken } from '../../types.ts';
import type { UserLexicon } from '../../user-lexicon.ts';

/** One word to pronounce, with the punctuation around it; or punctuation by itself. */
export interface SpokenWord {
  text: string;
  /** A given pronunciation, in place of the text's own. */
  ipa?: string;
  /** Index of the token it came from. */
  token: number;
  /** Whether no blank stands before it. */
  joined: boolean;
}

/** The name of the letter, in both accents. */
const LETTER_A = 'ˈA';
const CLOSING = /^[;:,.!?…”)]+$/;
/** Words that begin with an apostrophe, which normalization takes for a quotation mark. */
const CLIPPED =
  /^[^\p{L}]*['’‘](em|tis|twas|twere|twill|twould|til|bout|cause|round|gainst|mongst|neath|pon|tween|un)(?!\p{L})/iu;
const MARKS = /^[\s"“”'‘’()[\].,;:!?…—-]+|[\s"“”'‘’()[\].,;:!?…—-]+$/gu;
const EDGES = /^[^\p{L}]+|[^\p{L}]+$/gu;

/**
 * The words of normalized tokens. Normalization writes for any voice: it sets the letters of an acronym apart and drops
 * the hyphens of compounds. Here they come back, since they tell where the stress goes; numbers keep their words apart.
 */
export function spokenWords(tokens: readonly SpokenToken[], entries?: UserLexicon): SpokenWord[] {
  const words: SpokenWord[] = [];
  // Where not all is in capitals, a word in capitals is said louder.
  const mixedCase = tokens.some(({ written }) => /\p{Ll}/u.test(written));
  for (const [token, { written, spoken, ipa }] of tokens.entries()) {
    const listed = entries && ipa === undefined ? given(written, spoken, entries) : undefined;
    if (ipa !== undefined) words.push({ text: spoken, ipa, token, joined: false });
    else if (listed) words.push(...listed.map((word) => ({ ...word, token })));
    else {
      for (const word of splitWords(asWritten(written, spoken, mixedCase))) {
        // A4, A/B: normalization writes the article as a small letter.
        words.push({ ...word, token, ...(word.text === 'A' && written !== spoken && { ipa: LETTER_A }) });
      }
    }
  }
  let quoted = false;
  let before: SpokenWord | undefined;
  for (const word of words) {
    word.text = word.text.replace(/"/g, () => {
      quoted = !quoted;
      return quoted ? '“' : '”';
    });
    const afterDash = before?.joined === true && before.text === '—' && before.token !== word.token;
    if (afterDash || (CLOSING.test(word.text) && before !== undefined)) word.joined = true;
    before = word;
  }
  return words;
}

/** Text as words: one by one, those that stand together without a blank but with a mark between them apart. */
export function splitWords(text: string): { text: string; joined: boolean }[] {
  // Looking ahead before looking back keeps a long run of marks from being walked through at each of them.
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

/** What the user's lexicon has for a token as it was written, without the punctuation around it. */
export function listedAsWritten(written: string, entries: UserLexicon): { text: string; ipa: string } | undefined {
  const text = written.replace(MARKS, '');
  const ipa = text && entries.pronounce(text);
  return ipa ? { text, ipa } : undefined;
}

/** A word that the user's lexicon has as it was written, and the punctuation around it. */
function given(written: string, spoken: string, entries: UserLexicon): Omit<SpokenWord, 'token'>[] | undefined {
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
  const said = spoken.replace(EDGES, '');
  if (said !== word && /^[\p{L}\p{M}'’-]+$/u.test(word)) {
    const same = flat(word) === flat(said);
    const compound = word.includes('-') || /\p{Ll}\p{Lu}/u.test(word);
    const spelled = /(?<!\p{L})\p{L} \p{L}(?!\p{L})/u.test(said);
    const loud = mixedCase && word.length > 2 && word === word.toUpperCase() && said === word.toLowerCase();
    if (same && ((compound && !spelled) || loud)) return spoken.replace(said, () => word);
  }
  const [, clipped] = CLIPPED.exec(written) ?? [];
  if (clipped !== undefined)
    return spoken.replace(new RegExp(`(?<![\\p{L}'’])${clipped}(?!\\p{L})`, 'u'), `'${clipped}`);
  return initials(spoken);
}

/** Letters only, in lower case. */
function flat(text: string): string {
  return text.toLowerCase().replace(/[\s-]/g, '').replaceAll('’', "'");
}

/** `F B I's` → `F.B.I's` */
function initials(spoken: string): string {
  return spoken.replace(/(?<!\p{L})(?:\p{Lu} )+\p{Lu}(?!\p{L})/gu, (letters) => letters.replaceAll(' ', '.'));
}
