import { describe, expect, it } from 'vitest';
import type { LanguageLetter } from '../synthesis.ts';
import { hasEspeak } from './espeak/espeak.ts';
import { Languages, readLanguages } from './languages.ts';
import { defaultNormalization } from './normalize.ts';

async function phonemes(letter: LanguageLetter, text: string): Promise<string> {
  const language = await new Languages().load(letter);
  const pieces = [...language.pieces(text, defaultNormalization)];
  return pieces.map((piece) => (piece.type === 'sentence' ? language.phonemes(piece.tokens).join('') : '')).join(' ');
}

describe('Languages', () => {
  it('reads English in two accents', async () => {
    expect(readLanguages).toEqual(expect.arrayContaining(['a', 'b']));
    expect(await phonemes('a', 'The goat.')).toBe('ðə ɡˈOt.');
    expect(await phonemes('b', 'The goat.')).toBe('ðə ɡˈQt.');
  });

  // With the numbers in words, misaki says the same.
  it.skipIf(!hasEspeak()).each([
    ['e', 'Tengo 2 gatos.', 'tˈɛŋɡo ðˈos ɣˈatos.'],
    ['f', "J'ai 2 chats.", 'ʒe dˈø ʃˈa.'],
    ['h', 'मेरे पास 2 किताबें हैं।', 'mˌeːɾeː pˈaːs dˈoː kɪtˈaːbẽː hɛ̃.'],
    ['i', 'Ho 2 gatti.', 'o dˈue ɡˈatːɪ.'],
    ['p', 'Tenho 2 gatos.', 'tˌeɲʊ dˈoɪz ɡˈatʊs.'],
  ] as [LanguageLetter, string, string][])('reads %s', async (letter, text, expected) => {
    expect(readLanguages).toContain(letter);
    expect(await phonemes(letter, text)).toBe(expected);
  });

  it('loads a language once', async () => {
    const languages = new Languages();
    const [one, other] = await Promise.all([languages.load('b'), languages.load('b')]);
    expect(one.phonemes([])).toEqual(other.phonemes([]));
  });

  it('refuses a letter that stands for none', async () => {
    await expect(new Languages().load('x' as LanguageLetter)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it.skipIf(!hasEspeak())('knows where a phrase begins', async () => {
    const spanish = await new Languages().load('e');
    const tokens = ['Sí', 'porque', 'gato'].map((word) => ({ written: word, spoken: word }));
    const begins = spanish.phonemes(tokens).map((sound, index) => spanish.beginsPhrase(tokens[index]!, sound.trim()));
    expect(begins.slice(1)).toEqual([true, false]);
  });
});
