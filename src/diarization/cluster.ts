import type { SpeakerTurn, VoiceSample } from '../contracts/speakers.ts';
import { agglomerate } from './linkage.ts';
import { smoothLabels } from './smoothing.ts';
import { joinedTurns } from './turns.ts';
import { centreOf, cohesion, dot, groupOf, joined, likeness, meanCohesion, type VoiceGroup } from './voice-group.ts';

// How the thresholds were chosen: docs/decisions/0032-speakers.md.

const SAMPLE_RATE = 16_000;
/** Samples that are compared with each other one by one: five minutes of speech. */
const BLOCK = 400;
/** Mean cosine above which samples certainly have the same voice. */
const PURE = 0.55;
/** Ratio of the mean cosine between two groups to that within them, above which they are one speaker. */
const SAME = 0.6;
/** The same for groups that are set apart. */
const SAME_APART = 0.75;
/**
 * Two groups are set apart if the cosine within them exceeds that between them by this share of its distance from 1.
 * Over a telephone all voices are similar, but each is even more similar to itself.
 */
const APART = 0.45;
/** Weight of the mean of all groups in the cohesion of one, as pairs of samples in square seconds. */
const PRIOR_PAIRS = 8;
/** Minimum seconds of a speaker. */
const MIN_SPEECH = 2;
/**
 * Minimum share of the speech of a speaker, up to a number of seconds: in long recordings unusual moments are similar,
 * too.
 */
const MIN_SHARE = 0.01;
const ENOUGH_SPEECH = 30;
/** Minimum gain of a change of speaker, as a cosine. */
const CHANGE_PENALTY = 0.06;
const ROUNDS = 3;
/** Cosine above which a speaker is a known one: pieces of one voice in other recordings have 0.7, of others at most 0.5. */
const KNOWN = 0.5;

export interface FindTurnsOptions {
  /** Voices of known speakers, of unit length. */
  known?: readonly Float32Array[] | undefined;
  /** Number of speakers, those with little speech left out; by default it is found. */
  count?: number | undefined;
}

/**
 * Who spoke when: groups the voices of a recording by speaker. The turns are sorted, do not overlap, and cover all samples.
 * Deterministic. Takes a second for an hour of speech, and four for four hours.
 * @param samples in any order; where two overlap, their middle is the boundary
 */
export function findTurns(samples: readonly VoiceSample[], options: FindTurnsOptions = {}): SpeakerTurn[] {
  const ordered = [...samples].sort((a, b) => a.start - b.start || a.end - b.end);
  if (ordered.length === 0) return [];
  const { known = [], count } = options;
  let speakers = firstSpeakers(ordered, count);
  let labels = nearest(ordered, speakers);
  for (let round = 1; round < ROUNDS; round++) {
    speakers = regrouped(ordered, labels);
    if (count === undefined) speakers = withEnoughSpeech(joinSame(speakers));
    labels = nearest(ordered, speakers);
  }
  return joinedTurns(ordered, speakerNumbers(labels, knownAmong(speakers, known)));
}

const weightOf = ({ start, end }: VoiceSample) => (end - start) / SAMPLE_RATE;

const nearest = (samples: readonly VoiceSample[], speakers: readonly VoiceGroup[]) =>
  smoothLabels(samples, speakers.map(centreOf), CHANGE_PENALTY);

/** In two levels: groups within each block of samples, then groups of these. */
function firstSpeakers(samples: readonly VoiceSample[], count: number | undefined): VoiceGroup[] {
  const pure: VoiceGroup[] = [];
  for (let first = 0; first < samples.length; first += BLOCK) {
    const block = samples.slice(first, first + BLOCK);
    const single = block.map((sample, index) => groupOf(sample.embedding, weightOf(sample), first + index));
    pure.push(...agglomerate(single, likeness, PURE));
  }
  pure.sort((a, b) => b.weight - a.weight || a.first - b.first);
  const enough = pure.filter(({ weight }) => weight >= MIN_SPEECH).length;
  const large = pure.slice(0, Math.max(1, count ?? 1, enough));
  if (count !== undefined) return agglomerate(large, likeness, Number.NEGATIVE_INFINITY, count);
  return withEnoughSpeech(joinSame(large));
}

/** Drops speakers with very little speech, except the last one. */
function withEnoughSpeech(speakers: readonly VoiceGroup[]): VoiceGroup[] {
  const total = speakers.reduce((sum, { weight }) => sum + weight, 0);
  const least = Math.max(MIN_SPEECH, Math.min(ENOUGH_SPEECH, MIN_SHARE * total));
  const enough = speakers.filter(({ weight }) => weight >= least);
  return enough.length > 0 ? enough : [...speakers].sort((a, b) => b.weight - a.weight).slice(0, 1);
}

/**
 * Joins groups of the same voice. Noise and short samples lower all cosines, so those between two groups are compared with
 * those within them.
 */
function joinSame(groups: readonly VoiceGroup[]): VoiceGroup[] {
  const prior = { mean: meanCohesion(groups), pairs: PRIOR_PAIRS };
  const within = new Map<VoiceGroup, number>();
  const cohesionOf = (group: VoiceGroup) => {
    const value = within.get(group) ?? cohesion(group, prior);
    within.set(group, value);
    return value;
  };
  const evidence = (a: VoiceGroup, b: VoiceGroup) => {
    const inside = Math.sqrt(cohesionOf(a) * cohesionOf(b));
    const between = likeness(a, b);
    const isApart = inside - between > APART * (1 - inside);
    return between / inside - (isApart ? SAME_APART : SAME);
  };
  return agglomerate(groups, evidence, 0);
}

function regrouped(samples: readonly VoiceSample[], labels: Int32Array): VoiceGroup[] {
  const groups = new Map<number, VoiceGroup>();
  for (const [index, sample] of samples.entries()) {
    const single = groupOf(sample.embedding, weightOf(sample), index);
    const group = groups.get(labels[index]!);
    groups.set(labels[index]!, group ? joined(group, single) : single);
  }
  return [...groups.values()];
}

/** The known voice nearest to each speaker, if it is close enough. */
function knownAmong(speakers: readonly VoiceGroup[], known: readonly Float32Array[]): (number | undefined)[] {
  return speakers.map((speaker) => {
    const centre = centreOf(speaker);
    const cosines = known.map((voice) => dot(centre, voice));
    const best = cosines.indexOf(Math.max(...cosines));
    return best >= 0 && cosines[best]! >= KNOWN ? best : undefined;
  });
}

/** Numbers speakers in the order of their first speech, known ones by their index. */
function speakerNumbers(labels: Int32Array, knownOf: readonly (number | undefined)[]): number[] {
  const order: number[] = [];
  return Array.from(labels, (label) => {
    const known = knownOf[label];
    if (known !== undefined) return -1 - known;
    if (!order.includes(label)) order.push(label);
    return order.indexOf(label);
  });
}
