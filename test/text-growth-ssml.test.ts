import { describe, expect, it } from 'vitest';
import { Languages } from '../src/text/languages.ts';
import { defaultNormalization } from '../src/text/normalization.ts';
import { readSsml } from '../src/text/ssml/ssml.ts';
import { expectLinear } from './fixtures/growth.ts';

/** Contents of a document, again and again. */
const shapes = [
  'a',
  'a. ',
  ' ',
  '\n',
  '&amp;',
  '&#65;',
  ']]',
  '<!-- - -->',
  '<![CDATA[<]]>',
  '<?pi ?>',
  '<p/>',
  '<p>a</p>',
  '<s/>a ',
  '<mark name="a"/>',
  '<mark name="a"/>a ',
  'a<mark name="a"/>',
  '<break time="0s"/>',
  '<break time="1ms"/>a',
  '<emphasis>a</emphasis>',
  '<x:y>a</x:y>',
  '<x xmlns="urn:a">a</x>',
  '<voice name="a">a</voice>',
  '<prosody rate="50%">a</prosody>b',
  '<prosody volume="+1dB"/>',
  '<lang xml:lang="fr">a</lang>',
  '<phoneme ph="a">a</phoneme>',
  `<sub alias="${'a '.repeat(200)}">a</sub>`,
  `<sub alias="${'1'.repeat(400)}">a</sub> `,
  `<say-as interpret-as="characters">${'1'.repeat(200)}</say-as>`,
  `<say-as interpret-as="telephone">${'1 '.repeat(100)}</say-as>`,
  `<say-as interpret-as="cardinal">${'1'.repeat(200)}</say-as>`,
  `<say-as interpret-as="date" format="ymd">${'1/'.repeat(100)}</say-as>`,
];

/** What follows the start of a document without an end. */
const unfinished = [
  '<p>',
  '&',
  '&a',
  '<',
  '<a ',
  '<p a="',
  "<p a='b' ",
  '<!--',
  '<![CDATA[',
  '<?a ',
  '<!DOCTYPE [',
  ']]>',
];

describe('a long SSML document of hostile shape takes linear time', () => {
  it.each(shapes.map((shape) => [shape.slice(0, 60), shape] as const))('to read: %s', (_, shape) =>
    expectLinear(shape, 50_000, (content) => readSsml(`<speak>${content}</speak>`)),
  );

  it.each(unfinished)('to refuse: %s', (shape) =>
    expectLinear(shape, 50_000, (content) => expect(readSsml(`<speak>${content}`)).rejects.toThrow(/line \d+/)),
  );

  it.each(['a', 'e', 'j', 'z'] as const)('to cut into sentences of the language %s', async (letter) => {
    const language = await new Languages().load(letter);
    const speak = async (content: string) => {
      for (const { parts } of await readSsml(`<speak>${content}</speak>`)) {
        for (const _ of language.segments(parts, defaultNormalization));
      }
    };
    for (const shape of shapes) await expectLinear(shape, 4000, speak);
  });
});
