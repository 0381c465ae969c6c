import { describe, expect, it } from 'vitest';
import { defaultNormalization } from '../../normalization.ts';
import { UserLexicon } from '../../user-lexicon.ts';
import { sentenceTokens } from '../normalize/tokens.ts';
import { spokenWords } from './spoken-words.ts';

const words = (text: string, entries?: UserLexicon) =>
  spokenWords(sentenceTokens(text, [], defaultNormalization), entries).map(
    ({ text: word, joined }) => (joined ? '+' : '') + word,
  );

describe('spokenWords', () => {
  it.each([
    ['the well-known story.', ['the', 'well-known', 'story.']],
    ['the re-opened shop’s', ['the', 're-opened', "shop's"]],
    ['JavaScript and eBay', ['JavaScript', 'and', 'eBay']],
    ['21 or twenty-one', ['twenty', 'one', 'or', 'twenty-one']],
    ['the FBI’s CEOs', ['the', "F.B.I's", "C.E.O's"]],
    ['at 10 a.m. sharp', ['at', 'ten', 'A.M', 'sharp']],
    ['a PhD', ['a', 'P.H.D']],
    ['do NOT go', ['do', 'NOT', 'go']],
    ['DO NOT GO', ['do', 'not', 'go']],
    ['give ’em that', ['give', "'em", 'that']],
    ['well—so — then', ['well', '+—', '+so', '—', 'then']],
    ['"Yes," he said', ['“Yes,”', 'he', 'said']],
  ])('%s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('uses user entries of words as written', () => {
    const entries = UserLexicon.from({ SQL: 'sˈikwəl', 'C++': 'sˌiplˈʌs', gif: 'ʤˈɪf' });
    const tokens = sentenceTokens('(SQL) and C++, not GIFs; a gif.', [], defaultNormalization);
    const said = spokenWords(tokens, entries);
    expect(said.map(({ text, ipa }) => ipa ?? text)).toEqual([
      '(',
      'sˈikwəl',
      ')',
      'and',
      'sˌiplˈʌs',
      ',',
      'not',
      'Gifs;',
      'a',
      'ʤˈɪf',
      '.',
    ]);
    expect(said.map(({ joined }) => joined)).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(said.map(({ token }) => token)).toEqual([0, 0, 0, 1, 2, 2, 3, 4, 5, 6, 6]);
  });
});
