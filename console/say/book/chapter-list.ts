import { button, byId, element, enablePair } from '../../shared/dom.ts';
import { arrange, makeReorderable, moveButtons } from '../../shared/reorder.ts';
import { reveal } from '../../shared/reveal.ts';
import { type Chapter, isSpoken } from './book.ts';
import { chapterStatus } from './pace.ts';

export interface ChapterListEvents {
  onPick: (chapter: Chapter) => void;
  onPlay: (chapter: Chapter) => void;
  onInclude: (chapter: Chapter, isIncluded: boolean) => void;
  onMove: (from: number, to: number) => void;
}

/** What the list shows besides the chapters themselves. */
export interface ChapterListState {
  chosen: Chapter | undefined;
  /** The chapter that is heard. */
  playing: Chapter | undefined;
  /** The chapter that is being spoken, and how much of it has been. */
  current: { chapter: Chapter; fraction: number } | undefined;
  problems: ReadonlyMap<string, string>;
  secondsPerLetter: number;
}

interface Row {
  item: HTMLElement;
  include: HTMLInputElement;
  pick: HTMLButtonElement;
  title: HTMLElement;
  status: HTMLElement;
  play: HTMLButtonElement;
  up: HTMLButtonElement;
  down: HTMLButtonElement;
  bar: HTMLProgressElement;
}

/** The chapters of a book, to choose, to leave out, to hear and to put in order. */
export class ChapterList {
  readonly #list = byId('chapters', HTMLElement);
  readonly #events: ChapterListEvents;
  readonly #rows = new Map<string, Row>();
  #chapters: readonly Chapter[] = [];

  constructor(events: ChapterListEvents) {
    this.#events = events;
    makeReorderable(this.#list, (from, to) => events.onMove(from, to));
  }

  show(chapters: readonly Chapter[], state: ChapterListState): void {
    this.#chapters = chapters;
    const ids = new Set(chapters.map(({ id }) => id));
    for (const id of [...this.#rows.keys()]) if (!ids.has(id)) this.#rows.delete(id);
    const rows = chapters.map((chapter) => {
      const row = this.#rows.get(chapter.id) ?? this.#create(chapter);
      this.#rows.set(chapter.id, row);
      return row.item;
    });
    arrange(this.#list, rows);
    for (const chapter of chapters) this.update(chapter, state);
  }

  update(chapter: Chapter, state: ChapterListState): void {
    const row = this.#rows.get(chapter.id);
    if (!row) return;
    const { chosen, playing, current, problems, secondsPerLetter } = state;
    const index = this.#chapters.indexOf(chapter);
    const problem = problems.get(chapter.id);
    const fraction = current?.chapter === chapter ? current.fraction : undefined;
    const isPlaying = playing === chapter;
    const { title } = chapter;
    setText(row.title, title);
    setText(row.status, problem ?? chapterStatus(chapter, fraction, secondsPerLetter));
    row.status.classList.toggle('problem', problem !== undefined);
    row.item.classList.toggle('chosen', chosen === chapter);
    row.item.classList.toggle('left-out', !chapter.isIncluded);
    row.item.classList.toggle('spoken-chapter', isSpoken(chapter));
    row.include.checked = chapter.isIncluded;
    row.pick.setAttribute('aria-pressed', String(chosen === chapter));
    row.play.dataset.icon = isPlaying ? 'stop' : 'play';
    enablePair([row.up, row.down], [index > 0, index < this.#chapters.length - 1]);
    row.bar.hidden = fraction === undefined;
    row.bar.value = fraction ?? 0;
    const labels: [HTMLElement, string][] = [
      [row.include, `Speak ${title}`],
      [row.play, isPlaying ? `Stop ${title}` : `Hear ${title}`],
      [row.up, `Move ${title} up`],
      [row.down, `Move ${title} down`],
      [row.bar, `Progress of ${title}`],
    ];
    for (const [node, label] of labels)
      if (node.getAttribute('aria-label') !== label) node.setAttribute('aria-label', label);
  }

  reveal({ id }: Chapter): void {
    const row = this.#rows.get(id);
    // The page stays: the text that is heard may be read in another place.
    if (row) reveal(this.#list, row.item);
  }

  #create(chapter: Chapter): Row {
    const { onPick, onPlay, onInclude, onMove } = this.#events;
    const include = element('input', { type: 'checkbox' });
    include.addEventListener('change', () => onInclude(chapter, include.checked));
    const title = element('bdi');
    const status = element('small');
    const pick = button('', 'pick', () => onPick(chapter));
    pick.append(title, status);
    const play = button('', 'hear-button', () => onPlay(chapter));
    const { up, down } = moveButtons((by) => {
      const index = this.#chapters.indexOf(chapter);
      onMove(index, index + by);
    });
    const bar = element('progress', { max: 1 });
    const handle = element('span', { className: 'handle', title: 'Drag to move' }, '⠿');
    handle.setAttribute('aria-hidden', 'true');
    const item = element('li', {}, handle, include, pick, play, up, down, bar);
    item.dataset.chapter = chapter.id;
    return { item, include, pick, title, status, play, up, down, bar };
  }
}

function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}
