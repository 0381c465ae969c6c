import { readdirSync } from 'node:fs';
import type { FloatTensor } from '../../checkpoint/pytorch-writer.ts';
import type { VoiceWeight } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import { packagedFolder, ROWS, readPackagedVoice, STYLE, type VoicePack } from '../../models/kokoro/voice-pack.ts';
import type { LanguageLetter } from '../../text/types.ts';

export interface Voice {
  /** Name in requests, e.g. `af_heart`: language letter, f or m, own name. */
  id: string;
  /** Name for people, e.g. `Heart`. */
  name: string;
}

const packFile = /^([abefhijpz][fm]_[a-z]+)\.bin$/;

/** Sum of the negative weights of a blend whose weights add up to 1. At 1.5 what two pairs of voices say is lost. */
const MAX_TAKEN_AWAY = 1;
const ROUNDING = 1e-9;
/** Room for fifty saved voices with the longest names. */
const MAX_VOICE_CHARACTERS = 5000;

/** Unlisted voice names that clients of other services send. */
const aliases = new Map([
  ['alloy', 'af_alloy'],
  ['ash', 'am_michael'],
  ['ballad', 'bm_george'],
  ['cedar', 'am_fenrir'],
  ['coral', 'af_bella'],
  ['echo', 'am_echo'],
  ['fable', 'bm_fable'],
  ['marin', 'af_aoede'],
  ['onyx', 'am_onyx'],
  ['nova', 'af_nova'],
  ['sage', 'af_sarah'],
  ['shimmer', 'af_sky'],
  ['verse', 'am_puck'],
]);

/** The voice packs of the Kokoro package, sorted by id. */
export const officialVoices: readonly Voice[] = readdirSync(packagedFolder)
  .flatMap((file) => packFile.exec(file)?.[1] ?? [])
  .sort()
  .map((id) => ({ id, name: displayName(id) }));

/** The available voices by their names in requests, which may write thousands. */
export class VoiceNames {
  readonly #ids: ReadonlySet<string>;
  /** By alias, or by id in lower case; undefined if several ids differ by nothing but case. */
  readonly #byLowerCase = new Map<string, string | undefined>();

  constructor(voices: readonly Pick<Voice, 'id'>[]) {
    this.#ids = new Set(voices.map(({ id }) => id));
    for (const id of this.#ids) {
      const lower = id.toLowerCase();
      this.#byLowerCase.set(lower, this.#byLowerCase.has(lower) ? undefined : id);
    }
    for (const [alias, id] of aliases) this.#byLowerCase.set(alias, this.#ids.has(id) ? id : undefined);
  }

  /** The id for a name, which may be an alias; undefined if there is none. Case does not matter, unless ids differ by nothing else. */
  idOf(name: string): string | undefined {
    return this.#ids.has(name) ? name : this.#byLowerCase.get(name.toLowerCase());
  }
}

/** Whether a name is taken by an official voice or an alias. */
export function isReserved(name: string): boolean {
  return aliases.has(name) || officialVoices.some(({ id }) => id === name);
}

/** The own name of a voice, capitalized. */
export function displayName(id: string): string {
  const name = id.replace(/^[a-z][fm]_/, '');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The language of a voice: the first letter of its id, or American English if that is no language letter. */
export function languageOf(id: string): LanguageLetter {
  return (/^[abefhijpz](?=[fm]_)/.exec(id)?.[0] ?? 'a') as LanguageLetter;
}

/**
 * Parses a voice or a blend: names in any case joined by `+` or `-`, each with a weight in parentheses or with weight 1.
 * Resolves aliases.
 *
 * @returns each voice once, in order of first mention; the weights add up to 1, single ones may be 0 or negative
 * @throws HearsayError `invalid_request` for an unknown voice, a malformed blend, one that takes away more than it leaves, or
 * more than 5,000 characters
 */
export function parseVoice(text: string, known: VoiceNames): VoiceWeight[] {
  if (text.length > MAX_VOICE_CHARACTERS) throw malformed(`it has more than ${MAX_VOICE_CHARACTERS} characters`);
  const weights = new Map<string, number>();
  const tokens = new Tokens(text);
  let sign = 1;
  for (;;) {
    const id = voiceId(tokens.next(), text, known);
    let weight = 1;
    let separator = tokens.next();
    if (separator === '(') {
      weight = positiveNumber(tokens.next());
      if (tokens.next() !== ')') throw malformed('a weight is not closed by ")"');
      separator = tokens.next();
    }
    weights.set(id, (weights.get(id) ?? 0) + sign * weight);
    if (separator === undefined) break;
    if (separator !== '+' && separator !== '-') throw malformed('voices are joined by "+" or "-"');
    sign = separator === '+' ? 1 : -1;
  }

  const sum = [...weights.values()].reduce((total, weight) => total + weight, 0);
  if (!(sum > 0)) throw malformed('the weights must add up to more than 0');
  const blend = [...weights].map(([name, weight]) => ({ name, weight: weight / sum }));
  if (sum === Number.POSITIVE_INFINITY || !blend.every(({ weight }) => Number.isFinite(weight)))
    throw malformed('the weights are too large');
  const taken = blend.reduce((total, { weight }) => total - Math.min(0, weight), 0);
  if (taken > MAX_TAKEN_AWAY + ROUNDING)
    throw malformed('it takes away more than it leaves, which is no voice any more');
  return blend;
}

/** Signs and words of a blend; whitespace only separates. */
class Tokens {
  readonly #matches: Iterator<RegExpExecArray>;

  constructor(text: string) {
    this.#matches = text.matchAll(/[-+()]|[^-+()\s]+/g);
  }

  /** Undefined at the end. */
  next(): string | undefined {
    const { value, done } = this.#matches.next();
    return done ? undefined : value[0];
  }
}

function voiceId(name: string | undefined, blend: string, known: VoiceNames): string {
  if (name === undefined || /^[-+()]/.test(name)) throw malformed('the name of a voice is missing');
  const id = known.idOf(name);
  if (id === undefined) throw unknown(name, blend);
  return id;
}

function positiveNumber(token: string | undefined): number {
  const value = /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(token ?? '') ? Number(token) : Number.NaN;
  if (!(value > 0 && Number.isFinite(value)))
    throw malformed('a weight must be a decimal number above 0, without an exponent');
  return value;
}

/** @param blend where the name is from: the names of other services, such as `en-US-AvaNeural`, read like blends */
function unknown(name: string, blend = name): HearsayError {
  const quoted = (text: string) => JSON.stringify(text.length > 50 ? `${text.slice(0, 50)}…` : text);
  const voice = blend.trim() === name ? quoted(name) : `${quoted(name)} in ${quoted(blend)}`;
  return invalid(`The voice ${voice} is unknown. GET /v1/audio/voices lists the available voices.`);
}

function malformed(reason: string): HearsayError {
  return invalid(`The voice is malformed: ${reason}. A blend reads af_heart(2)+af_bella(1).`);
}

function invalid(message: string): HearsayError {
  return new HearsayError('invalid_request', message, { param: 'voice' });
}

/**
 * The weighted sum of voice packs, as one pack of 510 × 1 × 256. Shorter packs are extended by their last style.
 *
 * @param weights as returned by `parseVoice`
 * @param readSaved reads voices that are not in the Kokoro package
 * @throws HearsayError `invalid_request` for a voice without a pack
 */
export async function blendVoices(
  weights: readonly VoiceWeight[],
  readSaved: (name: string) => Promise<VoicePack | undefined>,
): Promise<FloatTensor> {
  const sum = new Float64Array(ROWS * STYLE);
  for (const { name, weight } of weights) {
    const isOfficial = officialVoices.some(({ id }) => id === name);
    const pack = await (isOfficial ? readPackagedVoice(name) : readSaved(name));
    if (!pack) throw unknown(name);
    const last = (pack.rows - 1) * STYLE;
    for (let i = 0; i < sum.length; i++) sum[i]! += weight * pack.values[i < last ? i : last + (i % STYLE)]!;
  }
  return { dims: [ROWS, 1, STYLE], data: Float32Array.from(sum) };
}
