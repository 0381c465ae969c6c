/** A word or a piece of punctuation while its time is being worked out. */
export interface WordTime {
  /** As decoded, with its leading blank. */
  text: string;
  /** Seconds. */
  start: number;
  end: number;
  /** Mean probability of its tokens. */
  probability: number;
}

/** The usual length of a word in these, and the longest that is believed, in seconds. */
export interface WordLength {
  usual: number;
  longest: number;
}

/** From the median of the words' lengths, as the reference has it; zeros where there are no words. */
export function wordLength(words: readonly WordTime[]): WordLength {
  const lengths = words
    .map(({ start, end }) => end - start)
    .filter((length) => length !== 0)
    .sort((a, b) => a - b);
  if (lengths.length === 0) return { usual: 0, longest: 0 };
  const half = lengths.length / 2;
  const usual = Math.min(0.7, (lengths[Math.ceil(half) - 1]! + lengths[Math.floor(half)]!) / 2);
  return { usual, longest: 2 * usual };
}

const SENTENCE_END = '.。!！?？';

/** Attention lingers where a sentence ends: punctuation, and the word after it, may be no longer than a word. */
export function shortenAtSentenceEnds(words: readonly WordTime[], { longest }: WordLength): void {
  if (longest === 0) return;
  for (const [index, word] of words.entries()) {
    const before = words[index - 1];
    if (!before || word.end - word.start <= longest) continue;
    if (SENTENCE_END.includes(word.text)) word.end = word.start + longest;
    else if (SENTENCE_END.includes(before.text)) word.start = word.end - longest;
  }
}

const OPENING = '"\'“¿([{-';
const CLOSING = '"\'.。,，!！?？:：”)]}、';

/** In French these stand apart from the word before them, and are no words for that. */
const CLOSING_APART = '!?:;»';

/** Joins punctuation to the word that it belongs to. The word keeps its own time. */
export function joinPunctuation(words: readonly WordTime[]): WordTime[] {
  const forward: WordTime[] = [];
  let opening: WordTime[] = [];
  for (const word of words) {
    if (word.text.startsWith(' ') && OPENING.includes(word.text.trim())) {
      opening.push(word);
      continue;
    }
    forward.push({ ...word, text: [...opening, word].map(({ text }) => text).join('') });
    opening = [];
  }
  // Nothing follows what opens at the very end: the last of it stands for a word.
  const last = opening.at(-1);
  if (last) forward.push({ ...last, text: opening.map(({ text }) => text).join('') });

  const joined: WordTime[] = [];
  for (const word of forward) {
    const before = joined.at(-1);
    const closes = CLOSING.includes(word.text) || (word.text.trim() !== '' && CLOSING_APART.includes(word.text.trim()));
    if (before && !before.text.endsWith(' ') && closes) before.text += word.text;
    else joined.push({ ...word });
  }
  return joined;
}

/** A segment's time, from its timestamps at first. Seconds from the start of the recording, as its words'. */
export interface TimedSegment {
  start: number;
  end: number;
  words: WordTime[];
}

/**
 * Settles the times of segments and words between timestamps and attention: the first words after a pause are not
 * believed if they are long, nor is a word at either end of a segment that exceeds its timestamp by half a second.
 * @param lastSpeech where the segment before the first of these ended
 */
export function settleSegments(
  segments: readonly TimedSegment[],
  { usual, longest }: WordLength,
  lastSpeech: number,
): void {
  let spokenUntil = lastSpeech;
  for (const segment of segments) {
    const [first, second] = segment.words;
    const last = segment.words.at(-1);
    if (!first || !last) continue;
    const long = first.end - first.start > longest || (second !== undefined && second.end - first.start > 2 * longest);
    if (first.end - spokenUntil > 4 * usual && long) {
      if (second && second.end - second.start > longest) {
        const border = Math.max(second.end / 2, second.end - longest);
        first.end = border;
        second.start = border;
      }
      first.start = Math.max(0, first.end - longest);
    }
    if (segment.start < first.end && segment.start - 0.5 > first.start) {
      first.start = Math.max(0, Math.min(first.end - usual, segment.start));
    } else {
      segment.start = first.start;
    }
    if (segment.end > last.start && segment.end + 0.5 < last.end) {
      last.end = Math.max(last.start + usual, segment.end);
    } else {
      segment.end = last.end;
    }
    spokenUntil = segment.end;
  }
}
