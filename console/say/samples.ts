import { messageOf } from '../shared/api.ts';
import { notify } from '../shared/notice.ts';
import { Player } from './player.ts';
import { Speech } from './speech.ts';
import { synthesize } from './synthesis.ts';

/** A sentence in each language, by its letter. */
const sentences: Readonly<Record<string, string>> = {
  a: 'The evening light lingered over the quiet harbor.',
  b: 'The evening light lingered over the quiet harbour.',
  e: 'La luz de la tarde se quedó sobre el puerto tranquilo.',
  f: 'La lumière du soir s’attardait sur le port tranquille.',
  h: 'शाम की रोशनी शांत बंदरगाह पर ठहर गई।',
  i: 'La luce della sera indugiava sul porto tranquillo.',
  j: '夕方の光が静かな港を照らしていました。',
  p: 'A luz da tarde demorava-se sobre o porto tranquilo.',
  z: '傍晚的阳光洒在宁静的港口上。',
};

/** What a sample says in a language. */
export const sampleText = (language: string): string => sentences[language] ?? sentences.a!;

/** What to speak for a sample. */
export interface Sample {
  voice: string;
  input: string;
  lexicon?: Record<string, string>;
}

/** The most samples kept: a few megabytes. */
const MAX_KEPT = 60;

/** Speaks short samples alongside the speech of the page, and keeps them while the page is open. */
export class Samples {
  readonly #player: Player;
  readonly #kept = new Map<string, Speech>();
  readonly #beforePlay: () => void;
  readonly #onChange: () => void;
  #current = '';
  #inFlight: AbortController | undefined;

  /**
   * @param beforePlay called before a sample is heard
   * @param onChange called when `playing` has changed
   */
  constructor(beforePlay: () => void, onChange: () => void) {
    this.#beforePlay = beforePlay;
    this.#onChange = onChange;
    this.#player = new Player(() => {
      const hasEnded = this.#player.state === 'paused' && !this.#player.isInterrupted;
      if (hasEnded && !this.#inFlight) this.#current = '';
      onChange();
    });
  }

  /** Key of the sample that is heard or on its way; empty if there is none. */
  get playing(): string {
    return this.#current;
  }

  stop(): void {
    this.#inFlight?.abort();
    this.#inFlight = undefined;
    this.#player.pause();
    this.#current = '';
    this.#onChange();
  }

  /** Plays a sample, or stops it if it plays. @param key tells samples apart in `playing` */
  async toggle(key: string, sample: Sample): Promise<void> {
    const wasPlaying = this.#current === key;
    this.stop();
    if (wasPlaying) return;
    this.#beforePlay();
    // Only allowed while handling the click.
    this.#player.unlock();
    this.#current = key;
    const content = JSON.stringify(sample);
    const kept = this.#kept.get(content);
    const speech = kept ?? new Speech({ ...sample, speed: 1, volume: 1, format: 'pcm', stream: true });
    this.#player.load(speech);
    this.#current = key;
    if (!kept) this.#inFlight = new AbortController();
    this.#player.play();
    this.#onChange();
    if (!kept) await this.#request(content, speech, this.#inFlight!);
  }

  async #request(content: string, speech: Speech, controller: AbortController): Promise<void> {
    try {
      await synthesize(speech, {
        signal: controller.signal,
        onChunk: () => this.#player.update(),
        waitForRoom: async () => {},
        onWaiting: (reason) => notify(reason, { isTransient: true }),
      });
      this.#kept.set(content, speech);
      if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    } catch (error) {
      const message = messageOf(error);
      if (message !== undefined) notify(message);
    }
    speech.complete = true;
    if (this.#inFlight !== controller) return;
    this.#inFlight = undefined;
    // Also ends the wait for speech that never came.
    this.#player.update();
  }
}
