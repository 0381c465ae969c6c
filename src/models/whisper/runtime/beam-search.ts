import { extended, type Hypothesis, nothingSaid } from './hypothesis.ts';
import type { Search } from './sampling.ts';

/**
 * Beam search as the reference's `BeamSearchDecoder` does it with patience 1: it is over when `beamSize` transcripts have
 * ended. Unlike there, a beam that runs into a loop is over as well, so that it does not crowd out the others.
 * @returns `beamSize` transcripts at most, in no order that matters
 */
export async function beamSearch(
  { state, first, filter, special, maxTokens }: Search,
  beamSize: number,
): Promise<Hypothesis[]> {
  const finished: Hypothesis[] = [];
  let live: Hypothesis[] = [nothingSaid];
  let step = first;
  for (let length = 1; ; length++) {
    const candidates = live.flatMap((hypothesis, stream) => {
      const logits = step.logits[stream]!;
      filter.apply(logits, hypothesis.tokens);
      return logits.topChoices(beamSize + 1).map((choice) => ({
        stream,
        choice,
        sum: hypothesis.sum + choice.logprob,
      }));
    });
    candidates.sort((a, b) => b.sum - a.sum);

    const next: Hypothesis[] = [];
    const parents: number[] = [];
    for (const { stream, choice } of candidates) {
      const hypothesis = extended(live[stream]!, choice, step.attention[stream]!, special);
      if (hypothesis.ended || hypothesis.repeated > 0) {
        if (finished.length < beamSize) finished.push(hypothesis);
      } else {
        next.push(hypothesis);
        parents.push(stream);
        if (next.length === beamSize) break;
      }
    }
    live = next;
    if (live.length === 0 || finished.length >= beamSize || length >= maxTokens) break;
    state.keep(parents);
    step = await state.step(live.map(({ tokens }) => [tokens.at(-1)!]));
  }
  return [...finished, ...live.slice(0, beamSize - finished.length)];
}
