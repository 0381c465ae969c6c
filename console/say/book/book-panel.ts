import { confirmed } from '../../shared/confirm.ts';
import { byId, passFocus } from '../../shared/dom.ts';
import { spokenLength } from '../../shared/format.ts';
import { notify } from '../../shared/notice.ts';
import type { BrowserStorage } from '../../shared/storage.ts';
import type { Actions } from '../actions.ts';
import type { Player } from '../player.ts';
import type { Speaker } from '../speaker.ts';
import type { Speech, SpeechRequest } from '../speech.ts';
import { Book, type Chapter, isSpoken } from './book.ts';
import { BookHead } from './book-head.ts';
import { BookSaving } from './book-saving.ts';
import { ChapterEditor } from './chapter-editor.ts';
import { ChapterList, type ChapterListState } from './chapter-list.ts';
import { Narration } from './narration.ts';
import type { OpenedBook } from './opened-book.ts';
import { bookStatus, secondsPerLetter } from './pace.ts';

interface Parts {
  player: Player;
  speaker: Speaker;
  actions: Actions;
  /** The settings of a chapter; its voice is empty while no voices are loaded. */
  settings: () => Omit<SpeechRequest, 'input'>;
  /** Called before the user hears a chapter. */
  beforePlay: () => void;
  /** Called when the speech in the player has grown or is complete. */
  onGrowth: () => void;
  onChange: () => void;
  report: (error: unknown) => void;
}

const NO_ROOM = 'This browser has no space to store the book.';

/** A book: its chapters are spoken one after the other, heard, kept and saved. */
export class BookPanel {
  readonly book: Book;
  readonly editor: ChapterEditor;
  readonly #parts: Parts;
  readonly #head: BookHead;
  readonly #list: ChapterList;
  readonly #narration: Narration;
  readonly #saving: BookSaving;
  readonly #problems = new Map<string, string>();
  /** The chapter in the player. */
  #heard: { chapter: Chapter; speech: Speech } | undefined;
  /** The chapter to play as soon as it begins to be spoken. */
  #next: Chapter | undefined;

  constructor(storage: BrowserStorage, parts: Parts) {
    this.#parts = parts;
    this.book = new Book(storage, () => notify(NO_ROOM));
    this.#head = new BookHead(this.book);
    this.editor = new ChapterEditor((chapter, facts) => this.edit(chapter, facts));
    this.#list = new ChapterList({
      onPick: (chapter) => this.choose(chapter),
      onPlay: (chapter) => void this.#togglePlay(chapter),
      onInclude: (chapter, isIncluded) => {
        this.book.change(chapter, { isIncluded });
        this.show();
      },
      onMove: (from, to) => {
        this.book.move(from, to);
        this.show();
      },
    });
    const { actions } = parts;
    this.#narration = new Narration(this.book, {
      settings: parts.settings,
      onStart: (chapter, speech) => this.#started(chapter, speech),
      onProgress: (chapter) => this.#progress(chapter),
      onEnd: (chapter, problem) => {
        if (problem === undefined) this.#problems.delete(chapter.id);
        else this.#problems.set(chapter.id, problem);
        this.show();
      },
      tell: (text) => actions.tell(text),
    });
    byId('chapters-all', HTMLInputElement).addEventListener('change', ({ target }) => {
      for (const chapter of this.book.chapters)
        this.book.change(chapter, { isIncluded: (target as HTMLInputElement).checked });
      this.show();
    });
    byId('book-close', HTMLButtonElement).addEventListener('click', () => void this.#close());
    this.#saving = new BookSaving(this.book, {
      ...parts,
      maySave: async () => !this.isSpeaking || confirmed('Stop speaking the book, and save it now?', 'Save'),
      onEnd: () => this.show(),
    });
  }

  async restore(): Promise<void> {
    await this.book.load();
    this.editor.chapter = this.book.chapters[0];
    this.show();
  }

  /** Takes over a book; asks if sound would be lost. Resolves to whether it did. */
  async open(opened: OpenedBook): Promise<boolean> {
    const spoken = this.book.chapters.filter(({ spoken }) => spoken).length;
    const question = `Replace the open book “${this.book.title}”? ${spoken > 0 ? `Its ${spoken} spoken ${spoken === 1 ? 'chapter is' : 'chapters are'} removed.` : 'Your changes to it are removed.'}`;
    if (this.book.isOpen && !(await confirmed(question, 'Replace'))) return false;
    if (this.#narration.current) this.#parts.actions.stop();
    await this.book.open(opened).catch(() => notify(NO_ROOM));
    this.#forget();
    return true;
  }

  choose(chapter: Chapter): void {
    this.editor.chapter = chapter;
    this.show();
  }

  edit(chapter: Chapter, facts: { title?: string; text?: string }): void {
    this.book.change(chapter, facts);
    this.#problems.delete(chapter.id);
    if (this.editor.chapter === chapter) this.editor.chapter = chapter;
    this.#list.update(chapter, this.#state());
    this.#showSum();
  }

  /** Whether the chapters are being spoken. */
  get isSpeaking(): boolean {
    return this.#narration.current !== undefined;
  }

  /** What the button to speak says. */
  get action(): string {
    const { included, left } = this.#count();
    if (this.isSpeaking) return 'Speaking…';
    return left < included && left > 0 ? 'Continue' : 'Speak the book';
  }

  async speak(): Promise<void> {
    const { actions } = this.#parts;
    const { included, left } = this.#count();
    if (included === 0 || left === 0) {
      actions.tell(
        included === 0
          ? 'Open a book, or choose a chapter first.'
          : 'All chapters are spoken. Edit one to speak it again.',
      );
      return;
    }
    // A chapter keeps playing while others are spoken; anything else gives way.
    if (!this.#heard) this.#parts.player.pause();
    await this.#narrate(this.book.chapters.filter(({ isIncluded }) => isIncluded));
  }

  /** Call it when the state of the player has changed: the next chapter follows. */
  playerChanged(): void {
    const heard = this.#heard;
    const { player } = this.#parts;
    if (heard && player.speech !== heard.speech) this.#heard = undefined;
    else if (heard && player.state === 'paused' && heard.speech.complete && player.position >= heard.speech.duration) {
      this.#heard = undefined;
      // A chapter that was cut off is spoken again.
      if (heard.speech.isPartial) this.#next = heard.chapter;
      else if (heard.speech.duration > 0) void this.#playNext(heard.chapter);
    }
    this.show();
  }

  async #narrate(chapters: readonly Chapter[]): Promise<void> {
    const { actions, player, report } = this.#parts;
    const started = this.#count().left;
    this.#next = this.#follows && player.state === 'paused' ? chapters.find((each) => !isSpoken(each)) : undefined;
    await actions.run(async (signal, tell) => {
      try {
        await this.#narration.run(chapters, signal);
        const problems = chapters.filter(({ id }) => this.#problems.has(id)).length;
        tell(
          problems === 0
            ? `${chapters.length === 1 ? 'The chapter is' : 'All chapters are'} spoken.`
            : `${problems} ${problems === 1 ? 'chapter' : 'chapters'} could not be spoken.`,
        );
      } catch (error) {
        const done = started - this.#count().left;
        const kept = done > 0 ? ` ${done} ${done === 1 ? 'chapter is' : 'chapters are'} kept.` : '';
        tell(`${signal.aborted ? 'Stopped.' : 'Failed.'}${kept} “${this.action}” resumes from there.`);
        if (signal.aborted && this.#heard && !isSpoken(this.#heard.chapter)) player.pause();
        report(error);
      }
    });
    this.show();
  }

  #started(chapter: Chapter, speech: Speech): void {
    if (chapter === this.#next || chapter === this.#heard?.chapter) {
      this.#next = undefined;
      this.#heard = { chapter, speech };
      this.#parts.speaker.play(speech);
    }
    this.#tell(chapter);
    this.show();
  }

  /** Whether chapters are heard while they are being generated. */
  get #follows(): boolean {
    return byId('streaming', HTMLInputElement).checked;
  }

  #progress(chapter: Chapter): void {
    const { player } = this.#parts;
    if (this.#heard && this.#heard.speech === player.speech) {
      player.update();
      this.#parts.onGrowth();
    }
    this.#list.update(chapter, this.#state());
    this.#tell(chapter);
  }

  #tell(chapter: Chapter): void {
    const { secondsLeft } = this.#narration;
    const index = this.book.chapters.indexOf(chapter) + 1;
    const left = secondsLeft === undefined ? '' : `, ${spokenLength(Math.max(1, Math.round(secondsLeft)))} left`;
    this.#parts.actions.tell(`Speaking chapter ${index} of ${this.book.chapters.length}${left}`);
  }

  async #togglePlay(chapter: Chapter): Promise<void> {
    const { player, beforePlay } = this.#parts;
    if (this.#heard?.chapter === chapter && player.state !== 'paused') {
      player.pause();
      return;
    }
    beforePlay();
    this.#next = undefined;
    // Only allowed while handling the click.
    player.unlock();
    this.choose(chapter);
    if (await this.#play(chapter)) return;
    if (this.isSpeaking) notify('This chapter has not been spoken yet.', { isTransient: true });
    else {
      player.pause();
      await this.#narrate([chapter]);
    }
  }

  /** Plays what there is of a chapter. Resolves to whether there is something. */
  async #play(chapter: Chapter): Promise<boolean> {
    const { current } = this.#narration;
    const isCurrent = current?.chapter === chapter;
    const speech = isCurrent ? current.speech : isSpoken(chapter) ? await this.book.speech(chapter) : undefined;
    if (!speech) return false;
    this.#heard = { chapter, speech };
    this.#parts.speaker.play(speech);
    this.show();
    return true;
  }

  async #playNext(after: Chapter): Promise<void> {
    const { chapters } = this.book;
    const next = chapters.slice(chapters.indexOf(after) + 1).find(({ isIncluded }) => isIncluded);
    if (next && (await this.#play(next))) this.#list.reveal(next);
    else if (this.isSpeaking) this.#next = next;
  }

  async #close(): Promise<void> {
    const question = 'Close the book? Its text and its audio are removed from this browser.';
    if (!(await confirmed(question, 'Close'))) return;
    if (this.#narration.current) this.#parts.actions.stop();
    await this.book.close();
    this.#forget();
  }

  #forget(): void {
    if (this.#heard) this.#parts.player.pause();
    this.#heard = undefined;
    this.#next = undefined;
    this.#problems.clear();
    this.editor.chapter = this.book.chapters[0];
    this.show();
  }

  #count(): { included: number; left: number } {
    const included = this.book.chapters.filter(({ isIncluded }) => isIncluded);
    return { included: included.length, left: included.filter((chapter) => !isSpoken(chapter)).length };
  }

  show(): void {
    const { chapters, isOpen } = this.book;
    const [shown, hidden] = isOpen ? ['book', 'book-none'] : ['book-none', 'book'];
    byId(shown, HTMLElement).hidden = false;
    passFocus(byId(hidden, HTMLElement), byId(isOpen ? 'book-title' : 'book-from-text', HTMLElement));
    byId(hidden, HTMLElement).hidden = true;
    this.#head.show();
    this.#list.show(chapters, this.#state());
    const { included, left } = this.#count();
    const all = byId('chapters-all', HTMLInputElement);
    all.checked = included > 0 && included === chapters.length;
    all.indeterminate = included > 0 && included < chapters.length;
    this.#saving.show({ hasSound: included > left, hasText: included > 0 });
    this.#showSum();
    this.#parts.onChange();
  }

  #showSum(): void {
    byId('book-sum', HTMLElement).textContent = bookStatus(this.book.chapters, this.#secondsPerLetter);
  }

  get #secondsPerLetter(): number {
    return secondsPerLetter(this.book.chapters, Number(byId('speed', HTMLInputElement).value));
  }

  #state(): ChapterListState {
    const { current } = this.#narration;
    const isHeard = this.#parts.player.state !== 'paused';
    return {
      chosen: this.editor.chapter,
      playing: isHeard ? this.#heard?.chapter : undefined,
      current: current && { chapter: current.chapter, fraction: this.#narration.fraction },
      problems: this.#problems,
      secondsPerLetter: this.#secondsPerLetter,
    };
  }
}
