import { seeded } from '../accuracy/random.mjs';
import { readWav } from '../measure.mjs';
import { prepare, shuffled } from './conversations.mjs';

/** Speakers with at least this many seconds are worth a long conversation. */
const ENOUGH = 55;
const COUNTS = [2, 3, 4, 5, 6, 7, 8];

/**
 * The sets of one half of the speakers: `tuning` or `test`.
 * @param sources speakers of each source, as `speakersOf` gives them; absent ones are left out
 */
export function setsOf(half, { readers = [], others = [], sorbian = [], speeches = [], kokoro = [] }) {
  const parity = half === 'tuning' ? 0 : 1;
  const seed = parity + 1;
  const random = seeded(seed);
  const mine = (speakers) => speakers.filter((_, index) => index % 2 === parity);
  const shortReaders = shuffled(mine(readers.filter(({ seconds }) => seconds >= 10)), random);
  const longSorbian = mine(sorbian.filter(({ seconds }) => seconds >= ENOUGH));
  const takeTurns = (speakers, counts) =>
    counts.filter((count) => count <= speakers.length).map((count) => shuffled(speakers, random).slice(0, count));
  const sets = [
    {
      name: 'readers',
      what: 'LibriSpeech, 15 s of each speaker',
      groups: consecutive(shortReaders, [...COUNTS, 2, 3, 4]),
    },
    {
      name: 'long',
      what: 'LibriSpeech, at least a minute of each speaker',
      groups: takeTurns(mine(others), [2, 3, 4, 5]),
    },
    {
      name: 'sorbian',
      what: 'Common Voice in Upper Sorbian',
      groups: takeTurns(longSorbian, [2, 3, 4, 5, 6]),
    },
    {
      name: 'short turns',
      what: 'turns of 1 to 3 s',
      lengths: [1, 3],
      groups: [...takeTurns(mine(others), [2, 4]), ...takeTurns(longSorbian, [2, 3])],
    },
    {
      name: 'one speaker',
      what: 'LibriSpeech, speeches, Common Voice, 10 s to 5 minutes',
      groups: [
        ...shortReaders.slice(-5).map((speaker) => [speaker]),
        ...mine(others).map((speaker) => [speaker]),
        ...longSorbian.map((speaker) => [speaker]),
        ...parts(speeches, parity).map((speaker) => [speaker]),
      ],
    },
    ...['pink noise at 10 dB', 'telephone'].map((condition) => ({
      name: condition,
      what: `${condition}, LibriSpeech and Common Voice`,
      condition,
      groups: [
        ...takeTurns(mine(others), [2, 4]),
        ...takeTurns(longSorbian, [2, 3]),
        ...consecutive(shortReaders, [5]),
      ],
    })),
    {
      name: 'kokoro',
      what: "Kokoro's voices",
      groups: takeTurns(mine(kokoro), [2, 3, 4, 5]),
    },
  ];
  return sets.filter(({ groups }) => groups.length > 0).map((set) => ({ ...set, seed }));
}

/** Groups of these sizes, one after the other, as long as there are speakers. */
function consecutive(speakers, sizes) {
  const groups = [];
  let taken = 0;
  for (const size of sizes) {
    groups.push(speakers.slice(taken, taken + size));
    taken += size;
  }
  return groups.filter((group, index) => group.length === sizes[index]);
}

/** Half of a speaker's recordings. */
const parts = (speakers, parity) =>
  speakers.map((speaker) => ({ ...speaker, clips: speaker.clips.filter((_, index) => index % 2 === parity) }));

/** An hour of eight speakers, of both halves: for time and memory as much as for errors. */
export const hourOf = ({ sorbian = [] }) => ({
  name: 'hour',
  what: 'an hour of seven speakers of Common Voice',
  seed: 3,
  most: 3600,
  groups: [[...sorbian].sort((a, b) => b.seconds - a.seconds).slice(0, 8)].filter((group) => group.length === 8),
});

/** Writes the sets, unless they are there. */
export function prepareSets(half, sources, folder) {
  const talkers = (sources.others ?? []).slice(0, 4).map(({ clips }) => readWav(clips[0]));
  const sets = half === 'hour' ? [hourOf(sources)] : setsOf(half, sources);
  return sets
    .filter(({ groups }) => groups.length > 0)
    .map((set) => ({ ...prepare(set, { folder: `${folder}/${half}`, talkers }), what: set.what }));
}
