import { describe, expect, it } from 'vitest';
import { notPhonemes, phonemeSegments } from '../src/say/pipeline/phoneme-segments.ts';
import { checkControlTokens } from '../src/text/control-tokens.ts';
import { Languages, supportedLanguages } from '../src/text/languages.ts';
import { withoutMarkdown } from '../src/text/markdown.ts';
import { defaultNormalization } from '../src/text/normalization.ts';
import { skippedCharacters } from '../src/text/scripts.ts';
import type { LanguageLetter, NormalizationOptions } from '../src/text/types.ts';

/** What a text consists of, again and again: the beginnings of what a pattern looks for, and what almost ends it. */
const shapes = [
  ...[
    'a',
    'A',
    '1',
    '0',
    'a ',
    'a1',
    'aA',
    '.',
    '. ',
    '…',
    ',',
    '1,',
    '1.',
    '1,000',
    '1 ',
    '1-',
    '1-1-',
    'a-',
    '—',
    '- ',
  ],
  ...[
    '$',
    '$1,',
    '€1 ',
    '%',
    '/',
    '1/',
    'a/',
    'http://',
    'http://a.',
    'www.a.',
    'a.b',
    'a@',
    'a@a.',
    ':',
    '12:34:',
    '1:',
  ],
  ...[
    '(',
    ')',
    '((a',
    'a(s',
    '[',
    ']',
    '[a](',
    '![a](',
    '[[',
    '[x](/a/',
    '[pause:',
    '[pause:1',
    '{',
    '<',
    '<a ',
    '<a b="',
  ],
  ...[
    '<!--',
    '</',
    '&',
    '&#',
    '&#x',
    '&amp',
    '*',
    '**a',
    '* ',
    '_',
    '_a',
    '~~',
    '`',
    '```\n',
    '`a',
    '# ',
    '> ',
    '| ',
    '|-',
  ],
  ...[
    '\n',
    '\n\n',
    '\r',
    ' ',
    '\t',
    '\u00a0',
    '\u3000',
    ' \n',
    "'",
    "a'",
    '"',
    '“',
    '’',
    '\\',
    '\\*',
    '^',
    '=',
    '+',
    '+1 ',
  ],
  ...[
    '(555) ',
    '555-',
    'é',
    'e\u0301',
    '\u0301',
    '½',
    '²',
    '10 km ',
    'km/',
    '°',
    '#1',
    'I',
    'XI ',
    'Mr. ',
    'U.S.',
    '10am ',
  ],
  ...[
    '1st ',
    'Jan 1, ',
    '2020-01-',
    '01/02/',
    '1990s ',
    'twenty-',
    '你',
    '一',
    '千',
    '1年',
    '。',
    '、',
    'あ',
    'ー',
    '漢',
    '😀',
  ],
  ...[
    '\u200d',
    '\ud800',
    'क',
    '१,',
    '¿',
    '1º',
    'R$1',
    "l'",
    '18h',
    '1\u202f000',
    '1. ',
    '- [ ] ',
    '[1]',
    'v1.2.',
    'GPT-',
  ],
];

const repeat = (shape: string, length: number) => shape.repeat(Math.ceil(length / shape.length)).slice(0, length);

/** Milliseconds of CPU. */
function cost(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Shorter times are noise. */
const MIN_MS = 15;

/**
 * Fails unless four times the text costs much less than the sixteen times of a quadratic pattern. Collections of garbage
 * and other programs disturb single measurements, so that the best of several counts.
 */
function expectLinear(what: string, length: number, work: (text: string) => void, shape: string): void {
  const [short, long] = [repeat(shape, length), repeat(shape, 4 * length)];
  work(short);
  let growth = Number.POSITIVE_INFINITY;
  for (let tries = 0; growth > 8 && tries < 4; tries++) {
    const before = Math.max(
      MIN_MS,
      cost(() => work(short)),
    );
    growth = Math.min(growth, cost(() => work(long)) / before);
  }
  expect(growth, `${what}: ${JSON.stringify(shape)} grows by ${growth.toFixed(1)}`).toBeLessThan(8);
}

function consume(items: Iterable<unknown>): void {
  for (const _ of items);
}

describe('a long text of hostile shape takes linear time', () => {
  const functions: Record<string, (text: string) => void> = {
    'control tokens': (text) => void checkControlTokens(text),
    Markdown: (text) => consume(withoutMarkdown(text)),
    phonemes: (text) => {
      notPhonemes(text);
      consume(phonemeSegments(text));
    },
    'skipped English': (text) => void skippedCharacters(text, 'a', undefined),
    'skipped Japanese': (text) => void skippedCharacters(text, 'j', undefined),
  };
  it.each(Object.keys(functions))('in the functions that see all of it: %s', (name) => {
    for (const shape of shapes) {
      expectLinear(name, 25_000, functions[name]!, shape);
      // With something to find at the end.
      expectLinear(name, 25_000, (text) => functions[name]!(`${text}>[pause:1s] x`), shape);
    }
  });

  const toggles = Object.keys(defaultNormalization) as (keyof NormalizationOptions)[];
  const all = Object.fromEntries(toggles.map((name) => [name, true])) as unknown as NormalizationOptions;
  const languages = new Languages();
  const speak = async (letter: LanguageLetter, options: NormalizationOptions) => {
    const language = await languages.load(letter);
    return (text: string) => consume(language.segments(text, options, undefined));
  };

  it.each(supportedLanguages)('in the normalizer of the language %s', async (letter) => {
    const work = await speak(letter, all);
    for (const shape of shapes) expectLinear(letter, 1500, work, shape);
  });

  it.each(toggles)('without %s', async (toggle) => {
    for (const letter of ['a', 'e', 'z'] as const) {
      const work = await speak(letter, { ...all, [toggle]: false });
      for (const shape of shapes.filter((_, index) => index % 2 === 0)) expectLinear(letter, 1500, work, shape);
    }
  });
});
