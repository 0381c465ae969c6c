import { describe, expect, it } from 'vitest';
import type { Word } from '../../contracts/synthesis.ts';
import { fliteSynthesizer } from '../../models/flite/synthesizer.ts';
import { English } from '../../text/english/g2p/phonemes.ts';
import type { SpokenToken } from '../../text/types.ts';
import { UserLexicon } from '../../text/user-lexicon.ts';
import { Chunker, CutRank } from './chunker.ts';
import { foldLetters, WordReader, WordReading, withHomographs, wordsOf } from './word-reader.ts';

const { limits } = fliteSynthesizer(() => Promise.reject(new Error('not spoken')), 1);
const words = (text: string) => wordsOf(text.split(' ').map((word) => ({ written: word, spoken: word })));

/** Chunks as Flite takes them. @param first whether they are the first of a job */
function chunksOf(words: readonly Word[], { first = false } = {}) {
  const chunker = new Chunker({ ...limits, ...(!first && { first: limits.usual }) });
  return chunker.cut(new WordReading(words));
}

const cut = (text: string, options: { first?: boolean } = {}) =>
  chunksOf(words(text), options).map(
    ({ units, boundary }) => `${units.map((word) => word.text + word.punctuation).join(' ')} | ${boundary}`,
  );
const sentence = 'the old man walked slowly down to the harbour, and he looked out over the grey water.';

describe('WordReading', () => {
  it('keeps a sentence whole that is not the first', () => {
    expect(cut(sentence)).toEqual([`${sentence} | sentence`]);
  });

  it('cuts the first chunk early, before a phrase or at punctuation', () => {
    expect(cut(sentence, { first: true })).toEqual([
      'the old man walked slowly down | word',
      'to the harbour, and he looked out over the grey water. | sentence',
    ]);
    expect(cut("don't you dare, she said, or i will tell the captain about it!", { first: true })[0]).toBe(
      "don't you dare, she said, | clause",
    );
  });

  it('keeps a short first sentence whole', () => {
    expect(cut('yes, but we should leave now.', { first: true })).toHaveLength(1);
  });

  it('cuts a very long sentence at its clauses', () => {
    const chunks = cut(Array(20).fill('and when the rain had stopped the children ran into the garden,').join(' '));
    expect(chunks.length).toBeGreaterThan(4);
    for (const chunk of chunks) expect(chunk).toMatch(/garden, \| clause$/);
  });

  it('cuts between words if it must', () => {
    const chunks = cut(Array(100).fill('the wind').join(' '));
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chunk).toMatch(/^the .* wind \| /);
  });

  it('cuts before a preposition or at punctuation rather than between other words, and not after an article', () => {
    const units = words('the wind blew over the hills, and stopped');
    const reading = new WordReading(units);
    const ranks = units.slice(1).map(({ text }, index) => [text, reading.cutRank(index + 1)]);
    expect(ranks).toEqual([
      ['wind', CutRank.none],
      ['blew', CutRank.word],
      ['over', CutRank.phrase],
      ['the', CutRank.none],
      ['hills', CutRank.none],
      ['and', CutRank.clause],
      ['stopped', CutRank.none],
    ]);
  });

  it('limits the length of a chunk', () => {
    const sentence = words(Array(50).fill('the wind that came over the hills in the evening').join(' '));
    for (const { units } of chunksOf(sentence)) {
      expect(units.map(({ text }) => text).join(' ').length).toBeLessThan(170);
    }
  });

  it('loses and repeats no word', () => {
    const long = words(Array(3000).fill('some words, and a few').join(' '));
    for (const first of [true, false]) {
      expect(chunksOf(long, { first }).flatMap(({ units }) => units)).toEqual(long);
    }
  });

  it('keeps the words of a token together as long as it can', () => {
    const tokens = ['now', 'one hundred and twenty three thousand four hundred and fifty six', 'and more'];
    const spoken = wordsOf(tokens.map((text) => ({ written: text, spoken: text })));
    const [chunk] = chunksOf(spoken, { first: true });
    expect(chunk!.units.map(({ text }) => text)).toEqual(['now']);
    const endless = wordsOf([{ written: 'x', spoken: 'one hundred '.repeat(100) }]);
    expect(chunksOf(endless).length).toBeGreaterThan(4);
  });

  it('reports how a chunk ends', () => {
    expect(cut('no punctuation')).toEqual(['no punctuation | sentence']);
    expect(cut('and so,')).toEqual(['and so, | clause']);
    expect(cut('')).toEqual([]);
  });
});

describe('WordReader', () => {
  it('reads tokens as words, with the pronunciations that their sentence asks for', async () => {
    const reader = await WordReader.load();
    const tokens = ['I', 'read', 'it', 'yesterday.'].map((word) => ({ written: word, spoken: word }));
    const { units } = await reader.read({ tokens }, { lexicon: undefined });
    expect(units.map(({ text, phones }) => phones ?? text)).toEqual(['i', 'r eh1 d', 'it', 'yesterday']);
  });
});

const plain = (...spoken: string[]): SpokenToken[] => spoken.map((text) => ({ written: text, spoken: text }));
const spokenAs = (...spoken: string[]) =>
  wordsOf(plain(...spoken)).map(({ text, punctuation, token }) => `${token} ${text}${punctuation}`);

describe('wordsOf', () => {
  it('lower-cases words and keeps the punctuation after them', () => {
    expect(spokenAs('Hello,', 'Mr. Smith!', 'NASA')).toEqual(['0 hello,', '1 mr.', '1 smith!', '2 nasa']);
  });

  it('keeps apostrophes inside words and drops quotation marks', () => {
    expect(spokenAs('“Don’t', "'go',”", "the dogs' bowl", "o'clock")).toEqual([
      "0 don't",
      '1 go,',
      '2 the',
      '2 dogs',
      '2 bowl',
      "3 o'clock",
    ]);
  });

  it('splits at hyphens, and pauses at dashes and brackets', () => {
    expect(spokenAs('well-known', 'words — here (and', 'there) --', 'so')).toEqual([
      '0 well',
      '0 known',
      '1 words,',
      '1 here,',
      '1 and',
      '2 there,',
      '3 so',
    ]);
  });

  it('reads an ellipsis as a pause', () => {
    expect(spokenAs('well…', 'maybe...', 'not.')).toEqual(['0 well,', '1 maybe,', '2 not.']);
  });

  it('folds accents, and skips other scripts', () => {
    expect(spokenAs('Élan', 'naïve', 'Straße', '你好', 'привет', '🙂', '\ud800', 'ﬁn', 'ｗｉｄｅ')).toEqual([
      '0 elan',
      '1 naive',
      '2 strasse',
      '7 fin',
      '8 wide',
    ]);
  });

  it('leaves numbers in digits to Flite', () => {
    expect(spokenAs('3.50', '$5', '3rd', '50%,', 'x2', '12:30.')).toEqual([
      '0 3.50',
      '1 $5',
      '2 3rd',
      '3 50%,',
      '4 x',
      '4 2',
      '5 12:30.',
    ]);
  });

  it('reads options, paths and commands as words', () => {
    expect(spokenAs('-voice', '--help', '/etc/passwd', '$(reboot)', 'a\0b')).toEqual([
      '0 voice,',
      '1 help',
      '2 etc',
      '2 passwd,',
      '3 reboot,',
      '4 a',
      '4 b',
    ]);
  });

  it('reads names of JavaScript properties as words', () => {
    const words = wordsOf(plain('constructor', 'valueOf', '__proto__'));
    expect(words.map(({ phones }) => phones)).toEqual([undefined, undefined, undefined]);
  });

  it('distinguishes the letter A from the article', () => {
    const texts = (text: string) =>
      wordsOf(plain(...text.split(' ')))
        .map((word) => word.text)
        .join(' ');
    expect(texts('A man had a dog')).toBe('a man had a dog');
    expect(texts('at ten A M she left')).toBe('at ten ay m she left');
    expect(texts('the U S A won')).toBe('the u s ay won');
    expect(texts('vitamin A helps')).toBe('vitamin ay helps');
    expect(texts('Once Upon A Time')).toBe('once upon a time');
    expect(texts('he said: A man')).toBe('he said a man');
    expect(texts('he sang “A man')).toBe('he sang a man');
    expect(texts('am I A fool')).toBe('am i ay fool');
  });

  it('converts given phonemes to phones', () => {
    const tokens = [
      { written: 'Kokoro,', spoken: 'Kokoro,', ipa: 'kˈOkəɹO' },
      { written: 'həlˈO', spoken: '', ipa: 'həlˈO' },
      { written: '!', spoken: '!' },
    ];
    expect(wordsOf(tokens)).toEqual([
      { text: 'phonestring', phones: 'k ow1 k er0 ow0', punctuation: ',', token: 0 },
      { text: 'phonestring', phones: 'hh ax0 l ow1', punctuation: '!', token: 1 },
    ]);
  });

  it('takes the punctuation from given phonemes', () => {
    expect(wordsOf([{ written: 'x', spoken: '', ipa: 'nˈO?!' }])[0]).toMatchObject({
      phones: 'n ow1',
      punctuation: '?',
    });
  });

  it('falls back to the word if its phonemes have no sound', () => {
    expect(wordsOf([{ written: 'x', spoken: 'word', ipa: '123' }])).toMatchObject([{ text: 'word' }]);
  });

  it('applies a lexicon to written and to spoken words', () => {
    const lexicon = UserLexicon.from({ élan: 'hˈI', Reading: 'ɹˈɛdɪŋ', '42nd': 'nˈO', cents: 'hˈO' });
    const phonesOf = (written: string, spoken = written) =>
      wordsOf([{ written, spoken }], lexicon).map(({ text, phones, punctuation }) => (phones ?? text) + punctuation);
    expect(phonesOf('“Élan!”')).toEqual(['hh ay1!']);
    expect(phonesOf("Reading's,")).toEqual(['r eh1 d ih0 ng z,']);
    expect(phonesOf('reading,')).toEqual(['reading,']);
    expect(phonesOf('42nd.', 'forty second.')).toEqual(['n ow1.']);
    expect(phonesOf('5¢?', 'five cents?')).toEqual(['five', 'hh ow1?']);
    const given = [{ written: 'Reading', spoken: 'Reading', ipa: 'ˈɑ' }];
    expect(wordsOf(given, lexicon)).toMatchObject([{ phones: 'aa1' }]);
  });

  it('splits words, numbers and phones that are too long', () => {
    const words = wordsOf([
      ...plain('a'.repeat(100), '1'.repeat(100)),
      { written: 'x', spoken: '', ipa: 'ˈɑ'.repeat(100) },
    ]);
    expect(words.filter(({ token }) => token === 0).map(({ text }) => text.length)).toEqual([32, 32, 32, 4]);
    expect(words.filter(({ token }) => token === 1).map(({ text }) => text.length)).toEqual([24, 24, 24, 24, 4]);
    expect(words.filter(({ token }) => token === 2)).toHaveLength(3);
  });

  it.each([' ', "'", '-', '.', '1.', '$', '(', 'é', 'ﷺ'])('takes linear time for a long run of %j', (unit) => {
    wordsOf(plain(unit.repeat(100_000)));
  });
});

describe('foldLetters', () => {
  it('keeps plain letters', () => expect(foldLetters("It's A-B")).toBe("It's A-B"));
  it('folds letters that do not decompose', () => expect(foldLetters('Ærø Łódź İ')).toBe('AEro Lodz I'));
});

describe('withHomographs', () => {
  it('pronounces homographs by their sentence', async () => {
    const english = await English.load();
    const phonesOf = (word: string, text: string) =>
      withHomographs(wordsOf(plain(...text.split(' '))), english).find(({ text }) => text === word)?.phones;
    expect(phonesOf('read', 'I read it yesterday.')).toBe('r eh1 d');
    expect(phonesOf('read', 'I will read it tomorrow.')).toBe('r iy1 d');
    expect(phonesOf('lead', 'The pipe is made of lead.')).toBe('l eh1 d');
    expect(phonesOf('lead', 'They lead the way.')).toBe('l iy1 d');
    expect(phonesOf('pipe', 'The pipe is made of lead.')).toBeUndefined();
  });
});

it('gives the phones of names that Flite would sound out', () => {
  expect(wordsOf([{ written: 'Nguyen', spoken: 'Nguyen' }])).toEqual([
    { text: 'nguyen', phones: 'w ih1 n', punctuation: '', token: 0 },
  ]);
});
