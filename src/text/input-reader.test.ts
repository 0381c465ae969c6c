import { expect, it } from 'vitest';
import { InputReader } from './input-reader.ts';
import { defaultNormalization } from './normalization.ts';

/** A whole text as it is read. */
function read(text: string): string {
  const reader = new InputReader(text, defaultNormalization);
  reader.fill(Number.POSITIVE_INFINITY);
  return reader.text;
}

// What `<` means depends on the character before it, also where more of a long text is read.
it.each([
  ['10<sup>6</sup> miles.\n', '10⁶ miles.\n'],
  ['A vector<int> of it.\n', 'A vector<int> of it.\n'],
  ['It says <<here>> now.\n', 'It says <<here>> now.\n'],
])('reads %j the same anywhere in a long text', (line, expected) => {
  for (const shift of [1, 4, 7, 10, 13]) {
    const start = `${'x'.repeat(shift)}\n`;
    expect(read(start + line.repeat(2500))).toBe(start + expected.repeat(2500));
  }
});
