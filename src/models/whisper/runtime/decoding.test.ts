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
import type { BeamSize } from '../../../contracts/transcription.ts';
import { KeywordBias } from '../../common/keyword-bias.ts';
import { ATTEMPTS, type DecodingRequest, DecodingTask } from './decoding.ts';

const { startOfTranscript, startOfPrevious, transcribe, endOfText, noSpeech } = special;
const SEQUENCE = [startOfTranscript, 22, transcribe];

/** A request that starts decoders with these scripts in turn; the last script serves all others. */
function prepare(
  scripts: Script[],
  { previous = [] as number[], sequence = SEQUENCE, audioPositions = 1500, seed = 1 } = {},
) {
  const states: ScriptedDecoder[] = [];
  const request: DecodingRequest = {
    start() {
      states.push(new ScriptedDecoder(scripts[Math.min(states.length, scripts.length - 1)]!));
      return states.at(-1)!;
    },
    previous,
    sequence,
    audioPositions,
    seed,
  };
  return { states, request };
}

function decoding({ beamSize = 1 as BeamSize, textPositions = 448, keywords = [] as number[][] } = {}): DecodingTask {
  const configuration = { suppressTokens: [-1], beginSuppressTokens: [], textPositions };
  const bias = keywords.length > 0 ? new KeywordBias(keywords, () => false) : undefined;
  return new DecodingTask(configuration, tokenizer, beamSize, bias);
}

const HELLO = [at(0), 1, 2, 3, at(1)];
const sure = saying(HELLO);
/** The most probable text, with a low log probability. */
const unsure = saying(HELLO, 0.08);
/** Too long for the loop detector, but not for zlib. */
const phrase = [1, 7, 3, 9, 4, 4, 0, 6, 2, 8, 5, 1, 3, 3, 7, 0, 9];
const repetitive = saying([at(0), ...new Array<number[]>(6).fill(phrase).flat()]);
const silent =
  (script: Script, probability = 0.9): Script =>
  (fed) =>
    fed.at(-1) === startOfTranscript ? { [noSpeech]: probability } : script(fed);

describe('DecodingTask', () => {
  it('ends with the audio, where the model would repeat the text', async () => {
    const again = saying([...HELLO, at(1), 1, 2, 3, at(2)]);
    const inTime = prepare([again]);
    expect((await decoding().decodeWithFallback(inTime.request)).tokens).toHaveLength(HELLO.length + 5);
    for (const beamSize of [1, 3]) {
      const { request } = prepare([again], { audioPositions: 48 });
      expect((await decoding({ beamSize }).decodeWithFallback(request)).tokens).toEqual(HELLO);
    }
  });

  it('accepts confident text at temperature 0', async () => {
    const { states, request } = prepare([sure]);
    const decoded = await decoding().decodeWithFallback(request);
    expect(decoded).toMatchObject({ tokens: HELLO, temperature: 0, failed: false });
    const logprobs = [0.95, 0.9, 0.9, 0.9, 0.95, 0.95].map(Math.log);
    // The filter leaves one timestamp at the start, and no text at the end.
    expect(decoded.averageLogprob).toBeGreaterThan(logprobs.reduce((sum, logprob) => sum + logprob) / 6);
    expect(decoded.averageLogprob).toBeCloseTo((3 * Math.log(0.9)) / 6, 1);
    // 'one two three': 13 bytes, 21 with zlib's frame.
    expect(decoded.compressionRatio).toBeCloseTo(13 / 21, 5);
    expect(decoded.attention).toHaveLength(HELLO.length + 1);
    expect(states).toHaveLength(1);
    expect(states[0]!.fed).toEqual([[...SEQUENCE, ...HELLO]]);
  });

  it('starts English-only models with one token', async () => {
    const { states, request } = prepare([sure], { sequence: [startOfTranscript] });
    await decoding().decodeWithFallback(request);
    expect(states[0]!.fed).toEqual([[startOfTranscript, ...HELLO]]);
  });

  it('conditions on the end of the previous text', async () => {
    const previous = Array.from({ length: 300 }, (_, index) => index % 10);
    const { states, request } = prepare([sure], { previous });
    expect((await decoding().decodeWithFallback(request)).tokens).toEqual(HELLO);
    const [fed] = states[0]!.fed;
    expect(fed![0]).toBe(startOfPrevious);
    expect(fed!.slice(1, 224)).toEqual(previous.slice(-223));
    expect(fed!.slice(224)).toEqual([...SEQUENCE, ...HELLO]);
  });

  it('limits text to half of the positions, and to the remaining ones', async () => {
    const endless: Script = (fed) => ({ [sampled(fed).length === 0 ? at(0) : (fed.length * fed.length) % 10]: 0.97 });
    const alone = prepare([endless]);
    const { result: decoded } = await decoding({ textPositions: 32 }).decode(0, alone.request, Math.random);
    expect(decoded.tokens).toHaveLength(16);
    const after = prepare([endless], { previous: new Array(20).fill(3) });
    const { result: less } = await decoding({ textPositions: 32 }).decode(0, after.request, Math.random);
    // 16 of 32 positions are previous text and 3 the start: 13 remain, and the last token is not fed.
    expect(less.tokens).toHaveLength(14);
    expect(after.states[0]!.length).toBe(32);
  });

  it('reads the no-speech probability after the start-of-transcript token', async () => {
    const { request } = prepare([silent(sure, 0.4)], { previous: [1, 2] });
    const { noSpeechProbability, tokens } = await decoding().decodeWithFallback(request);
    expect(noSpeechProbability).toBeCloseTo(0.4, 3);
    expect(tokens).toEqual(HELLO);
  });

  it('retries unsure text at a higher temperature', async () => {
    const { states, request } = prepare([unsure, unsure, sure]);
    const decoded = await decoding().decodeWithFallback(request);
    expect(decoded).toMatchObject({ tokens: HELLO, temperature: 0.4, failed: false });
    expect(states).toHaveLength(3);
    // Five samples side by side.
    expect(states.map(({ widths }) => Math.max(...widths))).toEqual([1, 5, 5]);
  });

  it('retries repetitive text at a higher temperature', async () => {
    const { result: decoded, repeated } = await decoding().decode(0, prepare([repetitive]).request, Math.random);
    expect(repeated).toBe(0);
    expect(decoded.compressionRatio).toBeGreaterThan(2.4);
    expect(await decoding().decodeWithFallback(prepare([repetitive, sure]).request)).toMatchObject({
      tokens: HELLO,
      temperature: 0.2,
    });
  });

  it('retries a text of which much repeats itself if it is unsure: in babble the model repeats one sentence', async () => {
    const sentence = [1, 7, 3, 9, 4, 0, 8];
    const text = [at(0), ...sentence, ...sentence, ...sentence, at(1)];
    const decode = async (probability: number) =>
      (await decoding().decodeWithFallback(prepare([saying(text, probability), sure]).request)).tokens;
    expect(await decode(0.5)).toEqual(HELLO);
    expect(await decode(0.9)).toEqual(text);
  });

  it('retries text that repeats itself faster than anybody speaks, however probable it is', async () => {
    // 111 characters in 5 and in 4 seconds.
    const sentence = [1, 7, 3, 9, 4, 0, 8];
    const text = [at(0), ...sentence, ...sentence, ...sentence, at(1)];
    const decode = async (audioPositions: number) =>
      (await decoding().decodeWithFallback(prepare([saying(text, 0.9), sure], { audioPositions }).request)).tokens;
    expect(await decode(250)).toEqual(text);
    expect(await decode(200)).toEqual(HELLO);
  });

  it('retries a loop at a higher temperature without decoding all of it', async () => {
    const loop = saying([at(0), ...new Array<number[]>(50).fill([4, 5, 6]).flat()]);
    const { states, request } = prepare([loop, sure]);
    expect(await decoding().decodeWithFallback(request)).toMatchObject({ tokens: HELLO, temperature: 0.2 });
    expect(states[0]!.length).toBeLessThan(40);
  });

  it('cuts off the loop if every temperature loops', async () => {
    const loop = saying([at(0), 1, 2, ...new Array<number[]>(50).fill([4, 5, 6]).flat()], 0.999);
    const { states, request } = prepare([loop]);
    const decoded = await decoding().decodeWithFallback(request);
    expect(decoded).toMatchObject({ tokens: [at(0), 1, 2, 4, 5, 6], failed: true });
    expect(decoded.logprobs).toHaveLength(6);
    expect(decoded.attention).toHaveLength(7);
    expect(decoded.compressionRatio).toBeLessThan(1.5);
    expect(states).toHaveLength(ATTEMPTS - 1);
  });

  it('decodes short audio once, and as a whole window before it samples', async () => {
    for (const first of [unsure, repetitive, silent(unsure)]) {
      const { states, request } = prepare([first, sure]);
      const triesBefore: number[] = [];
      const lengthen = async () => void triesBefore.push(states.length);
      expect(await decoding().decodeWithFallback({ ...request, lengthen })).toMatchObject({
        tokens: HELLO,
        temperature: 0,
        failed: false,
      });
      expect(triesBefore).toEqual([1]);
    }
    const { states, request } = prepare([sure]);
    const lengthen = () => Promise.reject(new Error('needless'));
    expect(await decoding().decodeWithFallback({ ...request, lengthen })).toMatchObject({ tokens: HELLO });
    expect(states).toHaveLength(1);
    const hopeless = prepare([unsure]);
    await decoding().decodeWithFallback({ ...hopeless.request, lengthen: async () => {} });
    expect(hopeless.states).toHaveLength(ATTEMPTS);
  });

  it('decodes live speech as a whole window only if its text fails', async () => {
    const doubtful = saying(HELLO, 0.18);
    const whole = [at(0), 4, 5, 6, at(1)];
    for (const [first, tokens] of [
      [doubtful, HELLO],
      [unsure, whole],
      [repetitive, whole],
    ] as const) {
      const { states, request } = prepare([first, saying(whole)]);
      const lengthen = async () => {};
      const decoded = await decoding().decodeWithFallback({ ...request, lengthen, isLive: true, attempts: 1 });
      expect(decoded.tokens).toEqual(tokens);
      expect(states).toHaveLength(first === doubtful ? 1 : 2);
    }
    const recorded = prepare([doubtful, saying(whole)]);
    const decoded = await decoding().decodeWithFallback({ ...recorded.request, lengthen: async () => {} });
    expect(decoded.tokens).toEqual(whole);
  });

  it('fails if every temperature gives unsure text', async () => {
    const { states, request } = prepare([unsure]);
    const decoded = await decoding().decodeWithFallback(request);
    expect(decoded.failed).toBe(true);
    expect(decoded.averageLogprob).toBeLessThan(-1);
    expect(states).toHaveLength(6);
  });

  it('gives the most probable text that does not repeat itself if every temperature fails', async () => {
    const vaguer = saying(HELLO, 0.05);
    const { request } = prepare([repetitive, vaguer, unsure, vaguer, vaguer, repetitive]);
    expect(await decoding().decodeWithFallback(request)).toMatchObject({ temperature: 0.4, failed: true });
    // All repeat: the loop is better than nothing.
    expect((await decoding().decodeWithFallback(prepare([repetitive]).request)).failed).toBe(true);
  });

  it('tries only as many temperatures as it may', async () => {
    const { states, request } = prepare([unsure, sure]);
    expect((await decoding().decodeWithFallback({ ...request, attempts: 1 })).failed).toBe(true);
    expect(states).toHaveLength(1);
  });

  it('does not retry silence', async () => {
    const { states, request } = prepare([silent(unsure, 0.7)]);
    expect(await decoding().decodeWithFallback(request)).toMatchObject({ temperature: 0, failed: false });
    expect(states).toHaveLength(1);
    // Too low a no-speech probability.
    const doubtful = prepare([silent(unsure, 0.5), sure]);
    await decoding().decodeWithFallback(doubtful.request);
    expect(doubtful.states).toHaveLength(2);
  });

  it('picks the best of five by mean log probability', async () => {
    // The long text is more probable per token, and less probable as a whole.
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

  it('prefers text without a loop, however probable the loop', async () => {
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

  it('gives the same text for the same seed', async () => {
    const vague: Script = (fed) => {
      const { length } = sampled(fed);
      if (length === 0) return { [at(0)]: 1 };
      return length < 12 ? { 1: 0.3, 2: 0.3, 3: 0.2, 4: 0.2 } : { [endOfText]: 1 };
    };
    const tokensOf = async (seed: number) =>
      (await decoding().decodeWithFallback(prepare([vague], { seed }).request)).tokens;
    expect(await tokensOf(11)).toEqual(await tokensOf(11));
    expect(await tokensOf(11)).not.toEqual(await tokensOf(12));
  });

  it('uses beams at temperature 0 only', async () => {
    const { states, request } = prepare([unsure, sure]);
    const decoded = await decoding({ beamSize: 3 }).decodeWithFallback(request);
    expect(decoded).toMatchObject({ tokens: HELLO, temperature: 0.2 });
    expect(states.map(({ widths }) => Math.max(...widths))).toEqual([3, 5]);
    // The common start is fed once.
    expect(states[0]!.widths.slice(0, 2)).toEqual([1, 3]);
  });

  it('uses automatic beams only for unsure text, and their text only if it is more probable', async () => {
    const confident = prepare([sure]);
    await decoding({ beamSize: 'auto' }).decodeWithFallback(confident.request);
    expect(confident.states.map(({ widths }) => Math.max(...widths))).toEqual([1]);
    const hesitant = prepare([unsure, sure]);
    const decoded = await decoding({ beamSize: 'auto' }).decodeWithFallback(hesitant.request);
    expect(decoded).toMatchObject({ tokens: HELLO, temperature: 0, failed: false });
    expect(hesitant.states.map(({ widths }) => Math.max(...widths))).toEqual([1, 5]);
    const doubtful = saying(HELLO, 0.2);
    const greedy = await decoding().decodeWithFallback(prepare([doubtful]).request);
    const kept = await decoding({ beamSize: 'auto' }).decodeWithFallback(prepare([doubtful, unsure]).request);
    expect(kept.averageLogprob).toBe(greedy.averageLogprob);
  });

  it('searches for keywords with beams, and keeps the other text if that finds no more of them', async () => {
    // 4 5 sounds like 1 2.
    const script: Script = (fed): Record<number, number> => {
      const said = sampled(fed);
      const next: Record<number, number>[] = [
        { [at(0)]: 1 },
        { 1: 0.6, 4: 0.4 },
        said[1] === 4 ? { 5: 1 } : { 2: 1 },
        { [at(1)]: 1 },
      ];
      return next[said.length] ?? { [special.endOfText]: 1 };
    };
    const heard = await decoding({ keywords: [[4, 5]] }).decodeWithFallback(prepare([script]).request);
    expect(heard.tokens).toEqual([at(0), 4, 5, at(1)]);
    const { request, states } = prepare([sure, script]);
    expect((await decoding({ keywords: [[9, 9]] }).decodeWithFallback(request)).tokens).toEqual(HELLO);
    expect(states.map(({ widths }) => Math.max(...widths) > 1)).toEqual([false, true]);
  });

  it('keeps the other text if that with keywords is unsure', async () => {
    const named = [at(0), 4, 5, 6, at(1)];
    const heard = async (script: Script) =>
      (await decoding({ keywords: [[4, 5, 6]] }).decodeWithFallback(prepare([sure, script]).request)).tokens;
    expect(await heard(saying(named, 0.08))).toEqual(HELLO);
    expect(await heard(saying(named))).toEqual(named);
  });

  it('does not search silence with automatic beams', async () => {
    const { states, request } = prepare([silent(unsure, 0.7)]);
    await decoding({ beamSize: 'auto' }).decodeWithFallback(request);
    expect(states).toHaveLength(1);
  });
});
