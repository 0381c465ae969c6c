import { unusableFile } from '../../../checkpoint/checkpoint-error.ts';
import { BytePairEncoding } from './byte-pair-encoding.ts';
import { readVocabulary, type Vocabulary } from './vocabulary.ts';

/** Ids of the tokens that are not text. */
export interface SpecialTokens {
  endOfText: number;
  startOfTranscript: number;
  startOfPrevious: number;
  startOfLm?: number;
  /** Its probability is the model's opinion that there is no speech. */
  noSpeech: number;
  noTimestamps: number;
  transcribe: number;
  translate: number;
  /** `<|0.00|>`; the others follow in steps of 20 ms, up to and including `timestampEnd`. */
  timestampBegin: number;
  timestampEnd: number;
  /** By the language's code, as the vocabulary has it. */
  languages: ReadonlyMap<string, number>;
}

/** A word, or a part of one, and the tokens that it is made of. */
export interface TokenWord {
  /** With the blank before it. */
  text: string;
  tokens: number[];
}

/** Their words are not told apart by blanks. */
export const languagesWithoutSpaces: ReadonlySet<string> = new Set(['zh', 'ja', 'th', 'lo', 'my', 'yue']);

const REPLACEMENT = '\ufffd';
/** In the sense of Unicode, as the reference strips them. */
const SURROUNDING_BLANKS = /^\p{White_Space}+|\p{White_Space}+$/gu;
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
/** Steps of 20 ms of the official vocabularies, from 0 to 30 s. */
const TIMESTAMP_STEPS = 1500;

/** The tokenizer of a checkpoint: text to tokens and back, all ids from the checkpoint's own files. */
export class WhisperTokenizer {
  readonly special: SpecialTokens;
  /**
   * Tokens of what stands in transcripts without being said: brackets, speaker dashes, notes of music. The rule and
   * the list are those of the reference implementation's `non_speech_tokens`.
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
   * From `tokenizer.json`, or `vocab.json` and `merges.txt`, of a checkpoint's folder.
   *
   * @throws HearsayError `model_load_failed` that names the file and what is wrong or missing
   */
  static async read(folder: string): Promise<WhisperTokenizer> {
    return new WhisperTokenizer(await readVocabulary(folder));
  }

  /** Tokens of ordinary text: none of them is a special one, whatever the text says. */
  encode(text: string): number[] {
    return this.#encoding.encode(text);
  }

  /**
   * Text of tokens, without the special ones and timestamps. Bytes that are no UTF-8, as at the end of a sequence that
   * was cut within a character, come out as U+FFFD.
   */
  decode(tokens: readonly number[]): string {
    return textOf(tokens.map((token) => (this.#specialNames.has(token) ? '' : (this.#pieces.get(token) ?? ''))));
  }

  /**
   * Tokens grouped to words, so that no character is split: at blanks and punctuation marks, or, in languages that
   * have no blanks, wherever a character ends. As the reference implementation's `split_to_word_tokens`; a special
   * token is a word that reads as its name.
   *
   * @param language code of the language that the text is in
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
        PUNCTUATION.includes(text.replace(SURROUNDING_BLANKS, ''));
      if (last === undefined || startsWord) words.push({ text, tokens: part });
      else {
        last.text += text;
        last.tokens.push(...part);
      }
    }
    return words;
  }

  /** The shortest groups of tokens that are whole characters. */
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
      // A replacement character that the whole text has too will not be completed by further tokens.
      if (broken < 0 || whole[offset + broken] === REPLACEMENT) {
        groups.push({ text, tokens: group });
        offset += characters.length;
        group = [];
      }
    }
    const last = groups.at(-1);
    // The rest of a character whose beginning stands alone as a replacement character already.
    if (last !== undefined) last.tokens.push(...group);
    else if (group.length > 0) groups.push({ text: this.#decodeWithSpecial(group), tokens: group });
    return groups;
  }

  #decodeWithSpecial(tokens: readonly number[]): string {
    return textOf(tokens.map((token) => this.#specialNames.get(token) ?? this.#pieces.get(token) ?? ''));
  }
}

/** @param pieces one character for each byte */
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
    const token = names.map((name) => special.get(name)).find((found) => found !== undefined);
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
    // Early vocabularies do not list them; the reference counts them from the token after <|notimestamps|>.
    return { timestampBegin: noTimestamps + 1, timestampEnd: noTimestamps + 1 + TIMESTAMP_STEPS };
  }
  let last = first;
  while (special.get(timestampName(last + 1 - first)) === last + 1) last++;
  return { timestampBegin: first, timestampEnd: last };
}

function timestampName(steps: number): string {
  return `<|${(steps / 50).toFixed(2)}|>`;
}

/** Names by id, the timestamps' too where the vocabulary does not list them; one character for each byte. */
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
/** They share their first two bytes, so that their first token alone tells them from what is said. */
const musicalSymbols = [...'♩♪♫♬♭♮♯'];

function nonSpeechTokens(encode: (text: string) => number[]): number[] {
  // Dashes and quotes are part of words, but not at their beginning.
  const tokens = new Set([encode(' -')[0]!, encode(" '")[0]!]);
  for (const symbol of [...nonSpeechSymbols, ...musicalSymbols]) {
    for (const [first, ...rest] of [encode(symbol), encode(` ${symbol}`)]) {
      if (rest.length === 0 || musicalSymbols.includes(symbol)) tokens.add(first!);
    }
  }
  return [...tokens].sort((a, b) => a - b);
}
