import { wordSet } from '../patterns.ts';
import { portugueseAbbreviations } from './abbreviations/portuguese.ts';
import { feminine, masculine } from './genders/portuguese.ts';
import { bySigns, genderByEnding, type LanguageRules } from './rules.ts';

const feminineEnd = /(?:as?|ção|ções|são|sões|dades?|gem|gens|tudes?|ices?)$/u;
const uncounted = wordSet(
  `de do da dos das e ou a à ao em com por para que é são o os as mais menos mil milhão milhões bilhão bilhões desde até
  sobre entre sem durante após depois antes mas nem como quando onde se porque seus suas nos nas no na pelos pelas pode tem foi era está deve se não já`,
);
const denominators = ['', '', 'meio', 'terço', 'quarto', 'quinto', 'sexto', 'sétimo', 'oitavo', 'nono', 'décimo'];

const saints = wordSet('paulo pedro joão josé francisco jorge luís sebastião bento caetano vicente bernardo miguel');

const genderOf = genderByEnding(feminineEnd, { feminine, masculine, uncounted });

/** Words that are stressed by capitals, and acronyms that are read as words. */
const capitalized = wordSet(
  `não sim sem que os as com uma um na no nas nos em de da do das dos por nem só foi ser já mas eu tu ao aos se te sou são até
  bem mal meu seu sua vez fim dia lá aí cá né nós ela ele mãe pai dez mil vai vem tem ter ver era há onu pib sus usp cia pix mei cep upa mec
  ong pac ram rom pin led vip var sac pet une cid`,
);

/** Words that often begin a sentence. */
const sentenceStarts = wordSet('ele ela eles elas eu você nós não mas e o a os as foi depois então quando se isso');

/** The rules of Brazilian Portuguese. */
export const portuguese: LanguageRules = {
  tag: 'pt-BR',
  voice: 'pt-br',
  letters: /^[\p{Script=Latin}\p{M}'’‑-]+$/u,
  number:
    /(?<whole>(?!0\.)\d{1,3}(?:[.\u00A0\u202F]\d{3})+(?!\d)|[1-9]\d{0,2}(?: \d{3})+(?!\d)|\d{1,3}(?:(?:,\d{3})+(?=\.\d)|(?:,\d{3}){2,}(?!,?\d))|\d+)(?<decimals>(?<!\d,\d{1,15}),\d+(?!\d|,\d)|\.\d+(?!\.?\d))?/y,
  grouping: /[., \u00A0\u202F]/g,
  points: { ',': 'vírgula', '.': 'ponto' },
  readDecimals: 2,
  minus: 'menos',
  power: 'elevado a',
  plus: 'mais',
  sets: {
    alone: 'spellout-cardinal-masculine',
    masculine: 'spellout-cardinal-masculine',
    feminine: 'spellout-cardinal-feminine',
    ordinal: { masculine: 'spellout-ordinal-masculine', feminine: 'spellout-ordinal-feminine' },
  },
  genderOf,
  ordinal: /\d{1,6}\.?(?:[ºª°]|[oa](?![\p{L}\d]))/uy,
  ordinalSuffix: () => 'º',
  ordinalGender: (suffix) => (/[ªa]/.test(suffix) ? 'feminine' : 'masculine'),
  date: (day, month, year) => `${day} de ${month} de ${year}`,
  firstDay: 'primeiro',
  dateBefore: /(?<!\p{L})dia\s$/iu,
  timeBefore: /(?<!\p{L})(?:às|[àd]as|pelas)\s(?:\d{1,2}[.,]\d{2}\s?[-–]\s?)?$/iu,
  hourUnit: /\s?(?:h|horas)(?!\p{L})/uy,
  halfDay: (hour, isAfternoon) =>
    isAfternoon ? (hour >= 6 ? 'da noite' : 'da tarde') : hour === 0 ? 'da noite' : 'da manhã',
  time: /(?<h>[01]?\d|2[0-4])(?:\s?h(?:\s?(?<m>[0-5]\d))?(?:min)?(?![\p{L}\d])|:(?<m2>[0-5]\d)(?::(?<s>[0-5]\d))?(?:\s?h(?:s|rs)?(?!\p{L}))?(?![\p{L}\d:]))/uy,
  timeWords: (h, m, s, say) => {
    const parts = [`${say(h, 'feminine')} ${h < 2 ? 'hora' : 'horas'}`];
    if (m > 0) parts.push(`${say(m, 'masculine')} ${m === 1 ? 'minuto' : 'minutos'}`);
    if (s > 0) parts.push(`${say(s, 'masculine')} ${s === 1 ? 'segundo' : 'segundos'}`);
    return parts.join(', ').replace(/, (?=[^,]*$)/, ' e ');
  },
  currencies: bySigns({
    'R$ BRL': { one: 'real', many: 'reais', gender: 'masculine', cent: ['centavo', 'centavos'] },
    '€ EUR': { one: 'euro', many: 'euros', gender: 'masculine', cent: ['centavo', 'centavos'] },
    '$ US$ U$S U$ USD': { one: 'dólar', many: 'dólares', gender: 'masculine', cent: ['centavo', 'centavos'] },
    '£ GBP': { one: 'libra', many: 'libras', gender: 'feminine', cent: ['pêni', 'pence'] },
    '¥ JPY JP¥': { one: 'iene', many: 'ienes', gender: 'masculine' },
    '₩ KRW': { one: 'won', many: 'wons', gender: 'masculine' },
    '₽ RUB': { one: 'rublo', many: 'rublos', gender: 'masculine' },
    '₺ TRY': { one: 'lira turca', many: 'liras turcas', gender: 'feminine' },
    '₿ BTC': { one: 'bitcoin', many: 'bitcoins', gender: 'masculine' },
    'A$ AU$ AUD': { one: 'dólar australiano', many: 'dólares australianos', gender: 'masculine' },
    'MXN MX$': { one: 'peso mexicano', many: 'pesos mexicanos', gender: 'masculine' },
    'C$ CA$ CAD': { one: 'dólar canadense', many: 'dólares canadenses', gender: 'masculine' },
    'CNY RMB CN¥': { one: 'yuan', many: 'yuans', gender: 'masculine' },
    '₹': { one: 'rupia', many: 'rupias', gender: 'feminine', cent: ['paisa', 'paisas'] },
    CHF: { one: 'franco suíço', many: 'francos suíços', gender: 'masculine', cent: ['centavo', 'centavos'] },
  }),
  centsAfter: 'e',
  scale: /\s{1,3}(?:mil|milhão|milhões|bilhão|bilhões|trilhão|trilhões)(?!\p{L})/uy,
  of: (noun) => `de ${noun}`,
  scales: bySigns({
    'k K': ['mil', 'mil'],
    'mi M MM m Mio': ['milhão', 'milhões'],
    'bi B bn': ['bilhão', 'bilhões'],
    tri: ['trilhão', 'trilhões'],
  }),
  thousand: 'mil',
  percent: 'por cento',
  perMille: 'por mil',
  units: {
    hPa: ['hectopascal', 'hectopascais'],
    kPa: ['quilopascal', 'quilopascais'],
    MPa: ['megapascal', 'megapascais'],
    mmHg: ['milímetro de mercúrio', 'milímetros de mercúrio'],
    hg: ['hectograma', 'hectogramas'],
    cl: ['centilitro', 'centilitros'],
    dl: ['decilitro', 'decilitros'],
    mAh: ['miliampere-hora', 'miliamperes-hora'],
    GHz: ['giga-hertz', 'giga-hertz'],
    MHz: ['mega-hertz', 'mega-hertz'],
    kHz: ['quilo-hertz', 'quilo-hertz'],
    Hz: ['hertz', 'hertz'],
    dB: ['decibel', 'decibéis'],
    kcal: ['quilocaloria', 'quilocalorias'],
    V: ['volt', 'volts'],
    MW: ['megawatt', 'megawatts'],
    GW: ['gigawatt', 'gigawatts'],
    µg: ['micrograma', 'microgramas'],
    µm: ['micrômetro', 'micrômetros'],
    nm: ['nanômetro', 'nanômetros'],
    W: ['watt', 'watts'],
    mol: ['mol', 'mols'],
    mmol: ['milimol', 'milimols'],
    µmol: ['micromol', 'micromols'],
    nmol: ['nanomol', 'nanomols'],
    ng: ['nanograma', 'nanogramas'],
    mg: ['miligrama', 'miligramas'],
    'mg/dL': ['miligrama por decilitro', 'miligramas por decilitro'],
    'm²': ['metro quadrado', 'metros quadrados'],
    'km²': ['quilômetro quadrado', 'quilômetros quadrados'],
    'cm²': ['centímetro quadrado', 'centímetros quadrados'],
    'm³': ['metro cúbico', 'metros cúbicos'],
    'cm³': ['centímetro cúbico', 'centímetros cúbicos'],
    kWh: ['quilowatt-hora', 'quilowatts-hora'],
    kW: ['quilowatt', 'quilowatts'],
    t: ['tonelada', 'toneladas'],
  },
  per: 'por',
  by: 'por',
  goals:
    /(?<!\p{L})(?:jogo|partida|tempo|intervalo|termin\p{L}{1,4}|acab\p{L}{1,4}|placar|resultado|venc\p{L}{1,6}|ganh\p{L}{1,6}|perd\p{L}{1,6}|empat\p{L}{1,6}|derrot\p{L}{1,6}|bat\p{L}{1,4}|vitória|gole\p{L}{1,6})(?:\s\p{L}{1,15}){0,4}:?\s\d{1,2}\s?$/iu,
  repeated: {
    one: 'vez',
    many: 'vezes',
    next: /\s(?:(?:de|sem|ao?|à|por|mais|menos|no|na)(?!\p{L})|[sc]\/)|\s?R\$|\/(?:dia|semana)/uy,
  },
  outOf: 'de',
  steps: {
    before:
      /(?<!\p{L})(?:passo|p[áa]g(?:ina|\.)|parte|cap[íi]tulo|slide|semana|n[íi]vel|lição|epis[óo]dio|etapa|fase)\s$/iu,
    of: 'de',
  },
  every: 'em',
  over: 'por',
  ages: { years: 'anos', over: 'mais de', under: 'menos de' },
  range: 'a',
  half: { masculine: 'meio', feminine: 'meia' },
  halfBehind: { masculine: 'meio', feminine: 'meia' },
  and: 'e',
  metresAnd: 'e',
  plural: /[sx]$/,
  countable:
    /s$|^(?:hora|xícara|quilo|litro|metro|ano|mês|dia|semana|minuto|segundo|colher|copo|taça|kg|km|cm|mm|ml|g|m|l|h|min)$/iu,
  calculation:
    /(?<!\p{L})(?:quanto (?:é|são|dá|vale)|calcul\p{L}{1,6}|subtra\p{L}{1,6}|(?<=\d\s)menos(?=\s\d)|igual a|(?:resultado|diferença) de [\d\s-]{3,20}é)(?!\p{L})/iu,
  singular: (noun) => (/[ao]s?$/.test(noun) ? noun.replace(/s$/, '') : /[^s]$/.test(noun) ? noun : undefined),
  isUnnamedFractionDate: true,
  articleBefore: /(?<!\p{L})(?:um|o|ao|do|no|pelo)\s$/iu,
  parts: /^partes?$/,
  quarter: 'trimestre',
  meter: (above, below) => `${above} por ${below}`,
  records: [{ V: ['vitória', 'vitórias'], E: ['empate', 'empates'], D: ['derrota', 'derrotas'] }],
  born: { in: 'nascido em', on: 'nascido em' },
  fraction: (above, below, ordinal) => {
    const count = ['', 'um', 'dois', 'três', 'quatro', 'cinco', 'seis', 'sete', 'oito', 'nove'][above];
    if (!count || below < 2 || below > 10) return undefined;
    return `${count} ${denominators[below] ?? ordinal(below)}${above > 1 ? 's' : ''}`;
  },
  symbols: {
    '&': 'e',
    '+': 'mais',
    '=': 'igual a',
    '×': 'vezes',
    '*': 'vezes',
    '÷': 'dividido por',
    '/': 'barra',
    '@': 'arroba',
    '#': 'número',
    '%': 'por cento',
    '°': 'graus',
    '±': 'mais ou menos',
    '−': 'menos',
    '<': 'menor que',
    '>': 'maior que',
    '≤': 'menor ou igual a',
    '≥': 'maior ou igual a',
    '≠': 'diferente de',
    '≈': 'aproximadamente',
    '√': 'raiz quadrada de',
    '§': 'parágrafo',
    '§§': 'parágrafos',
    '→': 'seta',
    '€': 'euros',
    $: 'dólares',
    '£': 'libras',
    '★': 'estrela',
    '♥': 'coração',
    '❤': 'coração',
    '½': 'meio',
    '¼': 'um quarto',
    '¾': 'três quartos',
    '∈': 'pertence a',
    '∉': 'não pertence a',
    '∞': 'infinito',
    '∑': 'soma de',
    '∏': 'produto de',
    '∫': 'integral de',
    '∂': 'derivada parcial de',
    '∇': 'nabla',
    '∀': 'para todo',
    '∃': 'existe',
    '¬': 'não',
    '∧': 'e',
    '∨': 'ou',
    '∪': 'união',
    '∩': 'interseção',
    '⊂': 'contido em',
    '⊆': 'contido em',
    '∅': 'conjunto vazio',
    '⇒': 'implica',
    '⇔': 'equivale a',
    '≡': 'equivalente a',
    '∝': 'proporcional a',
    '∛': 'raiz cúbica de',
    '∴': 'portanto',
    '←': 'seta para a esquerda',
    '∓': 'menos ou mais',
    '∠': 'ângulo',
    '∆': 'delta',
    '⋅': 'vezes',
    '|x|': 'valor absoluto de',
    mod: 'módulo',
    '⌘': 'comando',
    '⇧': 'shift',
    '⌥': 'opção',
    '⌃': 'control',
    '⎋': 'esc',
    '⇥': 'tab',
    '⌫': 'apagar',
    '⏎': 'enter',
    '↵': 'enter',
    '²': 'ao quadrado',
    '³': 'ao cubo',
  },
  nameTitle: (abbreviation, name) => {
    const word = name.toLowerCase();
    if (abbreviation === 'S.') return saints.has(word) ? 'são' : undefined;
    // Ed. Itália is a building; before the beginning of a sentence it is a name.
    if (abbreviation === 'Ed.') return /^\p{Lu}/u.test(name) && !sentenceStarts.has(word) ? 'edifício' : '';
    if (abbreviation !== 'D.') return undefined;
    return portuguese.rulers.has(word) ? 'dom' : portuguese.queens.has(word) ? 'dona' : undefined;
  },
  bothGenders: 'e',
  eitherGender: 'ou',
  genderPairs: {
    ele: 'ela',
    eles: 'elas',
    o: 'a',
    os: 'as',
    um: 'uma',
    ao: 'à',
    do: 'da',
    no: 'na',
    dos: 'das',
    nos: 'nas',
  },
  numbered: wordSet(
    'século séculos capítulo capítulos cena tomo volume artigo artigos inciso incisos ato atos livro livros parte partes título títulos anexo guerra edição aniversário congresso papa rei dom',
  ),
  kinds: wordSet('fase etapa zona classe tipo grau nível categoria módulo unidade estágio'),
  numberedAfter: wordSet(
    'república reinado plano jornada encontro seminário concurso festival torneio fórum simpósio conferência centenário internacional reich legislatura concílio milênio bienal trimestre semestre semana copa',
  ),
  articles: { masculine: wordSet('o os do dos no ao pelo'), feminine: wordSet('a as da das na à pela') },
  rulers: wordSet('paulo pedro joão manuel afonso carlos luís pio henrique sebastião'),
  queens: wordSet('isabel elizabeth elisabete joana maria catarina cristina ana vitória margarida beatriz'),
  spelled: wordSet(
    'XL XXL MC CM CV DC MD CL ISBN HDMI OCDE IPTU IPVA ICMS INSS IBGE BNDES UFRJ UFMG INPC IPCA IGPM ITBI ITCMD ISSQN FMI GPU DNA IMC IR IA',
  ),
  capitalized,
  romanOrdinal: /([IVXLC]+)([ºª])(?![\p{L}\d])/uy,
  roman: (value, previous, next) => {
    if (/^(?:edição|aniversário|congresso)$/i.test(next)) return 'ordinal';
    return value <= 10 && !/^(?:tomos?|volume|livros?|títulos?|anexo|incisos?)$/i.test(previous)
      ? 'ordinal'
      : 'cardinal';
  },
  // Also postal codes and the numbers of persons and companies.
  phone:
    /(?:(?:\(0\d{2}\) ?|0\d{2}\/)\d{3,4}-\d{4}|(?:\(\d{2}\) ?9?|\d{2} 9?|9)\d{4}-\d{4}|\d{2} 9\d{4} \d{4}|(?:300|400)[1-9]-\d{4}|0[358]00[ -]\d{3}[ -]\d{4}|\d{5}-\d{3}|\d{3}\.\d{3}\.\d{3}-\d{2}|\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2})(?!\d)/y,
  address: { '.': 'ponto', '/': 'barra', '@': 'arroba', '-': 'hífen', _: 'sublinhado', ':': 'dois pontos' },
  followers: ['casas', 'águas'],
  openers: wordSet(
    'e ou mas nem porque embora pois como quando onde enquanto se que quem cujo para por pelo pela com sem de do da dos das em no na nos nas a ao desde até entre sobre segundo',
  ),
  ...portugueseAbbreviations,
};
