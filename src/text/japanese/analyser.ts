import type { Tokenizer } from 'lindera-wasm-nodejs-ipadic';
import { isHiragana, toHiragana } from '../cjk/kana.ts';

/** A word of the dictionary. Parts of speech are IPADIC's. */
export interface Morpheme {
  surface: string;
  /** Pronunciation in hiragana with ー; empty if the dictionary has none. */
  kana: string;
  pos: string;
  detail: string;
}

interface LinderaToken {
  surface: string;
  partOfSpeech: string;
  partOfSpeechSubcategory1?: string;
  pronunciation?: string;
}

/** Cuts Japanese into words with their readings. */
export interface Analyser {
  /** The words of a text, in order, without whitespace. */
  morphemes(text: string): Morpheme[];
}

/** Loads Lindera with IPADIC, one WebAssembly module: about 0.3 s and 135 MB of memory. */
export async function loadAnalyser(): Promise<Analyser> {
  const { TokenizerBuilder } = await import('lindera-wasm-nodejs-ipadic');
  const builder = new TokenizerBuilder();
  builder.setDictionary('embedded://ipadic');
  builder.setMode('normal');
  const tokenizer: Tokenizer = builder.build();
  return {
    morphemes: (text) => (tokenizer.tokenize(text) as LinderaToken[]).map(morpheme),
  };
}

function morpheme({ surface, partOfSpeech, partOfSpeechSubcategory1, pronunciation }: LinderaToken): Morpheme {
  const hasReading = pronunciation !== undefined && pronunciation !== '*';
  const kana = toHiragana(hasReading ? pronunciation : surface);
  return { surface, kana: isHiragana(kana) ? kana : '', pos: partOfSpeech, detail: partOfSpeechSubcategory1 ?? '*' };
}
