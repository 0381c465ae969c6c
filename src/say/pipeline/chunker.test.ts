import { describe, expect, it } from 'vitest';
import type { ChunkLimits } from '../../contracts/synthesis.ts';
import { Chunker, CutRank, type Reading } from './chunker.ts';

const limits: ChunkLimits = { first: 10, growth: 2, usual: 30, max: 50, settleFor: 'clause' };

/** Characters as units: a cut may follow a space; `,` and `.` are marks without a sound. */
function reading(text: string): Reading<string> {
  return {
    units: [...text],
    sizeOf: () => 1,
    cutRank: (index) => {
      if (text[index] !== ' ') return CutRank.none;
      if (text[index - 1] === '.') return CutRank.sentence;
      return text[index - 1] === ',' ? CutRank.clause : CutRank.word;
    },
    boundaryAfter: (chunk, isLast) => (isLast ? 'sentence' : chunk.at(-1) === ',' ? 'clause' : 'word'),
    isSpace: (unit) => unit === ' ',
    isHeard: (unit) => /\w/.test(unit),
  };
}

const cutWith = (chunker: Chunker, text: string) => chunker.cut(reading(text)).map(({ units }) => units.join(''));
const cut = (text: string, change: Partial<ChunkLimits> = {}) => cutWith(new Chunker({ ...limits, ...change }), text);

describe('Chunker', () => {
  it('keeps a short sentence whole, and one that exceeds the limit by less than half', () => {
    expect(cut('aaaa bbbb.')).toEqual(['aaaa bbbb.']);
    expect(cut('aaaa bbbb cccc.')).toEqual(['aaaa bbbb cccc.']);
    expect(cut('aaaa bbbb cccc d')).toEqual(['aaaa bbbb', 'cccc d']);
  });

  it('reports how each chunk ends', () => {
    const chunks = new Chunker(limits).cut(reading('aaaa, bbbb cccc dddd eeee ffff gggg hhhh.'));
    expect(chunks.map(({ boundary }) => boundary)).toEqual(['clause', 'word', 'sentence']);
  });

  it('prefers the latest of the best cuts, and none in the first third', () => {
    expect(cut('aa bb, cc, dd ee ff gg')[0]).toBe('aa bb, cc,');
    expect(cut('a, bbbb cc dd ee ff gg')[0]).toBe('a, bbbb cc');
  });

  it('looks beyond the limit for a better cut, unless it may settle for less', () => {
    expect(cut('aaaa bbbb cc, dddd eeee')[0]).toBe('aaaa bbbb cc,');
    expect(cut('aaaa bbb, cccc. dddd eeee')[0]).toBe('aaaa bbb,');
  });

  it('lets chunks grow from the first one of the job to the usual size, across sentences', () => {
    const chunker = new Chunker(limits);
    const long = 'aaaa '.repeat(40).trim();
    const lengths = () => cutWith(chunker, long).map((chunk) => chunk.length);
    expect(lengths().slice(0, 4)).toEqual([9, 19, 29, 29]);
    expect(lengths()[0]).toBe(29);
  });

  it('drops chunks without a sound, which do not count for the growth', () => {
    const chunker = new Chunker(limits);
    expect(cutWith(chunker, '. . . . . . . . . . . .')).toEqual([]);
    expect(cutWith(chunker, 'aaaa bbbb cccc dddd')[0]).toBe('aaaa bbbb');
  });

  it('makes a phrase of parts that need not be cut', () => {
    const text = 'aaaa bbbb cccc dddd eeee ffff gggg hhhh.';
    const chunks = new Chunker({ ...limits, phrase: 45 }).cut(reading(text));
    expect(chunks.map(({ units }) => units.join(''))).toEqual(['aaaa bbbb', 'cccc dddd eeee ffff gggg hhhh.']);
    expect(chunks.map(({ phrase }) => phrase!.units.join(''))).toEqual([text, text]);
    expect(chunks.map(({ phrase }) => [phrase!.begin, phrase!.end])).toEqual([
      [0, 10],
      [10, 40],
    ]);
    expect(chunks.map(({ boundary }) => boundary)).toEqual(['sentence', 'sentence']);
  });

  it('leaves a short phrase in one chunk', () => {
    const text = 'aaaa bbbb cccc dddd eeee';
    const cut = (whole: number) =>
      new Chunker({ ...limits, phrase: 45, whole }).cut(reading(text)).map(({ units }) => units.join(''));
    expect(cut(text.length)).toEqual([text]);
    expect(cut(text.length - 1).length).toBeGreaterThan(1);
  });

  it('cuts a sentence into phrases if it is longer than one', () => {
    const text = 'aaaa bbbb cccc dddd, eeee ffff gggg hhhh iiii jjjj kkkk llll.';
    const chunks = new Chunker({ ...limits, max: 40, phrase: 30 }).cut(reading(text));
    expect([...new Set(chunks.map(({ phrase, units }) => (phrase?.units ?? units).join('')))]).toEqual([
      'aaaa bbbb cccc dddd,',
      'eeee ffff gggg hhhh iiii jjjj kkkk llll.',
    ]);
    expect(chunks.map(({ boundary }) => boundary)).toEqual(['clause', 'clause', 'sentence']);
  });

  it('gives no part of a phrase without a sound', () => {
    const text = 'aaaa . . . . . . . bbbb . . . . . . . .';
    const chunks = new Chunker({ ...limits, phrase: 45 }).cut(reading(text));
    expect(chunks.every(({ units }) => units.some((unit) => /\w/.test(unit)))).toBe(true);
    expect(chunks[0]!.phrase?.begin ?? 0).toBe(0);
    for (const [index, { phrase }] of chunks.entries()) {
      expect(phrase!.end).toBe(chunks[index + 1]?.phrase?.begin ?? text.length);
    }
  });

  it('never exceeds the maximum, and takes at least one unit', () => {
    const text = `${'a'.repeat(200)} b`;
    const chunks = cut(text, { usual: 100 });
    expect(chunks.join('').replace(' ', '')).toBe(text.replace(' ', ''));
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBe(50);
    expect(cut('abc', { first: 0.1, usual: 0.1 })).toEqual(['a', 'b', 'c']);
  });
});
