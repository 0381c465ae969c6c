/**
 * The codes of Whisper's 100 languages, the most common in its training data first: ISO 639-1, except that Javanese is
 * `jw` and that Hawaiian and Cantonese have three letters. Source: openai/whisper, whisper/tokenizer.py.
 */
export const languageCodes: readonly string[] = (
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr ' +
  'bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn ' +
  'yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su ' +
  'yue'
).split(' ');

const intlNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Names by which Whisper and its clients know a language, if Intl has another one. */
const ownNames: Readonly<Record<string, string>> = {
  bn: 'Bengali',
  mi: 'Maori',
  my: 'Myanmar',
  nn: 'Nynorsk',
  tl: 'Tagalog',
};

const names: ReadonlyMap<string, string> = new Map(
  languageCodes.map((code) => [code, ownNames[code] ?? intlNames.of(code) ?? code]),
);

const codesByName: ReadonlyMap<string, string> = new Map([
  ...[...names].map(([code, name]) => [name.toLowerCase(), code] as const),
  ['bangla', 'bn'],
  ['bokmål', 'no'],
  ['burmese', 'my'],
  ['castilian', 'es'],
  ['farsi', 'fa'],
  ['filipino', 'tl'],
  ['flemish', 'nl'],
  ['haitian', 'ht'],
  ['letzeburgesch', 'lb'],
  ['mandarin', 'zh'],
  ['moldavian', 'ro'],
  ['moldovan', 'ro'],
  ['norwegian bokmål', 'no'],
  ['norwegian nynorsk', 'nn'],
  ['panjabi', 'pa'],
  ['pushto', 'ps'],
  ['sinhalese', 'si'],
  ['valencian', 'ca'],
]);

/** Whisper's codes that differ from the canonical ones. */
const whisperCodes: ReadonlyMap<string, string> = new Map([
  ['jv', 'jw'],
  ['fil', 'tl'],
  ['nb', 'no'],
]);

/**
 * The code of one of Whisper's languages, or undefined. Accepts its code (`de`), its ISO 639-2 or 639-3 code (`ger`,
 * `deu`), a language tag with subtags (`de-AT`, `pt_BR`, `zh-Hans-CN`) and its English name (`German`), in any case.
 */
export function languageCode(nameOrTag: string): string | undefined {
  const lower = nameOrTag.trim().toLowerCase().normalize();
  const tag = codesByName.get(lower) ?? lower;
  if (names.has(tag)) return tag;
  const code = canonicalLanguage(tag);
  const whisperCode = whisperCodes.get(code) ?? code;
  return names.has(whisperCode) ? whisperCode : undefined;
}

/** The canonical language subtag of a tag; empty for malformed tags. */
function canonicalLanguage(tag: string): string {
  try {
    // BCP 47 allows Cantonese as an extended language subtag; Intl does not.
    const [canonical = ''] = Intl.getCanonicalLocales(tag.replaceAll('_', '-').replace(/^zh-yue(?=-|$)/, 'yue'));
    return canonical.split('-', 1)[0]!;
  } catch {
    return '';
  }
}

/** The English name of a language, e.g. `German` for `de`; undefined for unknown codes. */
export function languageName(code: string): string | undefined {
  return names.get(code);
}

/** `language=auto`: detect, whatever DEFAULT_LANGUAGE says. */
export const DETECT = 'auto';

/** Whether a request asks for detection instead of a language. */
export const isDetect = (name: string) => name.trim().toLowerCase() === DETECT;
