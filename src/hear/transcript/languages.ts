/**
 * The 100 languages of Whisper by its own codes: ISO 639-1, except that Javanese is `jw` and that Hawaiian and Cantonese
 * have three letters. Source: openai/whisper, whisper/tokenizer.py.
 */
const names: ReadonlyMap<string, string> = new Map(
  Object.entries({
    en: 'English',
    zh: 'Chinese',
    de: 'German',
    es: 'Spanish',
    ru: 'Russian',
    ko: 'Korean',
    fr: 'French',
    ja: 'Japanese',
    pt: 'Portuguese',
    tr: 'Turkish',
    pl: 'Polish',
    ca: 'Catalan',
    nl: 'Dutch',
    ar: 'Arabic',
    sv: 'Swedish',
    it: 'Italian',
    id: 'Indonesian',
    hi: 'Hindi',
    fi: 'Finnish',
    vi: 'Vietnamese',
    he: 'Hebrew',
    uk: 'Ukrainian',
    el: 'Greek',
    ms: 'Malay',
    cs: 'Czech',
    ro: 'Romanian',
    da: 'Danish',
    hu: 'Hungarian',
    ta: 'Tamil',
    no: 'Norwegian',
    th: 'Thai',
    ur: 'Urdu',
    hr: 'Croatian',
    bg: 'Bulgarian',
    lt: 'Lithuanian',
    la: 'Latin',
    mi: 'Maori',
    ml: 'Malayalam',
    cy: 'Welsh',
    sk: 'Slovak',
    te: 'Telugu',
    fa: 'Persian',
    lv: 'Latvian',
    bn: 'Bengali',
    sr: 'Serbian',
    az: 'Azerbaijani',
    sl: 'Slovenian',
    kn: 'Kannada',
    et: 'Estonian',
    mk: 'Macedonian',
    br: 'Breton',
    eu: 'Basque',
    is: 'Icelandic',
    hy: 'Armenian',
    ne: 'Nepali',
    mn: 'Mongolian',
    bs: 'Bosnian',
    kk: 'Kazakh',
    sq: 'Albanian',
    sw: 'Swahili',
    gl: 'Galician',
    mr: 'Marathi',
    pa: 'Punjabi',
    si: 'Sinhala',
    km: 'Khmer',
    sn: 'Shona',
    yo: 'Yoruba',
    so: 'Somali',
    af: 'Afrikaans',
    oc: 'Occitan',
    ka: 'Georgian',
    be: 'Belarusian',
    tg: 'Tajik',
    sd: 'Sindhi',
    gu: 'Gujarati',
    am: 'Amharic',
    yi: 'Yiddish',
    lo: 'Lao',
    uz: 'Uzbek',
    fo: 'Faroese',
    ht: 'Haitian Creole',
    ps: 'Pashto',
    tk: 'Turkmen',
    nn: 'Nynorsk',
    mt: 'Maltese',
    sa: 'Sanskrit',
    lb: 'Luxembourgish',
    my: 'Myanmar',
    bo: 'Tibetan',
    tl: 'Tagalog',
    mg: 'Malagasy',
    as: 'Assamese',
    tt: 'Tatar',
    haw: 'Hawaiian',
    ln: 'Lingala',
    ha: 'Hausa',
    ba: 'Bashkir',
    jw: 'Javanese',
    su: 'Sundanese',
    yue: 'Cantonese',
  }),
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

/** Where Whisper's code differs from the canonical one. */
const whisperCodes: ReadonlyMap<string, string> = new Map([
  ['jv', 'jw'],
  ['fil', 'tl'],
  ['nb', 'no'],
]);

/** The codes of all languages, the most common in Whisper's training data first. */
export const languageCodes: readonly string[] = [...names.keys()];

/**
 * The code of a language given by its code (`de`), its ISO 639-2 or 639-3 code (`ger`, `deu`), a language tag with
 * subtags (`de-AT`, `pt_BR`, `zh-Hans-CN`) or its English name (`German`), in upper or lower case. Undefined where it is
 * none of Whisper's languages.
 */
export function languageCode(nameOrTag: string): string | undefined {
  const given = nameOrTag.trim().toLowerCase().normalize();
  const code = codesByName.get(given) ?? given;
  if (names.has(code)) return code;
  let tag: string | undefined;
  try {
    // Cantonese as an extended language subtag is valid in BCP 47, yet unknown to Intl.
    [tag] = Intl.getCanonicalLocales(code.replaceAll('_', '-').replace(/^zh-yue(?=-|$)/, 'yue'));
  } catch {
    return undefined;
  }
  const [language = ''] = tag?.split('-') ?? [];
  const known = whisperCodes.get(language) ?? language;
  return names.has(known) ? known : undefined;
}

/** The English name of a language, e.g. `German` for `de`; undefined for what is none of the codes. */
export function languageName(code: string): string | undefined {
  return names.get(code);
}
