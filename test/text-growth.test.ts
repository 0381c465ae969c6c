import { describe, expect, it, vi } from 'vitest';
import { shapes } from '../benchmarks/text-shapes.mjs';
import { notPhonemes, phonemeSegments } from '../src/say/pipeline/phoneme-segments.ts';
import { checkControlTokens } from '../src/text/control-tokens.ts';
import { Languages, supportedLanguages } from '../src/text/languages.ts';
import { withoutMarkdown } from '../src/text/markdown.ts';
import { defaultNormalization } from '../src/text/normalization.ts';
import { skippedCharacters } from '../src/text/scripts.ts';
import type { LanguageLetter, NormalizationOptions } from '../src/text/types.ts';
import { UserLexicon } from '../src/text/user-lexicon.ts';
import { cpuCost, expectLinear } from './fixtures/growth.ts';

// The language with all shapes takes half a minute on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

/** Characters of the short text of functions that see a whole text, and of a language. */
const TEXT = 5000;
const SENTENCES = 1000;

function consume(items: Iterable<unknown>): void {
  for (const _ of items);
}

it('checks a large lexicon at little more than the cost of a look at each character', async () => {
  const ipa = 'hˈɛlO'.repeat(40);
  const entries = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`word${index}`, ipa]));
  const letters = new Set('abc');
  const look = () => {
    for (const ipa of Object.values(entries)) consume([...new Set(ipa)].filter((letter) => !letters.has(letter)));
  };
  let ratio = Number.POSITIVE_INFINITY;
  for (let tries = 0; ratio > 5 && tries < 4; tries++) {
    ratio = Math.min(ratio, (await cpuCost(() => UserLexicon.from(entries))) / (await cpuCost(look)));
  }
  expect(ratio).toBeLessThan(5);
});

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
  it.each(Object.keys(functions))('in the functions that see all of it: %s', async (name) => {
    for (const shape of shapes) {
      await expectLinear(shape, TEXT, functions[name]!);
      // With something to find at the end.
      await expectLinear(shape, TEXT, (text) => functions[name]!(`${text}>[pause:1s] x`));
    }
  });

  it('in images within a link that does not end', async () => {
    for (const image of ['![a](b)', '[a](b)', '![a](', '![a]']) {
      await expectLinear(image, TEXT, (text) => consume(withoutMarkdown(`[${text}`)));
    }
  });

  const toggles = Object.keys(defaultNormalization) as (keyof NormalizationOptions)[];
  const all = Object.fromEntries(toggles.map((name) => [name, true])) as unknown as NormalizationOptions;
  const languages = new Languages();
  const speak = async (letter: LanguageLetter, options: NormalizationOptions) => {
    const language = await languages.load(letter);
    return (text: string) => consume(language.segments(text, options, undefined));
  };

  /** Each language has its share; `npm run benchmark text-growth` gives all of them all. */
  const share = (part: number, parts: number) => shapes.filter((_, index) => index % parts === part % parts);

  it.each(supportedLanguages)('in the normalizer of the language %s', async (letter) => {
    const work = await speak(letter, all);
    const some = letter === 'a' ? shapes : share(supportedLanguages.indexOf(letter), supportedLanguages.length);
    for (const shape of some) await expectLinear(shape, SENTENCES, work);
  });

  it.each(toggles)('without %s', async (toggle) => {
    for (const letter of ['a', 'e', 'z'] as const) {
      const work = await speak(letter, { ...all, [toggle]: false });
      for (const shape of share(toggles.indexOf(toggle), toggles.length)) await expectLinear(shape, SENTENCES, work);
    }
  });
});
