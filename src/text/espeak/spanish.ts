import { wordSet } from '../patterns.ts';
import { spanishAbbreviations } from './abbreviations/spanish.ts';
import { feminine, masculine } from './genders/spanish.ts';
import { bySigns, genderByEnding, type LanguageRules } from './rules.ts';

const feminineEnd = /(?:as?|ción|ciones|sión|siones|dad|dades|tad|tades|tud|tudes|umbres?|ez)$/u;
const uncounted = wordSet(
  `de del y e o u a al en con por para que es son el la los las más menos mil millón millones desde hasta sobre entre sin
  durante según tras hacia ante contra pero ni como cuando donde si porque después antes además entonces gracias sus mis
  gratis nos os les puede pueden fue era está tiene tienen debe se le lo no ya muy`,
);
/** Common names of men, before which D. is not an initial. */
const men = wordSet(
  `agustín alberto alejandro alfonso alonso álvaro andrés ángel antonio carlos daniel david diego eduardo emilio enrique
  felipe fernando francisco gonzalo ignacio jaime javier jesús joaquín jorge josé juan julio luis manuel mariano miguel
  pablo pedro quijote rafael ramón ricardo rodrigo santiago sergio tomás vicente`,
);
/** Feminine nouns that begin with a stressed a. */
const stressedA = wordSet('agua águila alma ala área arma aula hacha hambre habla haya asta ancla arca ave ama');
const denominators = [
  '',
  '',
  'medio',
  'tercio',
  'cuarto',
  'quinto',
  'sexto',
  'séptimo',
  'octavo',
  'noveno',
  'décimo',
  'onceavo',
  'doceavo',
];

const genderOf = genderByEnding(feminineEnd, { feminine, masculine, uncounted });

/** Words that are stressed by capitals, and acronyms that are read as words. */
const capitalized = wordSet(
  `no sí si ya muy que qué el la lo los las le les un una uno en de del al con sin por ni mi tu tus su sus mis yo tú él nos os
  me te es son fue era ser hay han has he ha así más mas tan aún aun hoy vez dos mal fin eso esa ese día voy vas van soy dar ver ojo
  oro luz mar sol rey ley paz pan gas red sea onu pib iva nif cif nie ave rae uci uvi ram rom sim pin mir ere ibi led pac tac toc tic ocu ine
  ume vip var gif zip pri dif sat seo`,
);

/** The rules of Spanish. */
export const spanish: LanguageRules = {
  tag: 'es',
  voice: 'es',
  letters: /^[\p{Script=Latin}\p{M}'’‑-]+$/u,
  number:
    /(?:(?<whole>(?!0\.)\d{1,3}(?:[.\u00A0\u202F]\d{3})+(?!\d)|[1-9]\d{0,2}(?: \d{3})+(?!\d)|\d{1,3}(?:(?:,\d{3})+(?=\.\d)|(?:,\d{3}){2,}(?!,?\d))|\d+))(?<decimals>(?<!\d,\d{1,15}),\d+(?!\d|,\d)|\.\d+(?!\.?\d))?/y,
  grouping: /[., \u00A0\u202F]/g,
  points: { ',': 'coma', '.': 'punto' },
  apostropheDecimals: true,
  readDecimals: 2,
  minus: 'menos',
  power: 'a la',
  plus: 'más',
  sets: {
    alone: 'spellout-numbering',
    masculine: 'spellout-cardinal-masculine',
    feminine: 'spellout-cardinal-feminine',
    ordinal: { masculine: 'spellout-ordinal-masculine', feminine: 'spellout-ordinal-feminine' },
  },
  genderOf,
  // Hundreds of thousands agree too: doscientas mil personas.
  // El agua, un agua.
  correct: (words, noun) =>
    words === 'una' && stressedA.has(noun.toLowerCase())
      ? 'un'
      : genderOf(noun) === 'feminine'
        ? words.replace(/ientos(?= (?:(?!mill)\S+ ){0,3}mil(?! millones)(?!\p{L}))/gu, 'ientas')
        : words,
  ordinal:
    /\d{1,6}\.?(?:[ºª°]|(?:er|e?ro|e?ra|do|da|to|ta|vo|va|mo|ma|no|na)(?![\p{L}\d])|(?<=(?<!\d)[123])o(?![\p{L}\d])|o(?=\s(?:año|grado|piso|lugar|puesto|curso|ciclo|semestre|trimestre|aniversario|capítulo|artículo|párrafo|per[ií]odo|mes|día|siglo)(?!\p{L}))|a(?=\s(?:\p{Ll}{2,20}(?:a|ción|sión|dad)|vez|parte|clase|fase|noche|serie|base)(?!\p{L})))/uy,
  ordinalSuffix: () => '.º',
  ordinalGender: (suffix) => (/^(?:ª|e?.?a)$/.test(suffix) ? 'feminine' : 'masculine'),
  correctOrdinal: (words, suffix, noun) => {
    const isNoun = noun.length > 1 && !uncounted.has(noun.toLowerCase()) && !/^(?:iz[qd]|der|dch|ext|int)/i.test(noun);
    const short = suffix === 'er' || (/[º°]/.test(suffix) && isNoun);
    const corrected = words.replace(/^decimoprimer/, 'undécim');
    return short ? corrected.replace(/(primer|tercer)o$/, '$1') : corrected;
  },
  date: (day, month, year) => `${day} de ${month} de ${year}`,
  dateBefore: /(?<!\p{L})(?:el|del|al|día|hasta el|desde el)\s$/iu,
  timeBefore: /(?<!\p{L})(?:a|de|desde|hasta) las?\s(?:\d{1,2}[.,]\d{2}\s?[-–]\s?)?$/iu,
  halfDay: (hour, isAfternoon) => {
    if (hour === 0) return isAfternoon ? 'del mediodía' : 'de la noche';
    return !isAfternoon ? 'de la mañana' : hour >= 8 ? 'de la noche' : 'de la tarde';
  },
  time: /(?<h>[01]?\d|2[0-4])[:h](?<m>[0-5]\d)(?::(?<s>[0-5]\d))?(?:\s?(?:h|hs|hrs)(?!\p{L})\.?)?(?![\p{L}\d:])/uy,
  hourUnit: /\s?(?:h|hs|hrs|horas)(?!\p{L})/uy,
  timeWords: (h, m, s, say) =>
    `${say(h, 'feminine')} ${m === 0 && s === 0 ? (h >= 1 && h <= 12 ? 'en punto' : 'horas') : `y ${m === 0 ? 'cero' : say(m)}`}${s > 0 ? ` y ${say(s, 'masculine')} ${s === 1 ? 'segundo' : 'segundos'}` : ''}`,
  currencies: bySigns({
    '€ EUR': { one: 'euro', many: 'euros', gender: 'masculine', cent: ['céntimo', 'céntimos'] },
    '$ US$ U$S U$ USD': { one: 'dólar', many: 'dólares', gender: 'masculine', cent: ['centavo', 'centavos'] },
    '£ GBP': { one: 'libra', many: 'libras', gender: 'feminine', cent: ['penique', 'peniques'] },
    '¥ JPY JP¥': { one: 'yen', many: 'yenes', gender: 'masculine' },
    'R$ BRL': { one: 'real', many: 'reales', gender: 'masculine', cent: ['centavo', 'centavos'] },
    '₩ KRW': { one: 'won', many: 'wones', gender: 'masculine' },
    '₽ RUB': { one: 'rublo', many: 'rublos', gender: 'masculine' },
    '₺ TRY': { one: 'lira turca', many: 'liras turcas', gender: 'feminine' },
    '₿ BTC': { one: 'bitcoin', many: 'bitcoines', gender: 'masculine' },
    'A$ AU$ AUD': { one: 'dólar australiano', many: 'dólares australianos', gender: 'masculine' },
    'C$ CA$ CAD': { one: 'dólar canadiense', many: 'dólares canadienses', gender: 'masculine' },
    'CNY RMB CN¥': { one: 'yuan', many: 'yuanes', gender: 'masculine' },
    '₡ CRC': { one: 'colón', many: 'colones', gender: 'masculine' },
    'S/ PEN': { one: 'sol', many: 'soles', gender: 'masculine', cent: ['céntimo', 'céntimos'] },
    '₹': { one: 'rupia', many: 'rupias', gender: 'feminine', cent: ['paisa', 'paisas'] },
    pesos: { one: 'peso', many: 'pesos', gender: 'masculine', cent: ['centavo', 'centavos'] },
    ARS: { one: 'peso argentino', many: 'pesos argentinos', gender: 'masculine', cent: ['centavo', 'centavos'] },
    CLP: { one: 'peso chileno', many: 'pesos chilenos', gender: 'masculine' },
    COP: { one: 'peso colombiano', many: 'pesos colombianos', gender: 'masculine', cent: ['centavo', 'centavos'] },
    'MXN MXN$ MX$': {
      one: 'peso mexicano',
      many: 'pesos mexicanos',
      gender: 'masculine',
      cent: ['centavo', 'centavos'],
    },
    CHF: { one: 'franco suizo', many: 'francos suizos', gender: 'masculine', cent: ['céntimo', 'céntimos'] },
  }),
  centsAfter: 'con',
  scale: /\s{1,3}(?:mil(?: millones)?|millón|millones|billón|billones|trillón|trillones)(?!\p{L})/uy,
  of: (noun) => `de ${noun}`,
  scales: bySigns({
    'k K': ['mil', 'mil'],
    'M MM m mill mln Mio': ['millón', 'millones'],
    'B bn Md': ['mil millones', 'mil millones'],
    bill: ['billón', 'billones'],
  }),
  thousand: 'mil',
  percent: 'por ciento',
  perMille: 'por mil',
  units: {
    hPa: ['hectopascal', 'hectopascales'],
    kPa: ['kilopascal', 'kilopascales'],
    MPa: ['megapascal', 'megapascales'],
    mmHg: ['milímetro de mercurio', 'milímetros de mercurio'],
    hg: ['hectogramo', 'hectogramos'],
    cl: ['centilitro', 'centilitros'],
    dl: ['decilitro', 'decilitros'],
    mAh: ['miliamperio hora', 'miliamperios hora'],
    GHz: ['gigahercio', 'gigahercios'],
    MHz: ['megahercio', 'megahercios'],
    kHz: ['kilohercio', 'kilohercios'],
    Hz: ['hercio', 'hercios'],
    dB: ['decibelio', 'decibelios'],
    kcal: ['kilocaloría', 'kilocalorías'],
    V: ['voltio', 'voltios'],
    MW: ['megavatio', 'megavatios'],
    GW: ['gigavatio', 'gigavatios'],
    µg: ['microgramo', 'microgramos'],
    µm: ['micrómetro', 'micrómetros'],
    nm: ['nanómetro', 'nanómetros'],
    W: ['vatio', 'vatios'],
    mol: ['mol', 'moles'],
    mmol: ['milimol', 'milimoles'],
    µmol: ['micromol', 'micromoles'],
    nmol: ['nanomol', 'nanomoles'],
    ng: ['nanogramo', 'nanogramos'],
    mg: ['miligramo', 'miligramos'],
    'mg/dL': ['miligramo por decilitro', 'miligramos por decilitro'],
    'm²': ['metro cuadrado', 'metros cuadrados'],
    'km²': ['kilómetro cuadrado', 'kilómetros cuadrados'],
    'cm²': ['centímetro cuadrado', 'centímetros cuadrados'],
    'm³': ['metro cúbico', 'metros cúbicos'],
    'cm³': ['centímetro cúbico', 'centímetros cúbicos'],
    kWh: ['kilovatio hora', 'kilovatios hora'],
    kW: ['kilovatio', 'kilovatios'],
    t: ['tonelada', 'toneladas'],
  },
  per: 'por',
  repeated: { one: 'vez', many: 'veces', next: /\s(?:al|por|más|menos|cada|sin|de)(?!\p{L})|\/(?:d[ií]a|semana)/uy },
  outOf: 'sobre',
  steps: {
    before:
      /(?<!\p{L})(?:paso|p[áa]g(?:ina|\.)|parte|cap[íi]tulo|diapositiva|semana|nivel|lecci[óo]n|episodio|ronda|fase)\s$/iu,
    of: 'de',
  },
  over: 'sobre',
  ages: { years: 'años', over: 'más de', under: 'menos de' },
  range: 'a',
  half: { masculine: 'medio', feminine: 'media' },
  halfBehind: { masculine: 'medio', feminine: 'media' },
  and: 'y',
  plural: /[sx]$/,
  countable:
    /s$|^(?:hora|taza|kilo|litro|metro|año|mes|día|semana|minuto|segundo|cucharada|cucharadita|vaso|copa|kg|km|cm|mm|ml|g|m|l|h|min)$/iu,
  calculation:
    /(?<!\p{L})(?:cuánto (?:es|son|da|vale)|calcul\p{L}{1,6}|rest(?:a|ar|amos|ando)|(?<=\d\s)menos(?=\s\d)|igual a|(?:resultado|diferencia) de [\d\s-]{3,20}es)(?!\p{L})/iu,
  singular: (noun) => (/[ao]s?$/.test(noun) ? noun.replace(/s$/, '') : /[^s]$/.test(noun) ? noun : undefined),
  isUnnamedFractionDate: true,
  articleBefore: /(?<!\p{L})(?:un|el|al|del)\s$/iu,
  parts: /^partes?$/,
  quarter: 'trimestre',
  meter: (above, below) => `${above} por ${below}`,
  records: [
    { G: ['victoria', 'victorias'], E: ['empate', 'empates'], P: ['derrota', 'derrotas'] },
    { V: ['victoria', 'victorias'], E: ['empate', 'empates'], D: ['derrota', 'derrotas'] },
  ],
  born: { in: 'nacido en', on: 'nacido el' },
  fraction: (above, below, ordinal) => {
    if (above === 1 && below === 2) return 'un medio';
    if (above < 1 || above > 20 || below < 2 || below > 10 || above >= below * 10) return undefined;
    const name = denominators[below] ?? ordinal(below);
    const count = ['', 'un', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve'][above];
    return count && `${count} ${name}${above > 1 ? 's' : ''}`;
  },
  symbols: {
    '&': 'y',
    '+': 'más',
    '=': 'igual a',
    '×': 'por',
    '*': 'por',
    '÷': 'dividido entre',
    '/': 'barra',
    '@': 'arroba',
    '#': 'número',
    '%': 'por ciento',
    '°': 'grados',
    '±': 'más menos',
    '−': 'menos',
    '<': 'menor que',
    '>': 'mayor que',
    '≤': 'menor o igual que',
    '≥': 'mayor o igual que',
    '≠': 'distinto de',
    '≈': 'aproximadamente',
    '√': 'raíz cuadrada de',
    '§': 'sección',
    '§§': 'secciones',
    '→': 'flecha',
    '€': 'euros',
    $: 'dólares',
    '£': 'libras',
    '★': 'estrella',
    '♥': 'corazón',
    '❤': 'corazón',
    '½': 'un medio',
    '¼': 'un cuarto',
    '¾': 'tres cuartos',
    '∈': 'pertenece a',
    '∉': 'no pertenece a',
    '∞': 'infinito',
    '∑': 'suma de',
    '∏': 'producto de',
    '∫': 'integral de',
    '∂': 'derivada parcial de',
    '∇': 'nabla',
    '∀': 'para todo',
    '∃': 'existe',
    '¬': 'no',
    '∧': 'y',
    '∨': 'o',
    '∪': 'unión',
    '∩': 'intersección',
    '⊂': 'contenido en',
    '⊆': 'contenido en',
    '∅': 'conjunto vacío',
    '⇒': 'implica',
    '⇔': 'equivale a',
    '≡': 'equivalente a',
    '∝': 'proporcional a',
    '∛': 'raíz cúbica de',
    '∴': 'por lo tanto',
    '←': 'flecha izquierda',
    '∓': 'menos más',
    '∠': 'ángulo',
    '∆': 'delta',
    '⋅': 'por',
    '|x|': 'valor absoluto de',
    mod: 'módulo',
    '⌘': 'comando',
    '⇧': 'mayúsculas',
    '⌥': 'opción',
    '⌃': 'control',
    '⎋': 'escape',
    '⇥': 'tabulador',
    '⌫': 'retroceso',
    '⏎': 'intro',
    '↵': 'intro',
    '²': 'al cuadrado',
    '³': 'al cubo',
  },
  nameTitle: (abbreviation, name) => (abbreviation === 'D.' && men.has(name.toLowerCase()) ? 'don' : undefined),
  bothGenders: 'y',
  eitherGender: 'o',
  genderPairs: { él: 'ella', ellos: 'ellas', el: 'la', los: 'las', un: 'una', al: 'la', del: 'la' },
  numbered: wordSet(
    'siglo siglos capítulo capítulos tomo tomos escena volumen artículo artículos acto actos libro libros parte partes título títulos anexo guerra edición aniversario congreso papa rey',
  ),
  kinds: wordSet('fase etapa zona clase tipo grado nivel categoría módulo unidad estadio'),
  numberedAfter: wordSet(
    'república plan jornada jornadas cumbre concurso festival encuentro encuentros torneo certamen premio feria foro simposio conferencia centenario internacional reich legislatura concilio milenio bienal trimestre semestre semana copa',
  ),
  articles: { masculine: wordSet('el los al del su'), feminine: wordSet('la las') },
  rulers: wordSet('carlos felipe isabel juan pedro alfonso fernando enrique luis pablo pío jaime'),
  queens: wordSet('isabel elizabeth isabela juana maría catalina cristina ana victoria margarita beatriz'),
  spelled: wordSet('XL ADSL ISBN ISSN ESPN IMDB IEEE OCDE IRPF UCLM UE IA VIH ADN ARN IMC CE USB'),
  capitalized,
  romanOrdinal: /([IVXLC]+)([ºª])(?![\p{L}\d])/uy,
  roman: (value, previous, next) => {
    if (/^(?:edición|aniversario|congreso)$/i.test(next)) return 'ordinal';
    return value <= 10 && !/^(?:tomos?|volumen|libros?|títulos?|anexo)$/i.test(previous) ? 'ordinal' : 'cardinal';
  },
  phone:
    /(?:0?800[ -]\d{3}[ -]\d{3,4}|[89]\d[ .-]\d{3}(?:[ .-]\d{2}){2}|\d{2} \d{4} \d{4}|[6789]\d{2}(?:[ .-]\d{3}){2}|[6789]\d{2}(?:[ .-]\d{2}){3}|\(\d{2,3}\) ?\d{3,4}[ -]\d{4})(?!\d|[.,]\d)/y,
  address: { '.': 'punto', '/': 'barra', '@': 'arroba', '-': 'guion', _: 'guion bajo', ':': 'dos puntos' },
  followers: ['casas', 'aguas'],
  openers: wordSet(
    'y e o u pero mas ni sino porque aunque pues como cuando donde mientras si que quien quienes cual cuyo para por con sin de en a al desde hasta entre sobre según tras hacia',
  ),
  ...spanishAbbreviations,
};
