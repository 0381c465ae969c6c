import { describe, expect, it } from 'vitest';
import { segment } from '../../../test/fixtures/transcription-app.ts';
import { Agreement } from './agreement.ts';
import { guessedWords } from './guessed-words.ts';

/** Words of which a model is neither sure nor unsure. */
const PROBABILITY = 0.7;
const words = (...texts: string[]) =>
  guessedWords(texts.map((text, index) => segment(text, 2 * index, 2 * index + 2))).map((word) => ({
    ...word,
    probability: PROBABILITY,
  }));
/** The words 0, 1, 2 … with these probabilities. */
const numbers = (...probabilities: number[]) =>
  probabilities.map((probability, index) => ({ text: ` ${index}`, after: '', start: 0, end: 0.1, probability }));
/** Pushes guesses a second apart, each surely heard. */
function push(agreement: Agreement, ...guesses: string[]): string[] {
  return guesses.map((guess, index) => agreement.push(words(guess), 100 + index));
}

describe('Agreement', () => {
  it('gives the tokens of the text that it has returned, once', () => {
    const agreement = new Agreement();
    const guess = (text: string, tokens: string[]) =>
      guessedWords([
        {
          ...segment(text, 0, 2),
          logprobs: tokens.map((token) => ({ token, bytes: [...Buffer.from(token)], logprob: -1 })),
        },
      ]).map((word) => ({ ...word, probability: PROBABILITY }));
    const taken = () => agreement.takeTokens().map(({ token }) => token);
    const first = [' And', ' so', ',', ' my'];
    expect(agreement.push(guess(' And so, my', first), 100)).toBe(' And');
    expect(taken()).toEqual([' And']);
    expect(agreement.push(guess(' And so. Your', [' And', ' so', '.', ' Your']), 101)).toBe(' so');
    expect(taken()).toEqual([' so']);
    expect(agreement.finish(guess(' And so, my fellow.', [...first, ' fel', 'low', '.']))).toBe(', my fellow.');
    expect(taken()).toEqual([',', ' my', ' fel', 'low', '.']);
    expect(taken()).toEqual([]);
    expect(agreement.finish(guess(' And so, my fellow-man.', [...first, ' fel', 'low', '-', 'man', '.']))).toBe(
      '-man.',
    );
    expect(taken()).toEqual(['-', 'man', '.']);
  });

  it('commits a first word at once if another follows it, and later the less the model is sure of it', () => {
    const guess = (text: string, probability: number) =>
      words(text).map((word) => ({ ...word, start: 0, end: 0.2, probability }));
    const alone = new Agreement();
    const pushed = [0.5, 0.564, 0.628, 0.692, 0.756].map((heard) => alone.push(guess(' It', 0.4), heard));
    expect(pushed).toEqual(['', '', '', '', ' It']);
    const followed = new Agreement();
    expect(followed.push(guess(' It was', 0.4), 0.5)).toBe(' It');
    // The second word is as unsure as any.
    expect(followed.push(guess(' It was', 0.4), 0.564)).toBe('');
    const unsure = new Agreement();
    expect([0.5, 0.564].map((heard) => unsure.push(guess(' It was', 0.3), heard))).toEqual(['', ' It']);
  });

  it('commits a probable word at once if another follows it', () => {
    const agreement = new Agreement();
    const guess = numbers(0.9, 0.9, 0.89, 0.9);
    expect([1, 1.1, 1.4].map((heard) => agreement.push(guess, heard))).toEqual([' 0 1', '', ' 2 3']);
  });

  it('commits words on which two consecutive guesses agree', () => {
    const agreement = new Agreement();
    const guesses = [' It was the pineapple.', ' It was the best of time.', ' It was the best of times, it.'];
    expect(push(agreement, ...guesses)).toEqual([' It', ' was the', ' best of']);
    expect(agreement.finish(words(' It was the best of times, it was.'))).toBe(' times, it was.');
  });

  it('leaves the punctuation after the last word open until the next one is committed', () => {
    const agreement = new Agreement();
    expect(push(agreement, ' And so.', ' And so.', ' And so, my', ' And so, my fellow')).toEqual([
      ' And',
      ' so',
      '',
      ', my',
    ]);
  });

  it('is not held up by punctuation and capitals that change', () => {
    const agreement = new Agreement();
    expect(push(agreement, ' Best of times. It was', ' Best of times, it was')).toEqual([' Best', ' of times, it was']);
  });

  it('does not commit words that may be cut off', () => {
    const agreement = new Agreement();
    const guess = [
      { text: ' It', after: '', start: 0, end: 0.4, probability: 1 },
      { text: ' was', after: '', start: 0.5, end: 0.95, probability: 1 },
    ];
    expect(agreement.push(guess, 0.44)).toBe('');
    expect(agreement.push(guess, 1)).toBe(' It');
    expect(agreement.push(guess, 1.2)).toBe(' was');
  });

  it('waits longer for less probable words and for the words after them', () => {
    const agreement = new Agreement();
    const guess = numbers(0.3, 0.7, 0.3, 0.95);
    expect([1, 1.2, 1.4, 1.7].map((heard) => agreement.push(guess, heard))).toEqual(['', ' 0', ' 1', ' 2 3']);
  });

  it('never takes back committed words, and continues after them if earlier text changes', () => {
    const agreement = new Agreement();
    expect(push(agreement, ' I scream for', ' I scream for')).toEqual([' I', ' scream for']);
    expect(agreement.finish(words(' Ice cream for everyone.'))).toBe(' everyone.');
  });

  it('does not repeat words when some were inserted or left out before', () => {
    const longer = new Agreement();
    push(longer, ' the age of wisdom', ' the age of wisdom');
    expect(longer.finish(words(' It was the age of wisdom, it was the age of foolishness.'))).toBe(
      ', it was the age of foolishness.',
    );
    const shorter = new Agreement();
    push(shorter, ' well it was the age', ' well it was the age');
    expect(shorter.finish(words(' It was the age of wisdom.'))).toBe(' of wisdom.');
  });

  it('continues at the same time if the words are ambiguous', () => {
    const agreement = new Agreement();
    const guess = [
      { text: ' of', after: '', start: 0.8, end: 1, probability: 1 },
      { text: ' the', after: '', start: 1, end: 1.2, probability: 1 },
    ];
    expect([2, 3].map((heard) => agreement.push(guess, heard))).toEqual([' of', ' the']);
    const final = [guess[0]!, { text: ' incredulity', after: '.', start: 1.4, end: 2.2, probability: 1 }];
    expect(agreement.finish(final)).toBe(' incredulity.');
  });

  it('gives the rest of a word that was cut off when its beginning was committed', () => {
    const agreement = new Agreement();
    expect(push(agreement, ' My fellow.', ' My fellow.')).toEqual([' My', ' fellow']);
    expect(agreement.push(words(' My fellow-american.'), 102)).toBe('');
    expect(agreement.push(words(' My fellow-american. Ask.'), 103)).toBe('');
    expect(agreement.push(words(' My fellow-american. Ask not.'), 104)).toBe('-american. Ask');
    expect(agreement.finish(words(' My fellow-american. Asking.'))).toBe('ing.');
  });

  it('commits nothing of guesses that differ', () => {
    const agreement = new Agreement();
    expect(push(agreement, ' Yes', ' No', '', ' No')).toEqual(['', '', '', '']);
    expect(agreement.finish([])).toBe('');
  });

  it('continues from a guess that starts later', () => {
    const agreement = new Agreement();
    const word = (text: string, end: number) => ({
      text: ` ${text}`,
      after: '',
      start: end - 0.2,
      end,
      probability: 1,
    });
    const guess = [word('it', 1), word('was', 2), word('the', 3)];
    expect([4, 5].map((heard) => agreement.push(guess, heard))).toEqual([' it was', ' the']);
    const later = [word('The', 3), word('best', 4), word('it', 5), word('was', 6)];
    expect([7, 8].map((heard) => agreement.push(later, heard, 2))).toEqual([' best it', ' was']);
    expect(agreement.committedEnds).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('expects the text of the last guess, whatever was committed before', () => {
    const agreement = new Agreement();
    const committed = agreement.push(words(' In', ' the'), 100);
    expect(committed + agreement.push(words(' In', ' the', ' period'), 101)).toBe(' In the');
    agreement.push(words(' In', ' short,', ' the', ' period', ' was'), 102);
    expect(agreement.textFrom(0)).toBe(' In short, the period was');
    // A guess that begins later says nothing of the words before.
    const later = words(' period', ' was', ' so.').map((word) => ({
      ...word,
      start: word.start + 6,
      end: word.end + 6,
    }));
    agreement.push(later, 104, 6);
    expect(agreement.textFrom(0)).toBe(' In short, the period was so.');
    expect(agreement.textFrom(6)).toBe(' period was so.');
    agreement.settle(words(' In', ' short,', ' the'), 6);
    expect(agreement.textFrom(0)).toBe(' period was so.');
  });

  it('keeps words committed after the settled speech', () => {
    const agreement = new Agreement();
    const word = (text: string, end: number) => ({
      text: ` ${text}`,
      after: '',
      start: end - 0.2,
      end,
      probability: 1,
    });
    const guess = [word('one', 1), word('two', 2), word('three', 3)];
    agreement.push(guess, 4);
    agreement.push(guess, 5);
    // The comma would follow three.
    const final = [word('one', 1), word('or', 1.5), { ...word('two', 2), after: ',' }];
    expect(agreement.settle(final, 2.1)).toBe('');
    expect(agreement.committedEnds).toEqual([expect.closeTo(0.9)]);
    expect(agreement.finish([word('three', 0.9), word('four', 2)])).toBe(' four');
    expect(agreement.settle([], 3)).toBe('');
    expect(agreement.finish([word('five', 1)])).toBe(' five');
  });

  it('adds no word when the final text ends before the committed words', () => {
    const agreement = new Agreement();
    push(agreement, ' one two three', ' one two three');
    expect(agreement.finish(words(' one two.'))).toBe('.');
  });
});
