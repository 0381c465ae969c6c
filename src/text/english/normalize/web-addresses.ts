import { matchAt, textBefore, wordSet } from '../../patterns.ts';
import { spell } from './acronyms.ts';
import { cardinal, designation, digitByDigit } from './numbers.ts';
import type { Context, Match } from './rule.ts';
import { sayWord } from './say-word.ts';
import { nameOfSymbol } from './symbol-names.ts';

const domains =
  wordSet(`com org net edu gov mil int io ai dev app co me tv info biz name uk us ca de fr es it nl be ch at se no
  fi dk pl pt ie eu ru jp cn in au nz br mx za kr xyz tech online site shop blog cloud store wiki gg ly fm to so sh page news`);
const spelledCountries = wordSet('uk us de fr es nl eu io ai tv ca ch pl pt ru jp cn nz za br mx kr gg ly fm');
const extensions =
  wordSet(`txt pdf doc docx xls xlsx ppt pptx csv tsv json jsonl xml html htm css js mjs cjs ts tsx jsx md py rb
  rs go java c h cpp hpp cs php sh bat exe dll so zip gz tar bz2 7z rar iso png jpg jpeg gif svg bmp webp ico mp3 mp4 m4a wav
  flac ogg opus heic heif avif tiff psd dmg apk ipa deb rpm swift kt scss vue ipynb parquet proto tf gguf ckpt pth npy npz epub mobi
  azw3 ttf otf woff woff2 ics eml bak patch webm mov avi mkv srt vtt yaml yml toml ini cfg conf log sql db bin dat onnx pt safetensors lock`);

const urlPattern = /[a-z][a-z0-9+-]{1,20}:\/\/[!#-;=?-~]{1,2000}/iy;
const mailPattern = /(?:mailto:)?[a-z0-9][\w.+%-]{0,63}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?![\w-])/iy;
const domainPattern = /(?:[a-z0-9-]{1,63}\.){1,8}([a-z]{2,24})(?::\d{1,5})?(?:[/?#][!#-;=?-~]{0,2000}|(?![\w@-]))/iy;
const hostPattern =
  /(?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5}(?!\d))?(?:[/?#][!#-;=?-~]{0,2000}|(?![\w@-]|\.\w))/iy;
const bareScheme = /([a-z]{2,10}):\/\/(?=[\s"'”’),.;!?`]|$)/iy;
/** Names joined by dots, as in code: `os.path.join`. */
const dottedName = /[a-z_]\w{0,40}(?:\.[a-z_]\w{0,40}){2,8}(?![\w@-]|\.\w)/iy;
const filePattern = /[\w-]{1,100}(?:\.[\w-]{1,60}){0,4}\.([a-z0-9]{1,11})(?![\w@-]|\.\w)/iy;
const trailing = /[.,;:!?'\]}*_~]+$/;

/** A URL, an e-mail address or a file name. */
export function matchWebAddress({ text, index, options }: Context): Match | undefined {
  // Only at the start of a word: trying each part of an address would take quadratic time.
  if (/[\p{L}\d_.]-?$/u.test(textBefore({ text, index }, 2))) return undefined;
  const scheme = matchAt(bareScheme, text, index);
  if (scheme)
    return { end: index + scheme[0].length, words: `${sayWord(scheme[1]!.toUpperCase(), false)} colon slash slash` };
  const mail = matchAt(mailPattern, text, index)?.[0];
  if (mail) return { end: index + mail.length, words: sayAddress(mail, options.email_normalization, 'digits') };
  const address =
    matchAt(urlPattern, text, index)?.[0] ?? domain(text, index) ?? host(text, index) ?? dottedNames(text, index);
  if (address) {
    const trimmed = withoutTrailing(address);
    return { end: index + trimmed.length, words: sayAddress(trimmed, options.url_normalization, 'numbers') };
  }
  const file = matchAt(filePattern, text, index);
  if (!file || !extensions.has(file[1]!.toLowerCase()) || /^(?:[\d.]+|(?:\w|[IVX]{2,4})(?:\.\w)+)$/.test(file[0]))
    return undefined;
  return { end: index + file[0].length, words: sayAddress(file[0], options.url_normalization, 'numbers') };
}

/** Drops trailing punctuation, and all from an unmatched closing bracket on. */
function withoutTrailing(address: string): string {
  let open = 0;
  for (let index = 0; index < address.length; index++) {
    if (address[index] === '(') open++;
    else if (address[index] === ')' && --open < 0) return address.slice(0, index).replace(trailing, '');
  }
  return address.replace(trailing, '');
}

function domain(text: string, index: number): string | undefined {
  const match = matchAt(domainPattern, text, index);
  const name = match?.[1] ?? '';
  // `end.To begin` lacks a space: top-level domains are not capitalized.
  const capital = /^\p{Lu}\p{Ll}/u.test(name);
  return match && domains.has(name.toLowerCase()) && !capital ? match[0] : undefined;
}

/** A host with a port or a path; a bare one is a word or a number. */
function host(text: string, index: number): string | undefined {
  const match = matchAt(hostPattern, text, index)?.[0];
  return match && /[:/?#]./.test(match) ? match : undefined;
}

function dottedNames(text: string, index: number): string | undefined {
  const match = matchAt(dottedName, text, index)?.[0];
  const parts = match?.split('.') ?? [];
  // `a.k.a.` and `Ph.D.s` are abbreviations; a capital begins the sentence after one.
  return parts.some((part) => part.length > 2) && !parts.slice(1).some((part) => /^[A-Z][a-z]+$/.test(part))
    ? match
    : undefined;
}

/** @param named whether symbols are spoken, not only the words between them */
function sayAddress(address: string, named: boolean, numbers: 'digits' | 'numbers'): string {
  const parts = address.match(/[A-Za-z]+|\d+|[^A-Za-z\d]/gu) ?? [];
  const words = parts.map((part, i) => {
    if (parts[i - 1] === '.' && spelledCountries.has(part.toLowerCase())) return spell(part);
    // A port.
    if (/^\d{2,5}$/.test(part) && parts[i - 1] === ':' && part[0] !== '0') return designation(part);
    if (/^\d/.test(part))
      return numbers === 'digits' || part.length > 4 || part[0] === '0' ? digitByDigit(part) : cardinal(part);
    if (/^[A-Za-z]$/.test(part)) return spell(part);
    if (/^[A-Za-z]/.test(part)) return sayWord(part === part.toUpperCase() ? part : lowerAfterFirst(part), false);
    if (/\p{L}/u.test(part)) return part;
    return named ? addressSymbol(part) : '';
  });
  return words.filter(Boolean).join(' ');
}

/** Capitals within a part separate words; an initial capital does not. */
function lowerAfterFirst(part: string): string {
  return /^[A-Z][a-z]+$/.test(part) ? part.toLowerCase() : part;
}

const symbolsOfAddresses: Record<string, string> = {
  '.': 'dot',
  '-': 'dash',
  ':': 'colon',
  '?': 'question mark',
  '!': 'exclamation mark',
  ',': 'comma',
  ';': 'semicolon',
  '(': 'parenthesis',
  ')': 'parenthesis',
  '#': 'hash',
  $: 'dollar',
};

function addressSymbol(symbol: string): string {
  return symbolsOfAddresses[symbol] ?? nameOfSymbol(symbol) ?? '';
}
