import { describe, expect, it } from 'vitest';
import { parsePhones } from './arpabet.ts';
import { compileRules, type PhoneRule } from './phone-rules.ts';

/** The rewritten phone at an index; undefined if the rule does not apply. */
function apply(rule: PhoneRule, phones: string, index: number, letters: string[] = [], spelling = letters.join('')) {
  return compileRules([rule])({ phones: parsePhones(phones.split(' ')), letters, spelling }, index);
}

describe('compileRules', () => {
  it.each([
    ['a symbol', 'AH', '_', 'K AH1 P', 1, true],
    ['a symbol with stress', 'AH0', '_', 'K AH1 P', 1, false],
    ['alternatives', 'AA|AH', 'G|K _ P', 'K AH1 P', 1, true],
    ['a negated set', 'AH', '!G|K _', 'K AH1 P', 1, false],
    ['a negated set at the boundary', 'AH', '!vowel _', 'AH1 P', 0, true],
    ['a conjunction', 'AH', 'any&!K _', 'AH1 P', 0, false],
    ['the start and the end', 'AH', 'start K _ P end', 'K AH1 P', 1, true],
    ['the end too early', 'AH', '_ end', 'K AH1 P', 1, false],
    ['classes', 'vowel', 'consonant _ consonant weak', 'K AH1 P IH0', 1, true],
    ['an optional phone that is there', 'AH', '_ S? P', 'K AH1 S P', 1, true],
    ['an optional phone that is not', 'AH', '_ S? P', 'K AH1 P', 1, true],
    ['anything at a position', 'AH', '_ * !vowel', 'AH1 P', 0, true],
    ['an earlier primary stress', 'IH', 'primary … P _', 'K AH1 S P IH0', 4, true],
    ['no earlier primary stress', 'IH', 'primary … P _', 'K AH0 S P IH0', 4, false],
    ['a later vowel', 'AH', '_ … vowel', 'K AH0 S P IH1', 1, true],
    ['no later vowel', 'AH', '_ … vowel', 'K AH0 S P', 1, false],
  ] as [string, string, string, string, number, boolean][])(
    '%s: %s in %s',
    (_, from, context, phones, index, isMatch) => {
      expect(apply({ from, context, to: 'x' }, phones, index)).toBe(isMatch ? 'x' : undefined);
    },
  );

  it('tests the letters of the phone, those after them and the whole word', () => {
    const word = ['c', 'u', 'p'];
    expect(apply({ from: 'AH', letters: /^u$/, rest: /^p/, spelling: /^cup$/, to: 'x' }, 'K AH1 P', 1, word)).toBe('x');
    expect(apply({ from: 'AH', letters: /^o$/, to: 'x' }, 'K AH1 P', 1, word)).toBeUndefined();
    expect(apply({ from: 'AH', rest: /^t/, to: 'x' }, 'K AH1 P', 1, word)).toBeUndefined();
    expect(apply({ from: 'AH', spelling: /s$/, to: 'x' }, 'K AH1 P', 1, word)).toBeUndefined();
  });

  it('applies the first rule that fits', () => {
    const rewrite = compileRules([
      { from: 'AH', context: '_ T', to: 'x' },
      { from: 'AH', to: '' },
      { from: 'AH', to: 'z' },
    ]);
    expect(rewrite({ phones: parsePhones(['AH1', 'P']), letters: [], spelling: '' }, 0)).toBe('');
  });

  it('throws for unknown classes', () => {
    expect(() => compileRules([{ from: 'nasal', to: '' }])).toThrow(/nasal/);
  });
});
