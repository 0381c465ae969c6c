import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pronounceCompound } from './misaki-compounds.ts';
import { MisakiLexicon, type WordContext } from './misaki-lexicon.ts';
import type { Tag } from './part-of-speech.ts';

const gold = {
  A: 'ˈA',
  B: 'bˈi',
  F: 'ˈɛf',
  I: 'ˈI',
  S: 'ˈɛs',
  U: 'jˈu',
  am: { DEFAULT: 'æm', None: 'ˈæm' },
  and: 'ænd',
  can: { DEFAULT: 'kæn', None: 'kˈæn' },
  cat: 'kˈæt',
  church: 'ʧˈɜɹʧ',
  close: { DEFAULT: 'klˈOs', NOUN: 'klˈOz', VERB: 'klˈOz' },
  elaborate: { ADJ: 'əlˈæbəɹət', DEFAULT: 'əlˈæbəɹˌAt' },
  end: 'ˈɛnd',
  hope: 'hˈOp',
  hurry: 'hˈɜɹi',
  lead: 'lˈid',
  nasa: 'nˈæsə',
  read: { DEFAULT: 'ɹˈid', VBD: 'ɹˈɛd' },
  state: 'stˈAt',
  that: { DEFAULT: 'ðæt', DT: 'ðˈæt' },
  the: 'ði',
  to: 'tu',
  US: { DEFAULT: 'ˌʌs', NOUN: null },
  use: { DEFAULT: 'jˈuz', NOUN: 'jˈus' },
  used: { DEFAULT: 'jˈuzd', VBD: 'jˈust' },
  wait: 'wˈAt',
  water: 'wˈɔɾəɹ',
  "cat's-eye": 'kˈætsˌI',
};
const us = new MisakiLexicon('us', gold, { zebra: 'zˈibɹə', Paris: 'pˈɛɹɪs' });
const gb = new MisakiLexicon('gb', { ...gold, refer: 'ɹɪfˈɜː' });
const context = (tag: Tag = 'XX', nextVowel: boolean | undefined = false, nextTo = false): WordContext => ({
  tag: () => tag,
  nextVowel,
  nextTo,
});
const say = (word: string, ...args: Parameters<typeof context>) => us.pronounce(word, context(...args));

describe('MisakiLexicon', () => {
  it('finds words in either case and stresses capitals', () => {
    expect(say('cat')).toBe('kˈæt');
    expect(say('Cat')).toBe('kˈæt');
    expect(say('paris')).toBe('pˈɛɹɪs');
    expect(say('zebra')).toBe('zˈibɹə');
    expect(say('And')).toBe('ˌænd');
    expect(say('AND')).toBe('ˈænd');
    expect(say('water')).toBe('wˈɔTəɹ');
    expect(say('dog')).toBeUndefined();
    expect(say('toString')).toBeUndefined();
    expect(say('constructor')).toBeUndefined();
  });

  it('chooses the form by part of speech', () => {
    expect(say('close', 'JJ')).toBe('klˈOs');
    expect(say('close', 'VB')).toBe('klˈOz');
    expect(say('use', 'NN')).toBe('jˈus');
    expect(say('read', 'VBD')).toBe('ɹˈɛd');
    expect(say('that', 'DT')).toBe('ðˈæt');
    expect(say('elaborate', 'NN')).toBe('əlˈæbəɹət');
    expect(say('elaborate', 'VB')).toBe('əlˈæbəɹˌAt');
    expect(say('used', 'VBD', false, true)).toBe('jˈust');
    expect(say('used', 'VBD')).toBe('jˈuzd');
    expect(say('used', 'VBN', false, true)).toBe('jˈuzd');
  });

  it('chooses the form by the next sound', () => {
    expect(say('the', 'DT', true)).toBe('ði');
    expect(say('the', 'DT', false)).toBe('ðə');
    expect(say('to', 'XX', true)).toBe('tʊ');
    expect(say('to', 'XX', false)).toBe('tə');
    expect(us.pronounce('to', { ...context(), nextVowel: undefined })).toBe('tu');
    expect(us.pronounce('can', { ...context(), nextVowel: undefined })).toBe('kˈæn');
    expect(say('can')).toBe('kæn');
    expect(say('am')).toBe('ɐm');
    expect(us.pronounce('in', { ...context('IN'), nextVowel: undefined })).toBe('ˈɪn');
    expect(say('in', 'IN')).toBe('ɪn');
    expect(say('in', 'RP')).toBe('ˈɪn');
    expect(say('a', 'DT')).toBe('ɐ');
    expect(say('A', 'NN')).toBe('ˈA');
    expect(say('I', 'PRP')).toBe('ˌI');
  });

  it('derives inflected words from their stem', () => {
    expect(say('cats')).toBe('kˈæts');
    expect(say("cat's")).toBe('kˈæts');
    expect(say('churches')).toBe('ʧˈɜɹʧᵻz');
    expect(gb.pronounce('churches', context())).toBe('ʧˈɜɹʧɪz');
    expect(say('hurries')).toBe('hˈɜɹiz');
    expect(say('hoped')).toBe('hˈOpt');
    expect(say('waited')).toBe('wˈATᵻd');
    expect(gb.pronounce('waited', context())).toBe('wˈAtɪd');
    expect(say('ended')).toBe('ˈɛndᵻd');
    expect(say('hoping')).toBe('hˈOpɪŋ');
    expect(say('waiting')).toBe('wˈATɪŋ');
    expect(say('catting')).toBe('kˈæTɪŋ');
    expect(gb.pronounce('referring', context())).toBeUndefined();
  });

  it('spells unknown words in capitals', () => {
    expect(say('FBI', 'NNP')).toBe('ˌɛfbˌiˈI');
    expect(say('U.S.', 'NNP')).toBe('jˌuˈɛs');
    expect(say('US', 'NNP')).toBe('jˌuˈɛs');
    expect(say('US', 'PRP')).toBe('ˈʌs');
    expect(say('NASA', 'NNP')).toBe('nˈæsə');
    expect(say('FBIFBIFBI')).toBeUndefined();
  });

  it('pronounces compounds by their longest listed parts', () => {
    const parts = (word: string) =>
      pronounceCompound(us, word, context(), {
        borrowed: (part) => (part === 'Zorpa' ? 'zˈɔɹpə' : undefined),
        unlisted: (part) => `<${part}>`,
      });
    expect(parts('cat-church')).toBe('kˌætʧˈɜɹʧ');
    expect(parts("the-cat's-eye")).toBe('ðəkˈætsˌI');
    expect(parts('zorp-cat')).toBe('<zorp>kˈæt');
    expect(parts('Zorpa-cat')).toBe('zˈɔɹpəkˌæt');
    expect(parts("cats'")).toBe('kˈæts');
    expect(parts('CatZorp')).toBe('<CatZorp>');
    expect(parts('WaterCat')).toBe('wˈɔTəɹkˌæt');
    expect(parts('-'.repeat(50_000))).toBe('');
    expect(parts('cat-'.repeat(5000)).length).toBeGreaterThan(15_000);
  });

  it('closest chooses the form nearest to a pronunciation', () => {
    expect(us.closest('read', 'ɹˈɛɾ')).toBe('ɹˈɛd');
    expect(us.closest('lead', 'lˈid')).toBe('lˈid');
    expect(us.closest('lead', 'lˈɛd')).toBe('lˈɛd');
    expect(us.closest('dog', 'dˈɔɡ')).toBeUndefined();
  });
});

describe('MisakiLexicon.load', () => {
  it.each([
    ['absent', undefined],
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no entries', '{"a": 3}'],
    ['forms without a usual one', '{"a": {"NOUN": "ˈA"}}'],
  ])('rejects a file: %s', async (_, text) => {
    const directory = await mkdtemp(join(tmpdir(), 'lexicon-'));
    try {
      await writeFile(join(directory, 'us_gold.json'), '{"cat": "kˈæt"}');
      if (text !== undefined) await writeFile(join(directory, 'us_silver.json'), text);
      await expect(MisakiLexicon.load(directory, 'us')).rejects.toMatchObject({
        code: 'model_load_failed',
        message: expect.stringContaining('us_silver.json'),
      });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('reads both files, and takes zed for the name of a British Z', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lexicon-'));
    try {
      await writeFile(join(directory, 'gb_gold.json'), '{"cat": "kˈat", "Z": "zˈiː", "zed": "zˈɛd"}');
      await writeFile(join(directory, 'gb_silver.json'), '{"dog": "dˈɒɡ"}');
      const lexicon = await MisakiLexicon.load(directory, 'gb');
      expect(['cats', 'dogs'].map((word) => lexicon.pronounce(word, context()))).toEqual(['kˈats', 'dˈɒɡz']);
      expect(lexicon.spell('Z')).toBe('zˈɛd');
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
