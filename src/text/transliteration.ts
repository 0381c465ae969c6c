const greekNames: Record<string, string> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  ε: 'epsilon',
  ζ: 'zeta',
  η: 'eta',
  θ: 'theta',
  ι: 'iota',
  κ: 'kappa',
  λ: 'lambda',
  μ: 'mu',
  ν: 'nu',
  ξ: 'xi',
  ο: 'omicron',
  π: 'pi',
  ρ: 'rho',
  σ: 'sigma',
  ς: 'sigma',
  τ: 'tau',
  υ: 'upsilon',
  φ: 'phi',
  χ: 'chi',
  ψ: 'psi',
  ω: 'omega',
};

const latin = new Map<string, string>();
/** @param sounds one per letter; `-` for none */
const add = (letters: string, sounds: string) => {
  const each = sounds.split(' ');
  Array.from(letters).forEach((letter, index) => {
    latin.set(letter, each[index] === '-' ? '' : each[index]!);
  });
};
add('αβγδεζηθικλμνξοπρσςτυφχψω', 'a v g d e z i th i k l m n x o p r s s t i f ch ps o');
add(
  'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  'a b v g d e yo zh z i y k l m n o p r s t u f kh ts ch sh shch - y - e yu ya',
);
add('іїєґўјљњћђџ', 'i yi ye g w y ly ny ch dj dzh');

/**
 * A word in Latin letters: Greek and Cyrillic letter by letter, as they sound, a Greek letter alone or among Latin ones by
 * its name (`μg` is not mg). Empty for other scripts, which a voice for Latin letters cannot pronounce.
 */
export function transliterate(word: string): string {
  const compatible = word.normalize('NFKC');
  if (/^[\p{Script=Latin}\p{M}']+$/u.test(compatible)) return compatible;
  // Cyrillic й and ё are separate letters; drop the accents of Greek.
  const letters = Array.from(compatible.toLowerCase(), (letter) =>
    latin.has(letter) ? letter : letter.normalize('NFD').replace(/\p{M}/gu, ''),
  ).join('');
  if (Object.hasOwn(greekNames, letters)) return greekNames[letters]!;
  const isMixed = /\p{Script=Latin}/u.test(letters);
  const sounds = Array.from(letters, (letter, index) => soundOf(letter, compatible[index]!, isMixed))
    .join('')
    .trim();
  return /^\p{Lu}/u.test(compatible) && sounds ? sounds[0]!.toUpperCase() + sounds.slice(1) : sounds;
}

/** @param isMixed whether the word has Latin letters, too */
function soundOf(letter: string, written: string, isMixed: boolean): string {
  if (!isMixed) return latin.get(letter) ?? '';
  if (/\p{Script=Latin}/u.test(letter)) return /\p{Script=Latin}/u.test(written) ? written : letter;
  return Object.hasOwn(greekNames, letter) ? ` ${greekNames[letter]} ` : (latin.get(letter) ?? '');
}

/** Digits of any script as ASCII digits. */
export function toAsciiDigits(digits: string): string {
  return Array.from(digits.normalize('NFKC'), (digit) => {
    if (/\d/.test(digit)) return digit;
    // Unicode puts the ten digits of a script in sequence, with other characters between scripts.
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(digit.codePointAt(0)! - value - 1))) value++;
    return String(value);
  }).join('');
}

/** Full-width letters, digits and signs as ASCII, one for one; not the comma and the full stop. */
export function halfWidth(text: string): string {
  return text.replace(/[！-～]/g, (character) =>
    '，．'.includes(character) ? character : String.fromCharCode(character.charCodeAt(0) - 0xfee0),
  );
}
