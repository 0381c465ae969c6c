import { matchAt, textBefore } from '../../patterns.ts';
import { spell } from './acronyms.ts';
import { designation, ordinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';

/** Reports of cases, after the number of their volume: `876 F.3d 1306`, `124 S. Ct. 2276` */
const reporter =
  /(F\. ?Supp|F\. ?App['’]x|L\. ?Ed|S\. ?Ct|So|Cal|[NS]\. ?[EW]|[FPA])\.? ?(?:([2-5])(?:d|th))?(?=,? (?:at )?\d)/y;
const volumeBefore = /(?:^|[^\p{L}\d.,])\d{1,4} $/u;
const reports: Record<string, string> = {
  FSupp: 'F Supp',
  FAppx: 'federal appendix',
  LEd: "lawyers' edition",
  SCt: 'Supreme Court',
  So: 'southern',
  Cal: 'Cal',
};

/** `Pub. L. No. 117-58` */
const publicLaw = /Pub\. ?L\. ?(?:No\. ?)?(\d{1,3})[-–](\d{1,4})(?![\p{L}\d])/uy;
const federalRule = /Fed\. ?R\. ?(Civ|Crim|App|Bankr|Evid)\.(?: ?P\.)?(?= ?\d)/y;
const subjects: Record<string, string> = {
  Civ: 'civil procedure',
  Crim: 'criminal procedure',
  App: 'appellate procedure',
  Bankr: 'bankruptcy procedure',
  Evid: 'evidence',
};

/** Whether the word before a full stop and the one after it are parts of a citation: `Supp. 2d`, `Fed. R.`, `Civ. P.` */
export function isCitationNext(word: string, next: string): boolean {
  if ((word === 'Pub' && next === 'L') || (word === 'Stat' && /^\d/.test(next))) return true;
  if (/^[2-5](?:d|th)$/.test(next)) return /^(?:So|Cal|(?:F\.)?Supp)$/.test(word);
  if (/^\d/.test(next)) return /^(?:(?:F\.)?Supp|(?:S\.)?Ct|Cir|Evid)$/.test(word);
  // `Cal. Civ. Code`
  if (
    /^(?:Cal|Civ|Pen|Bus|Prof|Gov|Lab|Fam|Ins|Veh)$/.test(word) &&
    /^(?:Civ|Pen|Bus|Prof|Gov|Lab|Fam|Ins|Veh|Proc|Code)$/.test(next)
  )
    return true;
  return (word === 'Fed' && next === 'R') || (/^(?:Civ|Crim|Bankr)$/.test(word) && next === 'P');
}

/** Sources of law: `876 F.3d 1306`, `Fed. R. Civ. P. 12`. */
export function matchCitation({ text, index }: Context): Match | undefined {
  const [rule, subject] = matchAt(federalRule, text, index) ?? [];
  if (rule) return { end: index + rule.length, words: `federal rule of ${subjects[subject!]}` };
  const [law, congress = '', number = ''] = matchAt(publicLaw, text, index) ?? [];
  if (law) return { end: index + law.length, words: `Public Law ${designation(congress)} ${designation(number)}` };
  if (!volumeBefore.test(textBefore({ text, index }, 6))) return undefined;
  const [all, name = '', series] = matchAt(reporter, text, index) ?? [];
  if (all === undefined || (!series && !name.includes('.'))) return undefined;
  const key = name.replace(/[^A-Za-z]/g, '');
  const words = reports[key] ?? spell(key);
  return { end: index + all.trimEnd().length, words: series ? `${words} ${ordinal(series)}` : words };
}
