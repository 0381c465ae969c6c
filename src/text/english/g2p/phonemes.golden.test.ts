import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorRates, pronounce, readGoldens } from '../../../../benchmarks/phoneme-errors.mjs';
import { Espeak, hasEspeak } from '../../espeak/espeak.ts';
import { englishWord } from '../../espeak/phonemes.ts';
import { defaultNormalization } from '../../normalization.ts';
import { unknownPhonemes } from '../../phoneme-alphabet.ts';
import { UserLexicon } from '../../user-lexicon.ts';
import { englishSegments } from '../normalize.ts';
import { type Accent, English, type SayUnknown } from './phonemes.ts';

const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const lexicons = beside('../../../../../shared/misaki');
const hasLexicons = existsSync(lexicons);
if (!hasLexicons) console.log(`Skipped: phonemes with misaki's lexicons, because ${lexicons} is absent.`);
const prose = `${lexicons}/prose.jsonl.gz`;
const hasProse = existsSync(prose);
if (hasLexicons && !hasProse) console.log(`Skipped: phonemes of long prose, because ${prose} is absent.`);

const goldens = readGoldens(beside('phonemes.golden.jsonl.gz'));
const modules = (english: English) => ({ english, englishSegments, defaultNormalization });
let plain: English;
let listed: English;
let sayUnknown: SayUnknown | undefined;
beforeAll(async () => {
  plain = await English.load();
  listed = hasLexicons ? await English.load({ lexicons }) : plain;
  if (!hasEspeak()) return;
  const espeak = await Espeak.load();
  sayUnknown = (word, accent) => englishWord(espeak, word, accent);
});

describe('phoneme error rates against misaki', () => {
  // Bounds are just above the measured rates; the dictionary pronounces most words differently from the lexicons. misaki
  // itself asks eSpeak for words that the dictionary has, and reads Los Angeles as the plural of angel.
  it.each([
    ['us', 0.021],
    ['gb', 0.0195],
  ] as [Accent, number][])('without lexicons (%s)', (accent, bound) => {
    expect(errorRates(goldens, accent, modules(plain)).get('all')).toBeLessThan(bound);
  });

  it.skipIf(!hasEspeak()).each([
    ['us', 0.0206, 0.006],
    ['gb', 0.019, 0.0061],
  ] as [Accent, number, number][])('with eSpeak for unknown words (%s)', async (accent, bound, listedBound) => {
    const options = { sayUnknown: sayUnknown! };
    expect(errorRates(goldens, accent, modules(await English.load(options))).get('all')).toBeLessThan(bound);
    if (!hasLexicons) return;
    const english = await English.load({ ...options, lexicons });
    expect(errorRates(goldens, accent, modules(english)).get('all')).toBeLessThan(listedBound);
  });

  describe.skipIf(!hasLexicons)('with lexicons', () => {
    it.each([
      ['us', 0.0062],
      ['gb', 0.0066],
    ] as [Accent, number][])('on the golden sentences (%s)', (accent, bound) => {
      const rates = errorRates(goldens, accent, modules(listed));
      expect(rates.get('all')).toBeLessThan(bound);
      expect(rates.get('function words')).toBeLessThan(0.002);
      expect(rates.get('compounds')).toBeLessThan(0.005);
      expect(rates.get('heteronyms')).toBeLessThan(0.01);
    });

    it.skipIf(!hasProse).each([
      ['us', 0.0058],
      ['gb', 0.0055],
    ] as [Accent, number][])('on long prose (%s)', (accent, bound) => {
      expect(errorRates(readGoldens(prose), accent, modules(listed)).get('all')).toBeLessThan(bound);
    });

    it.each([
      ['The lead pipes lead here, and I led him.', 'ðə lˈɛd pˈIps lˈid hˈɪɹ, ænd ˌI lˈɛd hˌɪm.'],
      ['She read it; they will read it too.', 'ʃˌi ɹˈɛd ɪt; ðA wɪl ɹˈid ɪt tˈu.'],
      ['That is the house that we live in.', 'ðˈæt ɪz ðə hˈWs ðæt wi lˈɪv ˈɪn.'],
      ['An elaborate plan to object to the object.', 'ɐn əlˈæbəɹət plˈæn tʊ əbʤˈɛkt tə ði ˈɑbʤəkt.'],
      ['Take the state-of-the-art well—so he said.', 'tˈAk ðə stˈAtʌvðiˈɑɹt wˈɛl—sˌO hi sˈɛd.'],
      ['The FBI saw JavaScript in 1984.', 'ði ˌɛfbˌiˈI sˈɔ ʤˈɑvəskɹˌɪpt ɪn nˌIntˈin ˈATi fˈɔɹ.'],
    ])('%s', (text, phonemes) => {
      expect(pronounce(text, 'us', modules(listed))).toBe(phonemes);
    });

    it('stays in the alphabet for any text, in linear time', () => {
      for (const part of [
        'a',
        'a-',
        "a'",
        'a.',
        'Aa',
        'A',
        'Äa',
        'inging',
        '— ',
        'read ',
        'AB',
        "s' ",
        'that ',
        'cat-dog',
        'toString ',
        '\ud800',
      ]) {
        for (const accent of ['us', 'gb'] as const) {
          const text = part.repeat(6000 / part.length);
          expect(unknownPhonemes(listed.phonemes([{ written: text, spoken: text }], accent).join(''))).toEqual([]);
        }
      }
    }, 60_000);
  });
});

describe('phonemes of tokens', () => {
  const tokens = (text: string) => {
    const [segment] = englishSegments(text, defaultNormalization);
    return segment?.type === 'sentence' ? segment.tokens : [];
  };

  it('join to the sentence', () => {
    const sentence = tokens('“Well—no,” he paid $5 — for 😀 [it](/ˈɪt/), too.');
    const phonemes = plain.phonemes(sentence, 'us');
    expect(phonemes).toHaveLength(sentence.length);
    expect(phonemes.map((each, index) => [sentence[index]!.written, each])).toEqual([
      ['“Well—', '“wˈɛl—'],
      ['no,”', 'nˈO,”'],
      ['he', ' hi'],
      ['paid', ' pˈAd'],
      ['$5', ' fˈIv dˈɑləɹz'],
      ['—', ' —'],
      ['for', ' fɔɹ'],
      ['😀', ''],
      ['it', ' ˈɪt'],
      [',', ','],
      ['too.', ' tˈu.'],
    ]);
    expect(plain.phonemes([], 'us')).toEqual([]);
    expect(plain.phonemes(tokens('…'), 'us').join('')).toBe('');
  });

  it('distinguish the letter A from the article', () => {
    const say = (text: string) => plain.phonemes(tokens(text), 'us').join('');
    expect([say('A4 is'), say('The A4'), say('A/B'), say('A dog')]).toEqual([
      'ˈA fˈɔɹ ɪz',
      'ði ˈA fˈɔɹ',
      'ˈA slˈæʃ bˈi',
      'ɐ dˈɔɡ',
    ]);
  });

  it('follow user entries', () => {
    const entries = UserLexicon.from({ the: 'ðˈi', Hearsay: 'hˈɪɹzˌA', SQL: 'sˈikwəl' });
    for (const english of [plain, listed]) {
      const say = (text: string) => english.phonemes(tokens(text), 'us', entries).join('');
      expect(say('The “Hearsay” of Hearsay’s SQL.')).toBe('ðˈi “hˈɪɹzˌA” ʌv hˈɪɹzˌAz sˈikwəl.');
      expect(say('The hearsay.')).not.toContain('hˈɪɹzˌA');
      expect(english.pronounce(['the', 'SQL.'], 'us', entries)).toEqual(['ðˈi', 'sˈikwəl']);
      expect(english.phonemes(tokens('the.'), 'us').join('')).not.toBe('ðˈi.');
    }
  });
});
