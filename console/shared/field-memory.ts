import { DelayedSave } from './delayed-save.ts';
import type { BrowserStorage, StoredRecord } from './storage.ts';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

interface StoredField extends StoredRecord {
  value: string | boolean;
}

const SAVE_DELAY_MS = 200;

/** Keeps the values of form fields across reloads, by their ids. */
export class FieldMemory {
  readonly #storage: BrowserStorage;
  readonly #fields: readonly Field[];
  /** Fields that were changed before their stored values arrived. */
  readonly #changed = new Set<Field>();
  /** Fields whose values are not stored yet. */
  readonly #unsaved = new Set<Field>();
  readonly #saving = new DelayedSave(() => this.#saveChanged(), SAVE_DELAY_MS);

  constructor(storage: BrowserStorage, fields: readonly Field[]) {
    this.#storage = storage;
    this.#fields = fields;
    for (const field of fields) {
      for (const name of ['input', 'change']) field.addEventListener(name, () => this.#saveSoon(field));
    }
  }

  /** Fills in the stored values; tells the fields by `change` events. */
  async restore(): Promise<void> {
    const stored = await this.#storage.all<StoredField>('settings').catch(() => []);
    for (const field of this.#fields) {
      const value = stored.find(({ id }) => id === field.id)?.value;
      if (value === undefined || this.#changed.has(field)) continue;
      if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = value === true;
      else if (typeof value === 'string' && allows(field, value)) field.value = value;
      field.dispatchEvent(new Event('change'));
    }
  }

  /** Stores the values now: call it after the page has set them. */
  save(): void {
    this.#store(this.#fields);
  }

  #saveSoon(field: Field): void {
    this.#changed.add(field);
    this.#unsaved.add(field);
    this.#saving.schedule();
  }

  #saveChanged(): void {
    this.#store([...this.#unsaved]);
    this.#unsaved.clear();
  }

  #store(fields: readonly Field[]): void {
    // A setting is not a loss worth a message.
    this.#storage.put<StoredField>('settings', ...fields.map(record)).catch(() => {});
  }
}

function record(field: Field): StoredField {
  const isCheckbox = field instanceof HTMLInputElement && field.type === 'checkbox';
  return { id: field.id, value: isCheckbox ? field.checked : field.value };
}

/** Whether the field has the value: an option may be gone. */
function allows(field: Field, value: string): boolean {
  return !(field instanceof HTMLSelectElement) || [...field.options].some((option) => option.value === value);
}
