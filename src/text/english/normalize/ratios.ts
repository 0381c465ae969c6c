import { matchAt } from '../../patterns.ts';
import { isBibleBook } from './bible.ts';
import { cardinal, decimal } from './numbers.ts';
import type { Context, Match } from './rule.ts';

/** `1.85:1` */
const decimalRatio = /(\d{1,4}\.\d{1,4}):(\d{1,4})(?![\d:.])/y;
/** `1:1s`, `a 1:1 with Ana` */
const oneOnOne =
  /1:1(?:(s)(?![\p{L}\d])|(?=\s(?:meetings?|with|chats?|calls?|sessions?|coaching|tutoring|mentoring)(?!\p{L})))/uy;
/** Not `Step 1: 20 grams`, with a space on one side. */
const ratio =
  /(?:\d{1,3}(?:,\d{3}){1,3}(?!\d)|\d{1,9})(?:(?::|\s:\s)(?:\d{1,3}(?:,\d{3}){1,3}(?!\d)|\d{1,9})){1,5}(?!\d|:|,\d{3}(?!\d))/y;

/** `16:9`, `1.85:1`, `a 1:1 with Ana`, `Gen. 1:1` */
export function matchRatio({ text, index, previous }: Context): Match | undefined {
  const [decimals, of, to] = matchAt(decimalRatio, text, index) ?? [];
  if (decimals && of && to) return { end: index + decimals.length, words: `${decimal(of)} to ${cardinal(to)}` };
  const [meeting, plural = ''] = matchAt(oneOnOne, text, index) ?? [];
  if (meeting) return { end: index + meeting.length, words: `one on one${plural}` };
  const compared = matchAt(ratio, text, index)?.[0];
  if (!compared) return undefined;
  const numbers = (compared.replaceAll(',', '').match(/\d+/g) ?? []).map(cardinal);
  // `4:2:2` of video, `Gen. 1:1`, `line 42:13`
  const isPlace = isBibleBook(previous) || /^(?:lines?|qur['’]?an|koran|surah?)$/i.test(previous);
  const isSampling = /^4:[0-4]:[0-4]$/.test(compared);
  return { end: index + compared.length, words: numbers.join(isPlace || isSampling ? ' ' : ' to ') };
}
