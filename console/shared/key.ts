import { byId } from './dom.ts';

const STORED_AS = 'hearsay.key';

/** The key that this browser keeps for this service; empty where there is none. */
export function storedKey(): string {
  try {
    return localStorage.getItem(STORED_AS) ?? '';
  } catch {
    // Storage may be forbidden: then the key holds until the page is left.
    return unstored;
  }
}

let unstored = '';

function store(key: string): void {
  unstored = key;
  try {
    if (key === '') localStorage.removeItem(STORED_AS);
    else localStorage.setItem(STORED_AS, key);
  } catch {
    // As above.
  }
  showKeyButton();
}

let asking: Promise<boolean> | undefined;

/** Asks for the key, once for all who want it at the same time. Resolves to whether one was given. */
export function askForKey(reason: string): Promise<boolean> {
  asking ??= ask(reason).finally(() => {
    asking = undefined;
  });
  return asking;
}

function ask(reason: string): Promise<boolean> {
  const dialog = byId('key-dialog', HTMLDialogElement);
  const input = byId('key-input', HTMLInputElement);
  byId('key-reason', HTMLElement).textContent = reason;
  input.value = storedKey();
  dialog.returnValue = '';
  dialog.showModal();
  input.select();
  return new Promise((resolve) => {
    dialog.addEventListener(
      'close',
      () => {
        const choice = dialog.returnValue;
        const key = input.value.trim();
        input.value = '';
        if (choice === 'forget') store('');
        if (choice === 'use' && key !== '') store(key);
        resolve(choice === 'use' && key !== '');
      },
      { once: true },
    );
  });
}

function showKeyButton(): void {
  byId('key', HTMLButtonElement).hidden = storedKey() === '';
}

/** Wires the dialog and the button of the header that opens it, where a key is kept. */
export function setUpKey(onChange: () => void): void {
  const dialog = byId('key-dialog', HTMLDialogElement);
  byId('key-form', HTMLFormElement).addEventListener('submit', (event) => {
    // A form with method=dialog is still a form to form-action.
    event.preventDefault();
    dialog.close('use');
  });
  byId('key-forget', HTMLButtonElement).addEventListener('click', () => dialog.close('forget'));
  byId('key-cancel', HTMLButtonElement).addEventListener('click', () => dialog.close('cancel'));
  byId('key', HTMLButtonElement).addEventListener('click', async () => {
    // Without a key, asking the service for anything would ask for one again.
    if (await askForKey('This browser keeps a key for this service. Change it, or have it forgotten.')) onChange();
  });
  showKeyButton();
}
