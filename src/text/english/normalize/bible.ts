import { matchAt, wordSet } from '../../patterns.ts';

/** Books of the Bible, each with its abbreviations. */
const books =
  `Genesis gen, Exodus ex exod, Leviticus lev, Numbers num, Deuteronomy deut, Joshua josh, Judges judg, Ruth,
  Samuel sam, Kings kgs, Chronicles chron chr, Ezra, Nehemiah neh, Esther esth, Job, Psalm ps, Psalms pss, Proverbs prov,
  Ecclesiastes eccl eccles, Solomon, Songs song, Isaiah isa, Jeremiah jer, Lamentations lam, Ezekiel ezek, Daniel dan, Hosea hos, Joel, Amos,
  Obadiah obad, Jonah jon, Micah mic, Nahum nah, Habakkuk hab, Zephaniah zeph, Haggai hag, Zechariah zech, Malachi mal,
  Matthew matt mt, Mark mk, Luke lk, John jn, Acts, Romans rom, Corinthians cor co, Galatians gal, Ephesians eph,
  Philippians phil, Colossians col, Thessalonians thess, Timothy tim, Titus tit, Philemon philem, Hebrews heb, James jas,
  Peter pet, Jude, Revelation rev`
    .split(',')
    .map((book) => book.trim().split(' '));

/** Names of books by their abbreviation in lower case; a chapter and a verse follow them. */
const bookAbbreviations: Readonly<Record<string, string>> = Object.fromEntries(
  books.flatMap(([name, ...abbreviations]) => abbreviations.map((abbreviation) => [abbreviation, name!])),
);

const names = new Set(books.map(([name]) => name!.toLowerCase()));
/** Also names of people and other words: only a full stop or a number before them tells. */
const ambiguous = wordSet('matt dan tim phil jon sam mal jas');
/** Of several books, so that a number before them tells: `1 Cor 13` */
const numbered = wordSet('sam kgs chron cor co thess tim pet');
/** Known by a chapter alone: `Ps. 23` */
const unmistakable = wordSet('ps pss isa jer ezek deut lev prov eccl zech heb gal eph thess cor rom');

const verse = /\s\d{1,3}:\d(?!\d\s?[ap]\.?m)/iy;
const chapter = /\s\d{1,3}(?![\d:.,]\d|\p{L})/uy;

/** In old books: `Gen. i. 1` */
const smallChapter = /\s[ivxlc]{1,8}\.\s?\d/y;

/**
 * The name of a book before a chapter: `Gen. 1:1`, `Rom 8:28`, `Ps. 23`.
 * @param abbreviation as written, without its full stop
 * @param end index after the abbreviation and its full stop
 * @param previous the word before it
 */
export function bookBeforeChapter(abbreviation: string, text: string, end: number, previous: string) {
  const key = abbreviation.toLowerCase();
  if (!Object.hasOwn(bookAbbreviations, key)) return undefined;
  const hasStop = text[end - 1] === '.';
  const isNumbered = /^[123]$/.test(previous);
  // `Disney Co. 2:30`
  if (key === 'co' && !isNumbered) return undefined;
  const isCertain = hasStop || (abbreviation !== key && (!ambiguous.has(key) || isNumbered));
  const isBook =
    (isCertain && matchAt(verse, text, end)) ||
    (hasStop && matchAt(smallChapter, text, end)) ||
    (hasStop && unmistakable.has(key) && matchAt(chapter, text, end)) ||
    (abbreviation !== key && numbered.has(key) && isNumbered && matchAt(chapter, text, end));
  return isBook ? bookAbbreviations[key] : undefined;
}

/** Whether the chapter after an abbreviation with a full stop belongs to it. @param next as written */
export function isChapterNext(abbreviation: string, next: string): boolean {
  const key = abbreviation.toLowerCase();
  if (!Object.hasOwn(bookAbbreviations, key)) return false;
  const isChapter = (unmistakable.has(key) ? /^\d/ : /^\d{1,3}:\d/).test(next);
  return isChapter || /^[ivxlc]{1,8}$/.test(next);
}

/** Whether a word is the name or the abbreviation of a book. */
export function isBibleBook(word: string): boolean {
  const key = word.toLowerCase();
  return names.has(key) || Object.hasOwn(bookAbbreviations, key);
}
