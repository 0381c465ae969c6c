import { beforeAll, describe, expect, it } from 'vitest';
import { PronouncingDictionary } from './pronouncing-dictionary.ts';

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
