import { PRIMARY_STRESS, SECONDARY_STRESS } from '../../phoneme-alphabet.ts';
import { CONSONANTS, hasSymbol, isVowel, type Phone } from './arpabet.ts';
import { alignLetters, compileRules, type PhoneRule } from './phone-rules.ts';
import { withKokoroStress } from './stress.ts';

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

/** Beginnings of words whose a is long in the south of England. */
const BATH =
  /^(?:un|re|over|under|out|in|grand|step|fore|god|hour|spy|wine|fibre|fiber|eye|sun|sea|here|there|hence)?(?:after|aft$|ask|aunt|advan[ct]|advantage|answer|avalanch|bask|basket|bath(?!o|y)|blanch|blast|bra(?:nch|ss)|broadcast|calf|calves|can't|cask|cast(?!ig|r)|castl|chan[ct]|chant|clasp|class(?!i)|command|contrast|craft|dance|dancing|dancer|daft|demand|disast|draft|draught|enchant|enhanc|example|fast(?!id)|flask|france|gasp|ghastl|giraff|glan[cd]|glass|gra(?:ft|nt|sp|ss(?!h))|grass|half|halv|lance|lasts?$|lasting|laugh|mask(?!oc)|mast(?:s|er|ed)?|nast(?:y|ie)|overcast|pass(?!ion|iv|ag|en)|past(?!a|e|i)|pastor|pastur|pastime|path(?!o|et)|pla(?:nt(?!ain)|ster)|pranc|raft|rather|rascal|rasp|rath|repast|sample|sampling|shaft|slan[td]|slant|staff|stanc|surpass|task|trance|transplant|tran|vast|vantage|vas[et]$|forecast|telecast|podcast)|(?:craft|shaft|path|cast|pass|blast|grass|glass|mast|class|graph|master)(?:s|es|er)?$/;

const RULES: readonly PhoneRule[] = [
  { from: 'R', context: 'vowel _ !vowel', to: '' },
  // The dictionary writes the glide between u and a vowel: `actual`.
  { from: 'W', context: 'Y|CH|JH|ZH AH _ vowel', to: '' },
  { from: 'T', context: '_ UW|UH', rest: /^(?:u|ew|eu)/, to: 'tj' },
  { from: 'D', context: '_ UW|UH', rest: /^(?:u|ew|eu)/, to: 'dj' },
  { from: 'N', context: '_ UW|UH', rest: /^(?:u|ew|eu)/, to: 'nj' },

  { from: 'ER0', context: '_ vowel', to: 'əɹ' },
  { from: 'ER0', to: 'ə' },
  // hurry, courage, worry, but not stirring: a short vowel, unless an ending follows the stem.
  { from: 'ER', context: '_ weak', letters: /^(?:urr|orr|our|ur)$/, spelling: /(?<!urr?(?:ing|ed|er))$/, to: 'ʌɹ' },
  { from: 'ER', context: 'primary … _ vowel', to: 'əːɹ' },
  { from: 'ER', context: 'primary … _', to: 'əː' },
  { from: 'ER', context: '_ vowel', to: 'ɜːɹ' },
  { from: 'ER', to: 'ɜː' },

  // Vowels before r.
  { from: '!primary', context: '_ R any? any? end', spelling: /berr(?:y|ies)$/, to: 'ə' },
  { from: '!primary', context: 'any any any _ R vowel', letters: /^e$/, rest: /^r[yi]/, to: 'ɛ' },
  { from: '!primary', context: 'any any any _ R vowel', letters: /^[ao]$/, rest: /^r[yi]/, to: 'ə' },
  { from: 'AE', context: '_ R vowel', letters: /^a$/, to: 'a' },
  {
    from: 'EH',
    context: '_ R vowel',
    letters: /^a$/,
    rest: /^r(?:r|i(?!e|ous|um|ou|an)|a[bcdglmst]|o|is|e(?:l|t))/,
    to: 'a',
  },
  { from: 'EH|AE', context: '_ R vowel', letters: /^[eu]$/, to: 'ɛ' },
  { from: 'EH|AE', context: '_ R vowel', to: 'ɛː' },
  { from: 'AA', context: '_ R vowel', letters: /^o$/, to: 'ɒ' },
  { from: 'AO', context: '_ R vowel', letters: /^o$/, rest: /^r(?:r|i(?!a|e|ou|n|o)|e[ais]|a[cnt]|o)/, to: 'ɒ' },
  { from: 'IH0|IY0', context: '_ R vowel', to: 'ɪ' },
  { from: 'IH|IY', context: '_ R vowel', rest: /^rr/, to: 'ɪ' },
  { from: 'IH|IY', context: '_ R vowel', letters: /^[iy]$/, to: 'ɪ' },
  { from: 'UH', context: '_ R', letters: /^oo$/, to: 'ɔː' },
  { from: 'AA', context: '_ R', to: 'ɑː' },
  { from: 'AE', context: '_ R', to: 'a' },
  { from: 'AO|OW', context: '_ R', to: 'ɔː' },
  { from: 'EH|EY', context: '_ R', to: 'ɛː' },
  { from: 'IH|IY', context: '_ R', to: 'ɪə' },
  { from: 'UH|UW', context: '_ R', to: 'ʊə' },
  { from: 'AY', context: '_ R', to: 'Iə' },
  { from: 'AW', context: '_ R', to: 'Wə' },
  { from: 'AH', context: '_ R', to: 'ə' },

  // Weak vowels.
  { from: 'IY0', context: '_ end', to: 'i' },
  { from: 'IY0', context: '_ vowel', spelling: /(?:iest|ier|iers|ying)$/, to: 'i' },
  { from: 'IY0', context: 'any any any _ vowel', to: 'ɪ' },
  { from: 'IY0', context: '_ vowel', spelling: /^(?:re|pre|de)/, to: 'iː' },
  { from: 'IY0', context: '_ vowel', to: 'ɪ' },
  { from: 'IY0', context: 'start any? any? _', spelling: /^(?:re|pre|de|e|be)/, to: 'ɪ' },
  { from: 'IY0', context: '_ any end', spelling: /(?:ies|ied|y's)$/, to: 'i' },
  { from: 'IY0', to: 'ɪ' },
  { from: 'UW0|UH0', context: 'any Y|CH|JH|ZH|SH _ … vowel', to: 'ʊ' },
  { from: 'UW0|UH0', context: '_ vowel', to: 'ʊ' },
  { from: 'EH0', context: 'start _ * !vowel', to: 'ɪ' },
  { from: 'AA0', context: '_ end', letters: /^a$/, to: 'ə' },
  { from: 'AE0', context: 'start _ K|S|B|D !vowel', to: 'ə' },
  // The dictionary writes the weakest vowel as AH0 or IH0, often at random.
  { from: 'AH0|IH0', context: 'start _', spelling: /^u(?:n|p(?!on))/, to: 'ʌ' },
  { from: 'AH0|IH0', context: 'Y|CH|JH|ZH _ W vowel', to: 'ʊ' },
  { from: 'AH0|IH0', context: '_ Z EY', spelling: /izations?$/, to: 'I' },
  { from: 'AH0|IH0', context: 'F _ L', spelling: /ful(?:ly|ness)?$/, to: 'ʊ' },
  { from: 'AH0|IH0', context: '!vowel|R|Y|W _ L !vowel', to: 'ᵊ' },
  { from: 'AH0|IH0', context: 'SH|ZH _ N end', to: 'ᵊ' },
  { from: 'AH0|IH0', context: 'T|D|S|Z _ N !vowel', letters: /^(?!i|ai)/, to: 'ᵊ' },
  { from: 'AH0|IH0', context: 'M _ N T', to: 'ᵊ' },
  { from: 'AH0|IH0', context: 'Y _', letters: /^u?$/, to: 'ʊ' },
  { from: 'AH0|IH0', context: '_ NG|SH', to: 'ɪ' },
  { from: 'AH0|IH0', context: 'any any _ JH', letters: /^[aei]/, to: 'ɪ' },
  { from: 'AH0|IH0', context: '_ K|V', letters: /^i/, to: 'ɪ' },
  { from: 'AH0|IH0', context: '_ !vowel', letters: /^(?:i|ai|y|ui)$/, to: 'ɪ' },
  { from: 'AH0|IH0', context: 'any _ D|Z|T|K end', letters: /^e$/, to: 'ɪ' },
  { from: 'AH0|IH0', context: 'start any? any&!HH _ … primary', letters: /^e$/, to: 'ɪ' },
  { from: 'AH0|IH0', context: 'N _ S end', letters: /^e$/, to: 'ɪ' },
  { from: 'AH0|IH0', context: 'any _ S end', letters: /^e$/, to: 'ə' },
  { from: 'AH0|IH0', context: 'any _ S T end', letters: /^e$/, to: 'ɪ' },
  { from: 'AH0|IH0', context: 'any _ B|D|F|G|K|M|P|S|T|V', letters: /^e$/, to: 'ɪ' },
  { from: 'IH0', letters: /^e?$/, to: 'ɪ' },
  { from: 'AH0|IH0', to: 'ə' },

  // LOT, CLOTH and BATH.
  { from: 'AA', letters: /^(?:au|aw|augh|ough)$/, to: 'ɔː' },
  { from: 'AA|AO', letters: /^o$/, to: 'ɒ' },
  { from: 'AA', letters: /^a$/, spelling: /(?:w|qu|wh)a/, to: 'ɒ' },
  { from: 'AO', context: '_ !L|T', letters: /^a$/, spelling: /(?:w|qu|wh)a/, to: 'ɒ' },
  { from: 'AO', context: '_ F', letters: /^(?:ou|au)$/, to: 'ɒ' },
  { from: 'AE', context: '_ F|S|TH|N|M|Z|L', spelling: BATH, to: 'ɑː' },
];
const rewrite = compileRules(RULES);

/**
 * A word's American dictionary phones in Kokoro's British notation: no r except before a vowel, the vowels of LOT and
 * BATH by spelling, j kept before long u, weak vowels by spelling, and no secondary stress after the primary one.
 * @param spelling the word in lower case; may be empty: vowels then follow the American ones
 */
export function british(dictionaryPhones: readonly Phone[], spelling: string): string {
  const phones = withKokoroStress(dictionaryPhones, spelling);
  if (spelling.endsWith('ically') && hasSymbol(phones.at(-4), 'K') && isVowel(phones.at(-3))) phones.splice(-3, 1);
  const letters = spelling ? alignLetters(spelling, phones) : phones.map(() => '');
  const primary = phones.findIndex(({ stress }) => stress === 1);
  const [first, second] = phones.filter(isVowel);
  if (first?.stress === 2 && second && second.stress !== 0 && /^(?:un|in|im|dis)/.test(spelling)) first.stress = 0;
  const word = { phones, letters, spelling };
  const markOf = ({ stress }: Phone, index: number) => {
    if (stress === 2 && index < primary) return SECONDARY_STRESS;
    return stress === 1 ? PRIMARY_STRESS : '';
  };
  return phones.map((phone, index) => markOf(phone, index) + (rewrite(word, index) ?? SOUNDS[phone.symbol]!)).join('');
}
