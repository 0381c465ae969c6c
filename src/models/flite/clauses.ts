import type { Joint } from '../../contracts/synthesis.ts';
import type { Word } from './words.ts';

/** Words that are spoken in one go. */
export interface Clause {
  words: Word[];
  joint: Joint;
}

/**
 * Letters of the first part when somebody waits for it: less than two seconds of speech, which take about 30 ms to make.
 * A sentence that is little longer is left whole.
 */
const FIRST_LETTERS = 26;
/**
 * Letters that are spoken in one go otherwise, about 7 s of speech: one turn among the jobs. Nothing interrupts it, so that
 * a client who hangs up is still worked for until it ends, about 70 ms.
 */
const MOST_LETTERS = 110;
const LITTLE_LONGER = 1.5;

/** Words that a phrase begins with: before them a reader may pause. */
const openers = new Set(
  `and but or nor so yet because although though since unless until while whereas when where if which who whom
  whose why how than as after before in on at of for from with without into onto over under about through between
  during against among towards across behind beyond near by to is are was were will would`.split(/\s+/),
);
/** Words that lean on the next one: after them nobody pauses. */
const proclitics = new Set(
  `a an the my your his her its our their this that these those some any no every each very too i you he she it we they
  mister mr mrs ms doctor dr saint st`.split(/\s+/),
);

/**
 * Cuts a sentence into parts: none where it is short enough, else at punctuation, before a phrase, or where it must be.
 * @param first whether the first part should be short, so that it is there soon
 * @param speed of the speech: slow speech is more work for as many letters
 */
export function cutClauses(words: readonly Word[], { first, speed }: { first: boolean; speed: number }): Clause[] {
  const clauses: Clause[] = [];
  // Half a sentence of slow speech is as much work as a whole one, but less would be no phrase any more.
  const most = MOST_LETTERS * Math.max(0.5, Math.min(1, speed));
  let begin = 0;
  while (begin < words.length) {
    const soon = first && begin === 0;
    const end = clauseEnd(words, begin, soon ? FIRST_LETTERS * Math.min(1, speed) : most);
    clauses.push({ words: words.slice(begin, end), joint: jointAfter(words[end - 1]!, end === words.length) });
    begin = end;
  }
  return clauses;
}

/** Index after the last word of the part that begins at a word. */
function clauseEnd(words: readonly Word[], begin: number, letters: number): number {
  const furthest = endOfRoom(words, begin, letters * LITTLE_LONGER);
  if (furthest === words.length) return furthest;
  const within = endOfRoom(words, begin, letters);
  let best = within;
  let bestRank = 0;
  for (let end = begin + Math.max(1, Math.floor((within - begin) / 3)); end <= furthest; end++) {
    const rank = cutRank(words[end - 1]!, words[end]!);
    // The latest of the best ones; beyond the limit only for want of a good one.
    if (end <= within ? rank >= bestRank : rank > bestRank && bestRank < 2) {
      best = end;
      bestRank = rank;
    }
  }
  return best;
}

/** Index after the last word that is within so many letters; one word at least. */
function endOfRoom(words: readonly Word[], begin: number, letters: number): number {
  let used = 0;
  for (let index = begin; index < words.length; index++) {
    used += lettersOf(words[index]!) + 1;
    if (used > letters) return Math.max(begin + 1, index);
  }
  return words.length;
}

function lettersOf({ text, phones }: Word): number {
  if (phones) return phones.split(' ').length;
  // A digit is a word or two to say.
  return /\d/.test(text) ? 6 * text.length : text.length;
}

/** How well a sentence can be cut between two words: 0 is not at all. */
function cutRank(before: Word, after: Word): number {
  // A caption belongs to one part.
  if (before.token === after.token) return 0;
  if (before.punctuation !== '') return before.punctuation === ',' ? 3 : 4;
  if (proclitics.has(before.text) || openers.has(before.text)) return 0;
  return openers.has(after.text) ? 2 : 1;
}

function jointAfter({ punctuation }: Word, last: boolean): Joint {
  if (punctuation === '') return last ? 'sentence' : 'within a clause';
  return '.!?'.includes(punctuation) ? 'sentence' : 'clause';
}
