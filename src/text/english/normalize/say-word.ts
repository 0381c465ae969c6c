import { lookUp } from '../../patterns.ts';
import { interjection, sayCapitals, spell } from './acronyms.ts';
import { isChemical } from './formulas.ts';
import { namedWords, texted } from './known-words.ts';
import { cardinal, designation, pluralOfNumber } from './numbers.ts';

const vowelless = /^[bcdfghjklmnpqrstvwxz]{2,}$/;
const invisible = /\u00AD|[\u200B-\u200F]|\u2060|\uFE0F|\uFEFF/g;

/** A move of chess: `Rxe8` */
const capture = /^[KQRBN]x[a-h]$/;

/** `H2O` → `H two O`, `iPhone15` → `I Phone fifteen`. */
export function sayMixed(text: string): string {
  const plain = text.normalize('NFKC');
  const isFormula = isChemical(plain);
  // `A320s`
  const [, kind, digits] = /^([A-Z]+)(\d+)s$/.exec(plain) ?? [];
  if (kind && digits) return `${spell(kind)} ${pluralOfNumber(designation(digits))}`;
  // `log₂ 8`
  const [, base, of = ''] = /^log([₀-₉]{1,3})(\d{0,12})$/.exec(text) ?? [];
  if (base) return `log base ${cardinal(base.normalize('NFKC'))} of ${of && cardinal(of)}`.trim();
  // `FY04`
  if (/^FY0\d$/.test(plain)) return `F Y oh ${cardinal(plain.slice(3))}`;
  const parts = plain.match(/\d+|\D+/g) ?? [];
  return parts
    .map((part) => {
      if (/\d/.test(part)) return designation(part);
      if (/^[A-Z]{3}$/.test(part) && !isFormula) return sayCapitals(part, false);
      const short = part.length <= 3 && (part === part.toUpperCase() || part.length === 1);
      return isFormula || short || capture.test(part) || vowelless.test(part.toLowerCase())
        ? spell(part)
        : sayWord(part, false);
    })
    .join(' ');
}

/** The spoken form of a word: acronyms spelled, camel case split. */
export function sayWord(written: string, allCaps: boolean): string {
  const text = written
    .replace(invisible, '')
    .normalize('NFKC')
    .replace(/[’ʼ＇ʻ]/g, "'");
  if (!/^[A-Za-z']+$/.test(text)) return allCaps ? text.toLowerCase() : text;
  const possessive = /^(.+)'s$/i.exec(text);
  if (possessive) return `${sayWord(possessive[1]!, allCaps)}'s`;
  if (text.length === 1) return text === 'a' || (text === 'A' && allCaps) ? 'a' : text.toUpperCase();
  if (text === 'TeX') return 'tech';
  const lower = text.toLowerCase();
  // Ur is a city.
  const isTexted = text.slice(1) === lower.slice(1) && text !== 'Ur';
  const named = lookUp(namedWords, lower) ?? (isTexted ? lookUp(texted, lower) : undefined);
  if (named) return named;
  if (/[a-z].*[A-Z]|[A-Z].*[A-Z][a-z]/.test(text) && isChemical(text)) return spell(text);
  if (/^[A-Z']+$/.test(text)) return sayCapitals(text, allCaps);
  // `IoT`, `YoY`, `kWh`
  if (/^(?:[A-Z][a-z][A-Z]|[kMGT]Wh)$/.test(text)) return spell(text);
  return (
    sayPlural(text) ??
    sayCapitalsWithEnding(text) ??
    sayCamelCase(text) ??
    (vowelless.test(text) && !interjection.test(text) ? spell(text) : text)
  );
}

/** `CDs` */
function sayPlural(text: string): string | undefined {
  const [, capitals] = /^([A-Z]{2,6})s$/.exec(text) ?? [];
  if (!capitals) return undefined;
  const singular = sayCapitals(capitals, false);
  return / [A-Z]$/.test(singular) ? `${singular}'s` : `${singular}s`;
}

/** `PCIe`, `DJing`, `RESTful` */
function sayCapitalsWithEnding(text: string): string | undefined {
  const [, capitals = '', ending] = /^([A-Z]{2,5})(e|ing|ed|er|ers|ful)$/.exec(text) ?? [];
  if (!ending) return undefined;
  if (ending === 'e') return spell(text);
  const isWord = /[AEIOU]/.test(capitals) && capitals.length > 3;
  return `${sayCapitals(capitals, false)}${isWord ? '' : ' '}${ending}`;
}

/** `YouTube` */
function sayCamelCase(text: string): string | undefined {
  const parts = text.match(/TeX|[A-Z]+(?![a-z'])|[A-Z]?[a-z']+/g) ?? [];
  if (parts.length < 2 || text.includes("'") || /^(?:Mc|Mac|O'|Fitz)[A-Z][a-z]+$/.test(text)) return undefined;
  return parts.map((part) => sayWord(part, false)).join(' ');
}
