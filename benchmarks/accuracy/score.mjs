import { align, count, runs, stretches } from './alignment.mjs';
import { tokens } from './normalize.mjs';

/** Words that are missing or added in a row count as a run from this number on. */
const MIN_RUN = 4;
/** Runs kept of each set. */
const MAX_RUNS = 8;
/** Words of a stretch: about a sentence, whose errors hang together. */
const STRETCH = 20;

/**
 * Scores one set.
 * @param set as sets.mjs prepares it
 * @param answers by file name, as systems.mjs gives them
 * @returns counts of words or characters over all files; the longest runs of lost and of added words, with file and time;
 *   errors in stretches of 20 words; for sounds the files in which something was said; for translations chrF
 */
export function score(set, answers) {
  const files = set.files.filter(({ name }) => answers[name]);
  const scored = files.map((file) => scoreFile(file, answers[file.name]));
  const longest = (key) =>
    scored
      .flatMap((each) => each[key])
      .sort((a, b) => b.words - a.words)
      .slice(0, MAX_RUNS);
  const languages = [...new Set(files.map(({ language }) => language))];
  return {
    files: files.length,
    minutes: files.reduce((sum, { seconds }) => sum + seconds, 0) / 60,
    ...sumOf(scored.map(({ counts }) => counts)),
    byLanguage: Object.fromEntries(
      languages.map((language) => [
        language,
        sumOf(scored.filter((_, index) => files[index].language === language).map(({ counts }) => counts)),
      ]),
    ),
    ...(set.measure === 'errors' && { stretches: scored.flatMap((each) => each.stretches) }),
    // A translation may put things in other words.
    lost: set.measure === 'chrf' ? [] : longest('lost'),
    added: set.measure === 'chrf' ? [] : longest('added'),
    ...(set.measure === 'silence' && {
      // Annotations such as [MUSIC] are not words.
      spoke: scored.filter(({ counts }) => counts.insertions > 0).map(({ name, said }) => ({ name, said })),
    }),
    ...(set.measure === 'chrf' && { chrf: chrf(files.map(({ text, name }) => [text, textOf(answers[name])])) }),
  };
}

/** Sums of counts. */
export function sumOf(counts) {
  const total = { words: 0, deletions: 0, insertions: 0, substitutions: 0 };
  for (const each of counts) for (const key of Object.keys(total)) total[key] += each[key];
  return total;
}

/** Word error rate in percent. */
export const errorRate = ({ words, deletions, insertions, substitutions }) =>
  (100 * (deletions + insertions + substitutions)) / words;

const textOf = ({ segments }) =>
  segments
    .map(({ text }) => text.trim())
    .join(' ')
    .trim();

function scoreFile({ name, text, language, seconds }, answer) {
  const meant = tokens(text, language);
  const said = tokens(textOf(answer), language);
  const path = align(meant, said);
  const timeOf = times(answer.segments, language, said.length, seconds);
  const describe = (words) => (run) => ({
    file: name,
    ...span(path, run, timeOf, seconds),
    words: run.words.length,
    text: run.words.map((index) => words[index]).join(' '),
  });
  return {
    name,
    said: textOf(answer),
    counts: count(path, meant, said),
    stretches: stretches(path, meant, said, STRETCH),
    lost: runs(path, 'said', MIN_RUN).map(describe(meant)),
    added: runs(path, 'meant', MIN_RUN).map(describe(said)),
  };
}

/** Start and end of each word that was said, spread evenly over its segment. */
function times(segments, language, length, seconds) {
  const spread = segments.flatMap(({ start, end, text }) => {
    const { length: words } = tokens(text, language);
    const each = (end - start) / words;
    return Array.from({ length: words }, (_, index) => [start + index * each, start + (index + 1) * each]);
  });
  // Numbers that are joined across segments make the whole text shorter than its segments.
  return (index) => spread[Math.min(spread.length - 1, Math.round((index * spread.length) / length))] ?? [0, seconds];
}

/** Where in the file a run is: from the word before it to the word after it. */
function span(path, { first, last }, timeOf, seconds) {
  const before = path.slice(0, first).findLast(({ said }) => said !== undefined);
  const after = path.slice(last + 1).find(({ said }) => said !== undefined);
  return {
    start: Math.round(10 * (before ? timeOf(before.said)[1] : 0)) / 10,
    end: Math.round(10 * (after ? timeOf(after.said)[0] : seconds)) / 10,
  };
}

/**
 * chrF2 of a corpus (Popović 2015): the F-score of character n-grams up to six, recall twice as important, in percent.
 * @param pairs of reference and hypothesis
 */
export function chrf(pairs) {
  const ORDER = 6;
  const BETA = 2;
  let sum = 0;
  for (let order = 1; order <= ORDER; order++) {
    let hits = 0;
    let expected = 0;
    let given = 0;
    for (const [reference, hypothesis] of pairs) {
      const wanted = grams(reference, order);
      const found = grams(hypothesis, order);
      for (const [gram, times] of wanted) {
        expected += times;
        hits += Math.min(times, found.get(gram) ?? 0);
      }
      for (const times of found.values()) given += times;
    }
    const precision = given && hits / given;
    const recall = expected && hits / expected;
    if (hits > 0) sum += ((1 + BETA ** 2) * precision * recall) / (BETA ** 2 * precision + recall);
  }
  return (100 * sum) / ORDER;
}

function grams(text, order) {
  const characters = text.toLowerCase().replace(/\s+/g, '');
  const counts = new Map();
  for (let index = 0; index + order <= characters.length; index++) {
    const gram = characters.slice(index, index + order);
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}
