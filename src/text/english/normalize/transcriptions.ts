import { matchAt } from '../../patterns.ts';
import { holdsSound, unknownPhonemes } from '../../phoneme-alphabet.ts';
import { fromIpa } from '../../phoneme-input.ts';

/** Between slashes or brackets, with a letter or mark that only transcriptions have. */
const transcription =
  /(?:\/(?=[^/\n]{0,60}[ɪʊəɛæɑɔʌɜɝɚɐɒŋʃʒθðɹɾʔɡˈˌː])(?! )([\p{L}\p{M}ˈˌːˑ.'’ʼ -]{1,60})(?<! )\/|\[(?=[^\]\n]{0,60}[ɪʊəɛɑɔʌɜɝɚɐɒŋʃʒθɹɾʔˈˌː])([\p{L}\p{M}ˈˌːˑ.'’ʼ -]{1,60})\])(?![\p{L}\d/[(])/uy;

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
