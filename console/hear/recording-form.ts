import { languageCodes, languageName } from '../../src/hear/transcript/languages.ts';
import { CodeSamples } from '../shared/code-samples.ts';
import { byId, element } from '../shared/dom.ts';
import { acceptDrops } from '../shared/drops.ts';
import { storedKey } from '../shared/key.ts';
import type { JobSettings } from './jobs.ts';
import { factsOf } from './preset-facts.ts';
import { requestCode } from './request-code.ts';
import type { ExportFormat } from './transcript.ts';

/** The settings of a transcription, where files are dropped, and the code of the request. */
export class RecordingForm {
  readonly #task = byId('task', HTMLSelectElement);
  readonly #language = byId('language', HTMLSelectElement);
  readonly #names = byId('names', HTMLInputElement);
  readonly #live = byId('live', HTMLInputElement);
  readonly #speakers = byId('speakers', HTMLInputElement);
  readonly #format = byId('format', HTMLSelectElement);
  readonly #samples = new CodeSamples();
  #fileName = '';

  /** @param onFiles called with the files that the user chooses or drops: one or more */
  constructor(onFiles: (files: File[]) => void) {
    this.#language.append(
      ...languageCodes
        .map((code) => ({ value: code, textContent: languageName(code) ?? code }))
        .sort((a, b) => a.textContent.localeCompare(b.textContent, 'en'))
        .map((option) => element('option', option)),
    );
    const choose = byId('file', HTMLInputElement);
    choose.addEventListener('change', () => {
      if (choose.files && choose.files.length > 0) onFiles([...choose.files]);
      // Lets the user choose the same file again.
      choose.value = '';
    });
    acceptDrops(byId('drop', HTMLElement), onFiles);
    for (const field of this.fields) field.addEventListener('change', () => this.#show());
    this.#show();
  }

  /** The fields to remember. */
  get fields(): (HTMLInputElement | HTMLSelectElement)[] {
    return [this.#task, this.#language, this.#names, this.#live, this.#speakers, this.#format];
  }

  /** Whether to transcribe a recording while it is made. */
  get isLive(): boolean {
    return this.#live.checked && !this.#live.disabled && !this.#live.parentElement!.hidden;
  }

  /** Whether the service can. */
  set offersLive(offersLive: boolean) {
    this.#live.parentElement!.hidden = !offersLive;
  }

  /** Whether the service tells speakers apart. */
  set offersSpeakers(offersSpeakers: boolean) {
    const label = this.#speakers.parentElement!;
    if (label.hidden !== offersSpeakers) return;
    label.hidden = !offersSpeakers;
    this.#show();
  }

  get settings(): JobSettings {
    const task = this.#task.value as JobSettings['task'];
    const language = task === 'translations' ? '' : this.#language.value;
    const speakers = this.#speakers.checked && !this.#speakers.parentElement!.hidden;
    return { task, language, names: this.#names.value, speakers };
  }

  /** Name of the recording in the code; empty if there is none. */
  set fileName(name: string) {
    this.#fileName = name;
    this.#show();
  }

  /** Says what the loaded model can do; empty while none is loaded. */
  set model(model: string) {
    const facts = factsOf(model);
    const isEnglish = facts?.languages === 'English only';
    byId('model-hint', HTMLElement).textContent = facts
      ? isEnglish
        ? `${model} supports English only; other models support more languages.`
        : `${model}: ${facts.languages}, ${facts.translation}.`
      : '';
  }

  #show(): void {
    const isTranslation = this.#task.value === 'translations';
    this.#language.disabled = isTranslation;
    // Live sessions do not translate.
    this.#live.disabled = isTranslation;
    this.showCode();
  }

  /** Shows the code of the request, with the place of the key if there is one. */
  showCode(): void {
    const request = {
      ...this.settings,
      fileName: this.#fileName || 'recording.mp3',
      format: this.#codeFormat,
    };
    this.#samples.set(requestCode(request, location.origin, storedKey() !== ''));
  }

  /** The format of the service that comes closest to the shown one. */
  get #codeFormat(): Exclude<ExportFormat, 'markdown'> {
    const { value } = this.#format;
    return value === 'words' || value === 'markdown' ? 'verbose_json' : (value as Exclude<ExportFormat, 'markdown'>);
  }
}
