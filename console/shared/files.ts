import { element } from './dom.ts';
import { notify } from './notice.ts';

/** Downloads data as a file. */
export function save(name: string, data: Blob): void {
  const href = URL.createObjectURL(data);
  element('a', { href, download: name }).click();
  // The download may start after `click` returns.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

export function saveText(name: string, type: string, text: string): void {
  save(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** Copies text to the clipboard and notifies. Without TLS or localhost, only the old clipboard API works. */
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
      notify('The browser does not allow this page to copy.');
      return;
    }
  }
  notify('Copied.', { isTransient: true });
}
