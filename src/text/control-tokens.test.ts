import { describe, expect, it } from 'vitest';
import { checkControlTokens, controlTokenAt, controlTokenSteps } from './control-tokens.ts';

describe('controlTokenAt', () => {
  it.each([
    ['[pause:1.5s]', 1.5],
    ['[PAUSE: 2 S]', 2],
    ['[pause:.25s]', 0.25],
    ['[pause:3.s]', 3],
    ['[pause:0s]', 0],
  ])('reads %s', (input, seconds) => {
    expect(controlTokenAt(`${input}x`, 0)).toEqual({ type: 'pause', seconds, end: input.length });
  });

  it.each(['[pause:1]', '[pause:s]', '[pause:-1s]', '[pause:1.2.3s]', '[pause 1s]', '[pause:1s', '[pause:1e3s]', '[]'])(
    'takes the malformed pause %s as text',
    (input) => expect(controlTokenAt(input, 0)).toBeUndefined(),
  );

  it('reads a pronunciation', () => {
    expect(controlTokenAt('a [New York](/nˌu jˈɔɹk/)', 2)).toEqual({
      type: 'pronunciation',
      written: 'New York',
      ipa: 'nˌu jˈɔɹk',
      end: 25,
    });
  });

  it.each(['[word](ipa)', '[word](//)', '[word]( /x/)', '[](/x/)', '[a[b](/x/)', '[a](/b', '[a](https://b.c/d/)'])(
    'takes the malformed pronunciation %s as text',
    (input) => expect(controlTokenAt(input, 0)).toBeUndefined(),
  );

  it('separates words at tags, but not at inline tags', () => {
    expect(controlTokenAt('<break time="500ms"/>', 0)).toMatchObject({ type: 'tag', text: ' ', end: 21 });
    expect(controlTokenAt("</emphasis>'", 0)).toMatchObject({ type: 'tag', text: '', end: 11 });
    expect(controlTokenAt('</p>', 0)).toMatchObject({ type: 'tag', text: '\n\n', end: 4 });
    expect(controlTokenAt('x<sup>−12</sup>', 1)).toEqual({ type: 'entity', text: '⁻¹²', end: 15 });
    expect(controlTokenAt('<sup>14</sup>C', 0)).toMatchObject({ type: 'tag', text: '', end: 5 });
    expect(controlTokenAt('<sup>th</sup>', 0)).toMatchObject({ type: 'tag', text: '', end: 5 });
    expect(controlTokenAt('<!-- no -->', 0)).toMatchObject({ type: 'tag', end: 11 });
  });

  it.each(['<3', '<b and c>', '< b>', '<b', '<a b="<">'])('takes the malformed tag %s as text', (input) => {
    expect(controlTokenAt(input, 0)).toBeUndefined();
  });
});

it('controlTokenSteps does not check a text of many tokens in one step', () => {
  expect([...controlTokenSteps('[good](/gʊd/) [pause:1s] '.repeat(50))]).toHaveLength(100);
});

describe('checkControlTokens', () => {
  it('names a pause longer than a minute', () => {
    expect(checkControlTokens('a [pause:60s] b')).toBeUndefined();
    expect(checkControlTokens('[pause:1s][pause:60.01s]')).toContain('[pause:60.01s]');
    expect(checkControlTokens('[pause:61s')).toBeUndefined();
  });

  it('limits all pauses together to two hours: a text of pauses wrote 259 GB', () => {
    expect(checkControlTokens('[pause:60s]'.repeat(120))).toBeUndefined();
    expect(checkControlTokens(`${'[pause:60s]'.repeat(120)} [pause:0.01s]`)).toContain('7200 seconds together');
    expect(checkControlTokens('[pause:60s]'.repeat(90_000))).toContain('7200 seconds together');
  });

  it('names the unknown phonemes of a pronunciation', () => {
    expect(checkControlTokens('[good](/gʊd/) [x](//) [y](y)')).toBeUndefined();
    expect(checkControlTokens('a [b](/b2ʘb2/)')).toContain(': 2 ʘ');
  });
});
