import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { activeLevel, babble, mix, pink, RATE, telephone } from '../accuracy/noise.mjs';
import { seeded } from '../accuracy/random.mjs';
import { concatenate, writeWhole } from '../accuracy/speech.mjs';
import { readWav, wavFile } from '../measure.mjs';
import { speechIn, turnsOf } from './turns.mjs';
import { SAME_PERSON } from './voices.mjs';

/** Root mean square of a speaker's speech, -26 dBFS, and decibels that speakers may be quieter. */
const LEVEL = 0.05;
const QUIETER = 6;
/** Of the room, -60 dBFS. */
const ROOM = 0.001;
/** Seconds between two turns. */
const PAUSES = [0.1, 1];

/**
 * A conversation of speakers who take turns until only one has more to say, or `most` seconds are over.
 * @param lengths seconds of the shortest and the longest turn; their logarithms are even
 * @returns samples, and the true turns in seconds
 */
export function conversation(speakers, { seed, most = 180, lengths = [1, 15] }) {
  const random = seeded(seed);
  const between = ([low, high]) => low * (high / low) ** random();
  const voices = speakers.map(({ speaker, clips }) => {
    const gain = LEVEL * 10 ** ((-QUIETER * random()) / 20);
    const turns = shuffled(clips, random).flatMap((clip) => {
      const samples = readWav(clip);
      const scale = gain / activeLevel(samples);
      return turnsOf(samples, () => between(lengths)).map((turn) => turn.map((sample) => scale * sample));
    });
    return { speaker, turns };
  });
  const parts = [];
  const truth = [];
  const heard = new Set();
  let length = 0;
  let last;
  const add = (samples) => {
    parts.push(samples);
    length += samples.length;
  };
  while (length < most * RATE) {
    const left = voices.filter(({ turns }) => turns.length > 0);
    const free = left.filter((voice) => voice !== last || voices.length === 1);
    // Speakers who have not spoken yet come first.
    const silent = free.filter(({ speaker }) => !heard.has(speaker));
    const choice = silent.length > 0 ? silent : free;
    const next = choice[Math.floor(random() * choice.length)];
    if (!next) break;
    const turn = next.turns.shift();
    heard.add(next.speaker);
    add(new Float32Array(Math.round(between(PAUSES) * RATE)));
    const start = length / RATE;
    for (const span of speechIn(turn)) {
      const speaker = SAME_PERSON[next.speaker] ?? next.speaker;
      truth.push({ start: start + span.start, end: start + span.end, speaker });
    }
    add(turn);
    last = next;
  }
  const samples = concatenate(parts);
  const room = pink(samples.length, seed);
  const scale = ROOM / activeLevel(room);
  return { samples: samples.map((sample, index) => sample + scale * room[index]), truth };
}

/** Worse forms of a conversation's sound. */
const CONDITIONS = {
  clean: (samples) => samples,
  'pink noise at 10 dB': (samples, { seed }) => mix(samples, pink(samples.length, seed), 10),
  'babble at 10 dB': (samples, { seed, talkers }) => mix(samples, babble(talkers, samples.length, seed), 10),
  telephone: (samples) => telephone(samples),
};

/**
 * Writes a set of conversations, unless it is there: `{ name, files: [{ name, path, seconds, truth, speakers }] }`.
 * @param set.groups lists of speakers, one for each conversation
 */
export function prepare(set, { folder, talkers }) {
  const { name, groups, condition = 'clean', ...options } = set;
  const target = join(folder, name);
  const manifest = join(target, 'files.json');
  if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8'));
  mkdirSync(target, { recursive: true });
  const files = groups.map((speakers, index) => {
    const seed = 1000 * options.seed + index;
    const { samples, truth } = conversation(speakers, { ...options, seed });
    const path = join(target, `${String(index).padStart(2, '0')}-${speakers.length}.wav`);
    const worse = CONDITIONS[condition](samples, { seed, talkers });
    writeWhole(path, wavFile(worse.map((sample) => Math.max(-1, Math.min(1, sample)))));
    return {
      name: path.slice(folder.length + 1),
      path,
      seconds: samples.length / RATE,
      truth,
      speakers: new Set(truth.map(({ speaker }) => speaker)).size,
    };
  });
  const prepared = { name, files };
  writeWhole(manifest, JSON.stringify(prepared, null, 1));
  return prepared;
}

export function shuffled(list, random) {
  const rest = [...list];
  return list.map(() => rest.splice(Math.floor(random() * rest.length), 1)[0]);
}
