/** A chapter as it is in a file. */
export interface OpenedChapter {
  title: string;
  text: string;
}

/** A book as it is in a file. */
export interface OpenedBook {
  title: string;
  author: string;
  /** A JPEG or PNG. */
  cover?: Blob;
  chapters: OpenedChapter[];
}
