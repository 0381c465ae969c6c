import { DelayedSave } from '../shared/delayed-save.ts';
import { byId, enablePair } from '../shared/dom.ts';
import { nextTask } from '../shared/slices.ts';
import { Beside } from './beside.ts';
import { Draft } from './draft.ts';
import { FindBar } from './find-bar.ts';
import { Follower } from './follower.ts';
import { Formats } from './formats.ts';
import { withDetails } from './line-details.ts';
import { LineDialog } from './line-dialog.ts';
import { LineEditor } from './line-editor.ts';
import { LineList } from './line-list.ts';
import type { LineRow } from './line-row.ts';
import { plainLine } from './lines.ts';
import type { PlayerBar } from './player-bar.ts';
import type { Transcript } from './transcript.ts';
import { UnsureWords } from './unsure-words.ts';
import type { Delta } from './upload.ts';

const SAVE_DELAY_MS = 500;

/** Shows one transcript, which can be played, searched, edited, copied and saved. */
export class TranscriptCard {
  readonly #audio = byId('audio', HTMLAudioElement);
  readonly #empty = byId('transcript-empty', HTMLElement);
  readonly #edit = byId('edit', HTMLButtonElement);
  readonly #undo = byId('undo', HTMLButtonElement);
  readonly #redo = byId('redo', HTMLButtonElement);
  readonly #player: PlayerBar;
  readonly #list = new LineList((row) => {
    this.#editor.prepare(row);
    this.beside.prepare(row);
    this.#highlightSoon();
  });
  readonly #follower = new Follower(this.#list);
  /** What is shown next to the lines. */
  readonly beside = new Beside(this.#list);
  readonly #editor: LineEditor;
  readonly #find = new FindBar(this.#list);
  readonly #unsure = new UnsureWords(this.#list, () => this.#editor.commit());
  readonly #dialog = new LineDialog();
  readonly #formats = new Formats(
    () => {
      this.#editor.commit();
      return this.#draft?.transcript;
    },
    () => this.#showFormat(),
  );
  readonly #onEdit: (transcript: Transcript, isChanged: boolean) => void;
  #draft: Draft | undefined;
  readonly #saving = new DelayedSave(
    () => this.#draft && this.#onEdit(this.#draft.transcript, this.#draft.canUndo),
    SAVE_DELAY_MS,
  );
  #isChangePending = false;
  /** The requested animation frame; 0 for none. */
  #frame = 0;

  /** @param onEdit called with the transcript, and whether it is another than was shown, a moment after each change */
  constructor(player: PlayerBar, onEdit: (transcript: Transcript, isChanged: boolean) => void) {
    this.#player = player;
    this.#onEdit = onEdit;
    this.#editor = new LineEditor(this.#list, () => player.toggle());
    const { box } = this.#list;
    box.addEventListener('click', (event) => this.#onClick(event));
    box.addEventListener('keydown', (event) => this.#onKey(event));
    this.#edit.addEventListener('click', () => this.#setEditing(!this.#editor.isOn));
    this.#undo.addEventListener('click', () => this.#editor.undo());
    this.#redo.addEventListener('click', () => this.#editor.redo());
    // What is being typed is not a change yet.
    document.addEventListener('visibilitychange', () => document.hidden && this.flush());
    this.#showControls();
  }

  /** Empties the card. @param hint what to say instead of a transcript */
  clear(hint: string): void {
    this.flush();
    this.#draft = undefined;
    this.#editor.draft = undefined;
    this.#find.draft = undefined;
    this.#list.clear();
    this.beside.lines = [];
    this.#follower.set([]);
    this.#empty.textContent = hint;
    this.#setEditing(false);
    this.#showControls();
    this.#showFormat();
  }

  /** Adds a segment of a running transcription. */
  add({ delta, start, end }: Delta): void {
    this.#showList();
    this.#list.append([plainLine({ text: delta, start, end })]);
  }

  /** Shows the segments of a recording that is being made; the last ones grow. */
  grow(segments: Transcript['segments']): void {
    if (segments.length > 0) this.#showList();
    this.#list.grow(segments.map(plainLine));
  }

  #showList(): void {
    if (!this.#list.box.hidden) return;
    this.#empty.hidden = true;
    this.#list.box.hidden = false;
  }

  /** Shows a transcript. @param fileName of its recording */
  show(transcript: Transcript, fileName: string): void {
    this.flush();
    this.#formats.fileName = fileName;
    this.#unsure.reset();
    const draft = new Draft(transcript, ({ at, removed, inserted }) => {
      this.#list.splice(at, removed.length, inserted);
      this.#changeSoon();
      this.#saving.schedule();
    });
    this.#draft = draft;
    this.#empty.textContent = 'No speech found in this recording.';
    this.#editor.draft = draft;
    void this.#list.set(draft.lines);
    this.beside.lines = draft.lines;
    this.#find.draft = draft;
    this.#showControls();
    this.#showFormat();
    void nextTask().then(() => this.#draft === draft && this.#follower.set(draft.lines));
  }

  /** Hands over changes that wait to be stored. */
  flush(): void {
    this.#editor.commit();
    this.#saving.flush();
  }

  /** Highlights what is in view, once before the next frame. */
  #highlightSoon(): void {
    if (this.#frame !== 0 || !('highlights' in CSS)) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#find.highlightShown();
      this.#unsure.highlight(this.#editor.isOn);
    });
  }

  /** One refresh for all lines that change together. */
  #changeSoon(): void {
    if (this.#isChangePending) return;
    this.#isChangePending = true;
    queueMicrotask(() => {
      this.#isChangePending = false;
      if (!this.#draft) return;
      this.#follower.set(this.#draft.lines);
      this.#find.refresh();
      this.beside.lines = this.#draft.lines;
      this.#showControls();
      if (!this.#formats.isWords) this.#showFormat();
    });
  }

  #showControls(): void {
    const lines = this.#draft?.lines ?? [];
    const hasText = lines.some(({ text }) => text !== '');
    const canEdit = this.#draft !== undefined && lines.length > 0;
    this.#formats.isEnabled = hasText;
    byId('editing', HTMLElement).hidden = !canEdit;
    enablePair([this.#undo, this.#redo], [this.#draft?.canUndo === true, this.#draft?.canRedo === true]);
    this.#unsure.lines = lines;
    this.#empty.hidden = lines.length > 0;
  }

  /** Shows the words, or the whole transcript in another format. */
  #showFormat(): void {
    const lines = this.#draft?.lines ?? [];
    // Until the transcript is complete, only its segments can be shown.
    const isPlain = !this.#formats.isWords && lines.length > 0;
    this.#list.box.hidden = isPlain || this.#list.rows.length + lines.length === 0;
    if (isPlain) this.#setEditing(false);
    void this.#formats.show(isPlain ? this.#draft!.transcript : undefined);
  }

  #setEditing(isOn: boolean): void {
    if (isOn) this.#formats.chooseWords();
    this.#editor.isOn = isOn;
    this.#highlightSoon();
    this.#edit.setAttribute('aria-pressed', String(isOn));
    byId('replacing', HTMLElement).hidden = !isOn;
    this.#list.box.classList.toggle('editing', isOn);
  }

  #onClick({ target }: MouseEvent): void {
    if (!(target instanceof Element)) return;
    const row = target.closest('.speaker') ? this.#list.rowOf(target) : undefined;
    if (row) return void this.#editDetails(row);
    // While editing, a click on a word places the cursor.
    const timed = target.closest<HTMLElement>(this.#editor.isOn ? '.stamp' : '[data-start]');
    const start = timed?.dataset.start;
    // A drag over words selects them.
    if (start === undefined || getSelection()?.isCollapsed === false) return;
    this.#playFrom(Number(start));
  }

  async #editDetails(row: LineRow): Promise<void> {
    this.#editor.commit();
    const draft = this.#draft;
    const at = this.#list.indexOf(row);
    if (!draft || at < 0) return;
    const details = await this.#dialog.ask(draft.lines, at);
    if (!details || this.#draft !== draft) return;
    draft.replaceAll(withDetails(draft.lines, at, details));
    this.#list.rows[at]?.focusSpeaker();
  }

  #playFrom(seconds: number): void {
    this.#audio.currentTime = seconds;
    this.#follower.resume();
    if (this.#audio.paused) this.#player.toggle();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.target !== this.#list.box) return;
    const step = ({ ArrowRight: 1, ArrowLeft: -1 } as const)[event.key];
    if (step !== undefined) {
      const seconds = this.#follower.neighbor(step);
      if (seconds !== undefined) this.#audio.currentTime = seconds;
    } else if (event.key === ' ' || event.key === 'Enter') this.#player.toggle();
    else return;
    event.preventDefault();
  }
}
