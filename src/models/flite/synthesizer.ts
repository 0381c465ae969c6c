import type {
  CaptionWord,
  SpeechSynthesizer,
  SynthesizerInfo,
  TokenTime,
  Utterance,
} from '../../contracts/synthesis.ts';
import { WorkerPool } from '../../scheduling/pool.ts';
import { English } from '../../text/english/g2p/phonemes.ts';
import { cutClauses } from './clauses.ts';
import { compileFlite, SAMPLE_RATE } from './flite.ts';
import type { SpeechTask, SpokenPart } from './speech.ts';
import { fliteSpeaker } from './voices.ts';
import { withHomographs, wordsOf } from './words.ts';

export interface FliteOptions {
  /** Parts that are spoken at the same time, each on a thread of its own. */
  threads: number;
  /** Milliseconds; a part that takes longer ends the process. */
  timeoutMs: number;
}

/** The voice that ships with the package: Flite, for American and, as well as it can, British English. */
export async function loadFlite({ threads, timeoutMs }: FliteOptions): Promise<SpeechSynthesizer> {
  const entry = new URL('./worker.js', import.meta.url);
  const pool = await WorkerPool.start<SpeechTask, SpokenPart>({
    entry,
    size: threads,
    setup: await compileFlite(),
    taskTimeoutMs: timeoutMs,
  });
  const warmUp = wordsOf([{ written: '', spoken: 'The quick brown fox jumps over the lazy dog.' }]);
  const task: SpeechTask = { speaker: 'slt', words: warmUp, joint: 'sentence', speed: 1 };
  await Promise.all(Array.from({ length: threads }, () => pool.run({}, task)));
  const run = (owner: object, part: SpeechTask, signal: AbortSignal) => pool.run(owner, part, signal);
  return fliteSynthesizer(run, await English.load(), threads);
}

/**
 * @param run speaks one part when it is its owner's turn
 * @param parallelChunks how many it speaks at the same time
 */
export function fliteSynthesizer(
  run: (owner: object, task: SpeechTask, signal: AbortSignal) => Promise<SpokenPart>,
  english: English,
  parallelChunks: number,
): SpeechSynthesizer {
  const info: SynthesizerInfo = {
    model: 'flite',
    backend: 'flite_wasm',
    device: 'cpu',
    compute_type: 'float64',
    sampleRate: SAMPLE_RATE,
    languages: ['a', 'b'],
  };
  return {
    info,
    parallelChunks,
    async *speak(utterance, { owner, first, signal }) {
      const captioned = new Set<number>();
      for (const task of speechTasks(utterance, first, english)) {
        signal.throwIfAborted();
        const spoken = run(owner, task, signal);
        // Perhaps nobody asks for it any more.
        spoken.catch(() => {});
        yield {
          async audio() {
            const { samples, times } = await spoken;
            return { samples, words: captions(utterance, times, captioned) };
          },
        };
      }
    },
  };
}

function speechTasks({ tokens, voice, speed, lexicon }: Utterance, first: boolean, english: English): SpeechTask[] {
  const speaker = fliteSpeaker(voice);
  const clauses = cutClauses(withHomographs(wordsOf(tokens, lexicon), english), { first, speed });
  return clauses.map(({ words, joint }) => ({ speaker, words, joint, speed }));
}

/** @param captioned tokens that had their caption: one that is too long for a part is captioned where it begins */
function captions({ tokens }: Utterance, times: readonly TokenTime[], captioned: Set<number>): CaptionWord[] {
  return times.flatMap(({ token, start, end }) => {
    if (captioned.has(token)) return [];
    captioned.add(token);
    return [{ word: tokens[token]!.written, start_time: start, end_time: end }];
  });
}
