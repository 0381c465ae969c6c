import type { BookPanel } from './book/book-panel.ts';
import type { DialoguePanel } from './dialogue/dialogue-panel.ts';
import type { Editor } from './editor.ts';
import type { Modes } from './modes.ts';
import type { SearchedText } from './text-search.ts';

/** The texts of what is spoken now, to find and replace in. */
export function searchedTexts({
  modes: { mode },
  editor,
  dialogue,
  book,
}: {
  modes: Modes;
  editor: Editor;
  dialogue: DialoguePanel;
  book: BookPanel;
}): SearchedText[] {
  if (mode === 'text') {
    const { text, area } = editor;
    return [{ text, area, open: () => area, set: () => {} }];
  }
  if (mode === 'dialogue') {
    return dialogue.lines.map((line) => {
      const area = dialogue.row(line)?.area;
      return { text: line.input, area, open: () => area, set: (text) => dialogue.edit(line, text) };
    });
  }
  const shown = book.editor.chapter;
  return book.book.chapters.map((chapter) => ({
    text: chapter.text,
    area: chapter === shown ? book.editor.area : undefined,
    open: () => {
      if (chapter !== book.editor.chapter) book.choose(chapter);
      return book.editor.area;
    },
    set: (text) => book.edit(chapter, { text }),
  }));
}
