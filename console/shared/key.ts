import { byId, passFocus } from './dom.ts';

const STORED_AS = 'hearsay.key';

/** Why a key is needed. */
export const REQUIRED = 'This service requires an API key.';

/** The key stored in this browser for this service; empty if none. */
export function storedKey(): string {
  try {
    return localStorage.getItem(STORED_AS) ?? '';
  } catch {
    // Storage may be disabled: then keep the key until the page closes.
    return unstored;
  }
}

let unstored = '';
/** The last key that the service rejected, for the dialog to correct. */
let rejected = '';

/** Forgets a key that the service rejects. */
export function forgetRejectedKey(): void {
  rejected = storedKey();
  store('');
}

function store(key: string): void {
  unstored = key;
  try {
    if (key === '') localStorage.removeItem(STORED_AS);
    else localStorage.setItem(STORED_AS, key);
  } catch {
    // Storage is disabled.
  }
  changed(key !== '');
}

function changed(hasKey: boolean): void {
  showKeyButton();
  onChange(hasKey);
}

let onChange: (hasKey: boolean) => void = () => {};
/** Whether the service has asked for a key. */
let isRequired = false;
let asking: Promise<boolean> | undefined;

/** Asks for the key that the service requires, with one dialog for all callers. Resolves to whether the user gave one. */
export function askForRequiredKey(reason: string): Promise<boolean> {
  isRequired = true;
  showKeyButton();
  return askForKey(reason);
}

function askForKey(reason: string): Promise<boolean> {
  asking ??= ask(reason).finally(() => {
    asking = undefined;
  });
  return asking;
}

function ask(reason: string): Promise<boolean> {
  const dialog = byId('key-dialog', HTMLDialogElement);
  const input = byId('key-input', HTMLInputElement);
  byId('key-reason', HTMLElement).textContent = reason;
  input.value = storedKey() || rejected;
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
  const button = byId('key', HTMLButtonElement);
  const isHidden = storedKey() === '' && !isRequired;
  if (isHidden) passFocus(button, button.parentElement!.querySelector('a')!);
  button.hidden = isHidden;
}

/**
 * Sets up the dialog, and the header button that changes a stored key.
 * @param whenChanged called after a key was given, forgotten or rejected, with whether there is one now
 */
export function setUpKey(whenChanged: (hasKey: boolean) => void): void {
  onChange = whenChanged;
  const dialog = byId('key-dialog', HTMLDialogElement);
  byId('key-form', HTMLFormElement).addEventListener('submit', (event) => {
    // The policy's form-action also blocks forms with method=dialog.
    event.preventDefault();
    dialog.close('use');
  });
  byId('key-forget', HTMLButtonElement).addEventListener('click', () => dialog.close('forget'));
  byId('key-cancel', HTMLButtonElement).addEventListener('click', () => dialog.close('cancel'));
  byId('key', HTMLButtonElement).addEventListener('click', () => {
    const hasKey = storedKey() !== '';
    void askForKey(hasKey ? 'This browser has a key for this service. Change it or forget it.' : REQUIRED);
  });
  // Another tab may have stored or forgotten it; it clears all by the key null.
  window.addEventListener('storage', ({ key }) => {
    if (key === STORED_AS || key === null) changed(storedKey() !== '');
  });
  showKeyButton();
}
