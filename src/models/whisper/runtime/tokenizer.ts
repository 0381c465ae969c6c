import { unusableFile } from '../../../checkpoint/checkpoint-error.ts';
import { BytePairEncoding } from './byte-pair-encoding.ts';
import { readVocabulary, type Vocabulary } from './vocabulary.ts';

/** Ids of the special tokens. */
export interface SpecialTokens {
  endOfText: number;
  startOfTranscript: number;
  startOfPrevious: number;
  startOfLm?: number;
  /** The token whose probability is that of silence. */
  noSpeech: number;
  noTimestamps: number;
  transcribe: number;
  translate: number;
  /** `<|0.00|>`; others follow in steps of 20 ms, up to and including `timestampEnd`. */
  timestampBegin: number;
  timestampEnd: number;
  /** By language code, as in the vocabulary. */
  languages: ReadonlyMap<string, number>;
}

/** A word, or a part of one, and its tokens. */
export interface TokenWord {
  /** With its leading space. */
  text: string;
  tokens: number[];
}

/** Languages that write no spaces between words. */
export const languagesWithoutSpaces: ReadonlySet<string> = new Set(['zh', 'ja', 'th', 'lo', 'my', 'yue']);

const REPLACEMENT = '\ufffd';
/** Unicode's whitespace, which the reference strips. */
const SURROUNDING_WHITESPACE = /^\p{White_Space}+|\p{White_Space}+$/gu;
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
/** Steps of the official vocabularies: 20 ms from 0 to 30 s. */
const TIMESTAMP_STEPS = 1500;

/** Tokenizer of a checkpoint; all ids come from the checkpoint's files. */
export class WhisperTokenizer {
  readonly special: SpecialTokens;
  /**
   * Tokens of annotations that are not speech: brackets, speaker dashes, musical notes. Same rule and list as the
   * reference's `non_speech_tokens`.
   */
  readonly nonSpeechTokens: readonly number[];
  readonly #pieces: ReadonlyMap<number, string>;
  readonly #specialNames: ReadonlyMap<number, string>;
  readonly #encoding: BytePairEncoding;

  constructor(vocabulary: Vocabulary) {
    const { file, pieces, merges } = vocabulary;
    this.#pieces = pieces;
    this.#encoding = new BytePairEncoding(byteTokens(pieces, file), merges);
    this.special = specialTokens(vocabulary);
    this.#specialNames = specialNames(vocabulary, this.special);
    this.nonSpeechTokens = nonSpeechTokens((text) => this.encode(text));
  }

  /**
   * Reads `tokenizer.json`, or `vocab.json` and `merges.txt`, from a checkpoint's directory.
   * @throws HearsayError `model_load_failed` naming the file and what is wrong or missing
   */
  static async read(directory: string): Promise<WhisperTokenizer> {
    return new WhisperTokenizer(await readVocabulary(directory));
  }

  /** Encodes plain text. Special tokens written in it are encoded as text. */
  encode(text: string): number[] {
    return this.#encoding.encode(text);
  }

  /**
   * Decodes tokens, without special tokens and timestamps. Invalid UTF-8, such as half a character at the end, becomes
   * U+FFFD.
   */
  decode(tokens: readonly number[]): string {
    return textOf(tokens.map((token) => (this.#specialNames.has(token) ? '' : (this.#pieces.get(token) ?? ''))));
  }

  /** UTF-8 bytes of a text token; none for special tokens and timestamps. */
  bytes(token: number): Uint8Array {
    return Buffer.from(this.#specialNames.has(token) ? '' : (this.#pieces.get(token) ?? ''), 'latin1');
  }

  /**
   * Groups tokens into words as the reference's `split_to_word_tokens` does, never within a character: at spaces and
   * punctuation, or at every character in languages without spaces. A special token is a word with its name as text.
   * @param language code of the text's language
   */
  words(tokens: readonly number[], language: string): TokenWord[] {
    const characters = this.#splitAtCharacters(tokens);
    if (languagesWithoutSpaces.has(language)) return characters;
    const words: TokenWord[] = [];
    for (const { text, tokens: part } of characters) {
      const last = words.at(-1);
      const startsWord =
        this.#specialNames.has(part[0]!) ||
        text.startsWith(' ') ||
        PUNCTUATION.includes(text.replace(SURROUNDING_WHITESPACE, ''));
      if (last === undefined || startsWord) words.push({ text, tokens: part });
      else {
        last.text += text;
        last.tokens.push(...part);
      }
    }
    return words;
  }

  /** The shortest groups of tokens that are whole characters: `split_tokens_on_unicode` of the reference. */
  #splitAtCharacters(tokens: readonly number[]): TokenWord[] {
    const whole = [...this.#decodeWithSpecial(tokens)];
    const groups: TokenWord[] = [];
    let group: number[] = [];
    let offset = 0;
    for (const token of tokens) {
      group.push(token);
      const text = this.#decodeWithSpecial(group);
      const characters = [...text];
      const broken = characters.indexOf(REPLACEMENT);
      // A replacement character that is also in the whole text cannot be completed by further tokens.
      if (broken < 0 || whole[offset + broken] === REPLACEMENT) {
        groups.push({ text, tokens: group });
        offset += characters.length;
        group = [];
      }
    }
    const last = groups.at(-1);
    // The rest of a character whose beginning is already a group: a replacement character.
    if (last !== undefined) last.tokens.push(...group);
    else if (group.length > 0) groups.push({ text: this.#decodeWithSpecial(group), tokens: group });
    return groups;
  }

  #decodeWithSpecial(tokens: readonly number[]): string {
    return textOf(tokens.map((token) => this.#specialNames.get(token) ?? this.#pieces.get(token) ?? ''));
  }
}

/** @param pieces a character per byte */
function textOf(pieces: readonly string[]): string {
  return Buffer.from(pieces.join(''), 'latin1').toString('utf8');
}

function byteTokens(pieces: ReadonlyMap<number, string>, file: string): Int32Array {
  const tokens = new Int32Array(256).fill(-1);
  for (const [token, piece] of pieces) {
    if (piece.length === 1) tokens[piece.charCodeAt(0)] = token;
  }
  const missing = tokens.indexOf(-1);
  if (missing >= 0) throw unusableFile(file, `it has no token for the byte ${missing}`);
  return tokens;
}

function specialTokens({ special, file }: Vocabulary): SpecialTokens {
  const id = (...names: [string, ...string[]]): number => {
    const token = names.map((name) => special.get(name)).find((candidate) => candidate !== undefined);
    if (token === undefined) throw unusableFile(file, `it has no token ${names[0]}`);
    return token;
  };
  const languages = [...special].flatMap(([name, token]): [string, number][] => {
    const code = /^<\|([a-z]{2,3})\|>$/.exec(name)?.[1];
    return code === undefined ? [] : [[code, token]];
  });
  const startOfLm = special.get('<|startoflm|>');
  const noTimestamps = id('<|notimestamps|>');
  return {
    endOfText: id('<|endoftext|>'),
    startOfTranscript: id('<|startoftranscript|>'),
    startOfPrevious: id('<|startofprev|>'),
    ...(startOfLm === undefined ? {} : { startOfLm }),
    noSpeech: id('<|nospeech|>', '<|nocaptions|>'),
    noTimestamps,
    transcribe: id('<|transcribe|>'),
    translate: id('<|translate|>'),
    ...timestamps(special, noTimestamps),
    languages: new Map(languages),
  };
}

function timestamps(special: ReadonlyMap<string, number>, noTimestamps: number) {
  const first = special.get(timestampName(0));
  if (first === undefined) {
    // Early vocabularies do not list timestamps; the reference counts from <|notimestamps|>.
    return { timestampBegin: noTimestamps + 1, timestampEnd: noTimestamps + 1 + TIMESTAMP_STEPS };
  }
  let last = first;
  while (special.get(timestampName(last + 1 - first)) === last + 1) last++;
  return { timestampBegin: first, timestampEnd: last };
}

function timestampName(steps: number): string {
  return `<|${(steps / 50).toFixed(2)}|>`;
}

/** Names by id, including timestamps that the vocabulary does not list; a character per byte. */
function specialNames({ special }: Vocabulary, { timestampBegin, timestampEnd }: SpecialTokens): Map<number, string> {
  const names = new Map<number, string>();
  for (let token = timestampBegin; token <= timestampEnd; token++)
    names.set(token, timestampName(token - timestampBegin));
  for (const [name, token] of special) names.set(token, Buffer.from(name).toString('latin1'));
  return names;
}

const nonSpeechSymbols = [
  ...'"#()*+/:;<=>@[\\]^_`{|}~「」『』',
  ...'<< >> <<< >>> -- --- -( -[ (\' (" (( )) ((( ))) [[ ]] {{ }} ♪♪ ♪♪♪'.split(' '),
];
/** These share their first two bytes, so that the first token alone identifies them. */
const musicalSymbols = [...'♩♪♫♬♭♮♯'];

function nonSpeechTokens(encode: (text: string) => number[]): number[] {
  // Hyphens and quotes occur within words, not before them.
  const tokens = new Set([encode(' -')[0]!, encode(" '")[0]!]);
  for (const symbol of [...nonSpeechSymbols, ...musicalSymbols]) {
    for (const [first, ...rest] of [encode(symbol), encode(` ${symbol}`)]) {
      if (rest.length === 0 || musicalSymbols.includes(symbol)) tokens.add(first!);
    }
  }
  return [...tokens].sort((a, b) => a - b);
}
