import { spokenLength } from '../../shared/format.ts';
import { type Chapter, isSpoken } from './book.ts';

/** Seconds per letter at speed 1, until chapters of the book have been measured. */
const SECONDS_PER_LETTER = 0.065;

/** Seconds of speech per letter at a speed: measured in the spoken chapters, else usual. */
export function secondsPerLetter(chapters: readonly Chapter[], speed: number): number {
  let [letters, seconds] = [0, 0];
  for (const chapter of chapters) {
    if (!chapter.spoken || !isSpoken(chapter)) continue;
    letters += chapter.text.length;
    seconds += chapter.spoken.duration * chapter.spoken.speed;
  }
  return (letters < 500 ? SECONDS_PER_LETTER : seconds / letters) / speed;
}

/** Seconds of speech of all chapters that are not left out. */
function bookSeconds(chapters: readonly Chapter[], perLetter: number): number {
  return chapters
    .filter(({ isIncluded }) => isIncluded)
    .reduce(
      (sum, chapter) => sum + (isSpoken(chapter) ? chapter.spoken!.duration : chapter.text.length * perLetter),
      0,
    );
}

/** Length and state of a chapter. @param fraction spoken so far, if it is being spoken */
export function chapterStatus(chapter: Chapter, fraction: number | undefined, perLetter: number): string {
  const letters = `${chapter.text.length.toLocaleString('en')} letters`;
  if (fraction !== undefined) return `${letters} · speaking, ${Math.floor(100 * fraction)} %`;
  if (isSpoken(chapter))
    return `${letters} · ${spokenLength(chapter.spoken!.duration)} · spoken by ${chapter.spoken!.voice}`;
  const length = `about ${spokenLength(Math.max(1, Math.round(chapter.text.length * perLetter)))}`;
  const state = chapter.isIncluded ? (chapter.spoken ? ' · edited, to be spoken again' : '') : ' · left out';
  return `${letters} · ${length}${state}`;
}

/** How many chapters are spoken, and how long they all are. */
export function bookStatus(chapters: readonly Chapter[], perLetter: number): string {
  const included = chapters.filter(({ isIncluded }) => isIncluded);
  const spoken = included.filter(isSpoken).length;
  const length = `${spoken === included.length ? '' : 'about '}${spokenLength(Math.round(bookSeconds(chapters, perLetter)))}`;
  const count = `${included.length} ${included.length === 1 ? 'chapter' : 'chapters'}`;
  return `${count}, ${length}${spoken > 0 ? `, ${spoken} spoken` : ''}`;
}
