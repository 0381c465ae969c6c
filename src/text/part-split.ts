/** A stretch of a sentence in a language that writes no blanks between its words. */
export interface Part {
  written: string;
  /** What stands for it in the text that is cut into words, never empty. */
  read: string;
  /** Whether it is read as it is written, code unit for code unit: its words may be cut anywhere. */
  plain?: true;
  /** What is said for it, where its own words do not tell: a number, a word in Latin letters. */
  said?: string;
  /** The punctuation mark of Kokoro's alphabet that it stands for, or a blank; nothing else is said. */
  mark?: string;
}

/** What stands at a place of a sentence and is not read as it is written; without `read` the written stands for it. */
export type Found = Omit<Part, 'written' | 'read' | 'plain'> & { end: number; read?: string };

/** Full-width letters, digits and signs, but for the comma and the full stop, as those of ASCII, one for one. */
export function halfWidth(text: string): string {
  return text.replace(/[！-～]/g, (character) =>
    '，．'.includes(character) ? character : String.fromCharCode(character.charCodeAt(0) - 0xfee0),
  );
}

/** What stands at a place; nothing where it is text like any other. `first`: nothing stands before it. */
export type ReadAt = (text: string, at: number, first: boolean) => Found | undefined;

/** The parts of a sentence. */
export function partsOf(written: string, readAt: ReadAt): Part[] {
  // A code unit for a code unit, so that every place in the one is the same place in the other.
  const text = halfWidth(written);
  const parts: Part[] = [];
  let plain = 0;
  const flush = (to: number) => {
    if (to > plain) parts.push({ written: written.slice(plain, to), read: text.slice(plain, to), plain: true });
  };
  for (let at = 0; at < text.length; ) {
    const found = readAt(text, at, at === 0);
    if (!found) {
      at += text.codePointAt(at)! > 0xffff ? 2 : 1;
      continue;
    }
    flush(at);
    const { end, ...part } = found;
    const original = written.slice(at, end);
    parts.push({ ...part, written: original, read: part.read || original });
    at = end;
    plain = end;
  }
  flush(text.length);
  return parts;
}

/** Words of a sentence that are written as one. */
export interface Group<Word> {
  written: string;
  words: Word[];
  /** Set where the group is this part and no other. */
  part?: Part;
}

/**
 * Groups the words of a sentence so that each of its parts with a reading or a mark is in one group.
 * @param words in order, together the text that is read, blanks left out
 */
export function groupWords<Word extends { surface: string }>(
  parts: readonly Part[],
  words: readonly Word[],
): Group<Word>[] {
  const text = parts.map(({ read }) => read).join('');
  const placed: { at: number; end: number; word: Word }[] = [];
  let searched = 0;
  for (const word of words) {
    const at = text.indexOf(word.surface, searched);
    if (at < 0) continue;
    searched = at + word.surface.length;
    placed.push({ at, end: searched, word });
  }
  const spans: { at: number; end: number; part: Part }[] = [];
  for (const part of parts) {
    const at = spans.at(-1)?.end ?? 0;
    spans.push({ at, end: at + part.read.length, part });
  }
  const groups: Group<Word>[] = [];
  let nextWord = 0;
  let nextSpan = 0;
  for (let at = 0; at < text.length; ) {
    const firstWord = nextWord;
    const firstSpan = nextSpan;
    let end = at + 1;
    for (;;) {
      const word = placed[nextWord];
      const span = spans[nextSpan];
      if (word && word.at < end) {
        end = Math.max(end, word.end);
        nextWord++;
      } else if (span && span.at < end) {
        if (!span.part.plain) end = Math.max(end, span.end);
        nextSpan++;
      } else break;
    }
    // A plain part goes on behind the group.
    const last = spans[nextSpan - 1];
    const touched = spans.slice(firstSpan, nextSpan);
    if (last && last.end > end) nextSpan--;
    const whole = touched.length === 1 && !touched[0]!.part.plain ? touched[0]!.part : undefined;
    groups.push({
      written: touched.map((span) => writtenOf(span, at, end)).join(''),
      words: placed.slice(firstWord, nextWord).map(({ word }) => word),
      ...(whole && { part: whole }),
    });
    at = end;
  }
  return groups;
}

function writtenOf({ at, end, part }: { at: number; end: number; part: Part }, from: number, to: number): string {
  if (!part.plain) return from <= at ? part.written : '';
  return part.written.slice(Math.max(0, from - at), Math.min(end, to) - at);
}
