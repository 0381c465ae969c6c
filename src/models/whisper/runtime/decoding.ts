import { seededRandom } from '../../common/random.ts';
import { compressionRatio } from '../../common/repetition.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import { beamSearch } from './beam-search.ts';
import type { DecoderState } from './decoder-state.ts';
import type { Hypothesis } from './hypothesis.ts';
import { LogitFilter } from './logit-filter.ts';
import { type Search, sample } from './sampling.ts';
import type { WhisperTokenizer } from './tokenizer.ts';

// The reference's numbers, from its `transcribe()`.
const TEMPERATURES = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;
const BEST_OF = 5;
const REPETITIVE = 2.4;
/** Mean log probability below which a text is unsure. */
export const UNSURE = -1;
/** Probability above which there is no speech, where the text is unsure as well. */
export const NO_SPEECH = 0.6;

/** How often a window may be decoded before its text is taken as it is. */
export const ATTEMPTS: number = TEMPERATURES.length;

/** A model's tokenizer as decoding and timing need it. */
export type Tokenizer = Pick<WhisperTokenizer, 'special' | 'nonSpeechTokens' | 'encode' | 'decode' | 'words'>;

export interface DecodingRequest {
  /** Starts a decoder over the audio that is to be decoded, anew with each call. */
  start: () => DecoderState;
  /** What was said before, as tokens; as much of its end is used as there is room for. */
  previous: readonly number[];
  /** What the transcript is started with: start of transcript, language and task; the first alone in English-only models. */
  sequence: readonly number[];
  /** Of the sampling at higher temperatures. */
  seed: number;
}

export interface Decoded {
  /** Text and timestamps, without the end-of-text token. */
  tokens: readonly number[];
  /** Natural log probability of each token. */
  logprobs: readonly number[];
  /** For each token, and for the end-of-text token if there was one, the attention that it was chosen with. */
  attention: readonly Float32Array[];
  temperature: number;
  /** Mean natural log probability, that of the end-of-text token included. */
  averageLogprob: number;
  compressionRatio: number;
  /** Probability, 0 to 1, that there is no speech. */
  noSpeechProbability: number;
  /** No temperature brought a text that looks right: this is the last one's. */
  failed: boolean;
}

/** The policy by which a model's logits become a transcript, as openai/whisper's `decoding.py` defines it. */
export class Decoding {
  readonly #tokenizer: Tokenizer;
  readonly #filter: LogitFilter;
  readonly #textPositions: number;
  readonly #beamSize: number;

  /** @param beamSize 1 for greedy decoding; beams are for temperature 0 only */
  constructor(
    configuration: Pick<WhisperConfiguration, 'suppressTokens' | 'beginSuppressTokens' | 'textPositions'>,
    tokenizer: Tokenizer,
    beamSize: number,
  ) {
    this.#tokenizer = tokenizer;
    this.#filter = new LogitFilter(configuration, tokenizer);
    this.#textPositions = configuration.textPositions;
    this.#beamSize = beamSize;
  }

  /** How many tokens of what was said before are of use. */
  get longestPrevious(): number {
    return Math.floor(this.#textPositions / 2) - 1;
  }

  /** Decodes at rising temperatures until the text looks right. What only repeats is cut off in the end. */
  async decode(request: DecodingRequest): Promise<Decoded> {
    const random = seededRandom(request.seed);
    let last: Awaited<ReturnType<Decoding['decodeAt']>> | undefined;
    for (const temperature of TEMPERATURES) {
      last = await this.decodeAt(temperature, request, random);
      const { decoded, repeated } = last;
      const unsure = decoded.averageLogprob < UNSURE;
      const repetitive = repeated > 0 || decoded.compressionRatio > REPETITIVE;
      // Of silence no temperature makes more.
      if (unsure && decoded.noSpeechProbability > NO_SPEECH) return decoded;
      if (!unsure && !repetitive) return decoded;
    }
    const { decoded, repeated } = last!;
    return { ...decoded, ...this.#withoutRepetition(decoded, repeated), failed: true };
  }

  /** Decodes once, and chooses among the transcripts where there are several. */
  async decodeAt(
    temperature: number,
    { start, previous, sequence }: DecodingRequest,
    random: () => number,
  ): Promise<{ decoded: Decoded; repeated: number }> {
    const { special } = this.#tokenizer;
    const state = start();
    const prompt = previous.slice(-this.longestPrevious);
    const before = prompt.length > 0 ? [special.startOfPrevious, ...prompt] : [];
    // Whether anybody speaks is told after the start of the transcript, and not after all that it is started with.
    const first = await state.start([...before, ...sequence], before.length);
    const noSpeechProbability = first.earlier.probability(special.noSpeech);

    const room = this.#textPositions - before.length - sequence.length;
    const search: Search = {
      state,
      first,
      filter: this.#filter,
      special,
      // The last token need not be fed any more, hence the one.
      maxTokens: Math.min(Math.floor(this.#textPositions / 2), room + 1),
    };
    const hypotheses =
      temperature === 0 && this.#beamSize > 1
        ? await beamSearch(search, this.#beamSize)
        : await sample(search, { temperature, streams: temperature === 0 ? 1 : BEST_OF, random });
    const { tokens, logprobs, attention, sum, repeated } = best(hypotheses);
    return {
      decoded: {
        tokens,
        logprobs,
        attention,
        temperature,
        averageLogprob: sum / (tokens.length + 1),
        compressionRatio: this.#compressionRatio(tokens),
        noSpeechProbability,
        failed: false,
      },
      repeated,
    };
  }

  #withoutRepetition({ tokens, logprobs, attention }: Decoded, repeated: number): Partial<Decoded> {
    if (repeated === 0) return {};
    const kept = tokens.length - repeated;
    const sum = logprobs.slice(0, kept).reduce((total, logprob) => total + logprob, 0);
    return {
      tokens: tokens.slice(0, kept),
      logprobs: logprobs.slice(0, kept),
      // One more than tokens, as after an end of text: where the repetition began, the text had ended.
      attention: attention.slice(0, kept + 1),
      averageLogprob: sum / Math.max(1, kept),
      compressionRatio: this.#compressionRatio(tokens.slice(0, kept)),
    };
  }

  #compressionRatio(tokens: readonly number[]): number {
    return compressionRatio(this.#tokenizer.decode(tokens).trim());
  }
}

/**
 * The most probable transcript for its length, as the reference ranks them, but one that loops only if all do: nothing is
 * as probable as the next turn of a loop.
 */
function best(hypotheses: readonly Hypothesis[]): Hypothesis {
  const score = ({ sum, tokens }: Hypothesis) => sum / Math.max(1, tokens.length);
  return hypotheses.reduce((leader, other) => {
    const loops = [leader, other].map(({ repeated }) => repeated > 0);
    if (loops[0] !== loops[1]) return loops[0] ? other : leader;
    return score(other) > score(leader) ? other : leader;
  });
}
