import { element } from './dom.ts';
import { notify } from './notice.ts';

/** Has the browser save data as a file. */
export function save(name: string, data: Blob): void {
  const href = URL.createObjectURL(data);
  element('a', { href, download: name }).click();
  // The download may begin after the click has returned.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

export function saveText(name: string, type: string, text: string): void {
  save(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** Copies text and says so. Pages that do not come over TLS or from this machine have no clipboard but the old one. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element('textarea', { value: text, className: 'away' });
    const focused = document.activeElement;
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    if (!copied) {
      notify('The browser does not let this page copy.');
      return;
    }
  }
  notify('Copied.', { passing: true });
}
