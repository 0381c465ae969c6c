import type { Phone } from './arpabet.ts';

/** Common spellings of each phone; others are possible at a higher cost. */
const SPELLINGS: Record<string, string> = {
  AA: 'o a aa ah ea oh e',
  AE: 'a ai au',
  AH: 'a e i o u ou oo ai ia io eo ea iou eou ui y ah',
  AO: 'o a au aw ou oa augh ough oo',
  AW: 'ou ow au ough',
  AY: 'i y ie igh ye uy ei eigh ai',
  EH: 'e ea a ai ei ie ae eo u',
  ER: 'er ir ur or ar ear our yr re err urr orr eur oar ure',
  EY: 'a ai ay ei ey eigh ea e aigh ae au et ee',
  IH: 'i y e ie ui ee ea a u ei ia ai',
  IY: 'e ee ea ie i y ey ei ae oe eo',
  OW: 'o oa ow oe ou ough ew eau au oh',
  OY: 'oi oy eu',
  UH: 'oo u ou o',
  UW: 'u oo ew ue ou o ui eu oe ough',
  B: 'b bb',
  CH: 'ch tch t c cz',
  D: 'd dd ed ld',
  DH: 'th',
  F: 'f ff ph gh lf pph',
  G: 'g gg gh gu x',
  HH: 'h wh j g x',
  JH: 'j g dg d gg dj',
  K: 'k c ck ch cc q kh cq lk kk x',
  L: 'l ll',
  M: 'm mm mb mn lm',
  N: 'n nn kn gn pn',
  NG: 'n ng',
  P: 'p pp',
  R: 'r rr wr rh rrh',
  S: 's ss c sc st ps z x sw',
  SH: 'sh s ss t ti ci si ch sch c ssi sc xi sci',
  T: 't tt th ed pt bt ct d',
  TH: 'th t tth',
  V: 'v f vv lv',
  W: 'w wh u o',
  Y: 'y i u j e',
  Z: 'z s zz x ss',
  ZH: 's g z j si ti zi',
};

const LISTED = new Map(Object.entries(SPELLINGS).map(([phone, list]) => [phone, new Set(list.split(' '))]));
const MAX_LETTERS = 4;

/**
 * The letters of each phone of a word, by the cheapest alignment; empty for a phone without letters (the second of `x`).
 * Takes time proportional to letters times phones.
 * @param word in lower case; other characters than letters are silent
 */
export function alignLetters(word: string, phones: readonly Phone[]): string[] {
  const columns = phones.length + 1;
  const cost = new Float64Array((word.length + 1) * columns).fill(Number.POSITIVE_INFINITY);
  // Letters of the step that leads here; -1 for a silent letter.
  const step = new Int8Array(cost.length);
  cost[0] = 0;
  for (let i = 0; i <= word.length; i++) {
    const silent = i < word.length ? silence(word, i) : 0;
    const borrowed = i > 0 && 'xuo'.includes(word[i - 1]!) ? 0.8 : 2;
    for (let j = 0; j < columns; j++) {
      const cell = i * columns + j;
      const here = cost[cell]!;
      if (here === Number.POSITIVE_INFINITY) continue;
      if (i < word.length && here + silent < cost[cell + columns]!) {
        cost[cell + columns] = here + silent;
        step[cell + columns] = -1;
      }
      if (j === phones.length) continue;
      if (here + borrowed < cost[cell + 1]!) {
        cost[cell + 1] = here + borrowed;
        step[cell + 1] = 0;
      }
      const phone = phones[j]!;
      const maxLetters = Math.min(phone.stress === undefined ? 3 : MAX_LETTERS, word.length - i);
      for (let length = 1; length <= maxLetters; length++) {
        const target = cell + length * columns + 1;
        const total = here + spellingCost(word.slice(i, i + length), phone);
        if (total >= cost[target]!) continue;
        cost[target] = total;
        step[target] = length;
      }
    }
  }
  const letters = phones.map(() => '');
  let i = word.length;
  let j = phones.length;
  while (i > 0 || j > 0) {
    const taken = step[i * columns + j]!;
    if (taken < 0) i -= 1;
    else {
      j -= 1;
      letters[j] = word.slice(i - taken, i);
      i -= taken;
    }
  }
  return letters;
}

function silence(word: string, index: number): number {
  const letter = word[index]!;
  if (letter === word[index - 1]) return 0.3;
  if (letter === 'e') return 0.5;
  return letter >= 'a' && letter <= 'z' ? 1 : 0;
}

function spellingCost(letters: string, phone: Phone): number {
  // Longer spellings are cheaper per letter, so that `ea` is one spelling and not `e` with a silent `a`.
  if (LISTED.get(phone.symbol)?.has(letters)) return 0.1 + 0.05 * (letters.length - 1);
  if (letters.length > 1) return Number.POSITIVE_INFINITY;
  return 'aeiouy'.includes(letters) === (phone.stress !== undefined) ? 2 : 4;
}
