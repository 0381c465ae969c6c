import { expect, it } from 'vitest';
import type { LanguageLetter } from '../text/types.ts';
import { offsetInLine, pieceRules, wholeSentencesEnd } from './whole-sentences.ts';

const whole = (text: string) => text.slice(0, wholeSentencesEnd(text));

it.each([
  ['I saw Dr. Smith at 5 p.m. on Monday. He left. And so', 'I saw Dr. Smith at 5 p.m. on Monday. He left. '],
  ['It costs $3.50. Pay in Washington, D.C. offices', 'It costs $3.50. '],
  [' Hi! "Is it?" she asked. We do', ' Hi! "Is it?" she asked. '],
  ['To do:\n1. Buy eggs\n2. Buy milk\n3. Co', 'To do:\n1. Buy eggs\n2. Buy milk\n'],
  ['A title\n\nIt begins here. And', 'A title\n\n'],
  ['你好。世', '你好。'],
  ['はい! 元', 'はい! '],
  ['Vive aquí. Mañana se', 'Vive aquí. '],
])('finds the whole sentences of %j', (text, sentences) => {
  expect(whole(text)).toBe(sentences);
});

it.each(['I saw Dr. ', 'I saw Dr. Sm', 'It is 3.', 'It is 3. ', 'Hello there. ', '你好。', 'No end', '', ' '])(
  'waits for what follows %j',
  (text) => {
    expect(whole(text)).toBe('');
  },
);

it('cuts a sentence that never ends where a whole text is cut', () => {
  const words = 'word '.repeat(200);
  expect(whole(words).length).toBeGreaterThan(500);
  expect(whole(words)).toMatch(/ $/);
});

it('finds the last end of a long text', () => {
  const sentences = 'This is a sentence. '.repeat(50_000);
  expect(whole(`${sentences}And th`)).toBe(sentences);
});

/** The sentences of a text that arrives in pieces of so many characters. */
async function inPieces(letter: LanguageLetter, text: string, size: number): Promise<string[]> {
  const rules = await pieceRules(letter);
  const sentences: string[] = [];
  let rest = '';
  let lineOffset = 0;
  const take = (end: number) => {
    for (let part = rest.slice(0, end); part !== ''; ) {
      const length = rules.sentenceEnd(part, lineOffset, true);
      sentences.push(part.slice(0, length));
      lineOffset = offsetInLine(part, length, lineOffset);
      part = part.slice(length);
    }
    rest = rest.slice(end);
  };
  for (let index = 0; index < text.length; index += size) {
    rest += text.slice(index, index + size);
    take(wholeSentencesEnd(rest, rules, lineOffset));
  }
  take(rest.length);
  return sentences;
}

it.each([
  ['a', 'I saw Dr. Thorn at 5 p.m. on Monday. He left. Pay in Washington, D.C. offices.'],
  ['e', 'La Sra. Gómez, p. ej., vive en EE. UU. desde 1990. Nos vemos el lun. 5 de mayo. ¿Vale? Sí.'],
  ['e', 'Una línea larga que no termina aquí. Y otra más corta\nY sigue sin fin. Luego calló.'],
  ['f', 'M. Dupont est né en 44 av. J.-C. selon p. 5. Elle a eu 15/20. 42,5 km ensuite. « Viens ! » Il vint.'],
  ['h', 'डॉ. शर्मा 5 दिसं. 2026 को आए। ए. पी. जे. अब्दुल कलाम गए। बस।'],
  ['i', 'Il sig. Rossi, ecc. Poi uscì. Nel sec. XIX, ad es. oggi. Da 50 €. 5 € al mese. Fine.'],
  ['p', 'O Sr. Silva, na Av. Paulista, n. 5, saiu. Ao Sr(a). Lima, p. ex. hoje. Fim.'],
  ['j', '「はい。」と言った。彼は20.5歳です。終わり。'],
  ['z', '他说：“我20岁。”然后走了。Mr. Li来了。好。'],
] as [LanguageLetter, string][])('%s: %s is cut alike in pieces of any size', async (letter, text) => {
  const whole = await inPieces(letter, text, text.length);
  for (let size = 1; size <= 12; size++) expect(await inPieces(letter, text, size)).toEqual(whole);
});

it('does not end a sentence of another language at its abbreviations', async () => {
  expect(await inPieces('e', 'La Sra. Gómez y la Mtra. Ruiz vinieron. Luego nada.', 3)).toEqual([
    'La Sra. Gómez y la Mtra. Ruiz vinieron. ',
    'Luego nada.',
  ]);
});
