import { beforeAll, describe, expect, it } from 'vitest';
import type { LanguageText } from '../language.ts';
import { Languages } from '../languages.ts';

describe('beginsPhrase', () => {
  let [american, british]: LanguageText[] = [];
  beforeAll(async () => {
    const languages = new Languages();
    [american, british] = [await languages.load('a'), await languages.load('b')];
  });

  /** The words that begin a phrase, by their sound in the sentence. */
  const openers = async (read: LanguageText, text: string) => {
    const tokens = text.split(' ').map((word) => ({ written: word, spoken: word }));
    const sounds = (await read.phonemes(tokens)).map((sound) => sound.trim());
    return tokens.filter((token, index) => read.beginsPhrase(token, sounds[index]!)).map(({ spoken }) => spoken);
  };

  it.each([
    ['we sat by the sea and waited for them', ['by', 'and', 'for']],
    ['they went to all of the old shops while it rained', ['to', 'of', 'while']],
    ['four of these are too big to buy', ['of', 'are', 'to']],
    ['he knew which one was his or hers', ['which', 'was', 'or']],
  ])('decides by sound: %s', async (text, expected) => {
    expect(await openers(american!, text)).toEqual(expected);
    expect(await openers(british!, text)).toEqual(expected);
  });
});
