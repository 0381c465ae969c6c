import { byId } from './dom.ts';

/**
 * Asks before something is lost, with a dialog of the page.
 * @param action what the button says, e.g. `Remove`
 */
export function confirmed(question: string, action: string): Promise<boolean> {
  const dialog = byId('confirm-dialog', HTMLDialogElement);
  byId('confirm-question', HTMLElement).textContent = question;
  const yes = byId('confirm-yes', HTMLButtonElement);
  yes.textContent = action;
  dialog.returnValue = '';
  dialog.showModal();
  const decide = () => dialog.close('yes');
  const cancel = () => dialog.close();
  yes.addEventListener('click', decide);
  const no = byId('confirm-no', HTMLButtonElement);
  no.addEventListener('click', cancel);
  // An Enter too many loses nothing.
  no.focus();
  return new Promise((resolve) => {
    dialog.addEventListener(
      'close',
      () => {
        yes.removeEventListener('click', decide);
        no.removeEventListener('click', cancel);
        resolve(dialog.returnValue === 'yes');
      },
      { once: true },
    );
  });
}
