import { describe, expect, it } from 'vitest';
import { isPointing, tagOf } from './part-of-speech.ts';
import type { Context } from './word-classes.ts';

/** The sentence and the index of its first word in capitals. */
function contextOf(sentence: string): [Context, number] {
  const marked = sentence.split(' ');
  const words = marked.map((word) => word.toLowerCase().replace(/[^a-z']/g, ''));
  const context = { words, written: words, pauses: marked.map((word) => /[.,;:!?]$/.test(word)) };
  return [context, marked.findIndex((word) => /^[A-Z']{2,}/.test(word))];
}

describe('isPointing', () => {
  it.each([
    'THAT is the house.',
    'I know THAT.',
    'and THAT man said so.',
    'he walked down THAT road.',
    'is THAT fair?',
    'take THAT chair.',
    'it was bigger than THAT of his brother.',
    'all night THAT night',
    'I think THAT is right.',
  ])('true: %s', (sentence) => {
    expect(isPointing(...contextOf(sentence))).toBe(true);
  });

  it.each([
    'he said THAT he knew it.',
    'the house THAT was sold is old.',
    'all THAT is known',
    'I know THAT the house was sold.',
    'so THAT nobody saw it.',
    'he was told THAT guns were expected.',
    'everything THAT glitters',
  ])('false: %s', (sentence) => {
    expect(isPointing(...contextOf(sentence))).toBe(false);
  });
});

describe('tagOf', () => {
  it.each([
    ['the OBJECT of it', 'NN'],
    ['we OBJECT to it', 'VB'],
    ['to PRESENT it', 'VB'],
    ['they LIVED there', 'VBD'],
    ['a RAGGED coat', 'JJ'],
    ['an INVALID claim', 'JJ'],
    ['for the INVALID.', 'NN'],
    ['he USED to go', 'VBD'],
    ['it is USED to go', 'VBN'],
    ['come IN.', 'RP'],
    ['come IN at once', 'RP'],
    ['sit IN the chair', 'IN'],
    ['THE end', 'DT'],
    ['ESTIMATE', 'XX'],
  ])('%s: %s', (sentence, tag) => {
    expect(tagOf(...contextOf(sentence))).toBe(tag);
  });
});
