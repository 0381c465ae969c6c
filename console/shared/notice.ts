import { byId } from './dom.ts';

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a message over the page until it is dismissed; a transient one disappears by itself. */
export function notify(message: string, { isTransient = false } = {}): void {
  const box = byId('notice', HTMLElement);
  byId('notice-text', HTMLElement).textContent = message.slice(0, 1000);
  box.classList.toggle('transient', isTransient);
  box.hidden = false;
  clearTimeout(timer);
  if (isTransient) timer = setTimeout(hideNotice, 2500);
}

export function hideNotice(): void {
  byId('notice', HTMLElement).hidden = true;
}

export function setUpNotice(): void {
  byId('notice-close', HTMLButtonElement).addEventListener('click', hideNotice);
  // The button is the last one of the page: far to go by Tab.
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && !document.querySelector('dialog[open]')) hideNotice();
  });
}
