import { byId } from '../shared/dom.ts';
import { copy, save, saveText } from '../shared/files.ts';
import { runInSlices } from '../shared/slices.ts';
import { docx } from './docx.ts';
import { PlainView } from './plain-view.ts';
import { type ExportFormat, exportSteps, fileOf, type Transcript, titleOf } from './transcript.ts';

/** Shows, copies and saves a transcript in the formats of the service. */
export class Formats {
  /** Name of the recording, after which files are named. */
  fileName = '';
  readonly #choice = byId('format', HTMLSelectElement);
  readonly #plain = new PlainView();
  readonly #buttons = document.querySelectorAll<HTMLButtonElement>('[data-save], #copy');
  readonly #transcript: () => Transcript | undefined;
  #rendering: AbortController | undefined;

  /**
   * @param transcript the transcript as it is now
   * @param onChoice called when another format is chosen; call `show` then
   */
  constructor(transcript: () => Transcript | undefined, onChoice: () => void) {
    this.#transcript = transcript;
    this.#choice.addEventListener('change', onChoice);
    for (const button of this.#buttons) {
      const { save: format } = button.dataset;
      button.addEventListener('click', () => void (format ? this.#save(format as ExportFormat) : this.#copy()));
    }
  }

  /** Whether to show the words themselves, not a format of the service. */
  get isWords(): boolean {
    return this.#choice.value === 'words';
  }

  /** Whether there is a text to copy and save. */
  set isEnabled(isEnabled: boolean) {
    for (const button of this.#buttons) button.disabled = !isEnabled;
  }

  chooseWords(): void {
    if (this.isWords) return;
    this.#choice.value = 'words';
    this.#choice.dispatchEvent(new Event('change'));
  }

  /** Shows a transcript in the chosen format; undefined hides it. */
  async show(transcript: Transcript | undefined): Promise<void> {
    this.#rendering?.abort();
    this.#plain.isShown = transcript !== undefined;
    if (!transcript) return this.#plain.show('');
    const rendering = new AbortController();
    this.#rendering = rendering;
    try {
      const text = await runInSlices(exportSteps(transcript, this.#format), rendering.signal);
      await this.#plain.show(text);
    } catch (error) {
      if (!rendering.signal.aborted) throw error;
    }
  }

  /** The chosen format; text for the words themselves. */
  get #format(): ExportFormat {
    return this.isWords ? 'text' : (this.#choice.value as ExportFormat);
  }

  async #copy(): Promise<void> {
    const transcript = this.#transcript();
    if (transcript) await copy(await runInSlices(exportSteps(transcript, this.#format)));
  }

  async #save(format: ExportFormat | 'docx'): Promise<void> {
    const transcript = this.#transcript();
    if (!transcript) return;
    if (format === 'docx') return save(`${titleOf(this.fileName)}.docx`, docx(transcript, titleOf(this.fileName)));
    const { name, type } = fileOf(format, this.fileName);
    saveText(name, type, await runInSlices(exportSteps(transcript, format)));
  }
}
