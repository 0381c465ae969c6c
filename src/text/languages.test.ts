import { afterEach, describe, expect, it, vi } from 'vitest';
import { pronounceIn } from '../../benchmarks/phoneme-errors.mjs';
import { Espeak, hasEspeak } from './espeak/espeak.ts';
import { Languages, supportedLanguages } from './languages.ts';
import { defaultNormalization } from './normalization.ts';
import type { LanguageLetter } from './types.ts';

async function phonemes(letter: LanguageLetter, text: string): Promise<string> {
  const language = await new Languages().load(letter);
  return pronounceIn(language, text, defaultNormalization);
}

describe('Languages', () => {
  it('loads English in two accents', async () => {
    expect(supportedLanguages).toEqual(expect.arrayContaining(['a', 'b']));
    expect(await phonemes('a', 'The goat.')).toBe('ðə ɡˈOt.');
    expect(await phonemes('b', 'The goat.')).toBe('ðə ɡˈQt.');
  });

  // As misaki, given the numbers in words.
  it.skipIf(!hasEspeak()).each([
    ['e', 'Tengo 2 gatos.', 'tˈɛŋɡo ðˈos ɣˈatos.'],
    ['f', "J'ai 2 chats.", 'ʒe dˈø ʃˈa.'],
    ['h', 'मेरे पास 2 किताबें हैं।', 'mˌeːɾeː pˈaːs dˈoː kɪtˈaːbẽː hɛ̃.'],
    ['i', 'Ho 2 gatti.', 'o dˈue ɡˈatːɪ.'],
    ['p', 'Tenho 2 gatos.', 'tˌeɲʊ dˈoɪz ɡˈatʊs.'],
  ] as [LanguageLetter, string, string][])('loads the language %s', async (letter, text, expected) => {
    expect(supportedLanguages).toContain(letter);
    expect(await phonemes(letter, text)).toBe(expected);
  });

  describe.skipIf(!hasEspeak())('with eSpeak NG', () => {
    const known = 'Good morning. The goat saw 3 ships, and by the sea it waited!';
    const unknown = 'The zorgblatt of Kubernetes.';
    afterEach(() => {
      vi.restoreAllMocks();
    });

    it('loads it at the first unknown English word', async () => {
      const load = vi.spyOn(Espeak, 'load');
      const languages = new Languages();
      const loaded = { a: await languages.load('a'), z: await languages.load('z') };
      await pronounceIn(loaded.a, known, defaultNormalization);
      await pronounceIn(loaded.z, `你好，${known}`, defaultNormalization);
      expect(loaded.a.beginsPhrase({ written: 'of', spoken: 'of' }, 'ʌv')).toBe(true);
      expect(load).not.toHaveBeenCalled();
      await pronounceIn(loaded.z, unknown, defaultNormalization);
      expect(load).toHaveBeenCalledTimes(1);
      await pronounceIn(loaded.a, unknown, defaultNormalization);
      expect(load).toHaveBeenCalledTimes(1);
    });

    it.each(['a', 'b', 'z'] as const)(
      'pronounces an unknown word the same the first time as later (%s)',
      async (letter) => {
        const language = await new Languages().load(letter);
        const say = () => pronounceIn(language, unknown, defaultNormalization);
        const together = await Promise.all([say(), say()]);
        expect(new Set([...together, await say()]).size).toBe(1);
        vi.spyOn(Espeak, 'load').mockRejectedValue(new Error('gone'));
        await expect(phonemes(letter, unknown)).rejects.toThrow('gone');
        expect(await phonemes(letter, known)).not.toBe('');
        expect(await say()).toBe(together[0]);
      },
    );
  });

  it('loads a language once', async () => {
    const languages = new Languages();
    const [one, other] = await Promise.all([languages.load('b'), languages.load('b')]);
    expect(await one.phonemes([])).toEqual(await other.phonemes([]));
  });

  it('rejects an unknown language letter', async () => {
    await expect(new Languages().load('x' as LanguageLetter)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it.skipIf(!hasEspeak())('recognizes words that begin a phrase', async () => {
    const spanish = await new Languages().load('e');
    const tokens = ['Sí', 'porque', 'gato'].map((word) => ({ written: word, spoken: word }));
    const sounds = await spanish.phonemes(tokens);
    const begins = sounds.map((sound, index) => spanish.beginsPhrase(tokens[index]!, sound.trim()));
    expect(begins.slice(1)).toEqual([true, false]);
  });
});
