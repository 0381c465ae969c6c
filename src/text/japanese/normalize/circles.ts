import { PLACEHOLDER } from '../../cjk/listed-words.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import type { Rule } from './rule.ts';

const run = /[○〇◯]{1,8}/y;
const numeralBefore = /[〇一二三四五六七八九十百千万\d]$/;
const numeralAfter = /^[一二三四五六七八九十百千万\d年月日]/;
/** Before a mark that is spoken by its name: not a sign of multiplication, nor a bullet. */
const nameBefore = /(?:^|[○〇◯×✕△◎か、。,「"“/\s])$/;
const nameAfter = /^(?:[かがはをでともの、。,」"”?？!/]|×|$)/;
const NAMES: Readonly<Record<string, string>> = {
  '×': 'ばつ',
  '✕': 'ばつ',
  '△': 'さんかく',
  '◎': 'にじゅーまる',
};

/** ○○ビル, ○か×か: marks of answers, and circles in place of a name. */
export const rewriteCircles: Rule = ({ text, index }) => {
  const before = textBefore({ text, index }, 1);
  const circles = matchAt(run, text, index)?.[0];
  const end = index + (circles?.length ?? 1);
  const after = text.slice(end, end + 1);
  if (circles !== undefined) {
    if (numeralBefore.test(before) || numeralAfter.test(after)) return undefined;
    const isName = circles.length > 1 || nameAfter.test(after);
    return isName ? { end, spoken: 'まる'.repeat(circles.length), replacement: PLACEHOLDER } : undefined;
  }
  const name = NAMES[text[index]!];
  const isName = name !== undefined && nameBefore.test(before) && nameAfter.test(after);
  return isName ? { end, spoken: name, replacement: PLACEHOLDER } : undefined;
};
