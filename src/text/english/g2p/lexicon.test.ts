import { beforeAll, describe, expect, it } from 'vitest';
import { formatPhones } from './arpabet.ts';
import { Lexicon, PronouncingDictionary } from './lexicon.ts';

let lexicon: Lexicon;
beforeAll(async () => {
  lexicon = new Lexicon(await PronouncingDictionary.load());
});

const known = (word: string) => {
  const phones = lexicon.known(word, 'us');
  return phones && formatPhones(phones).join(' ');
};

describe('known: words made of known parts', () => {
  it.each([
    ["giraffe's", 'JH ER0 AE1 F S'],
    ["walrus's", 'W AO1 L R AH0 S AH0 Z'],
    ["zebra's", 'Z IY1 B R AH0 Z'],
    ['retweeted', 'R IY2 T W IY1 T AH0 D'],
    ['refactored', 'R IY2 F AE1 K T ER0 D'],
    ['googling', 'G UW1 G L IH0 NG'],
    ['foggily', 'F AA1 G AH0 L IY0'],
    ['optionally', 'AA1 P SH AH0 N AH0 L IY0'],
    ['unclickable', 'AH2 N K L IH1 K AH0 B AH0 L'],
    ['customizability', 'K AH2 S T AH0 M AY2 Z AH0 B IH1 L AH0 T IY0'],
    ['microservice', 'M AY2 K R OW0 S ER1 V AH0 S'],
    ['backpropagating', 'B AE2 K P R AA1 P AH0 G EY2 T IH0 NG'],
    ['blogger', 'B L AO1 G ER0'],
    ['typescript', 'T AY1 P S K R IH2 P T'],
    ['keyboardist', 'K IY1 B AO2 R D IH0 S T'],
    ['unputdownable', 'AH2 N P UH1 T D AW2 N AH0 B AH0 L'],
    ["runnin'", 'R AH1 N IH0 N'],
    ['tokenize', 'T OW1 K AH0 N AY2 Z'],
  ])('%s → %s', (word, phones) => {
    expect(known(word)).toBe(phones);
  });
});

describe('phones: unknown words', () => {
  it('spells words without a vowel and sounds out others', () => {
    expect(formatPhones(lexicon.phones('xkcd', 'us')).join(' ')).toBe('EH1 K S K EY1 S IY1 D IY1');
    expect(lexicon.known('blorptastic', 'us')).toBeUndefined();
    expect(lexicon.phones('blorptastic', 'us').length).toBeGreaterThan(7);
    expect(formatPhones(lexicon.phones("blorptastic's", 'us')).at(-1)).toBe('S');
  });

  it('ignores names of object properties', () => {
    for (const word of ['constructor', 'tostring', 'hasownproperty', '__proto__', 'valueof']) {
      expect(Array.isArray(lexicon.phones(word, 'us')), word).toBe(true);
    }
  });
});

it('overrides British words, with endings too', () => {
  expect(formatPhones(lexicon.phones('schedules', 'gb')).join(' ')).toBe('SH EH1 D Y UW0 L Z');
  expect(formatPhones(lexicon.phones('schedules', 'us')).join(' ')).not.toBe('SH EH1 D Y UW0 L Z');
});

let dictionary: PronouncingDictionary;
beforeAll(async () => {
  dictionary = await PronouncingDictionary.load();
});

describe('PronouncingDictionary', () => {
  it('finds a word with all its variants', () => {
    expect(dictionary.lookup('read')).toEqual(['R EH1 D', 'R IY1 D']);
    expect(dictionary.lookup('water')).toEqual(['W AO1 T ER0']);
  });

  it('drops comments at the end of entries', () => {
    const remarked = [...dictionary.entries()].filter(({ phones }) => !/^[A-Z0-2 ]+$/.test(phones));
    expect(remarked).toEqual([]);
  });

  it('finds nothing before, between and after its words', () => {
    for (const word of ['', '!', 'blorptastic', 'read(2)', 'zzzzzz', '~', 'dictionary const', 'é']) {
      expect(dictionary.lookup(word), word).toEqual([]);
      expect(dictionary.has(word), word).toBe(false);
    }
  });

  it('finds every word that it lists', () => {
    let entries = 0;
    const missing: string[] = [];
    for (const { word } of dictionary.entries()) {
      entries += 1;
      // All take a second; every seventh covers the file too.
      if (entries % 7 === 1 && !dictionary.has(word.replace(/\(\d+\)$/, ''))) missing.push(word);
    }
    expect(entries).toBe(135_155);
    expect(missing).toEqual([]);
  });
});
