import { PRIMARY_STRESS, SECONDARY_STRESS } from '../../phoneme-alphabet.ts';
import { rhythm } from './american.ts';
import type { Phone } from './arpabet.ts';
import { CONSONANTS, isOneOf, isVowel } from './phone-classes.ts';
import { lettersBehind } from './spelling.ts';

const SOUNDS: Record<string, string> = {
  AA: 'ɑː',
  AE: 'a',
  AH: 'ʌ',
  AO: 'ɔː',
  AW: 'W',
  AY: 'I',
  EH: 'ɛ',
  ER: 'ɜː',
  EY: 'A',
  IH: 'ɪ',
  IY: 'iː',
  OW: 'Q',
  OY: 'Y',
  UH: 'ʊ',
  UW: 'uː',
  ...CONSONANTS,
};

/** Vowels with an r after them; the r itself sounds only before a vowel. */
const RHOTIC: Record<string, string> = {
  AA: 'ɑː',
  AE: 'a',
  AO: 'ɔː',
  EH: 'ɛː',
  IH: 'ɪə',
  IY: 'ɪə',
  OW: 'ɔː',
  UH: 'ʊə',
  UW: 'ʊə',
  AY: 'Iə',
  AW: 'Wə',
  EY: 'ɛː',
  AH: 'ə',
};

/** Words, by how they begin, whose a is long in the south of England. */
const BATH =
  /^(?:un|re|over|under|out|in|grand|step|fore|god|hour|spy|wine|fibre|fiber|eye|sun|sea|here|there|hence)?(?:after|aft$|ask|aunt|advan[ct]|advantage|answer|avalanch|bask|basket|bath(?!o|y)|blanch|blast|bra(?:nch|ss)|broadcast|calf|calves|can't|cask|cast(?!ig|r)|castl|chan[ct]|chant|clasp|class(?!i)|command|contrast|craft|dance|dancing|dancer|daft|demand|disast|draft|draught|enchant|enhanc|example|fast(?!id)|flask|france|gasp|ghastl|giraff|glan[cd]|glass|gra(?:ft|nt|sp|ss(?!h))|grass|half|halv|lance|lasts?$|lasting|laugh|mask(?!oc)|mast(?:s|er|ed)?|nast(?:y|ie)|overcast|pass(?!ion|iv|ag|en)|past(?!a|e|i)|pastor|pastur|pastime|path(?!o|et)|pla(?:nt(?!ain)|ster)|pranc|raft|rather|rascal|rasp|rath|repast|sample|sampling|shaft|slan[td]|slant|staff|stanc|surpass|task|trance|transplant|tran|vast|vantage|vas[et]$|forecast|telecast|podcast)|(?:craft|shaft|path|cast|pass|blast|grass|glass|mast|class|graph|master)(?:s|es|er)?$/;

/**
 * A word's American dictionary phones in Kokoro's British notation, by rule: no r but before a vowel, the vowels of LOT
 * and BATH by spelling, j kept before long u, weak vowels as they are spelled, no secondary stress after the primary one.
 * @param spelling the word in small letters; what it cannot tell stays as the American vowel suggests. May be empty
 */
export function british(phones: readonly Phone[], spelling: string): string {
  const word = rhythm(phones, spelling);
  if (spelling.endsWith('ically') && isOneOf(word.at(-4), 'K') && isVowel(word.at(-3))) word.splice(-3, 1);
  const letters = spelling ? lettersBehind(spelling, word) : word.map(() => '');
  const main = word.findIndex(({ stress }) => stress === 1);
  let text = '';
  const vowels = word.filter(isVowel);
  const [first, second] = vowels;
  if (first?.stress === 2 && second && second.stress !== 0 && /^(?:un|in|im|dis)/.test(spelling)) first.stress = 0;
  word.forEach((phone, index) => {
    if (phone.stress === 1) text += PRIMARY_STRESS;
    if (phone.stress === 2 && index < main) text += SECONDARY_STRESS;
    text += isVowel(phone) ? vowel(word, index, letters, spelling) : consonant(word, index, letters);
  });
  return text;
}

function consonant(word: readonly Phone[], index: number, letters: readonly string[]): string {
  const phone = word[index]!;
  const previous = word[index - 1];
  const next = word[index + 1];
  if (phone.symbol === 'R' && isVowel(previous) && !isVowel(next)) return '';
  // The dictionary writes the glide between u and a vowel: `actual`.
  if (phone.symbol === 'W' && isOneOf(previous, 'AH') && isOneOf(word[index - 2], 'Y CH JH ZH') && isVowel(next))
    return '';
  const glide = isOneOf(next, 'UW UH') && /^(?:u|ew|eu|ue|ui)/.test(letters[index + 1] ?? '') ? 'j' : '';
  if (glide && isOneOf(phone, 'T D N') && !isOneOf(next, 'Y')) return SOUNDS[phone.symbol]! + glide;
  return SOUNDS[phone.symbol]!;
}

function vowel(word: readonly Phone[], index: number, letters: readonly string[], spelling: string): string {
  const { symbol, stress } = word[index]!;
  const next = word[index + 1];
  const after = word[index + 2];
  const letter = letters[index]!;
  if (symbol === 'ER') return rhoticSchwa(word, index, letters, spelling);
  if (isOneOf(next, 'R')) return beforeR(word, index, letters, spelling);
  if (stress === 0) {
    const reduced = weak(word, index, letters, spelling);
    if (reduced !== undefined) return reduced;
  }
  switch (symbol) {
    case 'AA':
      if (/^(?:au|aw|augh|ough)$/.test(letter)) return 'ɔː';
      return letter === 'o' || (letter === 'a' && /(?:w|qu|wh)a/.test(spelling)) ? 'ɒ' : 'ɑː';
    case 'AO':
      return letter === 'o' ||
        (letter === 'a' && /(?:w|qu|wh)a/.test(spelling) && !isOneOf(next, 'L T')) ||
        (/^(?:ou|au)$/.test(letter) && isOneOf(next, 'F'))
        ? 'ɒ'
        : 'ɔː';
    case 'AE':
      return isOneOf(next, 'F S TH N M Z L') && BATH.test(spelling) ? 'ɑː' : 'a';
    case 'IY':
      if (after === undefined && next === undefined && stress === 0) return 'i';
      return 'iː';
    default:
      return SOUNDS[symbol]!;
  }
}

function rhoticSchwa(word: readonly Phone[], index: number, letters: readonly string[], spelling: string): string {
  const next = word[index + 1];
  const link = isVowel(next) ? 'ɹ' : '';
  if (word[index]!.stress === 0) return `ə${link}`;
  // hurry, courage, worry: a short vowel where the r is doubled or the next syllable weak, unless an ending follows a whole stem.
  if (
    isVowel(next) &&
    next?.stress === 0 &&
    /^(?:urr|orr|our)$|^ur$/.test(letters[index]!) &&
    !/(?:urr|ur)(?:ing|ed|er)$/.test(spelling)
  ) {
    return 'ʌɹ';
  }
  const afterMain = word.slice(0, index).some(({ stress }) => stress === 1);
  return `${afterMain ? 'ə' : 'ɜ'}ː${link}`;
}

function beforeR(word: readonly Phone[], index: number, letters: readonly string[], spelling: string): string {
  const { symbol, stress } = word[index]!;
  const linked = isVowel(word[index + 2]);
  const letter = letters[index]!;
  const rest = letters.slice(index + 1).join('');
  const doubled = rest.startsWith('rr');
  if (/berr(?:y|ies)$/.test(spelling) && index + 3 >= word.length - 1 && stress !== 1) return 'ə';
  const ending = /^(?:ar|or|er)(?:y|i)/.test(letter + rest) && stress !== 1 && index > 2;
  if (ending && linked) return /^e/.test(letter) ? 'ɛ' : 'ə';
  if (linked) {
    if (symbol === 'EH' || symbol === 'AE') {
      if (letter === 'a')
        return doubled || /^r(?:i(?!e|ous|um|ou|an)|a[bcdglmst]|o|is|e(?:l|t))/.test(rest) || symbol === 'AE'
          ? 'a'
          : 'ɛː';
      return letter === 'e' || letter === 'u' ? 'ɛ' : 'ɛː';
    }
    if (symbol === 'AA' || symbol === 'AO')
      return letter === 'o' && (doubled || symbol === 'AA' || /^r(?:i(?!a|e|ou|n|o)|e[ais]|a[cnt]|o)/.test(rest))
        ? 'ɒ'
        : RHOTIC[symbol]!;
    if ((symbol === 'IH' || symbol === 'IY') && (doubled || stress === 0 || letter === 'i' || letter === 'y'))
      return 'ɪ';
  }
  if (symbol === 'UH' && letter === 'oo') return 'ɔː';
  return RHOTIC[symbol] ?? SOUNDS[symbol]!;
}

/** The unstressed vowels that differ from stressed ones. */
function weak(word: readonly Phone[], index: number, letters: readonly string[], spelling: string): string | undefined {
  const { symbol } = word[index]!;
  const previous = word[index - 1];
  const next = word[index + 1];
  const after = word[index + 2];
  const letter = letters[index]!;
  if (symbol === 'IY') {
    if (next === undefined) return 'i';
    if (/(?:iest|ier|iers|ying)$/.test(spelling) && isVowel(next)) return 'i';
    if (isVowel(next)) return index > 2 || !/^(?:re|pre|de)/.test(spelling) ? 'ɪ' : 'iː';
    if (index <= 2 && /^(?:re|pre|de|e|be)/.test(spelling)) return 'ɪ';
    return /(?:ies|ied|y's)$/.test(spelling) && index + 2 === word.length ? 'i' : 'ɪ';
  }
  if (symbol === 'UW' || symbol === 'UH') {
    if (index > 1 && isOneOf(previous, 'Y CH JH ZH SH') && word.slice(index + 1).some(isVowel)) return 'ʊ';
    return isVowel(next) ? 'ʊ' : undefined;
  }
  if (symbol === 'EH' && index === 0 && !isVowel(after)) return 'ɪ';
  if (symbol === 'AA' && next === undefined && letter === 'a') return 'ə';
  if (symbol === 'AE' && index === 0 && isOneOf(next, 'K S B D') && !isVowel(after)) return 'ə';
  if (symbol !== 'AH' && symbol !== 'IH') return undefined;
  if (index === 0 && /^u(?:n|p(?!on))/.test(spelling)) return 'ʌ';
  if (isOneOf(previous, 'Y CH JH ZH') && isOneOf(next, 'W') && isVowel(after)) return 'ʊ';
  if (isOneOf(next, 'Z') && isOneOf(after, 'EY') && /izations?$/.test(spelling)) return 'I';
  if (/ful(?:ly|ness)?$/.test(spelling) && isOneOf(previous, 'F') && isOneOf(next, 'L')) return 'ʊ';
  if (isOneOf(next, 'L') && !isVowel(after) && !isVowel(previous) && !isOneOf(previous, 'R Y W')) return 'ᵊ';
  if (isOneOf(next, 'N') && !isVowel(after)) {
    if (isOneOf(previous, 'SH ZH') && after === undefined) return 'ᵊ';
    if (isOneOf(previous, 'T D S Z') && !/^(?:i|ai)/.test(letter)) return 'ᵊ';
    if (isOneOf(previous, 'M') && isOneOf(after, 'T')) return 'ᵊ';
  }
  if (isOneOf(previous, 'Y') && (letter === 'u' || letter === '')) return 'ʊ';
  if (
    isOneOf(next, 'NG SH') ||
    (isOneOf(next, 'JH') && /^[aei]/.test(letter) && index > 1) ||
    (isOneOf(next, 'K V') && letter.startsWith('i'))
  )
    return 'ɪ';
  if (/^(?:i|ai|y|ui)$/.test(letter) && !isVowel(next)) return 'ɪ';
  if (letter === 'e' && index > 0) {
    if (index + 2 === word.length && isOneOf(next, 'D Z T K')) return 'ɪ';
    if (index <= 2 && !isOneOf(previous, 'HH') && word.findIndex(({ stress }) => stress === 1) > index) return 'ɪ';
    if (isOneOf(next, 'S') && after === undefined) return isOneOf(previous, 'N') ? 'ɪ' : 'ə';
    if (index + 3 === word.length && isOneOf(next, 'S') && isOneOf(after, 'T')) return 'ɪ';
    return symbol === 'IH' || isOneOf(next, 'B D F G K M P S T V') ? 'ɪ' : 'ə';
  }
  if (symbol === 'IH' && (letter === '' || letter === 'e')) return 'ɪ';
  return 'ə';
}
