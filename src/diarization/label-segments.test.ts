import { describe, expect, it } from 'vitest';
import type { SpeakerTurn } from '../contracts/speakers.ts';
import type { Segment } from '../contracts/transcription.ts';
import { runSteps } from '../hear/transcript/steps.ts';
import { labelSegments } from './label-segments.ts';

const sampleRate = 16_000;

/** A segment of words that take 0.4 s each, with 0.1 s between them; `_` is half a second of silence. */
function segment(start: number, text: string): Segment {
  const words: Segment['words'] = [];
  let at = start;
  for (const word of text.split(' ')) {
    if (word !== '_') words.push({ word, start: at, end: at + 0.4, probability: 0.9 });
    at += 0.5;
  }
  return {
    seek: 0,
    start,
    end: words.at(-1)!.end,
    text: ` ${text.replaceAll(' _', '')}`,
    tokens: [1, 2, 3],
    temperature: 0,
    avg_logprob: -0.2,
    compression_ratio: 1,
    no_speech_prob: 0,
    words,
  };
}

/** Turns one after the other, as pairs of a speaker and the second that ends it. */
function turns(...ends: [speaker: number, end: number][]): SpeakerTurn[] {
  return ends.map(([speaker, end], index) => ({
    start: (ends[index - 1]?.[1] ?? 0) * sampleRate,
    end: end * sampleRate,
    speaker,
  }));
}

const said = (segments: readonly Segment[]) => segments.map(({ speaker, text }) => `${speaker}:${text}`);
const label = (segments: readonly Segment[], all: readonly SpeakerTurn[], known: readonly string[] = []) =>
  runSteps(labelSegments(segments, all, { sampleRate, known }));

describe('labelSegments', () => {
  it('cuts a segment between the words where the speaker changes', () => {
    const whole = segment(0, 'Where were you? I was at home.');
    const labelled = label([whole], turns([0, 1.5], [1, 4]));
    expect(said(labelled)).toEqual(['A: Where were you?', 'B: I was at home.']);
    expect(labelled.map(({ start, end }) => [start, end])).toEqual([
      [0, 1.4],
      [1.5, whole.end],
    ]);
    expect(labelled.map(({ words }) => words.length)).toEqual([3, 4]);
    expect(labelled[1]).toMatchObject({ seek: 0, temperature: 0, avg_logprob: -0.2, tokens: [] });
    expect(labelled[0]!.tokens).toEqual([1, 2, 3]);
  });

  it('leaves segments of one speaker as they are', () => {
    const segments = [segment(0, 'One two three.'), segment(2, 'Four five.')];
    expect(label(segments, turns([0, 1.7], [1, 5]))).toEqual([
      { ...segments[0], speaker: 'A' },
      { ...segments[1], speaker: 'B' },
    ]);
  });

  it('moves a change to the end of the sentence next to it', () => {
    // The last word falls into the next turn, and the first one into the turn before.
    const early = label([segment(0, 'Where were you? I was at home.')], turns([0, 0.9], [1, 4]));
    expect(said(early)).toEqual(['A: Where were you?', 'B: I was at home.']);
    const late = label([segment(0, 'Where were you? I was at home.')], turns([0, 2.1], [1, 4]));
    expect(said(late)).toEqual(['A: Where were you?', 'B: I was at home.']);
  });

  it('finds the end of a sentence in any script, but not in an abbreviation', () => {
    const armenian = label([segment(0, 'Նա գնաց տուն։ Ես այստեղ եմ։')], turns([0, 0.9], [1, 4]));
    expect(said(armenian)).toEqual(['A: Նա գնաց տուն։', 'B: Ես այստեղ եմ։']);
    const title = label([segment(0, 'Where is Mr. Jones now? I do not know.')], turns([0, 1.9], [1, 5]));
    expect(said(title)).toEqual(['A: Where is Mr. Jones now?', 'B: I do not know.']);
  });

  it('moves a change to a pause, otherwise leaves it in place', () => {
    const paused = label([segment(0, 'so we went on _ well he said that')], turns([0, 1.4], [1, 5]));
    expect(said(paused)).toEqual(['A: so we went on', 'B: well he said that']);
    const fluent = label([segment(0, 'so we went on and he said that')], turns([0, 1.45], [1, 5]));
    expect(said(fluent)).toEqual(['A: so we went', 'B: on and he said that']);
  });

  it('does not move a change far', () => {
    const labelled = label([segment(0, 'one two three four five six. seven eight')], turns([0, 0.95], [1, 5]));
    expect(said(labelled)).toEqual(['A: one two', 'B: three four five six. seven eight']);
  });

  it('gives a stray word to the speech around it, but leaves an interjection', () => {
    const stray = label([segment(0, 'so we went on and on')], turns([0, 1.1], [1, 1.6], [0, 3]));
    expect(said(stray)).toEqual(['A: so we went on and on']);
    const yes = label([segment(0, 'So we went. Yes. And then on.')], turns([0, 1.5], [1, 1.95], [0, 4]));
    expect(said(yes)).toEqual(['A: So we went.', 'B: Yes.', 'A: And then on.']);
  });

  it('assigns a segment without words to the speaker of most of it', () => {
    const bare = { ...segment(0, 'Bonjour tout le monde.'), words: [] };
    expect(said(label([bare], turns([0, 0.5], [1, 3])))).toEqual(['A: Bonjour tout le monde.']);
    const strange = segment(0, 'one two three four');
    strange.words[2]!.word = 'tree';
    expect(said(label([strange], turns([0, 0.5], [1, 3])))).toEqual(['A: one two three four']);
  });

  it('gives words outside of all turns to the nearest one', () => {
    const all = [
      { start: 0, end: sampleRate, speaker: 0 },
      { start: 3 * sampleRate, end: 4 * sampleRate, speaker: 1 },
    ];
    expect(said(label([segment(1.2, 'One.'), segment(2.4, 'Two.'), segment(9, 'Three.')], all))).toEqual([
      'A: One.',
      'B: Two.',
      'B: Three.',
    ]);
    expect(said(label([segment(0, 'Alone.')], []))).toEqual(['A: Alone.']);
  });

  it('labels speakers in the order of their first words, known ones by name', () => {
    const segments = [0, 1, 2, 3].map((start) => segment(start, 'Word.'));
    const all = turns([7, 0.9], [-2, 1.9], [3, 2.9], [7, 4]);
    expect(label(segments, all, ['Ann', 'B']).map(({ speaker }) => speaker)).toEqual(['A', 'B', 'C', 'A']);
  });

  it('counts on after Z', () => {
    const segments = Array.from({ length: 28 }, (_, index) => segment(index, 'Word.'));
    const all = segments.map((_, index): [number, number] => [index, index + 0.9]);
    expect(label(segments, turns(...all)).map(({ speaker }) => speaker)).toEqual([
      ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
      'AA',
      'AB',
    ]);
  });

  it('keeps the text, its words and its tokens, wherever it is cut', () => {
    const text = '他说“你好。”我说再见。';
    const words = ['他', '说', '“你好。”', '我', '说', '再见。'].map((word, index) => ({
      word,
      start: index,
      end: index + 0.9,
      probability: 1,
    }));
    const segments = [
      { ...segment(0, 'x'), text, words, end: 5.9 },
      { ...segment(6, 'one - two, (three) four'), logprobs: [{ token: ' one', bytes: [1], logprob: 0 }] },
    ];
    for (let seed = 1; seed < 200; seed++) {
      const cuts = turns(...Array.from({ length: 12 }, (_, i): [number, number] => [(i * seed) % 3, (i + 1) * 0.77]));
      const labelled = label(segments, cuts);
      expect(labelled.map((part) => part.text).join('')).toBe(segments.map((part) => part.text).join(''));
      expect(labelled.flatMap((part) => part.words)).toEqual(segments.flatMap((part) => part.words));
      expect(labelled.flatMap((part) => part.tokens)).toEqual([1, 2, 3, 1, 2, 3]);
      expect(labelled.flatMap((part) => part.logprobs ?? [])).toEqual(segments[1]!.logprobs);
      for (const { start, end } of labelled) expect(end).toBeGreaterThan(start);
    }
  });

  it('labels hours of speech', () => {
    const segments = Array.from({ length: 8000 }, (_, index) => segment(index * 2, 'one two three four.'));
    const all = turns([5, 4000], ...Array.from({ length: 6000 }, (_, i): [number, number] => [i % 4, 4002 + 2 * i]));
    const started = performance.now();
    label(segments, all);
    // A guard against quadratic work, which takes minutes.
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('yields between segments, and at each change of speaker', () => {
    const segments = Array.from({ length: 1000 }, (_, index) => segment(index * 2, 'One two three.'));
    const all = turns(...segments.map((_, index): [number, number] => [index % 2, 2 * index + 1.9]));
    expect([...labelSegments(segments, all, { sampleRate })]).toHaveLength(2999);
  });
});
