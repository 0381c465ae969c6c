import type { SpeakerTurn } from '../contracts/speakers.ts';

/** A turn with its times in seconds. */
export type TimedTurn = SpeakerTurn;

/**
 * Finds the speaker of a span: the one whose turns cover most of it, or who is nearest to it. Spans may only move
 * forwards.
 * @param turns by their starts; without any, it is always 0
 */
export function speakerOf(turns: readonly TimedTurn[]): (start: number, end: number) => number {
  let first = 0;
  /** The latest end of the turns up to `first`. */
  let lastEnd = turns[0]?.end ?? 0;
  return (start, end) => {
    // Drop turns that have ended once a later one has begun.
    while (first + 1 < turns.length && lastEnd <= start && turns[first + 1]!.start <= start) {
      lastEnd = Math.max(lastEnd, turns[++first]!.end);
    }
    const shares = new Map<number, number>();
    let nearest = { distance: Number.POSITIVE_INFINITY, speaker: 0 };
    for (let index = first; index < turns.length; index++) {
      const turn = turns[index]!;
      const distance = Math.max(turn.start - end, start - turn.end, 0);
      if (distance < nearest.distance) nearest = { distance, speaker: turn.speaker };
      const share = Math.min(end, turn.end) - Math.max(start, turn.start);
      if (share > 0) shares.set(turn.speaker, (shares.get(turn.speaker) ?? 0) + share);
      if (turn.start > end && turn.start - end > nearest.distance) break;
    }
    const [best] = [...shares].sort(([, a], [, b]) => b - a);
    return best ? best[0] : nearest.speaker;
  };
}
