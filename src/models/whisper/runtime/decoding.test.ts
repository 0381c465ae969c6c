import { describe, expect, it } from 'vitest';
import {
  at,
  type Distribution,
  type Script,
  ScriptedDecoder,
  sampled,
  saying,
  special,
  tokenizer,
} from '../../../../test/fixtures/scripted-decoder.ts';
import { ATTEMPTS, type DecodingRequest, DecodingTask, detectLanguage } from './decoding.ts';

const { startOfTranscript, startOfPrevious, transcribe, endOfText, noSpeech } = special;
const SEQUENCE = [startOfTranscript, 22, transcribe];

/** One decoder after the other, each with its script; the last script serves all that follow. */
function prepare(scripts: Script[], { previous = [] as number[], sequence = SEQUENCE, seed = 1 } = {}) {
  const states: ScriptedDecoder[] = [];
  const request: DecodingRequest = {
    start() {
      states.push(new ScriptedDecoder(scripts[Math.min(states.length, scripts.length - 1)]!));
      return states.at(-1)!;
    },
    previous,
    sequence,
    seed,
  };
  return { states, request };
}

function decoding({ beamSize = 1, textPositions = 448 } = {}): DecodingTask {
  return new DecodingTask({ suppressTokens: [-1], beginSuppressTokens: [], textPositions }, tokenizer, beamSize);
}

const HELLO = [at(0), 1, 2, 3, at(1)];
const sure = saying(HELLO);
/** More probable than any other text, but no more than that. */
const unsure = saying(HELLO, 0.08);
/** Too long a phrase for the loop detector, but not for zlib. */
const phrase = [1, 7, 3, 9, 4, 4, 0, 6, 2, 8, 5, 1, 3, 3, 7, 0, 9];
const repetitive = saying([at(0), ...new Array<number[]>(6).fill(phrase).flat()]);
const silent =
  (script: Script, probability = 0.9): Script =>
  (fed) =>
    fed.at(-1) === startOfTranscript ? { [noSpeech]: probability } : script(fed);

describe('DecodingTask', () => {
  it('takes a sure text as it is', async () => {
    const { states, request } = prepare([sure]);
    const decoded = await decoding().decodeWithFallback(request);
    expect(decoded).toMatchObject({ tokens: HELLO, temperature: 0, failed: false });
    const logprobs = [0.95, 0.9, 0.9, 0.9, 0.95, 0.95].map(Math.log);
    // The first timestamp is the only one possible at the start, and at the end no text is.
    expect(decoded.averageLogprob).toBeGreaterThan(logprobs.reduce((sum, logprob) => sum + logprob) / 6);
    expect(decoded.averageLogprob).toBeCloseTo((3 * Math.log(0.9)) / 6, 1);
    // ' one two three' without its blank: 13 bytes, 21 with zlib's frame.
    expect(decoded.compressionRatio).toBeCloseTo(13 / 21, 5);
    expect(decoded.attention).toHaveLength(HELLO.length + 1);
    expect(states).toHaveLength(1);
    expect(states[0]!.fed).toEqual([[...SEQUENCE, ...HELLO]]);
  });

  it('starts with the first token alone where the vocabulary has no others', async () => {
    const { states, request } = prepare([sure], { sequence: [startOfTranscript] });
    await decoding().decodeWithFallback(request);
    expect(states[0]!.fed).toEqual([[startOfTranscript, ...HELLO]]);
  });

  it('goes on from what was said before, as far as there is room for it', async () => {
    const previous = Array.from({ length: 300 }, (_, index) => index % 10);
    const { states, request } = prepare([sure], { previous });
    expect((await decoding().decodeWithFallback(request)).tokens).toEqual(HELLO);
    const [fed] = states[0]!.fed;
    expect(fed![0]).toBe(startOfPrevious);
    expect(fed!.slice(1, 224)).toEqual(previous.slice(-223));
    expect(fed!.slice(224)).toEqual([...SEQUENCE, ...HELLO]);
  });

  it('says half of what the model has room for at most, and never more than is left', async () => {
    const endless: Script = (fed) => ({ [sampled(fed).length === 0 ? at(0) : (fed.length * fed.length) % 10]: 0.97 });
    const alone = prepare([endless]);
    const { result: decoded } = await decoding({ textPositions: 32 }).decode(0, alone.request, Math.random);
    expect(decoded.tokens).toHaveLength(16);
    const after = prepare([endless], { previous: new Array(20).fill(3) });
    const { result: less } = await decoding({ textPositions: 32 }).decode(0, after.request, Math.random);
    // 1 + 15 before, 3 to start with: 13 of 32 are left, and the last token is not fed.
    expect(less.tokens).toHaveLength(14);
    expect(after.states[0]!.length).toBe(32);
  });

  it('asks for the probability of no speech where the transcript starts', async () => {
    const { request } = prepare([silent(sure, 0.4)], { previous: [1, 2] });
    const { noSpeechProbability, tokens } = await decoding().decodeWithFallback(request);
    expect(noSpeechProbability).toBeCloseTo(0.4, 3);
    expect(tokens).toEqual(HELLO);
  });

  it('tries a higher temperature where the text is unsure', async () => {
    const { states, request } = prepare([unsure, unsure, sure]);
    const decoded = await decoding().decodeWithFallback(request);
    expect(decoded).toMatchObject({ tokens: HELLO, temperature: 0.4, failed: false });
    expect(states).toHaveLength(3);
    // Five are drawn side by side.
    expect(states.map(({ widths }) => Math.max(...widths))).toEqual([1, 5, 5]);
  });

  it('tries a higher temperature where the text is repetitive', async () => {
    const { result: decoded, repeated } = await decoding().decode(0, prepare([repetitive]).request, Math.random);
    expect(repeated).toBe(0);
    expect(decoded.compressionRatio).toBeGreaterThan(2.4);
    expect(await decoding().decodeWithFallback(prepare([repetitive, sure]).request)).toMatchObject({
      tokens: HELLO,
      temperature: 0.2,
    });
  });

  it('tries a higher temperature where the text runs into a loop, before all of it is said', async () => {
    const loop = saying([at(0), ...new Array<number[]>(50).fill([4, 5, 6]).flat()]);
    const { states, request } = prepare([loop, sure]);
    expect(await decoding().decodeWithFallback(request)).toMatchObject({ tokens: HELLO, temperature: 0.2 });
    expect(states[0]!.length).toBeLessThan(40);
  });

  it('cuts off what only repeats where every temperature does', async () => {
    const loop = saying([at(0), 1, 2, ...new Array<number[]>(50).fill([4, 5, 6]).flat()], 0.999);
    const { states, request } = prepare([loop]);
    const decoded = await decoding().decodeWithFallback(request);
    expect(decoded).toMatchObject({ tokens: [at(0), 1, 2, 4, 5, 6], temperature: 1, failed: true });
    expect(decoded.logprobs).toHaveLength(6);
    expect(decoded.attention).toHaveLength(7);
    expect(decoded.compressionRatio).toBeLessThan(1.5);
    expect(states).toHaveLength(ATTEMPTS);
  });

  it('says so where no temperature brings a sure text', async () => {
    const { states, request } = prepare([unsure]);
    const decoded = await decoding().decodeWithFallback(request);
    expect(decoded).toMatchObject({ temperature: 1, failed: true });
    expect(decoded.averageLogprob).toBeLessThan(-1);
    expect(states).toHaveLength(6);
  });

  it('does not try again where there is no speech', async () => {
    const { states, request } = prepare([silent(unsure, 0.7)]);
    expect(await decoding().decodeWithFallback(request)).toMatchObject({ temperature: 0, failed: false });
    expect(states).toHaveLength(1);
    // It is not sure enough of that here.
    const doubtful = prepare([silent(unsure, 0.5), sure]);
    await decoding().decodeWithFallback(doubtful.request);
    expect(doubtful.states).toHaveLength(2);
  });

  it('takes the best of five, by the mean of their log probabilities', async () => {
    // Long and sure beats short and doubtful, although it is less probable as a whole.
    const script: Script = (fed): Distribution => {
      const text = sampled(fed);
      if (text.length === 0) return { [at(0)]: 1 };
      if (text.length === 1) return { 1: 0.5, 2: 0.5 };
      if (text.length === 2 && text[1] === 1) return { [endOfText]: 0.25, 3: 0.25, 4: 0.25, 5: 0.25 };
      const long = [6, 7, 8, 9, 6, 8, 7, 9][text.length - 2];
      return long === undefined ? { [endOfText]: 1 } : { [long]: 0.9, 0: 0.1 };
    };
    const { request } = prepare([unsure, script], { seed: 3 });
    const decoded = await decoding().decodeWithFallback(request);
    expect(decoded.temperature).toBe(0.2);
    expect(decoded.tokens[1]).toBe(2);
    expect(decoded.tokens.length).toBeGreaterThan(8);
  });

  it('prefers what does not loop, however sure the loop is', async () => {
    const script: Script = (fed): Distribution => {
      const text = sampled(fed);
      if (text.length === 0) return { [at(0)]: 1 };
      if (text.length === 1) return { 1: 0.5, 2: 0.5 };
      if (text[1] === 1) return { 1: 1 };
      return text.length < 8 ? { [text.length]: 0.6, 9: 0.4 } : { [endOfText]: 1 };
    };
    for (const seed of [1, 2, 3]) {
      const decoded = await decoding().decodeWithFallback(prepare([unsure, script], { seed }).request);
      expect(decoded).toMatchObject({ temperature: 0.2, failed: false });
      expect(decoded.tokens[1]).toBe(2);
    }
  });

  it('says the same of the same audio', async () => {
    const vague: Script = (fed) => {
      const { length } = sampled(fed);
      if (length === 0) return { [at(0)]: 1 };
      return length < 12 ? { 1: 0.3, 2: 0.3, 3: 0.2, 4: 0.2 } : { [endOfText]: 1 };
    };
    const said = async (seed: number) =>
      (await decoding().decodeWithFallback(prepare([vague], { seed }).request)).tokens;
    expect(await said(11)).toEqual(await said(11));
    expect(await said(11)).not.toEqual(await said(12));
  });

  it('searches with beams at temperature 0 alone', async () => {
    const { states, request } = prepare([unsure, sure]);
    const decoded = await decoding({ beamSize: 3 }).decodeWithFallback(request);
    expect(decoded).toMatchObject({ tokens: HELLO, temperature: 0.2 });
    expect(states.map(({ widths }) => Math.max(...widths))).toEqual([3, 5]);
    // What all have in common is fed once, and in one step.
    expect(states[0]!.widths.slice(0, 2)).toEqual([1, 3]);
  });
});

describe('detectLanguage', () => {
  it('is the most probable among the languages, whatever else is more probable', async () => {
    const state = new ScriptedDecoder(() => ({ 5: 0.5, [at(0)]: 0.35, 22: 0.05, 23: 0.1 }));
    const { language, probabilities } = await detectLanguage(state, special);
    expect(language).toBe('fr');
    expect(probabilities.get('fr')).toBeCloseTo(2 / 3, 5);
    expect(probabilities.get('en')).toBeCloseTo(1 / 3, 5);
    expect(state.fed).toEqual([[special.startOfTranscript]]);
  });
});
