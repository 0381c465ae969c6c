import { notify } from './notice.ts';

/**
 * Takes files that are dropped anywhere on the page: elsewhere the browser would open them, in place of the page.
 * @param marked gets the class `over` while files are dragged over the page
 * @param take called with one file or more
 */
export function acceptDrops(marked: HTMLElement, take: (files: File[]) => void): void {
  // Text may be dragged into a field.
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  for (const name of ['dragenter', 'dragover'] as const) {
    document.addEventListener(name, (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      marked.classList.add('over');
    });
  }
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) marked.classList.remove('over');
  });
  document.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    marked.classList.remove('over');
    const items = [...event.dataTransfer!.items].filter(({ kind }) => kind === 'file');
    // Browsers give a folder as a file, too, which cannot be read.
    const [folders, files] = [items.filter(isFolder), items.filter((item) => !isFolder(item))];
    const dropped = files.flatMap((item) => item.getAsFile() ?? []);
    if (dropped.length > 0) take(dropped);
    if (folders.length > 0) notify('A folder cannot be opened. Drop the files in it.');
  });
}

const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true;
