import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { jsonText, pythonLiteral, shellQuoted, shownName, stringLiteral } from './quoting.ts';

const hostile = [
  "it's",
  `'; rm -rf "$HOME" #`,
  '$(id) `id` \\ \\\\ !! %s',
  'two\nlines\tand a tab\r',
  '-n',
  '',
  '日本語 😀',
  'a\u202eb\u2066c\u0000d\u007fe\u2028f',
];

describe('shellQuoted', () => {
  it('survives a shell unchanged', () => {
    for (const text of hostile.filter((text) => !text.includes('\u0000'))) {
      expect(execFileSync('bash', ['-c', `printf %s ${shellQuoted(text)}`], { encoding: 'utf8' })).toBe(text);
    }
  });
});

it('shellQuoted escapes invisible characters', () => {
  expect(shellQuoted('a\u202egpj\\.exe')).toBe("$'a\\342\\200\\256gpj\\\\.exe'");
  for (const text of hostile) expect(shellQuoted(text)).not.toMatch(/(?![\n\t])\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u);
});

it('shownName escapes only marks that change the direction', () => {
  expect(shownName('a\u202egpj.exe')).toBe('a\\u202egpj.exe');
  for (const name of ['نام\u200cها.mp3', 'שלום.wav', '👩\u200d🚀.ogg']) expect(shownName(name)).toBe(name);
});

describe('stringLiteral', () => {
  it('parses to the same text', () => {
    for (const text of hostile) expect(JSON.parse(stringLiteral(text))).toBe(text);
  });

  it('escapes invisible characters', () => {
    expect(stringLiteral('a\u202eb\u2066c\u0000d\u007fe\u2028')).toBe('"a\\u202eb\\u2066c\\u0000d\\u007fe\\u2028"');
    for (const text of hostile) expect(stringLiteral(text)).not.toMatch(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u);
    expect(jsonText({ '\u202e': '\u200f' })).toBe('{"\\u202e":"\\u200f"}');
  });
});

it('pythonLiteral writes Python literals', () => {
  expect([true, false, 1.5, 'a"b'].map(pythonLiteral)).toEqual(['True', 'False', '1.5', '"a\\"b"']);
  expect(pythonLiteral({ a: [true, null], b: {} })).toBe('{"a": [True, None], "b": {}}');
});
