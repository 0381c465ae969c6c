import { stat } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { formatPhones } from './arpabet.ts';
import { editDistance } from './edit-distance.ts';
import { isHeldOut, LetterToSound, MODEL_FILE } from './letter-to-sound.ts';
import { PronouncingDictionary } from './lexicon.ts';

let letterToSound: LetterToSound;
beforeAll(() => {
  letterToSound = new LetterToSound();
});

const read = (word: string) => formatPhones(letterToSound.pronounce(word)).join(' ');

describe('LetterToSound', () => {
  it.each([
    ['hearsay', 'HH IY1 R S EY2'],
    ['tokenizer', 'T OW1 K AH0 N AY2 Z ER0'],
    ['misaki', 'M IH0 S AA1 K IY0'],
    ['whisper', 'W IH1 S P ER0'],
  ])('reads %s', (word, phones) => {
    expect(read(word)).toBe(phones);
  });

  it('reaches its accuracy on held-out dictionary words', async () => {
    const dictionary = await PronouncingDictionary.load();
    let words = 0;
    let right = 0;
    let withoutStress = 0;
    let errors = 0;
    let length = 0;
    for (const { word } of dictionary.entries()) {
      if (!/^[a-z]{2,}$/.test(word) || !isHeldOut(word)) continue;
      words += 1;
      if (words > 2000) break;
      const guess = read(word);
      const variants = dictionary.lookup(word);
      const plain = (phones: string) => phones.replace(/\d/g, '');
      if (guess === variants[0]) right += 1;
      if (plain(guess) === plain(variants[0]!)) withoutStress += 1;
      errors += editDistance(plain(guess).split(' '), plain(variants[0]!).split(' '));
      length += variants[0]!.split(' ').length;
    }
    expect(right / words).toBeGreaterThan(0.57);
    expect(withoutStress / words).toBeGreaterThan(0.62);
    expect(errors / length).toBeLessThan(0.105);
  });

  it('gives each word exactly one primary stress', () => {
    for (const word of ['blorptastic', 'anthropocene', 'zyzzyva', 'frobnicator', 'antidisestablishmentarianism']) {
      expect(
        letterToSound.pronounce(word).filter(({ stress }) => stress === 1),
        word,
      ).toHaveLength(1);
    }
  });

  it('reads input of any length and any characters', () => {
    expect(read('')).toBe('');
    expect(read("'-é")).toBe('');
    expect(letterToSound.pronounce('abcdefghij'.repeat(5000)).length).toBeGreaterThan(20_000);
    expect(letterToSound.pronounce('x'.repeat(1000)).length).toBeGreaterThan(100);
  }, 30_000);

  it('has a model file below 225 kB', async () => {
    expect((await stat(MODEL_FILE)).size).toBeLessThan(225_000);
  });
});
