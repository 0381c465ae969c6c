import { CodeSamples } from '../shared/code-samples.ts';
import { spokenLength } from '../shared/format.ts';
import { storedKey } from '../shared/key.ts';
import type { Actions } from './actions.ts';
import type { WeightedVoice } from './blend.ts';
import type { History } from './history.ts';
import type { ListenCard } from './listen-card.ts';
import type { Player } from './player.ts';
import { requestCode } from './request-code.ts';
import { Speech, type SpeechRequest } from './speech.ts';
import { synthesize } from './synthesis.ts';

/** Seconds of unplayed speech to receive before making the service wait. */
const MAX_AHEAD = 1800;

interface Parts {
  player: Player;
  listen: ListenCard;
  history: History;
  actions: Actions;
  report: (error: unknown) => void;
  /** Called when a request has ended. */
  onEnd: () => void;
}

/** Speaks a text or a dialogue, plays it as it comes and keeps it. */
export class Speaker {
  readonly #parts: Parts;
  readonly #code = new CodeSamples();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Shows a speech, its text and its code, and plays it. */
  play(speech: Speech): void {
    const { player } = this.#parts;
    this.show(speech);
    player.play();
  }

  show(speech: Speech): void {
    const { player, listen } = this.#parts;
    listen.set(speech.request);
    this.#code.set(requestCode(speech.request, location.origin, storedKey() !== ''));
    player.load(speech);
  }

  /** @param blend voices to choose again when the history recalls the speech */
  async speak(request: SpeechRequest, blend: readonly WeightedVoice[]): Promise<void> {
    const { player, actions, history, listen, report, onEnd } = this.#parts;
    await actions.run(async (signal, tell) => {
      const speech = new Speech(request);
      this.play(speech);
      tell('Requesting speech…');
      try {
        await synthesize(speech, {
          signal,
          onChunk() {
            if (player.speech === speech) player.update();
            tell('Speaking…');
            listen.show();
          },
          waitForRoom: () => this.#waitForRoom(speech, signal),
          onWaiting: tell,
        });
        tell(summaryOf(speech));
      } catch (error) {
        speech.isPartial = true;
        tell(signal.aborted ? 'Stopped.' : 'Failed.');
        report(error);
      } finally {
        // What was received can be replayed, even if it is not all.
        speech.complete = true;
        if (player.speech === speech) player.update();
        if (signal.aborted && player.speech === speech) player.pause();
        if (speech.duration > 0) void history.add(speech, blend);
        listen.show();
        onEnd();
      }
    });
  }

  async #waitForRoom(speech: Speech, signal: AbortSignal): Promise<void> {
    const { player } = this.#parts;
    while (player.speech === speech && speech.duration - player.position > MAX_AHEAD) {
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** How long a speech is, and what is missing. */
export function summaryOf({ duration, skippedLetters, isPartial }: Speech): string {
  const skipped =
    skippedLetters === 0
      ? ''
      : ` ${skippedLetters} ${skippedLetters === 1 ? 'letter was' : 'letters were'} skipped: the language of the voice does not use ${skippedLetters === 1 ? 'it' : 'them'}.`;
  const partial = isPartial ? ' Not all of the text was spoken.' : '';
  return `${spokenLength(duration)} of speech.${partial}${skipped}`;
}
