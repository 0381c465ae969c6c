import { wordSet } from '../patterns.ts';
import { frenchAbbreviations } from './abbreviations/french.ts';
import { feminine, masculine } from './genders/french.ts';
import { bySigns, genderByEnding, type LanguageRules } from './rules.ts';

const feminineEnd =
  /(?:tions?|sions?|tés?|ettes?|[ae]nces?|ures?|ies?|ées?|elles?|esses?|ades?|aines?|illes?|ines?|euses?|trices?|ises?|ches?|nnes?|rres?|ques?|udes?|ouilles?|asses?|ières?)$/u;
const uncounted = wordSet(
  `de du des et ou à au aux en dans par pour que est sont le la les plus moins mille million millions milliard près sur sous
  sans vers chez puis après avant depuis pendant dès mais ni comme quand si alors très toujours jamais ces ses mes nos vos
  leurs nous vous ils elles environ`,
);
const denominators: Readonly<Record<number, string>> = { 2: 'demi', 3: 'tiers', 4: 'quart' };

const genderOf = genderByEnding(feminineEnd, { feminine, masculine, uncounted });

/** Words that are stressed by capitals, and acronyms that are read as words. */
const capitalized = wordSet(
  `le la les un une de du des en et est a ont pas ne ni non oui si que qui où ou par pour sur son ses mon mes ton tes nos vos au
  aux il ils on je tu te se ces cet car peu là ici mal vie fin été lui mot air onu caf cac bac rib ram sim pin led dom tom pac toc tic gif`,
);

/** The rules of French. */
export const french: LanguageRules = {
  tag: 'fr',
  voice: 'fr',
  letters: /^[\p{Script=Latin}\p{M}'’‑-]+$/u,
  number:
    /(?<whole>(?!0\.)\d{1,3}(?:[.\u00A0\u202F ]\d{3})+(?!\d)|\d{1,3}(?:(?:,\d{3})+(?=\.\d)|(?:,\d{3}){2,}(?!,?\d))|\d+)(?<decimals>(?<!\d,\d{1,15}),\d+(?!\d|,\d)|\.\d+(?!\.?\d))?/y,
  grouping: /[., \u00A0\u202F]/g,
  points: { ',': 'virgule', '.': 'point' },
  readDecimals: 3,
  minus: 'moins',
  countdown: /(?<!\p{L})[JH]$/u,
  power: 'puissance',
  plus: 'plus',
  sets: {
    alone: 'spellout-cardinal-masculine',
    masculine: 'spellout-cardinal-masculine',
    feminine: 'spellout-cardinal-feminine',
    ordinal: { masculine: 'spellout-ordinal-masculine', feminine: 'spellout-ordinal-feminine' },
  },
  genderOf,
  ordinal:
    /\d{1,6}(?:ers?|aines?|res?|ères?|i?[èé]mes?|emes?|nde?s?|es?|(?<=2)des?|(?<=2)d(?=\s(?:tour|degré|rang|plan|cycle|semestre|trimestre|alinéa|choix)(?!\p{L}))|ᵉʳˢ?|ʳᵉˢ?|ᵉˢ?|ⁿᵈᵉ?|ᵈᵉ?)(?![\p{L}\d])/uy,
  ordinalSuffix: (digits) => (digits === '1' ? 'er' : 'e'),
  // Superscripts are compatible with plain letters.
  ordinalGender: (suffix) => (/^(?:re|ère|n?de)/.test(suffix.normalize('NFKC')) ? 'feminine' : 'masculine'),
  correctOrdinal: (words, suffix) => {
    const ending = suffix.normalize('NFKC');
    const corrected = words
      .replace(/quatre-vingt-et-/, 'quatre-vingt-')
      .replace(/deuxième$/, /^n?de/.test(ending) ? 'seconde' : /^n?d/.test(ending) ? 'second' : 'deuxième');
    const about = ending.startsWith('aine')
      ? corrected.replace(/ième$/, 'aine').replace('dixaine', 'dizaine')
      : corrected;
    return ending.endsWith('s') ? `${about}s` : about;
  },
  date: (day, month, year) => `${day} ${month} ${year}`,
  firstDay: 'premier',
  shortMonths: { juill: 7 },
  dateBefore: /(?<!\p{L})(?:le|du|au)\s$/iu,
  hourUnit: /\s?h(?![\p{L}\d])/uy,
  halfDay: (hour, isAfternoon) => {
    if (hour === 0) return isAfternoon ? "de l'après-midi" : 'de la nuit';
    return !isAfternoon ? 'du matin' : hour >= 6 ? 'du soir' : "de l'après-midi";
  },
  time: /(?<h>[01]?\d|2[0-4])(?:\s?h(?:\s?(?<m>[0-5]\d)(?:\s?min)?)?(?![\p{L}\d])|:(?<m2>[0-5]\d)(?::(?<s>[0-5]\d))?(?![\p{L}\d:]))/uy,
  timeWords: (h, m, s, say) => {
    const hours = `${say(h, 'feminine')} ${h < 2 ? 'heure' : 'heures'}`;
    const minutes = m > 0 || s > 0 ? ` ${say(m, 'feminine')}` : '';
    return `${hours}${minutes}${s > 0 ? ` et ${say(s, 'feminine')} ${s === 1 ? 'seconde' : 'secondes'}` : ''}`;
  },
  currencies: {
    '$ CA': { one: 'dollar canadien', many: 'dollars canadiens', gender: 'masculine' },
    '$ US': { one: 'dollar américain', many: 'dollars américains', gender: 'masculine', cent: ['cent', 'cents'] },
    'F CFA': { one: 'franc CFA', many: 'francs CFA', gender: 'masculine' },
    ...bySigns({
      '€ EUR': { one: 'euro', many: 'euros', gender: 'masculine', cent: ['centime', 'centimes'] },
      '$ US$ USD': { one: 'dollar', many: 'dollars', gender: 'masculine', cent: ['cent', 'cents'] },
      $US: { one: 'dollar américain', many: 'dollars américains', gender: 'masculine', cent: ['cent', 'cents'] },
      '£ GBP £GB': { one: 'livre', many: 'livres', gender: 'feminine', cent: ['penny', 'pence'] },
      '¥ JPY JP¥': { one: 'yen', many: 'yens', gender: 'masculine' },
      'R$ BRL': { one: 'réal', many: 'réals', gender: 'masculine', cent: ['centavo', 'centavos'] },
      '₩ KRW': { one: 'won', many: 'wons', gender: 'masculine' },
      '₽ RUB': { one: 'rouble', many: 'roubles', gender: 'masculine' },
      '₺ TRY': { one: 'livre turque', many: 'livres turques', gender: 'feminine' },
      '₿ BTC': { one: 'bitcoin', many: 'bitcoins', gender: 'masculine' },
      'A$ AU$ AUD $AU': { one: 'dollar australien', many: 'dollars australiens', gender: 'masculine' },
      'MXN MX$ $MX': { one: 'peso mexicain', many: 'pesos mexicains', gender: 'masculine' },
      'C$ CA$ CAD $CA $CAN': { one: 'dollar canadien', many: 'dollars canadiens', gender: 'masculine' },
      'CNY RMB CN¥': { one: 'yuan', many: 'yuans', gender: 'masculine' },
      '₹': { one: 'roupie', many: 'roupies', gender: 'feminine', cent: ['paisa', 'paisas'] },
      'FCFA XOF XAF': { one: 'franc CFA', many: 'francs CFA', gender: 'masculine' },
      'fr. Fr.': { one: 'franc', many: 'francs', gender: 'masculine', cent: ['centime', 'centimes'] },
      CHF: { one: 'franc suisse', many: 'francs suisses', gender: 'masculine', cent: ['centime', 'centimes'] },
    }),
  },
  centsAfter: 'et',
  scale: /\s{1,3}(?:mille|millions?|milliards?|billions?)(?!\p{L})/uy,
  of: (noun) => (/^[aeiouyéèêh]/i.test(noun) && !noun.startsWith('yen') ? `d'${noun}` : `de ${noun}`),
  scales: bySigns({
    'k K': ['mille', 'mille'],
    'M m Mio': ['million', 'millions'],
    'Md Mds md mds Mrd B bn': ['milliard', 'milliards'],
  }),
  thousand: 'mille',
  itemBefore: /(?:(?<!\p{L})(?:aux?|du|des|les)|\d,)\s(?:\d{1,2}°(?:,\s|\s(?:et|à|ou)\s)){0,4}$/iu,
  percent: 'pour cent',
  perMille: 'pour mille',
  units: {
    hPa: ['hectopascal', 'hectopascals'],
    kPa: ['kilopascal', 'kilopascals'],
    MPa: ['mégapascal', 'mégapascals'],
    mmHg: ['millimètre de mercure', 'millimètres de mercure'],
    hg: ['hectogramme', 'hectogrammes'],
    cl: ['centilitre', 'centilitres'],
    dl: ['décilitre', 'décilitres'],
    mAh: ['milliampère-heure', 'milliampères-heures'],
    GHz: ['gigahertz', 'gigahertz'],
    MHz: ['mégahertz', 'mégahertz'],
    kHz: ['kilohertz', 'kilohertz'],
    Hz: ['hertz', 'hertz'],
    dB: ['décibel', 'décibels'],
    kcal: ['kilocalorie', 'kilocalories'],
    V: ['volt', 'volts'],
    MW: ['mégawatt', 'mégawatts'],
    GW: ['gigawatt', 'gigawatts'],
    µg: ['microgramme', 'microgrammes'],
    µm: ['micromètre', 'micromètres'],
    nm: ['nanomètre', 'nanomètres'],
    W: ['watt', 'watts'],
    Ko: ['kilooctet', 'kilooctets'],
    Mo: ['mégaoctet', 'mégaoctets'],
    Go: ['gigaoctet', 'gigaoctets'],
    To: ['téraoctet', 'téraoctets'],
    mol: ['mole', 'moles'],
    mmol: ['millimole', 'millimoles'],
    µmol: ['micromole', 'micromoles'],
    nmol: ['nanomole', 'nanomoles'],
    ng: ['nanogramme', 'nanogrammes'],
    mg: ['milligramme', 'milligrammes'],
    'mg/dL': ['milligramme par décilitre', 'milligrammes par décilitre'],
    'm²': ['mètre carré', 'mètres carrés'],
    'km²': ['kilomètre carré', 'kilomètres carrés'],
    'cm²': ['centimètre carré', 'centimètres carrés'],
    'm³': ['mètre cube', 'mètres cubes'],
    'cm³': ['centimètre cube', 'centimètres cubes'],
    kWh: ['kilowattheure', 'kilowattheures'],
    kW: ['kilowatt', 'kilowatts'],
    t: ['tonne', 'tonnes'],
  },
  per: 'par',
  by: 'sur',
  repeated: {
    one: 'fois',
    many: 'fois',
    next: /\s(?:par|plus|moins|sans frais)(?!\p{L})|\/(?:j|jour|semaine)(?!\p{L})/uy,
  },
  outOf: 'sur',
  outOfSmaller: true,
  steps: {
    before: /(?<!\p{L})(?:étape|page|partie|chapitre|diapositive|semaine|niveau|leçon|épisode|phase|tour)\s$/iu,
    of: 'sur',
  },
  over: 'sur',
  ages: { years: 'ans', over: 'plus de', under: 'moins de' },
  range: 'à',
  half: { masculine: 'un demi', feminine: 'une demi' },
  halfBehind: { masculine: 'demi', feminine: 'demie' },
  and: 'et',
  halfFollowsHours: true,
  plural: /[sx]$/,
  countable:
    /[sx]$|^(?:heure|minute|seconde|jour|an|année|semaine|tasse|kilo|litre|mètre|verre|kg|km|cm|mm|ml|g|m|l|h|min)$/iu,
  calculation:
    /(?<!\p{L})(?:combien (?:font?|fait)|calcul\p{L}{0,6}|soustra\p{L}{1,7}|(?<=\d\s)moins(?=\s\d)|égale?|(?:résultat|différence) de [\d\s-]{3,20}est)(?!\p{L})/iu,
  // The beginning of a sentence, a verb or a preposition is not a name: M. Il parle.
  titledNext:
    /\s(?!(?:[LDCJSTNQM]|Ils?|Elles?|On|Je|Tu|Nous|Vous|Ce|Cette|Ces|Cela|Ça|L[ae]s?|Une?|D[eu]s?|Et|Mais|Puis|Alors|En|À|Dans|Pour|Quand|Si|Comme)(?:\s|['’]|$)(?!\p{Lu})|(?:es?t|ou)\s(?!M)|(?:a|à|ont|sont|avait|était|fut|en|dans|avec|qui|que|pour|par|sur)\s)\p{L}/uy,
  singular: (noun) => noun.replace(/s$/, ''),
  articleBefore: /(?<!\p{L})(?:une?|le|au|du)\s$/iu,
  quarter: 'trimestre',
  meter: (above, below) => `${above} ${below}`,
  records: [{ V: ['victoire', 'victoires'], N: ['nul', 'nuls'], D: ['défaite', 'défaites'] }],
  round: (below) =>
    ({ 2: 'demi', 4: 'quart de', 8: 'huitième de', 16: 'seizième de', 32: 'trente-deuxième de' })[below],
  fraction: (above, below, ordinal) => {
    const count = ['', 'un', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf'][above];
    if (!count || below < 2 || below > 10) return undefined;
    const name = denominators[below] ?? ordinal(below);
    return `${count} ${name}${above > 1 && !name.endsWith('s') ? 's' : ''}`;
  },
  symbols: {
    '&': 'et',
    '+': 'plus',
    '=': 'égale',
    '×': 'fois',
    '*': 'fois',
    '÷': 'divisé par',
    '/': 'barre oblique',
    '@': 'arobase',
    '#': 'numéro',
    '%': 'pour cent',
    '°': 'degrés',
    '±': 'plus ou moins',
    '−': 'moins',
    '<': 'inférieur à',
    '>': 'supérieur à',
    '≤': 'inférieur ou égal à',
    '≥': 'supérieur ou égal à',
    '≠': 'différent de',
    '≈': 'environ',
    '√': 'racine carrée de',
    '§': 'paragraphe',
    '§§': 'paragraphes',
    '→': 'flèche',
    '€': 'euros',
    $: 'dollars',
    '£': 'livres',
    '★': 'étoile',
    '♥': 'cœur',
    '❤': 'cœur',
    '½': 'un demi',
    '¼': 'un quart',
    '¾': 'trois quarts',
    '∈': 'appartient à',
    '∉': "n'appartient pas à",
    '∞': 'infini',
    '∑': 'somme de',
    '∏': 'produit de',
    '∫': 'intégrale de',
    '∂': 'dérivée partielle de',
    '∇': 'nabla',
    '∀': 'pour tout',
    '∃': 'il existe',
    '¬': 'non',
    '∧': 'et',
    '∨': 'ou',
    '∪': 'union',
    '∩': 'inter',
    '⊂': 'inclus dans',
    '⊆': 'inclus dans',
    '∅': 'ensemble vide',
    '⇒': 'implique',
    '⇔': 'équivaut à',
    '≡': 'équivalent à',
    '∝': 'proportionnel à',
    '∛': 'racine cubique de',
    '∴': 'donc',
    '←': 'flèche gauche',
    '∓': 'moins ou plus',
    '∠': 'angle',
    '∆': 'delta',
    '⋅': 'fois',
    '|x|': 'valeur absolue de',
    mod: 'modulo',
    '⌘': 'commande',
    '⇧': 'majuscule',
    '⌥': 'option',
    '⌃': 'contrôle',
    '⎋': 'échap',
    '⇥': 'tabulation',
    '⌫': 'retour arrière',
    '⏎': 'entrée',
    '↵': 'entrée',
    '²': 'au carré',
    '³': 'au cube',
  },
  numbered: wordSet(
    'siècle siècles chapitre chapitres tome tomes volume volumes article articles acte actes livre livres partie parties titre titres annexe annexes guerre pape roi',
  ),
  rulers: wordSet('charles henri napoléon louis philippe jean pie paul'),
  bothGenders: 'et',
  eitherGender: 'ou',
  dotsBeforeFeminine: true,
  genderPairs: {
    il: 'elle',
    ils: 'elles',
    le: 'la',
    un: 'une',
    ce: 'cette',
    du: 'de la',
    chers: 'chères',
    cher: 'chère',
  },
  // pl. de la Bourse, but nom masc. pl., and (pl. yeux)
  nameTitle: (abbreviation, name, before) => {
    if (abbreviation !== 'pl.' || /\d\s?$/.test(before)) return undefined;
    return /^(?:d[eu]s?$|d['’]|\p{Lu})/u.test(name) && !/(?:\p{L}\.\s|\()$/u.test(before) ? 'place' : '';
  },
  queens: new Set<string>(),
  namesNumerals: true,
  spelled: wordSet(
    'XL CM MM ISBN ISSN CJUE OCDE HDMI ANSM IRSN EURL SARL SCPI CEDH ESPN FMI UE VIH IMC GPU OM OL IA JO',
  ),
  capitalized,
  romanOrdinal: /([IVX]+|[IVXLC]{2,})((?<=(?<![IVXLC])I)(?:er|ère|re|ᵉʳ|ʳᵉ)|e|ème|ᵉ)(?![\p{L}\d])/uy,
  roman: (value, previous) =>
    value === 1 && !/^(?:chapitre|tome|volume|acte|livre|titre|annexe|partie)s?$/i.test(previous)
      ? 'ordinal'
      : 'cardinal',
  phone: /0\d(?:[ .-]\d{2}){4}(?!\d)/y,
  phonePairs: true,
  address: { '.': 'point', '/': 'slash', '@': 'arobase', '-': 'tiret', _: 'tiret bas', ':': 'deux points' },
  followers: ['tables', 'arbres'],
  openers: wordSet(
    'et ou mais ni car donc or parce puisque quoique quand lorsque où si que qui dont comme pour par avec sans de du des en dans à au aux depuis entre sur sous selon vers chez',
  ),
  ...frenchAbbreviations,
};
