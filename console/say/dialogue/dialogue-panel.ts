import { confirmed } from '../../shared/confirm.ts';
import { DelayedSave } from '../../shared/delayed-save.ts';
import { byId } from '../../shared/dom.ts';
import { notify } from '../../shared/notice.ts';
import { arrange, makeReorderable, moved } from '../../shared/reorder.ts';
import { reveal } from '../../shared/reveal.ts';
import type { BrowserStorage, StoredRecord } from '../../shared/storage.ts';
import { wordAt } from '../../shared/word-at.ts';
import type { Player } from '../player.ts';
import type { SpokenLine } from '../speech.ts';
import type { Voice } from '../voice-panel.ts';
import { CastPanel, voicesByName } from './cast-panel.ts';
import { LineRow } from './line-row.ts';
import { type Line, lineAt, newLine, scriptOf } from './lines.ts';
import { castOf, parseScript } from './script.ts';

interface StoredDialogue extends StoredRecord {
  lines: readonly Line[];
}

const ID = 'dialogue';
const SAVE_DELAY_MS = 300;

/** Lines with a voice each. Kept across reloads. */
export class DialoguePanel {
  readonly #list = byId('lines', HTMLElement);
  readonly #storage: BrowserStorage;
  readonly #cast: CastPanel;
  readonly #preferred: () => readonly string[];
  readonly #rows = new Map<string, LineRow>();
  #lines: Line[] = [newLine(), newLine()];
  #voices: readonly Voice[] = [];
  /** The line that is heard, and its row. */
  #heard: SpokenLine | undefined;
  #marked: LineRow | undefined;
  readonly #saving = new DelayedSave(() => this.#save(), SAVE_DELAY_MS);

  /** @param preferred voices for new names, the best first */
  constructor(storage: BrowserStorage, preferred: () => readonly string[]) {
    this.#storage = storage;
    this.#preferred = preferred;
    this.#cast = new CastPanel((name, voice) => {
      for (const line of this.#lines) if (line.name.trim() === name) line.voice = voice;
      this.#changed();
    });
    makeReorderable(this.#list, (from, to) => this.#move(from, to));
    byId('line-add', HTMLButtonElement).addEventListener('click', () => this.#add(this.#lines.length));
    byId('lines-clear', HTMLButtonElement).addEventListener('click', () => void this.#clear());
    const script = byId('script', HTMLTextAreaElement);
    byId('script-use', HTMLButtonElement).addEventListener('click', () => {
      if (this.takeScript(script.value)) script.value = '';
      else notify('A script has lines such as “Ann: Hello.”, at least two.', { isTransient: true });
    });
  }

  async restore(): Promise<void> {
    const stored = await this.#storage.get<StoredDialogue>('settings', ID).catch(() => undefined);
    if (stored && this.isEmpty) this.#lines = stored.lines.map((line) => ({ ...line }));
    this.show();
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }

  get isEmpty(): boolean {
    return this.#lines.every(({ input }) => input.trim() === '');
  }

  /** What is shown while the dialogue plays, and its lines. */
  get script(): { input: string; lines: SpokenLine[] } {
    this.#giveVoices();
    const { input, lines } = scriptOf(this.#lines);
    return { input, lines };
  }

  /** Takes the lines of a speech of the history. */
  set script(lines: readonly SpokenLine[]) {
    this.#lines = lines.map(({ at: _, ...facts }) => newLine(facts));
    this.#changed();
  }

  /** Offers the voices. */
  set voices(voices: readonly Voice[]) {
    this.#voices = voices;
    this.#giveVoices();
    for (const row of this.#rows.values()) row.voices = voices;
    this.show();
  }

  /** Adds the lines of a script, each name with its own voice. Returns whether the text is one. */
  takeScript(text: string): boolean {
    const script = parseScript(text);
    if (!script) return false;
    const names = script.map(({ name }) => name).filter((name) => name !== '');
    const cast = castOf(names, voicesByName(this.#lines), this.#preferred());
    const lines = script.map(({ name, input }) => newLine({ name, input, voice: cast.get(name) ?? '' }));
    this.#lines = [...this.#lines.filter(({ input }) => input.trim() !== ''), ...lines];
    this.#changed();
    return true;
  }

  /** Changes the text of a line. */
  edit(line: Line, input: string): void {
    line.input = input;
    this.#changed();
  }

  row(line: Line): LineRow | undefined {
    return this.#rows.get(line.id);
  }

  focus(): void {
    const line = this.#lines.find(({ input }) => input.trim() === '') ?? this.#lines[0];
    if (line) this.row(line)?.focus();
  }

  /** Marks the line that is heard. */
  follow({ speech, position, state }: Player): void {
    const lines = state === 'paused' ? undefined : speech?.request.lines;
    const word = lines && speech?.words[wordAt(speech.words, position)];
    const spoken = word && lines[lineAt(lines, word.from)];
    if (spoken === this.#heard) return;
    this.#heard = spoken;
    // The lines may have been edited since.
    const { lines: now, ids } = scriptOf(this.#lines);
    const id = spoken && ids[now.findIndex(({ at, input }) => at === spoken.at && input === spoken.input)];
    const row = id === undefined ? undefined : this.#rows.get(id);
    if (row === this.#marked) return;
    if (this.#marked) this.#marked.isSpoken = false;
    if (row) {
      row.isSpoken = true;
      reveal(this.#list, row.item);
    }
    this.#marked = row;
  }

  show(): void {
    const ids = new Set(this.#lines.map(({ id }) => id));
    for (const id of [...this.#rows.keys()]) if (!ids.has(id)) this.#rows.delete(id);
    const rows = this.#lines.map((line) => {
      const row = this.#rows.get(line.id) ?? this.#create(line);
      this.#rows.set(line.id, row);
      return row;
    });
    arrange(
      this.#list,
      rows.map(({ item }) => item),
    );
    for (const [index, row] of rows.entries()) row.show(index, rows.length);
    this.#cast.show(this.#lines, this.#voices);
  }

  #create(line: Line): LineRow {
    return new LineRow(line, this.#voices, {
      onEdit: () => {
        this.#saving.schedule();
        this.#cast.show(this.#lines, this.#voices);
      },
      onMove: (moving, by) => {
        const index = this.#lines.indexOf(moving);
        this.#move(index, index + by);
      },
      onRemove: (removed) => void this.#remove(removed),
      onAdd: (after) => this.#add(this.#lines.indexOf(after) + 1),
      onPaste: (into, text) => into.input.trim() === '' && this.takeScript(text),
    });
  }

  /** Adds an empty line, of the voice that spoke before the last one: people take turns. */
  #add(at: number): void {
    const turn = this.#lines[at - 2] ?? this.#lines[at - 1];
    const line = newLine({ voice: turn?.voice ?? '', name: turn?.name ?? '' });
    this.#lines.splice(at, 0, line);
    this.#giveVoices();
    this.#changed();
    this.row(line)?.focus();
  }

  #move(from: number, to: number): void {
    if (to < 0 || to >= this.#lines.length) return;
    this.#lines = moved(this.#lines, from, to);
    this.#changed();
  }

  async #remove(line: Line): Promise<void> {
    const said = line.input.trim();
    if (said !== '' && !(await confirmed(`Remove “${said.slice(0, 60)}”?`, 'Remove'))) return;
    const index = this.#lines.indexOf(line);
    this.#lines = this.#lines.filter((other) => other !== line);
    if (this.#lines.length === 0) this.#lines = [newLine()];
    this.#giveVoices();
    this.#changed();
    const next = this.#lines[Math.min(index, this.#lines.length - 1)];
    if (next) this.row(next)?.focus();
  }

  async #clear(): Promise<void> {
    if (!this.isEmpty && !(await confirmed('Remove all lines?', 'Remove'))) return;
    this.#lines = [newLine(), newLine()];
    this.#giveVoices();
    this.#changed();
    this.focus();
  }

  #giveVoices(): void {
    const voices = this.#preferred();
    for (const [index, line] of this.#lines.entries()) {
      if (line.voice === '')
        line.voice = this.#lines[index - 2]?.voice || voices[index % Math.max(1, Math.min(2, voices.length))] || '';
    }
  }

  #changed(): void {
    this.show();
    this.#saving.schedule();
  }

  #save(): void {
    const record: StoredDialogue = { id: ID, lines: this.#lines };
    this.#storage.put('settings', record).catch(() => notify('This browser has no space to store the dialogue.'));
  }
}
