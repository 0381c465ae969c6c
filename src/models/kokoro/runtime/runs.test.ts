import { describe, expect, it } from 'vitest';
import { cutRuns, type Phoneme, type RunLimits } from './runs.ts';

/** Words of a text as phonemes of one token each. */
function phonemesOf(text: string): Phoneme[] {
  return text.split(/(?= )/).flatMap((word, token) => [...word].map((symbol) => ({ symbol, token })));
}

function cut(text: string, limits: Partial<RunLimits> = {}, phrases: readonly string[] = []): [string, string][] {
  const runs = cutRuns(phonemesOf(text), { first: 20, usual: 50, most: 80, ...limits }, (word) =>
    phrases.includes(word),
  );
  return runs.map(({ phonemes, joint }) => [phonemes.map(({ symbol }) => symbol).join(''), joint]);
}

describe('cutRuns', () => {
  it('leaves a short sentence whole, and one that is little longer', () => {
    expect(cut('həlˈO.')).toEqual([['həlˈO.', 'sentence']]);
    expect(cut('aaaa bbbb cccc dddd eeee ffff.')).toHaveLength(1);
    expect(cut('')).toEqual([]);
    expect(cut('  ')).toEqual([]);
  });

  it('cuts the first run at a clause, and later ones farther away', () => {
    expect(cut('aaaa bbbb, cccc dddd eeee ffff gggg, hhhh iiii jjjj kkkk llll mmmm nnnn oooo pppp qqqq rrrr.')).toEqual(
      [
        ['aaaa bbbb,', 'clause'],
        ['cccc dddd eeee ffff gggg,', 'clause'],
        ['hhhh iiii jjjj kkkk llll mmmm nnnn oooo pppp qqqq rrrr.', 'sentence'],
      ],
    );
  });

  it('goes a little farther for a clause rather than cut within one', () => {
    expect(cut('aaaa bbbb cccc dddd eeee, ffff gggg hhhh iiii jjjj kkkk llll mmmm')[0]).toEqual([
      'aaaa bbbb cccc dddd eeee,',
      'clause',
    ]);
  });

  it('cuts before a phrase for want of a clause', () => {
    const text = 'aaaa bbbb cc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll mmmm nnnn oooo';
    expect(cut(text, {}, ['cc'])[0]).toEqual(['aaaa bbbb', 'within a clause']);
  });

  it('sees the end of a sentence behind a quotation mark', () => {
    expect(cut('“aaaa bbbb cccc.” dddd eeee ffff gggg hhhh iiii jjjj')[0]).toEqual(['“aaaa bbbb cccc.”', 'sentence']);
  });

  it('sees no end of a sentence in a sound of Hindi', () => {
    const runs = cut('aaaa pəhaːr. cccc dddd, eeee ffff gggg hhhh iiii jjjj');
    expect(runs[0]).toEqual(['aaaa pəhaːr. cccc dddd,', 'clause']);
    expect(cut('aaaa bbbb cccc pəhaːr. dddd eeee ffff gggg hhhh')[0]![1]).toBe('within a clause');
  });

  it('keeps every phoneme of a text without end, in runs that the model takes', () => {
    for (const text of [
      'a'.repeat(1000),
      'aaaa '.repeat(300).trim(),
      'a, '.repeat(200).trim(),
      `${'b'.repeat(200)} c`,
    ]) {
      const runs = cut(text);
      expect(
        runs
          .map(([run]) => run)
          .join('')
          .replaceAll(' ', ''),
      ).toBe(text.replaceAll(' ', ''));
      for (const [run] of runs) expect(run.length).toBeLessThanOrEqual(80);
    }
  });

  it('takes limits below one phoneme', () => {
    expect(
      cut('aaa bbb', { first: 0.5, usual: 1 })
        .map(([run]) => run)
        .join(''),
    ).toBe('aaabbb');
  });
});
