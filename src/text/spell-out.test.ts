import { describe, expect, it } from 'vitest';
import { SpellOut } from './spell-out.ts';

describe('SpellOut', () => {
  it.each([
    ['es', 'spellout-cardinal-masculine', 21_021, 'veintiún mil veintiún'],
    ['es', 'spellout-cardinal-feminine', 1_000_201, 'un millón doscientas una'],
    ['es', 'spellout-ordinal-feminine', 33, 'trigésima tercera'],
    ['fr', 'spellout-cardinal-masculine', 80, 'quatre-vingts'],
    ['fr', 'spellout-cardinal-masculine', 80_071, 'quatre-vingt mille soixante-et-onze'],
    ['fr', 'spellout-cardinal-masculine', 281, 'deux cent quatre-vingt-un'],
    ['hi', 'spellout-cardinal', 12_345_678, 'एक करोड़ तेईस लाख पैंतालीस हज़ार छह सौ अठहत्तर'],
    ['it', 'spellout-numbering', 1_921_038, 'un milione novecentoventunomilatrentotto'],
    ['it', 'spellout-ordinal-masculine', 23, 'ventitreesimo'],
    ['pt', 'spellout-cardinal-feminine', 2_202, 'duas mil duzentas e duas'],
    ['pt', 'spellout-cardinal-masculine', 3_000_000_001, 'três bilhões e um'],
    ['ja', 'spellout-cardinal', 12_345, '一万二千三百四十五'],
  ])('%s %s %i', async (language, set, number, words) => {
    expect((await SpellOut.load(language)).say(number, set)).toBe(words);
  });

  it('has no words for negative, fractional and unsafe numbers, or unknown rule sets', async () => {
    const french = await SpellOut.load('fr');
    for (const number of [-1, 1.5, Number.NaN, 2 ** 60])
      expect(french.say(number, 'spellout-numbering')).toBeUndefined();
    expect(french.say(1, 'no-such-set')).toBeUndefined();
  });
});
