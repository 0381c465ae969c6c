import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { HearsayError } from '../../errors.ts';
import { languageNames } from './language-codes.ts';
import { blendVoices, isReserved, languageOf, officialVoices, parseVoice, VoiceNames } from './voices.ts';

describe('officialVoices', () => {
  it('lists the packs in order, with names for people', () => {
    expect(officialVoices).toHaveLength(54);
    expect(officialVoices).toContainEqual({ id: 'af_heart', name: 'Heart' });
    expect(officialVoices.map(({ id }) => id)).toEqual(officialVoices.map(({ id }) => id).sort());
    expect(new Set(officialVoices.map(({ id }) => languageOf(id)))).toEqual(new Set('abefhijpz'));
  });

  it('are distinct from saved voices, whose names may lack a language', () => {
    expect(['jf_mine', 'peter', 'emma', 'xf_mine', 'b'].map(languageOf)).toEqual(['j', 'a', 'a', 'a', 'a']);
    expect(['af_heart', 'nova', 'af_mine'].map(isReserved)).toEqual([true, true, false]);
  });
});

it('docs/voices.md lists every voice, by its language', async () => {
  const page = await readFile(new URL('../../../docs/voices.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `(\w)` ([\w ]+) \| (.*)$/gm)].map(([, letter, name, cells]) => ({
    language: [letter, name],
    voices: cells!.match(/\w+/g)!,
  }));
  expect(documented.map(({ language }) => language)).toEqual(Object.entries(languageNames));
  expect(documented.flatMap(({ voices }) => voices).sort()).toEqual(officialVoices.map(({ id }) => id));
  for (const { language, voices } of documented) for (const voice of voices) expect(voice[0]).toBe(language[0]);
});

const known = new VoiceNames(officialVoices);
const noSaved = async () => undefined;

function failure(text: string): HearsayError {
  try {
    parseVoice(text, known);
  } catch (error) {
    expect(error).toBeInstanceOf(HearsayError);
    expect(error).toMatchObject({ code: 'invalid_request', param: 'voice' });
    return error as HearsayError;
  }
  return expect.fail(`${text.slice(0, 100)} was accepted`);
}

describe('parseVoice', () => {
  it('takes names in any case, unless two differ only in case', () => {
    const saved = new VoiceNames([...officialVoices, { id: 'Ada' }, { id: 'ada' }, { id: 'Bob' }]);
    const nameOf = (text: string) => parseVoice(text, saved)[0]!.name;
    expect(['AF_HEART', 'Alloy', 'bob', 'Ada', 'ada'].map(nameOf)).toEqual([
      'af_heart',
      'af_alloy',
      'Bob',
      'Ada',
      'ada',
    ]);
    expect(parseVoice('AF_Heart+af_heart', saved)).toEqual([{ name: 'af_heart', weight: 1 }]);
    expect(() => nameOf('ADA')).toThrow(/unknown/);
  });

  it.each([
    ['af_heart', [['af_heart', 1]]],
    ['af_heart(7)', [['af_heart', 1]]],
    [
      'af_heart+bm_george',
      [
        ['af_heart', 0.5],
        ['bm_george', 0.5],
      ],
    ],
    [
      'af_heart(3)+bm_george',
      [
        ['af_heart', 0.75],
        ['bm_george', 0.25],
      ],
    ],
    [
      ' af_heart ( .5 )\t+\nbm_george ( 1. ) ',
      [
        ['af_heart', 1 / 3],
        ['bm_george', 2 / 3],
      ],
    ],
    [
      'af_heart(3)-bm_george(1)',
      [
        ['af_heart', 1.5],
        ['bm_george', -0.5],
      ],
    ],
    [
      'af_sky-af_bella(0.5)+af_heart(1.5)',
      [
        ['af_sky', 0.5],
        ['af_bella', -0.25],
        ['af_heart', 0.75],
      ],
    ],
    [
      'af_sky+af_heart(2)+af_sky',
      [
        ['af_sky', 0.5],
        ['af_heart', 0.5],
      ],
    ],
    [
      'af_sky-af_sky+af_heart',
      [
        ['af_sky', 0],
        ['af_heart', 1],
      ],
    ],
    ['nova(1)+af_nova(1)', [['af_nova', 1]]],
  ] as [string, [string, number][]][])('reads %j', (text, expected) => {
    expect(parseVoice(text, known)).toEqual(expected.map(([name, weight]) => ({ name, weight })));
  });

  it('takes away as much as it leaves, and no more: beyond, a blend is noise', () => {
    expect(parseVoice('af_heart(2)-am_michael', known)).toHaveLength(2);
    expect(parseVoice('af_heart(0.2)-am_michael(0.05)-af_sky(0.05)', known)).toHaveLength(3);
    expect(failure('af_heart(3)-am_michael(2)').message).toContain('more than it leaves');
    expect(failure('af_heart(2)-am_michael(0.6)-af_sky(0.6)').message).toContain('more than it leaves');
  });

  it('resolves aliases to listed voices', () => {
    for (const alias of ['alloy', 'ash', 'coral', 'echo', 'fable', 'onyx', 'nova', 'sage', 'shimmer']) {
      const [voice, ...others] = parseVoice(alias, known);
      expect(others).toEqual([]);
      const ids = officialVoices.map(({ id }) => id);
      expect(ids).toContain(voice!.name);
      expect(ids).not.toContain(alias);
    }
    expect(parseVoice('onyx', known)[0]!.name[1]).toBe('m');
    expect(parseVoice('shimmer', known)[0]!.name[1]).toBe('f');
  });

  it('quotes all of an unknown name that reads like a blend', () => {
    expect(failure('en-US-AvaNeural').message).toContain('The voice "en" in "en-US-AvaNeural" is unknown');
    expect(failure('af_heart+nobody').message).toContain('The voice "nobody" in "af_heart+nobody" is unknown');
    expect(failure(' nobody ').message).toContain('The voice "nobody" is unknown');
  });

  it('accepts an alias only if its voice is available', () => {
    expect(() => parseVoice('fable', new VoiceNames([{ id: 'af_heart' }]))).toThrow('"fable" is unknown');
  });

  it.each([
    ...['', ' ', '+', '-af_heart', '+af_heart', 'af_heart+', 'af_heart++af_sky', 'af_heart+-af_sky', 'af_heart af_sky'],
    ...['af_heart(', 'af_heart()', 'af_heart(1', 'af_heart)', 'af_heart(1))', '(1)', 'af_heart((1))', 'af_heart(1)(2)'],
    ...['af_heart(0)', 'af_heart(-1)', 'af_heart(+1)', 'af_heart(NaN)', 'af_heart(Infinity)', 'af_heart(1e3)'],
    ...[
      'af_heart(1,5)',
      'af_heart(1 5)',
      'af_heart(0x10)',
      'af_heart(.)',
      'af_heart(٣)',
      'af_heart(１)',
      'af_heart(1)af_sky',
    ],
    ...['af_heart-af_sky', 'af_heart-af_heart', 'af_heart-af_sky(2)', `af_heart(${'9'.repeat(400)})`],
    ...[
      `af_heart(${'9'.repeat(308)})+af_sky(${'9'.repeat(308)})+af_bella(${'9'.repeat(308)})`,
      `af_heart(0.${'0'.repeat(400)}1)`,
    ],
    ...['nobody', 'af_heart.bin', '../af_heart', 'af_heart/../af_sky', 'af_heart\0', '\ud800', '__proto__'],
    ...['constructor', 'af_heart(1);', 'af_heart*2', 'af_ heart', '🙂', 'af_heart(af_sky)', 'http://af_heart'],
  ])('rejects %j', (text) => {
    expect(failure(text).message.length).toBeLessThan(200);
  });

  it('names an unknown voice, truncated', () => {
    expect(failure('af_heart+nobody').message).toContain('"nobody"');
    expect(failure('x'.repeat(5000)).message.length).toBeLessThan(200);
  });

  it('refuses a voice of more than 5,000 characters, which took most of a second at ten million', () => {
    const blend = `af_heart${'+AF_HEART'.repeat(554)}`.padEnd(5000);
    expect(parseVoice(blend, known)).toEqual([{ name: 'af_heart', weight: 1 }]);
    expect(failure(`${blend} `).message).toBe(
      'The voice is malformed: it has more than 5000 characters. A blend reads af_heart(2)+af_bella(1).',
    );
    expect(failure(`af_heart(${'1'.repeat(4000)})`).message).toContain('above 0');
  });

  it('does not ask for a number above 0 where one has an exponent', () => {
    expect(failure('af_heart(1e3)').message).toContain('without an exponent');
  });
});

describe('blendVoices', () => {
  it('returns a single pack unchanged', async () => {
    const { dims, data } = await blendVoices([{ name: 'af_heart', weight: 1 }], noSaved);
    expect(dims).toEqual([510, 1, 256]);
    expect(data).toHaveLength(510 * 256);
    expect(data.every(Number.isFinite)).toBe(true);
    expect(data.some((value) => value !== 0)).toBe(true);
  });

  it('adds packs by weight', async () => {
    const [a, b, blend] = await Promise.all([
      blendVoices(parseVoice('af_heart', known), noSaved),
      blendVoices(parseVoice('bm_george', known), noSaved),
      blendVoices(parseVoice('af_heart(3)-bm_george', known), noSaved),
    ]);
    for (let i = 0; i < blend.data.length; i += 1) {
      const expected = 1.5 * a.data[i]! - 0.5 * b.data[i]!;
      if (Math.abs(blend.data[i]! - expected) > 1e-6) expect.fail(`element ${i}: ${blend.data[i]}, not ${expected}`);
    }
    expect(a.data).not.toEqual(b.data);
  });

  it('accepts saved voices and repeats the last style of shorter ones', async () => {
    const saved = async (name: string) =>
      name === 'mine' ? { rows: 2, values: Float32Array.from({ length: 512 }, (_, i) => i) } : undefined;
    const { dims, data } = await blendVoices([{ name: 'mine', weight: 2 }], saved);
    expect(dims).toEqual([510, 1, 256]);
    expect([data[255], data[256], data[256 * 509], data.at(-1)]).toEqual([510, 512, 512, 1022]);
    await expect(blendVoices([{ name: 'gone', weight: 1 }], saved)).rejects.toMatchObject({ param: 'voice' });
  });

  it('reads only listed files', async () => {
    for (const name of ['../voices/af_heart', '../package.json', 'nobody', '']) {
      await expect(blendVoices([{ name, weight: 1 }], noSaved)).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });
});
