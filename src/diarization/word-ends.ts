const sentenceEnd = /[.!?…。！？｡．।॥؟۔։።]["'”’»」』)\]）]*$/u;
const abbreviation = /^["'“‘(]*(?:Mr|Mrs|Ms|Dr|St|Prof|Sr|Jr|vs|\p{Lu})\.$/u;
const clauseEnd = /(?:[,;:،؛、，；：—–]|--)["'”’»」』)\]）]*$/u;

/** Whether a word of a transcript ends a sentence, in any script. */
export function endsSentence(word: string): boolean {
  return sentenceEnd.test(word) && !abbreviation.test(word);
}

/** Whether a word of a transcript ends a clause within a sentence. */
export function endsClause(word: string): boolean {
  return clauseEnd.test(word);
}

const shortWord = /^["'“‘«(¿¡]*[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}]{1,3}$/u;
const startsCapital = /^["'“‘«(]*\p{Lu}/u;
const closingMark = /\P{L}$/u;

/**
 * Whether a word of a transcript belongs to the next one, so that no line should end between them: a short word, which
 * in European languages mostly is an article, a preposition or a conjunction, a title or initial, or a part of a name.
 */
export function bindsNext(word: string, next: string): boolean {
  if (shortWord.test(word) || abbreviation.test(word)) return true;
  return startsCapital.test(word) && !closingMark.test(word) && startsCapital.test(next);
}
