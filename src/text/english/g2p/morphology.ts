import { type Phone, parsePhones } from './arpabet.ts';

/** The phones of a known word; undefined for others. */
export type Known = (word: string) => readonly Phone[] | undefined;

const phones = (text: string) => parsePhones(text.split(' '));

const VOICELESS = new Set('P T K F TH S SH CH HH'.split(' '));
const SIBILANTS = new Set('S Z SH ZH CH JH'.split(' '));

/** Endings that only add their phones to a stem; longer before shorter ones that they end in. */
const SUFFIXES: [ending: string, phones: string][] = [
  ['lessness', 'L AH0 S N AH0 S'],
  ['fulness', 'F AH0 L N AH0 S'],
  ['ishness', 'IH0 SH N AH0 S'],
  ['ness', 'N AH0 S'],
  ['less', 'L AH0 S'],
  ['fully', 'F AH0 L IY0'],
  ['ful', 'F AH0 L'],
  ['ment', 'M AH0 N T'],
  ['ship', 'SH IH2 P'],
  ['hood', 'HH UH2 D'],
  ['wise', 'W AY2 Z'],
  ['like', 'L AY2 K'],
  ['some', 'S AH0 M'],
  ['able', 'AH0 B AH0 L'],
  ['ably', 'AH0 B L IY0'],
  ['ish', 'IH0 SH'],
  ['ism', 'IH2 Z AH0 M'],
  ['ist', 'IH0 S T'],
  ['ize', 'AY2 Z'],
  ['ise', 'AY2 Z'],
  ['ing', 'IH0 NG'],
  ['est', 'AH0 S T'],
  ['er', 'ER0'],
  ['or', 'ER0'],
  ['ly', 'L IY0'],
  ['y', 'IY0'],
];

const PREFIXES: [beginning: string, phones: string][] = [
  ['counter', 'K AW2 N T ER0'],
  ['pseudo', 'S UW2 D OW0'],
  ['electro', 'IH0 L EH2 K T R OW0'],
  ['hyper', 'HH AY2 P ER0'],
  ['inter', 'IH2 N T ER0'],
  ['micro', 'M AY2 K R OW0'],
  ['multi', 'M AH2 L T IY0'],
  ['photo', 'F OW2 T OW0'],
  ['super', 'S UW2 P ER0'],
  ['hetero', 'HH EH2 T ER0 OW0'],
  ['thermo', 'TH ER2 M OW0'],
  ['psycho', 'S AY2 K OW0'],
  ['macro', 'M AE2 K R OW0'],
  ['neuro', 'N UH2 R OW0'],
  ['hydro', 'HH AY2 D R OW0'],
  ['mono', 'M AA2 N OW0'],
  ['poly', 'P AA2 L IY0'],
  ['tele', 'T EH2 L AH0'],
  ['ante', 'AE2 N T IY0'],
  ['bio', 'B AY2 OW0'],
  ['geo', 'JH IY2 OW0'],
  ['trans', 'T R AE2 N S'],
  ['ultra', 'AH2 L T R AH0'],
  ['under', 'AH2 N D ER0'],
  ['cyber', 'S AY2 B ER0'],
  ['anti', 'AE2 N T IY0'],
  ['auto', 'AO2 T OW0'],
  ['fore', 'F AO2 R'],
  ['mega', 'M EH2 G AH0'],
  ['meta', 'M EH2 T AH0'],
  ['mini', 'M IH2 N IY0'],
  ['nano', 'N AE2 N OW0'],
  ['over', 'OW2 V ER0'],
  ['post', 'P OW2 S T'],
  ['semi', 'S EH2 M IY0'],
  ['dis', 'D IH2 S'],
  ['mis', 'M IH2 S'],
  ['mid', 'M IH2 D'],
  ['non', 'N AA2 N'],
  ['out', 'AW2 T'],
  ['pre', 'P R IY2'],
  ['sub', 'S AH2 B'],
  ['bi', 'B AY2'],
  ['co', 'K OW2'],
  ['de', 'D IY2'],
  ['re', 'R IY2'],
  ['un', 'AH2 N'],
  ['up', 'AH2 P'],
];

/** The only three-letter words in compounds; with all of them, too many words split by chance. */
const SHORT_PARTS = new Set(
  (
    'air arm art bar bed bee big box boy bug bus car cat cow cup day dog ear egg eye fan fat fly fox fun gas gun hat hot ice ' +
    'ink jet job key kid law leg lip man map mid mud net new nut off oil old one out pan pay pen pet pig pin pot raw red ' +
    'rib rod row rug run sea set sex ski sky sun tax tea ten tip toe top toy two van war wax way web wet wig zip app bot git ' +
    'dev hub log'
  ).split(' '),
);

/** Adds the s of plurals, possessives and verbs: s, z or a syllable. */
export function withS(stem: readonly Phone[]): Phone[] {
  const last = stem.at(-1)?.symbol ?? '';
  if (SIBILANTS.has(last)) return [...stem, ...phones('AH0 Z')];
  return [...stem, { symbol: VOICELESS.has(last) ? 'S' : 'Z' }];
}

/** Adds the d of past forms: d, t or a syllable. */
function withD(stem: readonly Phone[]): Phone[] {
  const last = stem.at(-1)?.symbol ?? '';
  if (last === 'T' || last === 'D') return [...stem, ...phones('AH0 D')];
  return [...stem, { symbol: VOICELESS.has(last) ? 'T' : 'D' }];
}

/**
 * Phones of a word made of known ones: inflected, derived by an ending or a prefix, or a compound of two.
 * @param word letters and apostrophes in lower case
 */
export function fromKnownParts(word: string, known: Known, depth = 2): Phone[] | undefined {
  if (depth === 0 || word.length < 3 || word.length > 60) return undefined;
  const deeper: Known = (part) => known(part) ?? fromKnownParts(part, known, depth - 1);
  return inflected(word, deeper) ?? derived(word, deeper) ?? prefixed(word, deeper) ?? compound(word, known);
}

function inflected(word: string, known: Known): Phone[] | undefined {
  if (word.endsWith("'s")) return map(known(word.slice(0, -2)), withS);
  if (word.endsWith("s'")) return map(known(word.slice(0, -1)), (stem) => [...stem]);
  if (word.endsWith("'d")) return map(known(word.slice(0, -2)), withD);
  if (word.endsWith("n't")) return map(known(word.slice(0, -3)), (stem) => [...stem, ...phones('AH0 N T')]);
  if (word.endsWith("'ll")) return map(known(word.slice(0, -3)), (stem) => [...stem, ...phones('AH0 L')]);
  if (word.endsWith("'ve")) return map(known(word.slice(0, -3)), (stem) => [...stem, ...phones('AH0 V')]);
  if (word.endsWith("'re")) return map(known(word.slice(0, -3)), (stem) => [...stem, ...phones('ER0')]);
  if (word.endsWith("in'"))
    return map(known(`${word.slice(0, -1)}g`), (stem) => [...stem.slice(0, -1), { symbol: 'N' }]);
  if (word.includes("'")) return undefined;
  if (/[^s]s$/.test(word)) {
    const stem =
      (word.endsWith('ies') && word.length > 4 ? known(`${word.slice(0, -3)}y`) : undefined) ??
      known(word.slice(0, -1)) ??
      (/(?:s|x|z|ch|sh|o)es$/.test(word) ? known(word.slice(0, -2)) : undefined);
    if (stem) return withS(stem);
  }
  if (word.endsWith('ed') && word.length > 4) {
    const stem = (word.endsWith('ied') ? known(`${word.slice(0, -3)}y`) : undefined) ?? stemOf(word, 'ed', known);
    if (stem) return withD(stem);
  }
  return undefined;
}

function derived(word: string, known: Known): Phone[] | undefined {
  for (const [ending, text] of SUFFIXES) {
    if (!word.endsWith(ending) || word.length < ending.length + 3) continue;
    const stem = stemOf(word, ending, known);
    if (stem) return [...(text.startsWith('L IY') ? beforeLy(stem) : stem), ...phones(text)];
  }
  // possible → possibility
  if (word.endsWith('bility')) {
    const stem = known(`${word.slice(0, -5)}le`);
    if (stem) return [...stem.slice(0, -2).map(weaker), ...phones('IH1 L AH0 T IY0')];
  }
  // civilize → civilization
  if (/i[sz]ations?$/.test(word)) {
    const stem = known(`${word.replace(/ations?$/, '')}e`);
    if (stem)
      return [...stem.slice(0, -2).map(weaker), ...phones(`AH0 Z EY1 SH AH0 N${word.endsWith('s') ? ' Z' : ''}`)];
  }
  // possible → possibly
  if (/[bdgkpt]ly$/.test(word)) {
    const stem = known(`${word.slice(0, -1)}e`);
    if (stem?.at(-2)?.symbol === 'AH') return [...stem.slice(0, -2), ...phones('L IY0')];
  }
  if (word.endsWith('ically')) {
    const stem = known(word.slice(0, -4));
    if (stem) return [...stem, ...phones('L IY0')];
  }
  return undefined;
}

/** Final → finally, happy → happily. */
function beforeLy(stem: readonly Phone[]): readonly Phone[] {
  const last = stem.at(-1);
  if (last?.symbol === 'L') return stem.slice(0, -1);
  return last?.symbol === 'IY' && last.stress === 0 ? [...stem.slice(0, -1), ...phones('AH0')] : stem;
}

/** The stem before an ending, with spelling changes undone: mak(e)ing, run(n)er, happ(y)iness. */
function stemOf(word: string, ending: string, known: Known): readonly Phone[] | undefined {
  const rest = word.slice(0, -ending.length);
  const vowel = /^[aeiouy]/.test(ending);
  if (vowel && /([bdfgklmnprstvz])\1$/.test(rest)) {
    const single = known(rest.slice(0, -1));
    if (single) return single;
  }
  // Long stems are likelier unchanged: vitalism is from vital.
  if ((rest.match(/[aeiouy]+/g) ?? []).length > 1) {
    const whole = known(rest);
    if (whole) return whole;
  }
  // A silent e changes the vowel before it: hoping is not from hop.
  if (vowel && /[aeiouy][bcdfghjklmnpqrstvwxz]$|[^aeiou][cgsvz]$|[^aeiou]l$|[u]$/.test(rest)) {
    const silent = known(`${rest}e`);
    if (silent) return silent;
  }
  if (rest.endsWith('i')) {
    const changed = known(`${rest.slice(0, -1)}y`);
    if (changed) return changed;
  }
  const plain = known(rest);
  if (plain) return plain;
  return vowel ? known(`${rest}e`) : undefined;
}

function prefixed(word: string, known: Known): Phone[] | undefined {
  for (const [beginning, text] of PREFIXES) {
    if (!word.startsWith(beginning) || word.length < beginning.length + 4) continue;
    const stem = known(word.slice(beginning.length));
    if (stem) return [...phones(text), ...stem];
  }
  return undefined;
}

function compound(word: string, known: Known): Phone[] | undefined {
  let best: { first: readonly Phone[]; second: readonly Phone[]; balance: number } | undefined;
  for (let split = 3; split <= word.length - 3; split++) {
    const [left, right] = [word.slice(0, split), word.slice(split)];
    if (!isPart(left) || !isPart(right)) continue;
    const balance = Math.min(split, word.length - split);
    if (best && best.balance >= balance) continue;
    const first = known(left);
    const second = first && known(right);
    if (second) best = { first, second, balance };
  }
  if (!best) return undefined;
  // A long second part has the primary stress, as after a prefix.
  const isLong = best.second.filter(({ stress }) => stress !== undefined).length > 2;
  return isLong ? [...best.first.map(weaker), ...best.second] : [...best.first, ...best.second.map(weaker)];
}

function isPart(part: string): boolean {
  return part.length > 3 || SHORT_PARTS.has(part);
}

function weaker(phone: Phone): Phone {
  return phone.stress === 1 ? { ...phone, stress: 2 } : phone;
}

function map(stem: readonly Phone[] | undefined, change: (stem: readonly Phone[]) => Phone[]): Phone[] | undefined {
  return stem && change(stem);
}
