import type { Word } from '../../src/contracts/transcription.ts';
import { unspaced } from './retime.ts';
import type { Transcript } from './transcript.ts';

/** Silence that ends a turn, as the session is told. */
export const SILENCE_MS = 500;

const TRANSCRIPTION = 'conversation.item.input_audio_transcription';

/** An event of the service; only members that are read here. */
export interface RealtimeEvent {
  type: string;
  item_id?: string;
  audio_start_ms?: number;
  audio_end_ms?: number;
  delta?: string;
  transcript?: string;
  /** Seconds of the session. */
  words?: Word[];
  languages?: { code: string }[];
  error?: { code?: string; message?: string; event_id?: string | null };
}

interface Turn {
  id: string;
  /** Seconds of the recording. */
  start: number;
  end?: number;
  text: string;
  /** Those of the text, when it is complete. */
  words: Word[];
  state: 'open' | 'committed' | 'answered' | 'failed';
}

/** The turns of a recording, from the events of one session or of several after another. */
export class LiveTurns {
  #turns: Turn[] = [];
  readonly #languages: string[] = [];

  /** Id of the turn that has begun and that the service has not ended, if any. */
  get open(): string | undefined {
    return this.#turns.find(({ state }) => state === 'open')?.id;
  }

  /** Whether all turns have their text, or never will. */
  get isAnswered(): boolean {
    return this.#turns.every(({ state }) => state === 'answered' || state === 'failed');
  }

  get hasFailed(): boolean {
    return this.#turns.some(({ state }) => state === 'failed');
  }

  /** Seconds up to which everything has its text; undefined before the first turn has. */
  get answeredUntil(): number | undefined {
    const open = this.#turns.findIndex(({ state }) => state === 'open' || state === 'committed');
    return this.#turns[(open < 0 ? this.#turns.length : open) - 1]?.end;
  }

  /** The language that most turns are in. */
  get language(): string | undefined {
    const counts = new Map<string, number>();
    for (const code of this.#languages) counts.set(code, (counts.get(code) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
  }

  /**
   * Takes an event.
   * @param offset seconds of the recording before the session
   * @param now seconds of the recording so far
   */
  take(event: RealtimeEvent, offset: number, now: number): void {
    const { type, item_id: id = '' } = event;
    if (type === 'input_audio_buffer.speech_started') {
      this.#turns.push({ id, start: offset + (event.audio_start_ms ?? 0) / 1000, text: '', words: [], state: 'open' });
      return;
    }
    const turn = this.#turns.find((turn) => turn.id === id);
    if (!turn) return;
    switch (type) {
      case 'input_audio_buffer.speech_stopped':
        turn.end = Math.max(turn.start, offset + ((event.audio_end_ms ?? 0) - SILENCE_MS) / 1000);
        return;
      case 'input_audio_buffer.committed':
        turn.end ??= Math.max(turn.start, now);
        turn.state = 'committed';
        return;
      case `${TRANSCRIPTION}.delta`:
        turn.text += event.delta ?? '';
        return;
      case `${TRANSCRIPTION}.completed`:
        turn.text = event.transcript ?? turn.text;
        turn.words = (event.words ?? []).map((word) => ({
          ...word,
          start: rounded(word.start + offset),
          end: rounded(word.end + offset),
        }));
        turn.state = 'answered';
        for (const { code } of event.languages ?? []) this.#languages.push(code);
        return;
      case `${TRANSCRIPTION}.failed`:
        turn.state = 'failed';
    }
  }

  /**
   * Drops the turns whose text is incomplete, which another session will process again; returns the start of the
   * first.
   */
  dropUnanswered(): number | undefined {
    const isDone = ({ state }: Turn) => state === 'answered' || state === 'failed';
    const first = this.#turns.find((turn) => !isDone(turn));
    this.#turns = this.#turns.filter(isDone);
    return first?.start;
  }

  /** The turns with text. @param now end of an unfinished turn */
  segments(now: number): Transcript['segments'] {
    let before = '';
    return this.#turns
      .filter(({ text }) => text.trim() !== '')
      .map(({ start, end = Math.max(start, now), text }) => {
        const written = text.trim();
        const isSpaced = !unspaced.test(before.slice(-1)) || !unspaced.test(written.slice(0, 1));
        before = written;
        return { start: rounded(start), end: rounded(end), text: (isSpaced ? ' ' : '') + written };
      });
  }

  /** The transcript of a recording of `duration` seconds. */
  transcript(duration: number): Transcript {
    const segments = this.segments(duration).map((segment, id) => ({ id, ...segment }));
    const text = segments.map(({ text }) => text).join('');
    const words = this.#turns.flatMap((turn) => turn.words);
    const { language } = this;
    return {
      task: 'transcribe',
      ...(language !== undefined && { language }),
      duration: rounded(duration),
      text: text.trim(),
      segments,
      ...(words.length > 0 && { words }),
    };
  }
}

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000;
