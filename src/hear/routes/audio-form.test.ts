import { describe, expect, it } from 'vitest';
import { formValues } from './audio-form.ts';

const shape = {
  names: new Set(['language', 'prompt', 'stream']),
  lists: new Map([
    ['include[]', { hasCommas: true }],
    ['keywords[]', { hasCommas: false }],
  ]),
  objects: new Set(['chunking_strategy']),
  texts: new Set(['prompt']),
};

const values = (...parts: [string, ...string[]][]) =>
  formValues(new Map(parts.map(([name, ...all]) => [name, all])), shape);

describe('formValues', () => {
  it('takes the last value that is given, and no unknown field', () => {
    expect(values(['language', 'de', 'en', ''], ['unknown', 'x'], ['__proto__', 'x'], ['language[]', 'fr'])).toEqual({
      language: 'en',
    });
  });

  it('trims values, except for a text', () => {
    expect(values(['language', 'de\n'], ['stream', ' true'], ['prompt', ' a\n'])).toEqual({
      language: 'de',
      stream: 'true',
      prompt: ' a\n',
    });
  });

  it('takes null for absent, except in a text', () => {
    const nulls = values(['language', 'null'], ['stream', ' NULL '], ['prompt', 'null'], ['chunking_strategy', 'null']);
    expect(nulls).toEqual({ prompt: 'null' });
    expect(values(['language', 'de', 'null'])).toEqual({ language: 'de' });
  });

  it.each([
    ['repeated', [['include[]', 'a', 'b']]],
    ['without brackets', [['include', 'a', 'b']]],
    [
      'numbered',
      [
        ['include[0]', 'a'],
        ['include[1]', 'b'],
      ],
    ],
    ['in one field', [['include', 'a, b']]],
    ['as JSON', [['include', '["a", null, "b"]']]],
    ['as JSON that is not quite', [['include', '["a","b",]']]],
  ] as [string, [string, ...string[]][]][])('reads a list %s', (_name, parts) => {
    expect(values(...parts)).toEqual({ 'include[]': ['a', 'b'] });
  });

  it('keeps commas and the word null in phrases', () => {
    const phrases = ['Smith, John', 'null', '["Hearsay", "a, b"]'];
    expect(values(['keywords[]', ...phrases])).toEqual({ 'keywords[]': ['Smith, John', 'null', 'Hearsay', 'a, b'] });
  });

  it('does not copy a list or an object for each of its fields', () => {
    const fields = (name: string) => Array.from({ length: 20_000 }, (_, i): [string, string] => [`${name}[${i}]`, 'a']);
    expect(Object.keys(values(...fields('chunking_strategy')).chunking_strategy!)).toHaveLength(20_000);
    expect(values(...fields('keywords'))['keywords[]']).toHaveLength(1001);
  });

  it.each([
    ['JSON', JSON.stringify(Array(300_000).fill('a'))],
    ['commas', `${','.repeat(300_000)}a`],
  ])('reads no more items from %s than make a list too long', (_name, list) => {
    expect(values(['include', list])['include[]']).toHaveLength(1001);
  });

  it('takes a list without items for absent', () => {
    expect(values(['include', '[]'], ['keywords[]', ''])).toEqual({});
  });

  it.each([
    [
      'by its members',
      [
        ['chunking_strategy[type]', 'server_vad'],
        ['chunking_strategy[threshold]', '0.4'],
        ['chunking_strategy[silence_duration_ms]', 'null'],
      ],
    ],
    ['as JSON', [['chunking_strategy', '{"type": "server_vad", "threshold": 0.4, "silence_duration_ms": null}']]],
  ] as [string, [string, ...string[]][]][])('reads an object %s', (_name, parts) => {
    expect(values(...parts)).toEqual({ chunking_strategy: { type: 'server_vad', threshold: '0.4' } });
  });

  it('reads an object that is a word', () => {
    expect(values(['chunking_strategy', 'auto'])).toEqual({ chunking_strategy: 'auto' });
    expect(values(['chunking_strategy', '{"type":'])).toEqual({ chunking_strategy: '{"type":' });
  });
});
