import type { VoiceSample } from '../../../contracts/speakers.ts';
import type { SpeechWindow } from '../../../contracts/transcription.ts';
import { float32, Session } from '../../../ort/session.ts';
import { type CompiledCampplus, graphPath } from '../graph/compile.ts';
import { BANDS } from '../graph/shapes.ts';
import { FilterBanks } from './filter-banks.ts';
import { type Piece, piecesOf, stretchesOf } from './pieces.ts';

/** Pieces of one run. */
const BATCH = 8;

/** The loaded graph: embeds the voices of pieces of speech. */
export class CampplusModel {
  readonly #session: Session;
  readonly #filterBanks = new FilterBanks();

  private constructor(session: Session) {
    this.#session = session;
  }

  static async load(compiled: CompiledCampplus): Promise<CampplusModel> {
    return new CampplusModel(await Session.load(graphPath(compiled), compiled.device));
  }

  /** As `SpeakerModel.embed`. @throws `signal.reason` between two runs */
  async embed(
    { start, samples, speech }: Pick<SpeechWindow, 'start' | 'samples' | 'speech'>,
    signal: AbortSignal,
  ): Promise<VoiceSample[]> {
    const voices: VoiceSample[] = [];
    for (const stretch of stretchesOf({ start, samples, speech })) {
      const heard = samples.subarray(stretch.heard.start - start, stretch.heard.end - start);
      const pieces = piecesOf(heard, stretch);
      const energies = this.#filterBanks.compute(heard);
      for (let first = 0; first < pieces.length; first += BATCH) {
        signal.throwIfAborted();
        voices.push(...(await this.#run(energies, pieces.slice(first, first + BATCH))));
      }
    }
    return voices;
  }

  /** Pieces of the same length, in one run. */
  async #run(energies: Float32Array, pieces: readonly Piece[]): Promise<VoiceSample[]> {
    const frames = pieces[0]!.frames;
    const features = new Float32Array(pieces.length * BANDS * frames);
    for (const [index, piece] of pieces.entries()) {
      const part = energies.subarray(piece.firstFrame * BANDS, (piece.firstFrame + frames) * BANDS);
      centre(part, features.subarray(index * BANDS * frames, (index + 1) * BANDS * frames));
    }
    const outputs = await this.#session.run({ features: float32(features, [pieces.length, 1, BANDS, frames]) });
    const voices = outputs.embedding!.data as Float32Array;
    const size = voices.length / pieces.length;
    return pieces.map(({ part }, index) => ({
      ...part,
      embedding: unit(voices.subarray(index * size, (index + 1) * size)),
    }));
  }
}

/** Writes `[frames, bands]` as `[bands, frames]`, each band less its mean. */
function centre(energies: Float32Array, features: Float32Array): void {
  const frames = energies.length / BANDS;
  for (let band = 0; band < BANDS; band++) {
    let sum = 0;
    for (let index = band; index < energies.length; index += BANDS) sum += energies[index]!;
    const mean = sum / frames;
    for (let frame = 0; frame < frames; frame++)
      features[band * frames + frame] = energies[frame * BANDS + band]! - mean;
  }
}

function unit(voice: Float32Array): Float32Array {
  const length = Math.sqrt(voice.reduce((sum, value) => sum + value * value, 0));
  return voice.map((value) => value / length);
}
