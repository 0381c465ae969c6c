import { wordSet } from '../patterns.ts';
import { italianAbbreviations } from './abbreviations/italian.ts';
import { feminine, masculine } from './genders/italian.ts';
import { bySigns, genderByEnding, type LanguageRules } from './rules.ts';

const feminineEnd = /(?:a|zione|sione|gione|tà|tù|trice|udine|igine)$/u;
const uncounted = wordSet(
  `di del dello della dei degli delle e ed o a al allo alla ai agli alle da dal dallo dalla dai dagli dalle in nel nello nella
  nei negli nelle su sul sullo sulla sui sugli sulle con per tra fra che ma se era ha può deve non è sono il lo la i gli le all dall dell nell sull più meno mila
  milione milioni`,
);
const denominators: Readonly<Record<number, string>> = { 2: 'mezzo' };

/** Before *-enne*, by the ordinals that do not end in *-esimo*. */
const ages: Readonly<Record<string, string>> = {
  quinto: 'cinqu',
  sesto: 'sei',
  settimo: 'sett',
  ottavo: 'ott',
  nono: 'nov',
  decimo: 'dec',
};

const genderOf = genderByEnding(feminineEnd, { feminine, masculine, uncounted });

/** David S. Goyer; words of Italian end in a vowel. */
const foreignName = /(?<!\p{L})(?!Castel|Col|Val|Mont|San)\p{Lu}\p{Ll}{1,20}[^aeiou\P{Ll}]\s$/u;
const femaleSaint = /(?<!^(?:Luc|Nicol|Matti|Zaccari|Geremi|Isai|Tobi|Barnab))a$|^(?:Croce|Sede|Trinità)$/;

/** Saint before a name: san Pietro, santo Stefano, santa Maria, sant'Antonio. */
function saint(name: string): string {
  if (/^[AEIOUÀÈÉÌÒÙ]/.test(name)) return "sant'";
  if (femaleSaint.test(name)) return 'santa';
  return /^(?:S[^aeiouàèéìòù]|Padre$)/.test(name) ? 'santo' : 'san';
}

/** Words before an apostrophe that stands for the accent of their last vowel. Other short words are cut: `un po'`, `va'`. */
const unaccented = /^(?:\p{L}{2,30}[aeiou]|piu|puo|gia|pero|cosi|cioe|E)$/u;
const cut = /^(?:quest|grand|sant|bell|quell|frat)[aeio]$/i;
const accents: Readonly<Record<string, string>> = { a: 'à', e: 'è', i: 'ì', o: 'ò', u: 'ù', E: 'È' };

/** Words that are stressed by capitals, and acronyms that are read as words. */
const capitalized = wordSet(
  `non no sì si il lo la le gli in un una di del da dal al e ed o ma se con per tra fra che chi più mai già poi qui sua suo
  sue mia mio tuo tua noi voi lui lei due tre sei ho ha hai ne ci ti te mi me va fa far può via onu iva pil imu mib tac pec ram rom sim pin tar
  tav gip dop doc ata gif led vip var caf ici ufo cig nas ros suv`,
);

/** The rules of Italian. */
export const italian: LanguageRules = {
  tag: 'it',
  voice: 'it',
  letters: /^[\p{Script=Latin}\p{M}'’‑-]+$/u,
  number:
    /(?<whole>(?!0\.)\d{1,3}(?:[.\u00A0\u202F]\d{3})+(?!\d)|[1-9]\d{0,2}(?: \d{3})+(?!\d)|\d{1,3}(?:(?:,\d{3})+(?=\.\d)|(?:,\d{3}){2,}(?!,?\d))|\d+)(?<decimals>(?<!\d,\d{1,15}),\d+(?!\d|,\d)|\.\d+(?!\.?\d))?/y,
  grouping: /[., \u00A0\u202F]/g,
  points: { ',': 'virgola', '.': 'punto' },
  readDecimals: 3,
  minus: 'meno',
  power: 'alla',
  plus: 'più',
  sets: {
    alone: 'spellout-numbering',
    masculine: 'spellout-numbering',
    feminine: 'spellout-numbering',
    ordinal: { masculine: 'spellout-ordinal-masculine', feminine: 'spellout-ordinal-feminine' },
  },
  genderOf,
  // Only `one` agrees with its noun: un libro, uno zaino, una casa, un'ora.
  correct: (words, noun) => {
    const corrected = words.replace(/duecentoott/, 'duecentott');
    if (corrected !== 'uno' || noun === '') return corrected;
    const word = noun.toLowerCase();
    if (genderOf(word) === 'feminine') return /^[aeiouàèéìòù]/.test(word) ? "un'" : 'una';
    return /^(?:s[^aeiouàèéìòù]|z|gn|ps|pn|x|y)/.test(word) ? 'uno' : 'un';
  },
  ordinal:
    /\d{1,6}(?:[ºª°]|(?<=(?<!\p{L})classe \d)a(?![\p{L}\d])|a(?=\s\p{Ll}{2,20}(?:[ae]|tà|zione|sione)(?!\p{L}))|a(?=\s[A-H](?![\p{L}\d]))|o(?=\s\p{Ll}{2,20}[oe](?!\p{L}))|(?:esim[oaie]|enn[ei])(?!\p{L}))/uy,
  ordinalSuffix: () => 'º',
  ordinalGender: (suffix) => (/[ªa]/.test(suffix) ? 'feminine' : 'masculine'),
  correctOrdinal: (words, suffix) => {
    if (/^enn/.test(suffix)) return `${ages[words] ?? words.replace(/esimo$/, '')}${suffix}`;
    return /esim[ie]/.test(suffix) ? words.replace(/.$/, suffix.at(-1)!) : words;
  },
  date: (day, month, year) => `${day} ${month} ${year}`,
  firstDay: 'primo',
  dateBefore: /(?<!\p{L})(?:(?:il|dal|al|del|giorno)\s|(?:l|dall|all|dell)['’])$/iu,
  timeBefore: /(?<!\p{L})(?:ore|alle|dalle|delle|le|h[.]?)\s(?:\d{1,2}[.,]\d{2}\s?[-–]\s?)?$/iu,
  halfDay: (hour, isAfternoon) =>
    isAfternoon ? (hour >= 6 ? 'di sera' : 'del pomeriggio') : hour === 0 ? 'di notte' : 'del mattino',
  time: /(?<h>[01]?\d|2[0-4])[:](?<m>[0-5]\d)(?::(?<s>[0-5]\d))?(?![\p{L}\d:])/uy,
  timeWords: (h, m, s, say) => {
    const hours = h === 1 ? 'una' : say(h);
    const isSharp = m === 0 && s === 0;
    const minutes = isSharp ? (h >= 1 && h <= 12 ? ' in punto' : '') : ` e ${say(m)}`;
    return `${hours}${minutes}${s > 0 ? ` e ${s === 1 ? 'un secondo' : `${say(s)} secondi`}` : ''}`;
  },
  currencies: bySigns({
    '€ EUR': { one: 'euro', many: 'euro', gender: 'masculine', cent: ['centesimo', 'centesimi'] },
    '$ US$ USD': { one: 'dollaro', many: 'dollari', gender: 'masculine', cent: ['centesimo', 'centesimi'] },
    '£ GBP': { one: 'sterlina', many: 'sterline', gender: 'feminine', cent: ['penny', 'penny'] },
    '¥ JPY JP¥': { one: 'yen', many: 'yen', gender: 'masculine' },
    'R$ BRL': { one: 'real', many: 'real', gender: 'masculine', cent: ['centesimo', 'centesimi'] },
    '₩ KRW': { one: 'won', many: 'won', gender: 'masculine' },
    '₽ RUB': { one: 'rublo', many: 'rubli', gender: 'masculine' },
    '₺ TRY': { one: 'lira turca', many: 'lire turche', gender: 'feminine' },
    '₿ BTC': { one: 'bitcoin', many: 'bitcoin', gender: 'masculine' },
    'A$ AU$ AUD': { one: 'dollaro australiano', many: 'dollari australiani', gender: 'masculine' },
    'MXN MX$': { one: 'peso messicano', many: 'pesos messicani', gender: 'masculine' },
    'C$ CA$ CAD': { one: 'dollaro canadese', many: 'dollari canadesi', gender: 'masculine' },
    'CNY RMB CN¥': { one: 'yuan', many: 'yuan', gender: 'masculine' },
    '₹': { one: 'rupia', many: 'rupie', gender: 'feminine', cent: ['paisa', 'paise'] },
    CHF: { one: 'franco svizzero', many: 'franchi svizzeri', gender: 'masculine', cent: ['centesimo', 'centesimi'] },
  }),
  centsAfter: 'e',
  scale: /\s{1,3}(?:mila|milione|milioni|miliardo|miliardi)(?!\p{L})/uy,
  of: (noun) => (noun === 'ora' ? "d'ora" : `di ${noun}`),
  scales: bySigns({
    'k K': ['mila', 'mila'],
    'M MM m mln Mln Mio': ['milione', 'milioni'],
    'mld Mld Md B bn': ['miliardo', 'miliardi'],
  }),
  thousand: 'mila',
  percent: 'per cento',
  perMille: 'per mille',
  units: {
    hPa: ['ettopascal', 'ettopascal'],
    kPa: ['kilopascal', 'kilopascal'],
    MPa: ['megapascal', 'megapascal'],
    mmHg: ['millimetro di mercurio', 'millimetri di mercurio'],
    hg: ['etto', 'etti'],
    cl: ['centilitro', 'centilitri'],
    dl: ['decilitro', 'decilitri'],
    mAh: ['milliampere ora', 'milliampere ora'],
    GHz: ['gigahertz', 'gigahertz'],
    MHz: ['megahertz', 'megahertz'],
    kHz: ['kilohertz', 'kilohertz'],
    Hz: ['hertz', 'hertz'],
    dB: ['decibel', 'decibel'],
    kcal: ['chilocaloria', 'chilocalorie'],
    V: ['volt', 'volt'],
    MW: ['megawatt', 'megawatt'],
    GW: ['gigawatt', 'gigawatt'],
    µg: ['microgrammo', 'microgrammi'],
    µm: ['micrometro', 'micrometri'],
    nm: ['nanometro', 'nanometri'],
    W: ['watt', 'watt'],
    mol: ['mole', 'moli'],
    mmol: ['millimole', 'millimoli'],
    µmol: ['micromole', 'micromoli'],
    nmol: ['nanomole', 'nanomoli'],
    ng: ['nanogrammo', 'nanogrammi'],
    mg: ['milligrammo', 'milligrammi'],
    'mg/dL': ['milligrammo per decilitro', 'milligrammi per decilitro'],
    'm²': ['metro quadrato', 'metri quadrati'],
    mq: ['metro quadrato', 'metri quadrati'],
    'km²': ['chilometro quadrato', 'chilometri quadrati'],
    'cm²': ['centimetro quadrato', 'centimetri quadrati'],
    'm³': ['metro cubo', 'metri cubi'],
    'cm³': ['centimetro cubo', 'centimetri cubi'],
    kWh: ['chilowattora', 'chilowattora'],
    kW: ['chilowatt', 'chilowatt'],
    t: ['tonnellata', 'tonnellate'],
  },
  per: 'per',
  perPeriods: {
    die: 'al giorno',
    giorno: 'al giorno',
    settimana: 'alla settimana',
    mese: 'al mese',
    anno: "all'anno",
    ora: "all'ora",
    notte: 'a notte',
    persona: 'a persona',
  },
  repeated: { one: 'volta', many: 'volte', next: /\s(?:al|alla|più|meno|ogni)(?!\p{L})|\/(?:die|giorno)/uy },
  outOf: 'su',
  steps: {
    before:
      /(?<!\p{L})(?:passo|passaggio|pag(?:ina|\.)|parte|capitolo|diapositiva|settimana|livello|lezione|episodio|fase)\s$/iu,
    of: 'di',
  },
  over: 'su',
  ages: { years: 'anni', over: 'più di', under: 'meno di' },
  range: 'a',
  half: { masculine: 'mezzo', feminine: 'mezza' },
  halfBehind: { masculine: 'mezzo', feminine: 'mezza' },
  and: 'e',
  metresAnd: 'e',
  genderOfMany: (noun) => (noun.endsWith('e') ? 'feminine' : undefined),
  countable:
    /^(?:or[ae]|tazz[ae]|settiman[ae]|ann[oi]|mes[ei]|giorn[oi]|minut[oi]|second[oi]|chil[oi]|gramm[oi]|litr[oi]|metr[oi]|chilometr[oi]|cucchiai[oi]?|cucchiain[oi]|bicchier[ei]|volt[ae]|punt[oi]|euro|dollari|miglia|ett[oi]|secol[oi]|pagin[ae]|person[ae]|stell[ae]|part[ei]|porzion[ei]|pied[ei]|pollic[ei]|abitanti|utenti|vot[oi]|kg|km|cm|mm|ml|g|m|l|h|min)$/iu,
  calculation:
    /(?<!\p{L})(?:quanto fa|calcol\p{L}{1,6}|sottra\p{L}{1,6}|(?<=\d\s)meno(?=\s\d)|uguale a|(?:risultato|differenza) di [\d\s-]{3,20}è)(?!\p{L})/iu,
  singular: (noun) =>
    /^(?:ore|tazze|settimane)$/.test(noun)
      ? noun.replace(/e$/, 'a')
      : noun === 'mesi'
        ? 'mese'
        : /^(?:ann|giorn|minut|second|chil|gramm|litr|metr|chilometr|cucchia|cucchiain|ett|secol|punt)i$/.test(noun)
          ? noun.replace(/i$/, noun === 'cucchiai' ? 'io' : 'o')
          : /[ao]$/.test(noun)
            ? noun
            : undefined,
  isUnnamedFractionDate: true,
  articleBefore: /(?<!\p{L})(?:un|il|al|del|dal|nel|sul)\s$/iu,
  quarter: 'trimestre',
  meter: (above, below, ordinal) => `${above} ${below === 'due' ? 'mezzi' : ordinal().replace(/o$/, 'i')}`,
  records: [
    { V: ['vittoria', 'vittorie'], N: ['pareggio', 'pareggi'], P: ['sconfitta', 'sconfitte'] },
    { V: ['vittoria', 'vittorie'], P: ['pareggio', 'pareggi'], S: ['sconfitta', 'sconfitte'] },
  ],
  labelled:
    /\s(?:verde|civico|telefonico|telef\.|progressivo|seriale|chiuso|massimo|minimo|totale|complessivo|di (?:telefono|cellulare|serie|ordine|matricola|conto|pratica|protocollo|posti|persone|pezzi|copie|pagine|ore|giorni)|ordine|pratica|tessera|cell\.|tel\.|matricola)(?![\p{L}])/uy,
  born: { in: 'nato nel', on: 'nato il' },
  fraction: (above, below, ordinal) => {
    const count = ['', 'un', 'due', 'tre', 'quattro', 'cinque', 'sei', 'sette', 'otto', 'nove'][above];
    if (!count || below < 2 || below > 10) return undefined;
    const name = denominators[below] ?? ordinal(below);
    return `${count} ${above > 1 ? name.replace(/o$/, 'i') : name}`;
  },
  symbols: {
    '&': 'e',
    '+': 'più',
    '=': 'uguale a',
    '×': 'per',
    '*': 'per',
    '÷': 'diviso',
    '/': 'barra',
    '@': 'chiocciola',
    '#': 'numero',
    '%': 'per cento',
    '°': 'gradi',
    '±': 'più o meno',
    '−': 'meno',
    '<': 'minore di',
    '>': 'maggiore di',
    '≤': 'minore o uguale a',
    '≥': 'maggiore o uguale a',
    '≠': 'diverso da',
    '≈': 'circa',
    '√': 'radice quadrata di',
    '§': 'paragrafo',
    '§§': 'paragrafi',
    '→': 'freccia',
    '€': 'euro',
    $: 'dollari',
    '£': 'sterline',
    '★': 'stella',
    '♥': 'cuore',
    '❤': 'cuore',
    '½': 'un mezzo',
    '¼': 'un quarto',
    '¾': 'tre quarti',
    '∈': 'appartiene a',
    '∉': 'non appartiene a',
    '∞': 'infinito',
    '∑': 'somma di',
    '∏': 'prodotto di',
    '∫': 'integrale di',
    '∂': 'derivata parziale di',
    '∇': 'nabla',
    '∀': 'per ogni',
    '∃': 'esiste',
    '¬': 'non',
    '∧': 'e',
    '∨': 'o',
    '∪': 'unione',
    '∩': 'intersezione',
    '⊂': 'contenuto in',
    '⊆': 'contenuto in',
    '∅': 'insieme vuoto',
    '⇒': 'implica',
    '⇔': 'equivale a',
    '≡': 'equivalente a',
    '∝': 'proporzionale a',
    '∛': 'radice cubica di',
    '∴': 'quindi',
    '←': 'freccia sinistra',
    '∓': 'meno o più',
    '∠': 'angolo',
    '∆': 'delta',
    '⋅': 'per',
    '|x|': 'valore assoluto di',
    mod: 'modulo',
    '⌘': 'comando',
    '⇧': 'maiuscolo',
    '⌥': 'opzione',
    '⌃': 'control',
    '⎋': 'esc',
    '⇥': 'tab',
    '⌫': 'cancella',
    '⏎': 'invio',
    '↵': 'invio',
    '²': 'al quadrato',
    '³': 'al cubo',
  },
  nameTitle: (abbreviation, name, before) => {
    // SS. Pietro e Paolo, SS. Annunziata
    if (/^S[Ss]\.$/.test(abbreviation) && name !== '')
      return abbreviation === 'SS.' && /^(?:Trinità|Vergine|Croce)$|a$/.test(name) ? 'santissima' : 'santi';
    if (abbreviation !== 'S.' || name === '') return undefined;
    return foreignName.test(before) ? '' : saint(name);
  },
  numbered: wordSet(
    'secolo secoli sezione capitolo capitoli scena tomo volume articolo articoli atto atti libro libri parte parti titolo titoli canto canti guerra edizione papa re',
  ),
  kinds: wordSet('fase zona classe tipo grado livello categoria modulo unità stadio'),
  numberedAfter: wordSet(
    'repubblica reich centenario congresso legislatura concilio municipio internazionale biennale dinastia millennio trimestre semestre festival',
  ),
  articles: {
    masculine: wordSet('il lo del dello dal al nel sul'),
    feminine: wordSet('la della dalla alla nella sulla'),
  },
  rulers: wordSet(
    'francesco ferdinando alfonso leone giacomo guglielmo federico carlo pio vittorio emanuele umberto luigi enrico giovanni paolo filippo',
  ),
  bothGenders: 'e',
  eitherGender: 'o',
  hasVowelPlurals: true,
  genderPairs: { lui: 'lei', il: 'la', un: 'una', gli: 'le', i: 'le', al: 'alla', del: 'della', dei: 'delle' },
  queens: wordSet('elisabetta elizabeth isabella giovanna maria caterina cristina anna vittoria margherita'),
  spelled: wordSet('XL HDMI FTSE CGIL FMI GPU BMI'),
  capitalized,
  typedAccent: (word) => {
    if (!unaccented.test(word) || cut.test(word)) return undefined;
    return word.slice(0, -1) + (/ch.$/.test(word) ? 'é' : accents[word.slice(-1)]!);
  },
  romanOrdinal: /([IVXLC]+)([ºª])(?![\p{L}\d])/uy,
  roman: () => 'ordinal',
  phone:
    /(?:3\d{2}[ -]\d{6,7}|3\d{2}[ -]\d{3}[ -]\d{3,4}|0\d{1,3}[ ./-]\d{5,8}|(?:8\d{2}|199)[ -]\d{3}[ -]\d{3})(?!\d)/y,
  address: { '.': 'punto', '/': 'barra', '@': 'chiocciola', '-': 'trattino', _: 'trattino basso', ':': 'due punti' },
  followers: ['case', 'acque'],
  openers: wordSet(
    'e ed o ma né perché benché poiché come quando dove mentre se che chi cui per con senza di del della dei in nel nella a al alla da dal dalla tra fra su secondo verso',
  ),
  ...italianAbbreviations,
};
