import { notify } from './notice.ts';
import type { BrowserStorage } from './storage.ts';

const REFUSED =
  'This browser keeps nothing of this page, as in some private windows. Save what you need before you close it.';

/** Says so if the browser refuses to keep anything, and asks before what it does not keep is lost. */
export function guardUnkept(storage: BrowserStorage): void {
  void storage.isPersistent().then((isPersistent) => isPersistent || notify(REFUSED));
  window.addEventListener('beforeunload', (event) => {
    if (storage.hasUnkept) event.preventDefault();
  });
}
