/**
 * The shortest edit between two lists of words (Levenshtein): for each step the index in `meant` and in `said`; a deletion
 * has no `said`, an insertion no `meant`. Of equal edits the one that keeps matches latest, so that what is missing at one
 * place stays together.
 */
export function align(meant, said) {
  const columns = said.length + 1;
  const MATCH = 0;
  const DELETION = 1;
  const INSERTION = 2;
  const steps = new Uint8Array((meant.length + 1) * columns);
  let above = Int32Array.from({ length: columns }, (_, column) => column);
  steps.fill(INSERTION, 1, columns);
  for (let row = 1; row <= meant.length; row++) {
    const current = new Int32Array(columns);
    current[0] = row;
    steps[row * columns] = DELETION;
    const word = meant[row - 1];
    for (let column = 1; column < columns; column++) {
      let best = above[column - 1] + (said[column - 1] === word ? 0 : 1);
      let step = MATCH;
      if (above[column] + 1 < best) {
        best = above[column] + 1;
        step = DELETION;
      }
      if (current[column - 1] + 1 < best) {
        best = current[column - 1] + 1;
        step = INSERTION;
      }
      current[column] = best;
      steps[row * columns + column] = step;
    }
    above = current;
  }
  const path = [];
  let row = meant.length;
  let column = said.length;
  while (row > 0 || column > 0) {
    const step = steps[row * columns + column];
    if (step === MATCH) path.push({ meant: --row, said: --column });
    else if (step === DELETION) path.push({ meant: --row });
    else path.push({ said: --column });
  }
  return path.reverse();
}

/** Counts of an alignment. */
export function count(path, meant, said) {
  const counts = { words: meant.length, deletions: 0, insertions: 0, substitutions: 0 };
  for (const step of path) {
    if (step.said === undefined) counts.deletions++;
    else if (step.meant === undefined) counts.insertions++;
    else if (meant[step.meant] !== said[step.said]) counts.substitutions++;
  }
  return counts;
}

/**
 * Errors in each stretch of so many words that were meant; the last one of a text may be shorter.
 * @returns {{ words: number, errors: number }[]}
 */
export function stretches(path, meant, said, length) {
  const found = [];
  // Text without words has no place to count additions.
  if (meant.length === 0) return found;
  for (let start = 0; start < meant.length; start += length) {
    found.push({ words: Math.min(length, meant.length - start), errors: 0 });
  }
  let at = 0;
  for (const step of path) {
    // An addition counts at the word before it.
    at = step.meant ?? at;
    if (meant[step.meant] !== said[step.said]) found[Math.floor(at / length)].errors++;
  }
  return found;
}

/**
 * Stretches in which words are missing, or added: at least `minWords` of them, with no two matches in a row between.
 * @param missing `said` for words that were not recognized, `meant` for words that nobody said
 * @returns for each the indices of its words, and of the last step before and the first after
 */
export function runs(path, missing, minWords) {
  const found = [];
  let run;
  const close = () => {
    if (run && run.words.length >= minWords) found.push(run);
    run = undefined;
  };
  let others = 0;
  for (const [index, step] of path.entries()) {
    if (step[missing] === undefined) {
      run ??= { words: [], first: index, last: index };
      run.words.push(missing === 'said' ? step.meant : step.said);
      run.last = index;
      others = 0;
    } else if (++others === 2) close();
  }
  close();
  return found;
}
