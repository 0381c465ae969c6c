import { beforeAll, describe, expect, it } from 'vitest';
import type { LanguageText } from '../../text/language.ts';
import { Languages } from '../../text/languages.ts';
import { defaultNormalization } from '../../text/normalization.ts';
import { UserLexicon } from '../../text/user-lexicon.ts';
import type { Sentence } from './chunker.ts';
import { PhonemeReader } from './phoneme-reader.ts';
import { notPhonemes, phonemeLines, phonemeSegments } from './phoneme-segments.ts';

describe('phonemeSegments', () => {
  it('reads a line as a sentence, word by word, with its punctuation', () => {
    expect([...phonemeSegments('həlˈO, wˈɜɹld! “ɡˌʊd dˈA.”\r\nnˈO—nˈO — …')]).toEqual([
      {
        type: 'sentence',
        tokens: [
          { written: 'həlˈO,', spoken: '', ipa: 'həlˈO,' },
          { written: 'wˈɜɹld!', spoken: '', ipa: 'wˈɜɹld!' },
          { written: '“ɡˌʊd', spoken: '', ipa: '“ɡˌʊd' },
          { written: 'dˈA.”', spoken: '', ipa: 'dˈA.”' },
        ],
        phonemes: ['həlˈO,', ' wˈɜɹld!', ' “ɡˌʊd', ' dˈA.”'],
      },
      {
        type: 'sentence',
        tokens: [
          { written: 'nˈO—', spoken: '', ipa: 'nˈO—' },
          { written: 'nˈO', spoken: '', ipa: 'nˈO' },
          { written: '—', spoken: '—' },
          { written: '…', spoken: '…' },
        ],
        phonemes: ['nˈO—', 'nˈO', ' —', ' …'],
      },
    ]);
  });

  it('reads pauses anywhere in a line', () => {
    const segments = [...phonemeSegments('[pause:1s]həlˈO [PAUSE:.25s] ə\n[pause:0s]\n[pause:2.5s]')];
    expect(
      segments.map((segment) => (segment.type === 'pause' ? segment.seconds : segment.phonemes?.join(''))),
    ).toEqual([1, 'həlˈO', 0.25, ' ə', 2.5]);
  });

  it('starts a paragraph after an empty line, unless a pause is there', () => {
    const flags = (phonemes: string) =>
      [...phonemeSegments(phonemes)].map((segment) =>
        segment.type === 'pause' ? segment.seconds : (segment.startsParagraph ?? false),
      );
    expect(flags('\n\nə\nə\n\nə\r\nə\r\n\r\nə\n\n')).toEqual([false, false, true, false, true]);
    expect(flags('ə\n\n[pause:1s]\n\nə')).toEqual([false, 1, false]);
    expect(notPhonemes('ə\n\nə')).toEqual([]);
  });

  it('splits endless lines between words, and reads empty lines and punctuation alone', () => {
    const long = 'əˈ '.repeat(10_000);
    const segments = [...phonemeSegments(long)].map((segment) => (segment.type === 'pause' ? [] : segment.phonemes!));
    expect(segments.length).toBeGreaterThan(2);
    expect(segments.flat().join('')).toBe(long.trimEnd());
    expect(new Set(segments.flat().map((word) => word.trim()))).toEqual(new Set(['əˈ']));
    expect([...phonemeSegments('  ')]).toEqual([]);
    expect([...phonemeSegments('...')]).toMatchObject([{ tokens: [{ written: '...', spoken: '...' }] }]);
  });

  it.each(['!', '[', '—', ' ', '[pause:', '[pause:1s]', '\n'])('takes linear time for a megabyte of %j', (unit) => {
    for (const _ of phonemeSegments(`${unit.repeat(1_000_000 / unit.length)}ə`));
  });
});

describe('notPhonemes', () => {
  it('lists characters that are neither phonemes nor part of a pause or a line break', () => {
    expect(notPhonemes('həlˈO\r\nə[pause:1s]')).toEqual([]);
    expect(notPhonemes('hə7lˈO 7 [pause:1]')).toEqual(['7', '[', '1', ']']);
  });
});

describe('phonemeLines', () => {
  const languages = new Languages();
  const reader = new PhonemeReader(languages);
  let english: LanguageText;
  beforeAll(async () => {
    english = await languages.load('a');
  });
  const lines = async (text: string, lexicon?: UserLexicon) => {
    const all: string[] = [];
    const segments = english.segments(text, defaultNormalization, lexicon);
    const read = (sentence: Sentence) => reader.read(sentence, { language: 'a', lexicon });
    for await (const line of phonemeLines(segments, read)) all.push(line);
    return all;
  };

  it('yields a line for each sentence and each pause, an empty one between paragraphs, and none for text without a sound', async () => {
    expect(await lines('Hello there. [pause:1.50s][pause:.25s]No!\n\n***\n\nYes')).toEqual([
      expect.stringMatching(/^həlˈO ðˈɛɹ\.$/),
      '[pause:1.5s]',
      '[pause:0.25s]',
      'nˈO!',
      '',
      'jˈɛs',
    ]);
    expect(await lines('[pause:0.0000001s]')).toEqual(['[pause:0.0000001s]']);
  });

  it('uses given pronunciations without unknown characters, and the words of a lexicon', async () => {
    expect(await lines('[Kokoro](/kˈ4OkəɹO/) says [x](/☃/)hi.')).toEqual([expect.stringMatching(/^kˈOkəɹO s/)]);
    expect(await lines('[x](/☃/)')).toEqual(await lines('x'));
    const lexicon = UserLexicon.from({ kokoro: 'kəkˈO' });
    expect([await lines('Kokoro!', lexicon), await lines('Kokoro!')]).toEqual([
      ['kəkˈO!'],
      [expect.not.stringContaining('kəkˈO')],
    ]);
  });

  it('yields what phonemeSegments reads back unchanged', async () => {
    const text =
      '“Why?” he asked, etc. and so on — [pause:0.1s] (Dr. Smith paid $3.50 at 10:45 p.m.); [naïve](/nIˈiv/) J.R.R. Yahoo! is well-known…';
    const segments = [...phonemeSegments((await lines(text)).join('\n'))];
    const back = segments.map((segment) => (segment.type === 'pause' ? '[pause:0.1s]' : segment.phonemes!.join('')));
    expect(back).toEqual(await lines(text));
    expect(notPhonemes(back.join('\n'))).toEqual([]);
  });
});
