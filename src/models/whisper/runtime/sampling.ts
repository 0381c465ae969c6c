import type { DecoderState, DecoderStep } from './decoder-state.ts';
import { extended, type Hypothesis, nothingSaid } from './hypothesis.ts';
import type { LogitFilter } from './logit-filter.ts';
import type { SpecialTokens } from './tokenizer.ts';

/** What every way of searching for a transcript is given. */
export interface Search {
  /** A decoder of one stream that has been fed what the transcript is started with … */
  state: DecoderState;
  /** … and what the last step of that gave. */
  first: DecoderStep;
  filter: Pick<LogitFilter, 'apply'>;
  special: Pick<SpecialTokens, 'endOfText'>;
  maxTokens: number;
}

/**
 * Greedy decoding at temperature 0 (one stream is enough then), sampling above it.
 * @param streams transcripts that are drawn side by side
 */
export async function sample(
  { state, first, filter, special, maxTokens }: Search,
  { temperature, streams, random }: { temperature: number; streams: number; random: () => number },
): Promise<Hypothesis[]> {
  const hypotheses = new Array<Hypothesis>(streams).fill(nothingSaid);
  // What is over is no longer computed: live[i] is the hypothesis of the state's stream i.
  let live = [...hypotheses.keys()];
  if (streams > 1) state.keep(new Array<number>(streams).fill(0));
  let logits = live.map(() => first.logits[0]!);
  let attention = live.map(() => first.attention[0]!);
  for (;;) {
    const going: number[] = [];
    for (const [stream, index] of live.entries()) {
      const next = logits[stream]!;
      filter.apply(next, hypotheses[index]!.tokens);
      const choice = temperature === 0 ? next.mostProbable() : next.draw(temperature, random);
      const hypothesis = extended(hypotheses[index]!, choice, attention[stream]!, special);
      hypotheses[index] = hypothesis;
      if (!hypothesis.ended && hypothesis.repeated === 0 && hypothesis.tokens.length < maxTokens) going.push(stream);
    }
    if (going.length === 0) return hypotheses;
    if (going.length < live.length) {
      state.keep(going);
      live = going.map((stream) => live[stream]!);
    }
    const tokens = live.map((index) => [hypotheses[index]!.tokens.at(-1)!]);
    ({ logits, attention } = await state.step(tokens, { summed: temperature === 0 }));
  }
}
