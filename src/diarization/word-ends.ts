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
