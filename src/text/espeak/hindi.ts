import { wordSet } from '../patterns.ts';
import { bySigns, type LanguageRules } from './rules.ts';

export const hindi: LanguageRules = {
  tag: 'hi',
  voice: 'hi',
  letters: /^[\p{Script=Latin}\p{Script=Devanagari}\p{M}'’‑-]+$/u,
  number: /(?<whole>\d{1,3}(?:,\d{2,3})+(?!\d)|\d+)(?<decimals>\.\d+(?!\.?\d))?/y,
  grouping: /,/g,
  points: { ',': 'दशमलव', '.': 'दशमलव' },
  readDecimals: 0,
  minus: 'माइनस',
  power: 'की घात',
  plus: 'प्लस',
  sets: {
    alone: 'spellout-cardinal',
    masculine: 'spellout-cardinal',
    feminine: 'spellout-cardinal',
    ordinal: { masculine: 'spellout-ordinal-masculine', feminine: 'spellout-ordinal-feminine' },
  },
  genderOf: () => undefined,
  ordinal: /\d{1,6}(?:वाँ|वां|वीं|वी|वें|वे|ला|ली|ले|रा|री|रे|था|थी|थे|ठा|ठी|ठे|st|nd|rd|th)(?![\p{L}\p{M}\d])/uy,
  ordinalSuffix: () => 'वाँ',
  ordinalGender: (suffix) => (/[ीि]/.test(suffix) ? 'feminine' : 'masculine'),
  correctOrdinal: (words, suffix) => {
    const [vowel = 'ा'] = /[ाीे]/u.exec(suffix) ?? [];
    const stem = words.replace(/(?:वाँ|वी)$/u, '');
    return stem === words ? words.replace(/[ाी]$/u, vowel) : `${stem}व${vowel}${vowel === 'ा' ? 'ँ' : 'ं'}`;
  },
  date: (day, month, year) => `${day} ${month} ${year}`,
  year: (year, say) => {
    if (year < 1100 || year > 1999) return undefined;
    const hundreds = say(Math.floor(year / 100), 'spellout-cardinal');
    const rest = year % 100 === 0 ? '' : ` ${say(year % 100, 'spellout-cardinal')}`;
    return `${hundreds} सौ${rest}`;
  },
  time: /(?<h>[01]?\d|2[0-4]):(?<m>[0-5]\d)(?::(?<s>[0-5]\d))?(?![\p{L}\d:])(?:\s?बजे(?!\p{L}))?/uy,
  timeWords: (h, m, s, say) => {
    if (m === 0 && s === 0) return `${say(h)} बजे`;
    return `${say(h)} बजकर ${say(m)} मिनट${s > 0 ? ` ${say(s)} सेकंड` : ''}`;
  },
  currencies: bySigns({
    '₹ INR रु. Rs Rs.': { one: 'रुपया', many: 'रुपये', gender: 'masculine', cent: ['पैसा', 'पैसे'] },
    '$ US$ USD': { one: 'डॉलर', many: 'डॉलर', gender: 'masculine', cent: ['सेंट', 'सेंट'] },
    '€ EUR': { one: 'यूरो', many: 'यूरो', gender: 'masculine', cent: ['सेंट', 'सेंट'] },
    '£ GBP': { one: 'पाउंड', many: 'पाउंड', gender: 'masculine', cent: ['पेंस', 'पेंस'] },
    '¥ JPY': { one: 'येन', many: 'येन', gender: 'masculine' },
  }),
  centsAfter: '',
  scale: /\s(?:हज़ार|हजार|लाख|करोड़|अरब|खरब)(?![\p{L}\p{M}])/uy,
  of: (noun) => noun,
  scales: bySigns({
    'k K': ['हज़ार', 'हज़ार'],
    'L lakh lakhs': ['लाख', 'लाख'],
    'Cr cr crore crores': ['करोड़', 'करोड़'],
    'M million': ['मिलियन', 'मिलियन'],
    'B bn billion': ['बिलियन', 'बिलियन'],
  }),
  percent: 'प्रतिशत',
  perMille: 'प्रति हज़ार',
  units: {
    mg: ['मिलीग्राम', 'मिलीग्राम'],
    'mg/dL': ['मिलीग्राम प्रति डेसीलीटर', 'मिलीग्राम प्रति डेसीलीटर'],
    'm²': ['वर्ग मीटर', 'वर्ग मीटर'],
    'km²': ['वर्ग किलोमीटर', 'वर्ग किलोमीटर'],
    'cm²': ['वर्ग सेंटीमीटर', 'वर्ग सेंटीमीटर'],
    'm³': ['घन मीटर', 'घन मीटर'],
    'cm³': ['घन सेंटीमीटर', 'घन सेंटीमीटर'],
    kWh: ['किलोवाट घंटा', 'किलोवाट घंटे'],
    kW: ['किलोवाट', 'किलोवाट'],
    t: ['टन', 'टन'],
  },
  per: 'प्रति',
  range: 'से',
  and: 'और',
  mixed: (whole, above, below, say) => {
    if (above === 1 && below === 2) return whole === 1 ? 'डेढ़' : whole === 2 ? 'ढाई' : `साढ़े ${say(whole)}`;
    if (above === 1 && below === 4) return whole === 1 ? 'सवा' : `सवा ${say(whole)}`;
    return above === 3 && below === 4 ? `पौने ${say(whole + 1)}` : undefined;
  },
  calculation: /(?:कितन|घटा|माइनस|बराबर|हिसाब)/u,
  fraction: (above, below) => {
    const known: Readonly<Record<string, string>> = {
      '1/2': 'आधा',
      '1/4': 'एक चौथाई',
      '3/4': 'तीन चौथाई',
      '1/3': 'एक तिहाई',
      '2/3': 'दो तिहाई',
    };
    return known[`${above}/${below}`];
  },
  symbols: {
    '&': 'और',
    '+': 'प्लस',
    '=': 'बराबर',
    '×': 'गुणा',
    '*': 'गुणा',
    '÷': 'भाग',
    '/': 'बटा',
    '@': 'ऐट',
    '#': 'नंबर',
    '%': 'प्रतिशत',
    '°': 'डिग्री',
    '±': 'प्लस माइनस',
    '−': 'माइनस',
    '<': 'से कम',
    '>': 'से ज़्यादा',
    '≤': 'से कम या बराबर',
    '≥': 'से ज़्यादा या बराबर',
    '≈': 'लगभग',
    '√': 'वर्गमूल',
    '→': 'तीर',
    '₹': 'रुपये',
    '€': 'यूरो',
    $: 'डॉलर',
    '£': 'पाउंड',
    '★': 'तारा',
    '♥': 'दिल',
    '❤': 'दिल',
    '½': 'आधा',
    '¼': 'एक चौथाई',
    '¾': 'तीन चौथाई',
    '²': 'वर्ग',
    '³': 'घन',
  },
  abbreviations: {
    'डॉ.': 'डॉक्टर',
    'डा.': 'डॉक्टर',
    'प्रो.': 'प्रोफ़ेसर',
    'पं.': 'पंडित',
    'रु.': 'रुपये',
    'rs.': 'रुपये',
    'कि.मी.': 'किलोमीटर',
    'किमी.': 'किलोमीटर',
    'ई.पू.': 'ईसा पूर्व',
    'नं.': 'नंबर',
    'पृ.': 'पृष्ठ',
    'इत्या.': 'इत्यादि',
    'स्व.': 'स्वर्गीय',
    'उ.प्र.': 'उत्तर प्रदेश',
    'म.प्र.': 'मध्य प्रदेश',
    'वि.वि.': 'विश्वविद्यालय',
    'कु.': 'कुमारी',
  },
  numberedAbbreviations: new Set<string>(),
  finalAbbreviations: wordSet('इत्या.'),
  numbered: new Set<string>(),
  rulers: new Set<string>(),
  queens: new Set<string>(),
  namesNumerals: true,
  spelled: new Set<string>(),
  romanOrdinal: /([IVXLC]+)([ºª])(?![\p{L}\d])/uy,
  roman: () => 'cardinal',
  phone: /(?:[6-9]\d{4}[ -]?\d{5}|0\d{2,4}[ -]\d{6,8})(?!\d)/y,
  address: { '.': 'डॉट', '/': 'स्लैश', '@': 'ऐट', '-': 'डैश', _: 'अंडरस्कोर', ':': 'कोलन' },
  followers: ['घर', 'आम'],
  openers: wordSet('और या लेकिन किन्तु किंतु परन्तु परंतु मगर पर कि क्योंकि यदि अगर तो जब जो जैसे जहाँ मानो इसलिए ताकि'),
};
