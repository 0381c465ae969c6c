import { byId } from './dom.ts';
import { copy } from './files.ts';

export type Sample = 'curl' | 'javascript' | 'python';

/** The code of a request, by language. */
export type Samples = Record<Sample, string>;

/** Shows the code of a request in one language at a time. */
export class CodeSamples {
  readonly #code = byId('code', HTMLElement);
  readonly #tabs = [...document.querySelectorAll<HTMLButtonElement>('[data-sample]')];
  #samples: Samples | undefined;
  #shown: Sample = 'curl';

  constructor() {
    for (const tab of this.#tabs) {
      tab.addEventListener('click', () => {
        this.#shown = tab.dataset.sample as Sample;
        this.#show();
      });
    }
    byId('code-copy', HTMLButtonElement).addEventListener('click', () => void copy(this.#code.textContent ?? ''));
    this.#show();
  }

  set(samples: Samples): void {
    this.#samples = samples;
    this.#show();
  }

  #show(): void {
    for (const tab of this.#tabs) tab.setAttribute('aria-pressed', String(tab.dataset.sample === this.#shown));
    if (this.#samples) this.#code.textContent = this.#samples[this.#shown];
  }
}
