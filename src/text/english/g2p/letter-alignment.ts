import type { Phone } from './arpabet.ts';

/** Letters that commonly spell a phone; what is not listed costs more, and is possible still. */
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
const LONGEST = 4;

/**
 * The letters behind each phone of a word, found by the cheapest alignment; empty for a phone without letters of its own
 * (the second one of `x`). Time grows with letters times phones.
 * @param word letters, in lower case; others count as silent
 */
export function alignLetters(word: string, phones: readonly Phone[]): string[] {
  const columns = phones.length + 1;
  const cost = new Float64Array((word.length + 1) * columns).fill(Number.POSITIVE_INFINITY);
  // Letters taken by the step that leads here; negative: the letter is silent.
  const step = new Int8Array(cost.length);
  cost[0] = 0;
  for (let i = 0; i <= word.length; i++) {
    const silent = i < word.length ? silence(word, i) : 0;
    const borrowed = i > 0 && 'xuo'.includes(word[i - 1]!) ? 0.8 : 2;
    for (let j = 0; j < columns; j++) {
      const at = i * columns + j;
      const here = cost[at]!;
      if (here === Number.POSITIVE_INFINITY) continue;
      if (i < word.length && here + silent < cost[at + columns]!) {
        cost[at + columns] = here + silent;
        step[at + columns] = -1;
      }
      if (j === phones.length) continue;
      if (here + borrowed < cost[at + 1]!) {
        cost[at + 1] = here + borrowed;
        step[at + 1] = 0;
      }
      const phone = phones[j]!;
      const longest = Math.min(phone.stress === undefined ? 3 : LONGEST, word.length - i);
      for (let length = 1; length <= longest; length++) {
        const to = at + length * columns + 1;
        const total = here + spellingCost(word.slice(i, i + length), phone);
        if (total >= cost[to]!) continue;
        cost[to] = total;
        step[to] = length;
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
  // Longer spellings are cheaper per letter, so that `ea` is one and not a letter with a silent one after it.
  if (LISTED.get(phone.symbol)?.has(letters)) return 0.1 + 0.05 * (letters.length - 1);
  if (letters.length > 1) return Number.POSITIVE_INFINITY;
  return 'aeiouy'.includes(letters) === (phone.stress !== undefined) ? 2 : 4;
}
