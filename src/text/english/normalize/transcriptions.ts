import { matchAt } from '../../patterns.ts';
import { holdsSound, unknownPhonemes } from '../../phoneme-alphabet.ts';
import { fromIpa } from '../../phoneme-input.ts';

/** Letters and marks that only transcriptions have. */
const sounds = 'ɪʊəɛɑɔʌɜɝɚɐɒŋʃʒθɹɾʔˈˌː';
/** Letters that words in brackets have, too: `[ð]` of a name */
const letters = 'æðɡ';
const transcribed = String.raw`[\p{L}\p{M}ˈˌːˑ.'’ʼ -]{1,60}`;
/** Between slashes or brackets */
const transcription = new RegExp(
  String.raw`(?:\/(?=[^/\n]{0,60}[${sounds}${letters}])(?! )(${transcribed})(?<! )\/|\[(?=[^\]\n]{0,60}[${sounds}])(${transcribed})\])(?![\p{L}\d/[(])`,
  'uy',
);

/** The sound of a word as dictionaries give it, `/ˈɹiːdɪŋ/` or `[ˈteɪ]`, in Kokoro's alphabet. */
export function transcriptionAt(text: string, index: number): { end: number; ipa: string } | undefined {
  if (!/[/[]/.test(text[index]!) || /[\p{L}\d/]/u.test(text[index - 1] ?? '')) return undefined;
  const [all, between, bracketed] = matchAt(transcription, text, index) ?? [];
  if (all === undefined) return undefined;
  const phonemes = fromIpa((between ?? bracketed)!.replace(/[.-]/g, ''));
  const unknown = unknownPhonemes(phonemes);
  const ipa = [...phonemes].filter((each) => !unknown.includes(each)).join('');
  return holdsSound(ipa) ? { end: index + all.length, ipa } : undefined;
}
