import { type Phone, parsePhones } from './arpabet.ts';
import { withS } from './morphology.ts';

/**
 * Names, places and words that English borrows and that the dictionary lacks or that letters mislead about. A capital at
 * the start of a key, or an accent in it, asks for one in the text. In the usual American pronunciation; British English
 * follows by rule. Compared, stress and unstressed vowels aside, with the CMU Pronouncing Dictionary, misaki's lexicons and
 * Wiktionary (as WikiPron collected it in April 2026): one of them has the word so for 102 of 132, and the others were
 * transcribed by hand, since none has the word, or only in another pronunciation.
 */
const WORDS = `
aoife IY1 F AH0
acai AH0 S AY0 IY1
agnolotti AE2 N Y AH0 L AA1 T IY0
appetit AE2 P EY0 T IY1
attaché AE2 T AH0 SH EY1
banh B AA1 N
Beyonce B IY0 Y AA1 N S EY2
Boise B OY1 S IY0
Bronte B R AA1 N T IY0
brulee B R UW0 L EY1
Camus K AE0 M UW1
Cannes K AE1 N
Caoimhe K IY1 V AH0
cetera S EH1 T ER0 AH0
Chopin SH OW1 P AE2 N
Chloe K L OW1 IY0
Ciaran K IH1 R AH0 N
communique K AH0 M Y UW2 N AH0 K EY1
consomme K AA2 N S AH0 M EY1
crème K R EH1 M
d'etat D EY0 T AA1
d'etre D EH1 T R AH0
d'oeuvre D ER1 V
d'oeuvres D ER1 V Z
deja D EY2 ZH AA1
Djokovic JH OW1 K AH0 V IH0 CH
doppelganger D AA1 P AH0 L G AE2 NG ER0
Dvorak D V AO1 R ZH AA2 K
entree AA1 N T R EY2
Eoin OW1 AH0 N
exposé EH2 K S P OW0 Z EY1
Favre F AA1 R V
fiance F IY2 AA0 N S EY1
fiancee F IY2 AA0 N S EY1
Gdansk G AH0 D AA1 N S K
Goethe G ER1 T AH0
Gogh G OW1
Guillermo G IY0 EH1 R M OW0
gyoza G Y OW1 Z AH0
Hermione HH ER0 M AY1 AH0 N IY0
hors AO1 R
Huawei HH W AA1 W EY2
Hyundai HH AH1 N D EY0
Ibanez IY0 B AA1 N Y EH0 Z
Iglesias IY0 G L EY1 S IY0 AH0 S
Ioan Y OW1 AH0 N
jalapeno HH AA2 L AH0 P EY1 N Y OW0
Javier HH AA0 V IY0 EH1 R
Jimenez HH IH0 M EH1 N EH0 Z
Jinping JH IH2 N P IH1 NG
Joao ZH OW0 AW1
Joaquin W AA0 K IY1 N
Jolla HH OY1 AH0
Jorge HH AO1 R HH EY0
Juarez W AA1 R EH0 Z
Kierkegaard K IH1 R K AH0 G AA2 R D
Krakow K R AA1 K AW0
Krzyzewski SH AH0 SH EH1 F S K IY0
Kyiv K IY1 V
Laozi L AW2 D Z AH1
Leicestershire L EH1 S T ER0 SH ER0
Llanelli L AH0 N EH1 L IY0
Llewellyn L UW0 EH1 L IH0 N
Lodz W UW1 CH
Louvre L UW1 V R AH0
maché M AH0 SH EY1
macrame M AE1 K R AH0 M EY2
Marseille M AA0 R S EY1
Mbappe EH0 M B AA0 P EY1
Medici M EH1 D IH0 CH IY0
Messi M EH1 S IY0
Milngavie M AH0 L G AY1
Moet M OW0 EH1 T
Moines M OY1 N
Nadal N AH0 D AA1 L
naive N AY0 IY1 V
naivete N AA0 IY2 V AH0 T EY1
Ng IH1 NG
Nguyen W IH1 N
Niamh N IY1 V
Noel N OW0 EH1 L
Nunez N UW1 N Y EH0 Z
olé OW0 L EY1
Padraig P AA1 D R IH0 G
papier P EY1 P ER0
Pedro P EY1 D R OW0
Pho F AH1
pinata P IH0 N Y AA1 T AH0
piqué P IY0 K EY1
Porsche P AO1 R SH AH0
Phuket P UW2 K EH1 T
protégé P R OW1 T AH0 ZH EY2
protégée P R OW1 T AH0 ZH EY2
Qatari K AH0 T AA1 R IY0
Qin CH IH1 N
Qing CH IH1 NG
raison R EY0 Z OW1 N
Reims R IY1 M Z
Renault R AH0 N OW1
rosé R OW0 Z EY1
risque R IH0 S K EY1
Roethlisberger R AA1 TH L IH0 S B ER2 G ER0
Rousseau R UW0 S OW1
Ruairi R AO1 R IY0
Saoirse S ER1 SH AH0
sang-froid S AO2 N F W AA1
Sao S AW1
Seamus SH EY1 M AH0 S
Sean SH AO1 N
senor S EY0 N Y AO1 R
senora S EY0 N Y AO1 R AH0
senorita S EY2 N Y AO0 R IY1 T AH0
Shrewsbury SH R UW1 Z B EH2 R IY0
Sinead SH IH0 N EY1 D
Siobhan SH AH0 V AO1 N
Sioux S UW1
soiree S W AA0 R EY1
Szczecin SH CH EH1 CH IY0 N
Tchaikovsky CH AY0 K AO1 F S K IY0
Thoth TH OW1 TH
uber UW1 B ER0
Versace V ER0 S AA1 CH EY0
voila V W AA0 L AA1
Volkswagen V OW1 L K S W AE2 G AH0 N
Wojciech V OY1 CH EH0 K
Xavier Z EY1 V Y ER0
Xiaomi SH AW1 M IY0
Yosemite Y OW0 S EH1 M IH0 T IY0
Zhang JH AA1 NG
Zhao JH AW1
Zhou JH OW1
Zoe Z OW1 IY0
`;

/** Words with this sound only before a certain word: `Des Moines`. */
const PHRASES = `
Des Moines D AH0
des moines D AH0
et cetera EH0 T
Xi Jinping SH IY1
La Jolla L AH0
bon appetit B OW1 N
creme brulee K R EH1 M
`;

interface Entry {
  phones: readonly Phone[];
  needsCapital: boolean;
  /** Told from another word by it: `rosé`. */
  needsAccent: boolean;
}

const entries = new Map<string, Entry>();
for (const line of WORDS.trim().split('\n')) {
  const [key = '', ...symbols] = line.split(' ');
  entries.set(fold(key), {
    phones: parsePhones(symbols),
    needsCapital: /^\p{Lu}/u.test(key),
    needsAccent: key !== key.normalize('NFD').replace(/\p{M}/gu, ''),
  });
}
const phrases = new Map(
  PHRASES.trim()
    .split('\n')
    .map((line) => {
      const [word = '', next = '', ...symbols] = line.split(' ');
      return [`${word} ${next}`.toLowerCase(), parsePhones(symbols)] as const;
    }),
);

/**
 * Phones of a borrowed word, with its plural and possessive; undefined for other words.
 * @param written with its accents and capitals
 * @param next the word after it
 */
export function borrowedWord(written: string, next = ''): readonly Phone[] | undefined {
  const word = fold(written.replaceAll('’', "'"));
  const phrase = phrases.get(`${word} ${fold(next)}`);
  if (phrase) return phrase;
  const known = entryOf(written, word);
  if (known) return known;
  const [, stem] = /^(.{2,}?)(?:'s|s)$/.exec(word) ?? [];
  const stemPhones = stem === undefined ? undefined : entryOf(written, stem);
  return stemPhones && withS(stemPhones);
}

function entryOf(written: string, word: string): readonly Phone[] | undefined {
  const entry = entries.get(word);
  const isName = /^\p{Lu}(?:\p{Ll}|.{3})/u.test(written);
  if (!entry || (entry.needsCapital && !isName)) return undefined;
  return entry.needsAccent && !/\p{M}/u.test(written.normalize('NFD')) ? undefined : entry.phones;
}

function fold(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
}
