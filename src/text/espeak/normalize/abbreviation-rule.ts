import type { Context } from './rule.ts';

/** An abbreviation at the index, and what tells its meaning. */
export interface Abbreviation extends Context {
  /** As in the tables. */
  key: string;
  lower: string;
  end: number;
  /** Whether it stands only before a number, in lower case. */
  isNumbered: boolean;
  /** Whether an amount is before it: `5 uds.`, `€ 15/ud.` */
  isCounted: boolean;
  /** Its words in lower case; undefined if it only has some in capitals. */
  common: string | undefined;
}

/** The words; empty if the text shows that it is no abbreviation, undefined if another rule has to tell. */
export type Meaning = (abbreviation: Abbreviation) => string | undefined;
