import { byId, element } from './dom.ts';

const TRANSIENT_MS = 2500;

/**
 * Shows a message over the page until it is dismissed, after those that are shown; a transient one disappears by
 * itself, or when another one follows.
 */
export function notify(message: string, { isTransient = false } = {}): void {
  const text = message.slice(0, 1000);
  for (const line of lines()) if (isTransientLine(line) || line.textContent === text) line.remove();
  const added = element('p', { dir: 'auto', className: isTransient ? 'transient' : '' }, text);
  const box = byId('notice-text', HTMLElement);
  box.append(added);
  show();
  box.scrollTop = box.scrollHeight;
  if (!isTransient) return;
  setTimeout(() => {
    added.remove();
    show();
  }, TRANSIENT_MS);
}

export function hideNotice(): void {
  for (const line of lines()) line.remove();
  show();
}

const lines = () => [...byId('notice-text', HTMLElement).children];
const isTransientLine = (line: Element) => line.classList.contains('transient');

function show(): void {
  const box = byId('notice', HTMLElement);
  box.hidden = lines().length === 0;
  box.classList.toggle('transient', lines().every(isTransientLine));
}

export function setUpNotice(): void {
  byId('notice-close', HTMLButtonElement).addEventListener('click', hideNotice);
  // The button is the last one of the page: far to go by Tab.
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && !document.querySelector('dialog[open]')) hideNotice();
  });
}
