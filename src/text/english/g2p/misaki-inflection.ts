import type { Accent } from '../../phoneme-alphabet.ts';

/** An ending that the lexicons leave out. */
export interface Inflection {
  /** Secondary stress for words whose stem has none. */
  stressesStem?: boolean;
  /** @returns the stem as written; undefined if the word does not have the ending or its stem is unknown */
  stemOf(word: string, isKnown: (stem: string) => boolean): string | undefined;
  /** @returns the stem's phonemes with the ending; undefined if the stem does not decide it */
  add(stem: string, accent: Accent): string | undefined;
}

const plural: Inflection = {
  stemOf(word, isKnown) {
    if (word.length < 3 || !word.endsWith('s')) return undefined;
    const hasSyllable = word.length > 4 && word.endsWith('es') && !word.endsWith('ies');
    const stems = [
      word.endsWith('ss') ? undefined : word.slice(0, -1),
      word.endsWith("'s") || hasSyllable ? word.slice(0, -2) : undefined,
      word.length > 4 && word.endsWith('ies') ? `${word.slice(0, -3)}y` : undefined,
    ];
    return stems.find((stem) => stem !== undefined && isKnown(stem));
  },
  add(stem, accent) {
    const last = stem.at(-1)!;
    if ('ptkfθ'.includes(last)) return `${stem}s`;
    return 'szʃʒʧʤ'.includes(last) ? `${stem}${weakVowel(accent)}z` : `${stem}z`;
  },
};

const past: Inflection = {
  stemOf(word, isKnown) {
    if (word.length < 4 || !word.endsWith('d')) return undefined;
    if (!word.endsWith('dd') && isKnown(word.slice(0, -1))) return word.slice(0, -1);
    const hasSyllable = word.length > 4 && word.endsWith('ed') && !word.endsWith('eed');
    return hasSyllable && isKnown(word.slice(0, -2)) ? word.slice(0, -2) : undefined;
  },
  add(stem, accent) {
    const last = stem.at(-1)!;
    if ('pkfθʃsʧ'.includes(last)) return `${stem}t`;
    if (last === 'd') return `${stem}${weakVowel(accent)}d`;
    if (last !== 't') return `${stem}d`;
    if (accent === 'gb' || stem.length < 2) return `${stem}ɪd`;
    return withFlap(stem, 'ᵻd');
  },
};

const participle: Inflection = {
  stressesStem: true,
  stemOf(word, isKnown) {
    if (word.length < 5 || !word.endsWith('ing')) return undefined;
    const stem = word.slice(0, -3);
    if (word.length > 5 && isKnown(stem)) return stem;
    if (isKnown(`${stem}e`)) return `${stem}e`;
    const isDoubled = word.length > 5 && (/([bcdgklmnprstvxz])\1$/.test(stem) || stem.endsWith('ck'));
    return isDoubled && isKnown(stem.slice(0, -1)) ? stem.slice(0, -1) : undefined;
  },
  add(stem, accent) {
    if (accent === 'us') return withFlap(stem, 'ɪŋ');
    // An r would join the two, and the stem does not tell whether it has one.
    return /[əː]$/.test(stem) ? undefined : `${stem}ɪŋ`;
  },
};

/** In the order that misaki tries them: -s, -ed, -ing. */
export const INFLECTIONS: readonly Inflection[] = [plural, past, participle];

/** Sounds after which t is a flap before an ending. */
const FLAP_AFTER = new Set('AIOWYiuæɑəɛɪɹʊʌ');

function withFlap(stem: string, ending: string): string {
  return stem.endsWith('t') && FLAP_AFTER.has(stem.at(-2) ?? '') ? `${stem.slice(0, -1)}ɾ${ending}` : stem + ending;
}

function weakVowel(accent: Accent): string {
  return accent === 'gb' ? 'ɪ' : 'ᵻ';
}
