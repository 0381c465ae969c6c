import { describe, expect, it } from 'vitest';
import type { ChunkLimits, Phoneme } from '../../contracts/synthesis.ts';
import type { LanguageText } from '../../text/language.ts';
import { UserLexicon } from '../../text/user-lexicon.ts';
import { Chunker } from './chunker.ts';
import { PhonemeReader, PhonemeReading } from './phoneme-reader.ts';

const tokensOf = (text: string) => text.split(' ').map((word) => ({ written: word, spoken: word }));

/** Phonemes of a text, a token for each word. */
function phonemesOf(text: string): Phoneme[] {
  return text.split(/(?= )/).flatMap((word, token) => [...word].map((symbol) => ({ symbol, token })));
}

function cut(text: string, change: Partial<ChunkLimits> = {}, phrases: readonly string[] = []): [string, string][] {
  const limits: ChunkLimits = { first: 20, growth: 2.5, usual: 50, max: 80, settleFor: 'clause', ...change };
  const reading = new PhonemeReading(phonemesOf(text), (word) => phrases.includes(word));
  return new Chunker(limits)
    .cut(reading)
    .map(({ units, boundary }) => [units.map(({ symbol }) => symbol).join(''), boundary]);
}

describe('PhonemeReading', () => {
  it('keeps a short sentence whole, and one that is little longer', () => {
    expect(cut('həlˈO.')).toEqual([['həlˈO.', 'sentence']]);
    expect(cut('aaaa bbbb cccc dddd eeee ffff.')).toHaveLength(1);
    expect(cut('')).toEqual([]);
    expect(cut('  ')).toEqual([]);
  });

  it('cuts the first chunk at a clause, and later ones farther away', () => {
    expect(cut('aaaa bbbb, cccc dddd eeee ffff gggg, hhhh iiii jjjj kkkk llll mmmm nnnn oooo pppp qqqq rrrr.')).toEqual(
      [
        ['aaaa bbbb,', 'clause'],
        ['cccc dddd eeee ffff gggg,', 'clause'],
        ['hhhh iiii jjjj kkkk llll mmmm nnnn oooo pppp qqqq rrrr.', 'sentence'],
      ],
    );
  });

  it('goes a little beyond the limit for a clause', () => {
    expect(cut('aaaa bbbb cccc dddd eeee, ffff gggg hhhh iiii jjjj kkkk llll mmmm')[0]).toEqual([
      'aaaa bbbb cccc dddd eeee,',
      'clause',
    ]);
  });

  it('cuts before a phrase if there is no clause', () => {
    const text = 'aaaa bbbb cc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll mmmm nnnn oooo';
    expect(cut(text, {}, ['cc'])[0]).toEqual(['aaaa bbbb', 'word']);
  });

  it('finds the end of a sentence before a quotation mark', () => {
    expect(cut('“aaaa bbbb cccc.” dddd eeee ffff gggg hhhh iiii jjjj')[0]).toEqual(['“aaaa bbbb cccc.”', 'sentence']);
  });

  it('takes the retroflex of Hindi for no end of a sentence', () => {
    const chunks = cut('aaaa pəhaːr. cccc dddd, eeee ffff gggg hhhh iiii jjjj');
    expect(chunks[0]).toEqual(['aaaa pəhaːr. cccc dddd,', 'clause']);
    expect(cut('aaaa bbbb cccc pəhaːr. dddd eeee ffff gggg hhhh')[0]![1]).toBe('word');
  });

  it('keeps every phoneme of an endless text, in chunks that the model takes', () => {
    for (const text of [
      'a'.repeat(1000),
      'aaaa '.repeat(300).trim(),
      'a, '.repeat(200).trim(),
      `${'b'.repeat(200)} c`,
    ]) {
      const chunks = cut(text);
      expect(
        chunks
          .map(([chunk]) => chunk)
          .join('')
          .replaceAll(' ', ''),
      ).toBe(text.replaceAll(' ', ''));
      for (const [chunk] of chunks) expect(chunk.length).toBeLessThanOrEqual(80);
    }
  });

  it('takes limits below one phoneme', () => {
    expect(
      cut('aaa bbb', { first: 0.5, usual: 1 })
        .map(([chunk]) => chunk)
        .join(''),
    ).toBe('aaabbb');
  });
});

describe('PhonemeReader', () => {
  const asSpoken: LanguageText = {
    segments: () => [],
    phonemes: async (tokens, lexicon) =>
      tokens.map(({ spoken }, index) => (index > 0 ? ' ' : '') + (lexicon?.pronounce(spoken) ?? spoken)),
    beginsPhrase: () => false,
  };
  const languages = { load: async () => asSpoken };
  const options = { language: 'a', lexicon: undefined } as const;

  it('reads phonemes with their tokens, and skips those that the model does not have', async () => {
    const reader = new PhonemeReader(languages, new Set('nˈO. '));
    const { units, text } = await reader.read({ tokens: tokensOf('nˈ☃O n?') }, options);
    expect(text).toBe('nˈO n');
    expect(units.map(({ token }) => token)).toEqual([0, 0, 0, 1, 1]);
  });

  it('reads in the language of the request', async () => {
    const asked: string[] = [];
    const reader = new PhonemeReader({
      load: async (letter) => {
        asked.push(letter);
        return asSpoken;
      },
    });
    for (const language of ['b', 'f'] as const) await reader.read({ tokens: tokensOf('ə') }, { ...options, language });
    expect(asked).toEqual(['b', 'f']);
  });

  it('reads with the lexicon of the request, and takes given phonemes unchanged', async () => {
    const reader = new PhonemeReader(languages);
    const lexicon = UserLexicon.from({ a: 'ˈA' });
    expect((await reader.read({ tokens: tokensOf('a') }, { ...options, lexicon })).text).toBe('ˈA');
    expect((await reader.read({ tokens: tokensOf('a') }, options)).text).toBe('a');
    const given = { tokens: tokensOf('b c'), phonemes: ['nˈO', '—jˈɛs!'] };
    expect((await reader.read(given, options)).text).toBe('nˈO—jˈɛs!');
  });
});
