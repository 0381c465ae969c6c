import { readdirSync } from 'node:fs';
import type { FloatTensor } from '../../checkpoint/pytorch-writer.ts';
import type { VoiceWeight } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import { packagedFolder, ROWS, readPackagedVoice, STYLE, type VoicePack } from '../../models/kokoro/voice-pack.ts';
import type { LanguageLetter } from '../../text/types.ts';

export interface Voice {
  /** The name that requests use, `af_heart`: language letter, f or m, own name. */
  id: string;
  /** The name for people: `Heart`. */
  name: string;
}

const packFile = /^([abefhijpz][fm]_[a-z]+)\.bin$/;

/** Names that clients of other services send, and the voice that each stands for. They are not listed. */
const aliases = new Map([
  ['alloy', 'af_alloy'],
  ['ash', 'am_michael'],
  ['coral', 'af_bella'],
  ['echo', 'am_echo'],
  ['fable', 'bm_fable'],
  ['onyx', 'am_onyx'],
  ['nova', 'af_nova'],
  ['sage', 'af_sarah'],
  ['shimmer', 'af_sky'],
]);

/** The voice packs of the Kokoro package, sorted by id. */
export const officialVoices: readonly Voice[] = readdirSync(packagedFolder)
  .flatMap((file) => packFile.exec(file)?.[1] ?? [])
  .sort()
  .map((id) => ({ id, name: displayName(id) }));

/** Whether a name means a voice already, so that no other one can have it. */
export function isReserved(name: string): boolean {
  return aliases.has(name) || officialVoices.some(({ id }) => id === name);
}

/** The name for people: the own name of a voice, with a capital. */
export function displayName(id: string): string {
  const name = id.replace(/^[a-z][fm]_/, '');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Language of a voice: the first letter of its id, and American English where the id does not begin with one. */
export function languageOf(id: string): LanguageLetter {
  return (/^[abefhijpz](?=[fm]_)/.exec(id)?.[0] ?? 'a') as LanguageLetter;
}

/**
 * Reads a voice or a blend: names joined by `+` or `-`, each with a weight in parentheses or with weight 1. Aliases
 * become the voices that they stand for.
 *
 * @param known ids of the voices that may be named
 * @returns each voice once, the first one of the text first; the weights add up to 1, and single ones may be 0 or negative
 * @throws HearsayError `invalid_request` for a name that is not known, and for what is no blend
 */
export function parseVoice(text: string, known: ReadonlySet<string>): VoiceWeight[] {
  const weights = new Map<string, number>();
  const tokens = new Tokens(text);
  let sign = 1;
  for (;;) {
    const id = voiceId(tokens.next(), known);
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
  return blend;
}

/** Signs and words of a blend; spaces only separate. */
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

function voiceId(name: string | undefined, known: ReadonlySet<string>): string {
  if (name === undefined || /^[-+()]/.test(name)) throw malformed('the name of a voice is missing');
  const id = aliases.get(name) ?? name;
  if (!known.has(id)) throw unknown(name);
  return id;
}

function positiveNumber(token: string | undefined): number {
  const value = /^(?:\d+\.?\d*|\.\d+)$/.test(token ?? '') ? Number(token) : Number.NaN;
  if (!(value > 0 && Number.isFinite(value))) throw malformed('a weight must be a number above 0');
  return value;
}

function unknown(name: string): HearsayError {
  const shown = JSON.stringify(name.length > 50 ? `${name.slice(0, 50)}…` : name);
  return invalid(`The voice ${shown} is not known. GET /v1/audio/voices lists those that are.`);
}

function malformed(reason: string): HearsayError {
  return invalid(`The voice is malformed: ${reason}. A blend reads af_heart(2)+af_bella(1).`);
}

function invalid(message: string): HearsayError {
  return new HearsayError('invalid_request', message, { param: 'voice' });
}

/**
 * The weighted sum of voice packs, as one pack of 510 × 1 × 256; of a shorter one the last style goes on.
 *
 * @param weights as `parseVoice` gives them
 * @param readSaved finds the voices that are not in the Kokoro package
 * @throws HearsayError `invalid_request` for a voice that there is no pack of
 */
export async function blendVoices(
  weights: readonly VoiceWeight[],
  readSaved: (name: string) => Promise<VoicePack | undefined>,
): Promise<FloatTensor> {
  const sum = new Float64Array(ROWS * STYLE);
  for (const { name, weight } of weights) {
    const official = officialVoices.some(({ id }) => id === name);
    const pack = await (official ? readPackagedVoice(name) : readSaved(name));
    if (!pack) throw unknown(name);
    const last = (pack.rows - 1) * STYLE;
    for (let i = 0; i < sum.length; i++) sum[i]! += weight * pack.values[i < last ? i : last + (i % STYLE)]!;
  }
  return { dims: [ROWS, 1, STYLE], data: Float32Array.from(sum) };
}
