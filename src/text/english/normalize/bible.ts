/** Books of the Bible, each with its abbreviations. */
const books =
  `Genesis gen, Exodus ex exod, Leviticus lev, Numbers num, Deuteronomy deut, Joshua josh, Judges judg, Ruth,
  Samuel sam, Kings kgs, Chronicles chron chr, Ezra, Nehemiah neh, Esther esth, Job, Psalm ps, Psalms pss, Proverbs prov,
  Ecclesiastes eccl eccles, Isaiah isa, Jeremiah jer, Lamentations lam, Ezekiel ezek, Daniel dan, Hosea hos, Joel, Amos,
  Obadiah obad, Jonah jon, Micah mic, Nahum nah, Habakkuk hab, Zephaniah zeph, Haggai hag, Zechariah zech, Malachi mal,
  Matthew matt, Mark mk, Luke lk, John jn, Acts, Romans rom, Corinthians cor, Galatians gal, Ephesians eph,
  Philippians phil, Colossians col, Thessalonians thess, Timothy tim, Titus tit, Philemon philem, Hebrews heb, James jas,
  Peter pet, Jude, Revelation rev`
    .split(',')
    .map((book) => book.trim().split(' '));

const names = new Set(books.map(([name]) => name!.toLowerCase()));

/** Names of books by their abbreviation in lower case; a chapter and a verse follow them. */
export const bookAbbreviations: Readonly<Record<string, string>> = Object.fromEntries(
  books.flatMap(([name, ...abbreviations]) => abbreviations.map((abbreviation) => [abbreviation, name!])),
);

/** Whether a word is the name or the abbreviation of a book. */
export function isBibleBook(word: string): boolean {
  const key = word.toLowerCase();
  return names.has(key) || Object.hasOwn(bookAbbreviations, key);
}
