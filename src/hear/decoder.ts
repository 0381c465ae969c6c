/** Runs in a forked decoder process, the only kind of process that parses media. */

import { decodeAudio } from '../audio/decode.ts';
import { serveEngine } from '../engine/host.ts';
import type { DecodedAudio, DecodeJob } from './pipeline/decoders.ts';

function isSilent(samples: Float32Array): boolean {
  for (const sample of samples) if (sample !== 0) return false;
  return true;
}

const decoder = {
  info: undefined,
  async *run({ path, ...options }: DecodeJob, signal: AbortSignal): AsyncGenerator<DecodedAudio> {
    for await (const chunk of decodeAudio(path, { ...options, signal })) {
      yield isSilent(chunk) ? chunk.length : chunk;
    }
  },
};
// Run at the engine's priority, which is above that of its model threads, because new requests wait for their first
// chunk.
await serveEngine(async () => decoder, { niceness: 0 });
