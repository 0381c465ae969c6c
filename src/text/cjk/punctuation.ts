import { matchAt } from '../patterns.ts';

/** Punctuation marks in Kokoro's alphabet; a space separates words without a pause. */
const PUNCTUATION: Readonly<Record<string, string>> = {
  '。': '.',
  '．': '.',
  '.': '.',
  '｡': '.',
  '、': ',',
  '，': ',',
  ',': ',',
  '､': ',',
  '！': '!',
  '!': '!',
  '？': '?',
  '?': '?',
  '：': ':',
  ':': ':',
  '；': ';',
  ';': ';',
  '…': '…',
  '‥': '…',
  '⋯': '…',
  '—': '—',
  '―': '—',
  '–': '—',
  '─': '—',
  '〜': '—',
  '～': '—',
  '「': '“',
  '『': '“',
  '《': '“',
  '〈': '“',
  '【': '“',
  '［': '(',
  '〔': '(',
  '“': '“',
  '«': '“',
  '」': '”',
  '』': '”',
  '》': '”',
  '〉': '”',
  '】': '”',
  '］': ')',
  '〕': ')',
  '”': '”',
  '»': '”',
  '"': '"',
  '（': '(',
  '(': '(',
  '）': ')',
  ')': ')',
  '・': ' ',
  '･': ' ',
  '·': ' ',
  '\u3000': ' ',
};

/** Between the items of a menu: 「設定」>「通知」 */
const menuSign = /(?<=[」』】》”"]\s?)[>＞](?=\s?[「『【《“"])/y;
/** Between the parts of a foreign name: バーデン=ヴュルテンベルク */
const nameSign = /(?<=[ァ-ヴー]{2})[=＝゠](?=[ァ-ヴ][ァ-ヴー])/y;
const dots = /[.．…‥⋯・·]{2,}|…/y;

/** The punctuation at an index: one mark, or several dots for an ellipsis. */
export function punctuationAt(text: string, index: number): { end: number; mark: string } | undefined {
  const ellipsis = matchAt(dots, text, index)?.[0];
  if (ellipsis !== undefined) return { end: index + ellipsis.length, mark: '…' };
  if (matchAt(nameSign, text, index)) return { end: index + 1, mark: ' ' };
  const mark = matchAt(menuSign, text, index) ? '—' : PUNCTUATION[text[index]!];
  return mark === undefined ? undefined : { end: index + 1, mark };
}

/** Whether no sentence ends at the full stop at an index: H.264. */
export function isPointInName(text: string, index: number): boolean {
  return text[index] === '.' && /[A-Za-z]/.test(text[index - 1] ?? '') && /\d/.test(text[index + 1] ?? '');
}
