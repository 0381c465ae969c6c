import type { SpeakerTurn, VoiceSample } from '../contracts/speakers.ts';

/** Samples of a pause that does not end a turn: 0.3 s, as in NIST's scoring of diarization. */
const MAX_PAUSE = 4800;

/**
 * Joins the samples of a speaker that follow each other.
 * @param samples in order
 * @param speakers of the samples
 */
export function joinedTurns(samples: readonly VoiceSample[], speakers: readonly number[]): SpeakerTurn[] {
  const turns: SpeakerTurn[] = [];
  for (const [index, sample] of samples.entries()) {
    const speaker = speakers[index]!;
    const last = turns.at(-1);
    if (last?.speaker === speaker && sample.start - last.end <= MAX_PAUSE) {
      last.end = Math.max(last.end, sample.end);
      continue;
    }
    let { start } = sample;
    if (last && start < last.end) {
      start = Math.max(last.start, Math.round((start + Math.min(last.end, sample.end)) / 2));
      last.end = start;
    }
    if (last && last.end === last.start) turns.pop();
    if (sample.end > start) turns.push({ start, end: sample.end, speaker });
  }
  return turns;
}
