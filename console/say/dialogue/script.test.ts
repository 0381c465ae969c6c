import { describe, expect, it } from 'vitest';
import { castOf, parseScript } from './script.ts';

describe('parseScript', () => {
  it('reads names and their lines, across several lines', () => {
    expect(parseScript('Ann: Hello.\nHow are you?\n\nBob: Fine: thanks.\r\nANN (smiling): Good.')).toEqual([
      { name: 'Ann', input: 'Hello. How are you?' },
      { name: 'Bob', input: 'Fine: thanks.' },
      { name: 'ANN', input: 'Good.' },
    ]);
  });

  it.each([
    ['**Dr. Lee:** Hi.', 'Dr. Lee'],
    ['**Dr. Lee**: Hi.', 'Dr. Lee'],
    ['[Ann] Hi.', 'Ann'],
    ['- Ann: Hi.', 'Ann'],
    ['Jean-Luc O’Neil: Hi.', 'Jean-Luc O’Neil'],
    ['小明：你好', '小明'],
    ['Speaker 1: Hi.', 'Speaker 1'],
  ])('reads the name of %s', (line, name) => {
    expect(parseScript(`${line}\n${line}`)?.[0]).toMatchObject({
      name,
      input: expect.stringMatching(/^(?:Hi\.|你好)$/),
    });
  });

  it.each([
    'A text. It has: a colon.\nAnd two lines.',
    'See https://example.org\nand http://example.org',
    '10:30 breakfast\n11:45 train',
    'Only one: line has it.\nThe other does not.',
    '',
  ])('finds no script in %j', (text) => {
    expect(parseScript(text)).toBeUndefined();
  });

  it('is quick with hostile lines', () => {
    const text = `${'a'.repeat(100_000)}\n${'**[['.repeat(20_000)}\n${'( '.repeat(50_000)}`;
    expect(parseScript(text)).toBeUndefined();
    const before = process.cpuUsage().user;
    expect(parseScript(`${' '.repeat(100_000)}a b\n-${' '.repeat(100_000)}a b`)).toBeUndefined();
    expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
  });
});

describe('castOf', () => {
  it('gives each name its own voice while there are enough', () => {
    const cast = castOf(['Ann', 'Bob', 'Cy', 'Ann'], new Map([['Bob', 'b']]), ['a', 'b']);
    expect([...cast]).toEqual([
      ['Bob', 'b'],
      ['Ann', 'a'],
      ['Cy', 'b'],
    ]);
    expect(castOf(['Ann'], new Map(), []).get('Ann')).toBe('');
  });
});
