import type { Currency } from './currencies.ts';
import { cardinal, decimal, groupedNumber } from './numbers.ts';

/** By their abbreviations, in lower case. */
export const scaleWords: Record<string, string> = {
  k: 'thousand',
  m: 'million',
  mn: 'million',
  mm: 'million',
  mio: 'million',
  b: 'billion',
  cr: 'crore',
  bn: 'billion',
  t: 'trillion',
  tn: 'trillion',
};

interface Amount {
  whole: string;
  /** Decimals. */
  part: string;
  /** The end of a range. */
  upTo?: string | undefined;
  /** `million` */
  scale?: string | undefined;
}

const scaleEnd = /^(?:lakh|crore)/;

/** `three dollars and fifty cents`, `three to four million dollars`. */
export function amount({ whole, part, upTo, scale }: Amount, currency: Currency): string {
  const number = () => (part ? decimal(`${whole.replaceAll(',', '')}.${part}`) : groupedNumber(whole || '0'));
  if (upTo && !scale && (part || upTo.includes('.'))) {
    const [most = '', decimals = ''] = upTo.split('.');
    return `${unscaled(whole, part, currency)} to ${unscaled(most, decimals, currency)}`;
  }
  if (upTo) return `${number()} to ${decimal(upTo)} ${scale ? `${scale} ` : ''}${currency.many}`;
  if (scale) return `${number()} ${scaleEnd.test(scale) ? scale.replace(/s$/, '') : scale} ${currency.many}`;
  return unscaled(whole, part, currency);
}

/** `three dollars and fifty cents`; decimals if there are not two digits. */
function unscaled(whole: string, part: string, currency: Currency): string {
  const digits = whole.replaceAll(',', '');
  const units = `${groupedNumber(whole || '0')} ${/^0*1$/.test(digits) ? currency.one : currency.many}`;
  if (!part || (currency.minor && /^00$/.test(part))) return units;
  if (part.length !== 2 || !currency.minor) return `${decimal(`${digits || '0'}.${part}`)} ${currency.many}`;
  const minor = `${cardinal(part)} ${part === '01' ? currency.minor[0] : currency.minor[1]}`;
  return /^0*$/.test(digits) ? minor : `${units} and ${minor}`;
}
