/**
 * Pinyin syllables to phonemes, as in misaki, which Kokoro was trained with: IPA with the tone as an arrow after the vowel
 * (https://github.com/hexgrad/misaki/blob/main/misaki/transcription.py, after Duanmu, The Phonology of Standard Chinese,
 * and Lin, The Sounds of Chinese).
 */

import { lookUp } from '../patterns.ts';

const TONES = ['', '→', '↗', '↓', '↘', ''];

const INITIALS: Readonly<Record<string, string>> = {
  b: 'p',
  p: 'pʰ',
  m: 'm',
  f: 'f',
  d: 't',
  t: 'tʰ',
  n: 'n',
  l: 'l',
  g: 'k',
  k: 'kʰ',
  h: 'x',
  j: 'ʨ',
  q: 'ʨʰ',
  x: 'ɕ',
  zh: '\uAB67',
  ch: '\uAB67ʰ',
  sh: 'ʂ',
  r: 'ɻ',
  z: 'ʦ',
  c: 'ʦʰ',
  s: 's',
};

/** Phonemes of each final, before and after the tone. */
const FINALS: Readonly<Record<string, readonly [string, string?]>> = {
  a: ['a'],
  ai: ['ai'],
  an: ['a', 'n'],
  ang: ['a', 'ŋ'],
  ao: ['au'],
  e: ['ɤ'],
  ei: ['ei'],
  en: ['ə', 'n'],
  eng: ['ə', 'ŋ'],
  i: ['i'],
  ia: ['ja'],
  ian: ['jɛ', 'n'],
  iang: ['ja', 'ŋ'],
  iao: ['jau'],
  ie: ['je'],
  in: ['i', 'n'],
  ing: ['i', 'ŋ'],
  iong: ['jʊ', 'ŋ'],
  iou: ['jou'],
  o: ['wo'],
  ong: ['ʊ', 'ŋ'],
  ou: ['ou'],
  u: ['u'],
  ua: ['wa'],
  uai: ['wai'],
  uan: ['wa', 'n'],
  uang: ['wa', 'ŋ'],
  uei: ['wei'],
  uen: ['wə', 'n'],
  ueng: ['wə', 'ŋ'],
  uo: ['wo'],
  ü: ['y'],
  üan: ['ɥɛ', 'n'],
  üe: ['ɥe'],
  ün: ['y', 'n'],
};

/** Syllables without initial and final: exclamations, nasals, 儿. */
const WHOLE: Readonly<Record<string, readonly [string, string?]>> = {
  er: ['ɚ'],
  r: ['ɚ'],
  o: ['ɔ'],
  io: ['jɔ'],
  yo: ['jɔ'],
  ê: ['ɛ'],
  m: ['m'],
  n: ['n'],
  ng: ['ŋ'],
  hm: ['hm'],
  hng: ['hŋ'],
};

/** Finals that pinyin spells differently: without an initial, or shortened. */
const SPELLINGS: Readonly<Record<string, string>> = {
  yi: 'i',
  ya: 'ia',
  yan: 'ian',
  yang: 'iang',
  yao: 'iao',
  ye: 'ie',
  yin: 'in',
  ying: 'ing',
  yong: 'iong',
  you: 'iou',
  yai: 'iai',
  wu: 'u',
  wa: 'ua',
  wai: 'uai',
  wan: 'uan',
  wang: 'uang',
  wei: 'uei',
  wen: 'uen',
  weng: 'ueng',
  wo: 'uo',
  yu: 'ü',
  yuan: 'üan',
  yue: 'üe',
  yun: 'ün',
  iu: 'iou',
  ui: 'uei',
  un: 'uen',
};

/**
 * The phonemes of a syllable; undefined if it is not pinyin.
 * @param syllable with its tone as a digit: `zhong1`, `lü4`; 0 or 5 is the neutral tone
 */
export function syllablePhonemes(syllable: string): string | undefined {
  const [, letters, digit] = /^([a-zêü]+)([0-5])$/.exec(syllable.replaceAll('v', 'ü')) ?? [];
  if (letters === undefined) return undefined;
  const tone = TONES[Number(digit)]!;
  const whole = lookUp(WHOLE, letters);
  if (whole) return whole[0] + tone + (whole[1] ?? '');
  const initial = /^(?:[zcs]h|[bpmfdtnlgkhjqxrzcs])/.exec(letters)?.[0] ?? '';
  const final = finalOf(initial, letters.slice(initial.length));
  if (initial !== '' && final === 'i' && /^(?:[zcs]h?|r)$/.test(initial)) return `${INITIALS[initial]}ɨ${tone}`;
  const sounds = final === undefined ? undefined : lookUp(FINALS, final);
  return sounds && (INITIALS[initial] ?? '') + sounds[0] + tone + (sounds[1] ?? '');
}

function finalOf(initial: string, spelled: string): string | undefined {
  if (/^[jqx]$/.test(initial) && spelled.startsWith('u')) return `ü${spelled.slice(1)}`;
  if (spelled === 'ue') return 'üe';
  return lookUp(SPELLINGS, spelled) ?? spelled;
}
