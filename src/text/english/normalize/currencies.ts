/** How a currency is named. */
export interface Currency {
  one: string;
  many: string;
  /** A hundredth, if prices use it. */
  minor?: [one: string, many: string];
}

const cents: [string, string] = ['cent', 'cents'];
const dollars = (country = ''): Currency => ({ one: `${country}dollar`, many: `${country}dollars`, minor: cents });
const unchanging = (name: string): Currency => ({ one: name, many: name });
const plain = (name: string, minor?: [string, string]): Currency => ({
  one: name,
  many: `${name}s`,
  ...(minor && { minor }),
});

const pounds = plain('pound', ['penny', 'pence']);
const euros = plain('euro', cents);
const rupees = plain('rupee', ['paisa', 'paise']);
const mexicanPesos = plain('Mexican peso', ['centavo', 'centavos']);
const reais: Currency = { one: 'real', many: 'reais', minor: ['centavo', 'centavos'] };
const krona: Currency = { one: 'krona', many: 'kronor' };

/** By symbol, in capitals. */
export const symbols: Record<string, Currency> = {
  $: dollars(),
  US$: dollars('U S '),
  C$: dollars('Canadian '),
  CA$: dollars('Canadian '),
  A$: dollars('Australian '),
  AU$: dollars('Australian '),
  NZ$: dollars('New Zealand '),
  HK$: dollars('Hong Kong '),
  S$: dollars('Singapore '),
  NT$: dollars('Taiwan '),
  MX$: mexicanPesos,
  R$: reais,
  '£': pounds,
  '€': euros,
  '¥': unchanging('yen'),
  'JP¥': unchanging('yen'),
  'CN¥': unchanging('yuan'),
  '₹': rupees,
  '₨': rupees,
  RS: rupees,
  RE: rupees,
  '₩': unchanging('won'),
  '₽': plain('ruble'),
  '₿': plain('bitcoin'),
  '₺': unchanging('lira'),
  '₴': unchanging('hryvnia'),
  '₪': plain('shekel'),
  '₫': unchanging('dong'),
  '฿': unchanging('baht'),
  '₦': unchanging('naira'),
  '₱': plain('peso'),
  '₵': plain('cedi'),
  '₡': { one: 'colon', many: 'colones' },
  '¢': { one: 'cent', many: 'cents' },
};

/** By code; `kr` is written in lower case. */
export const codes: Record<string, Currency> = {
  USD: dollars('U S '),
  CAD: dollars('Canadian '),
  AUD: dollars('Australian '),
  NZD: dollars('New Zealand '),
  HKD: dollars('Hong Kong '),
  SGD: dollars('Singapore '),
  EUR: euros,
  GBP: pounds,
  JPY: unchanging('yen'),
  CNY: unchanging('yuan'),
  RMB: unchanging('yuan'),
  INR: rupees,
  PKR: plain('Pakistani rupee'),
  LKR: plain('Sri Lankan rupee'),
  BDT: unchanging('taka'),
  THB: unchanging('baht'),
  VND: unchanging('dong'),
  PHP: plain('Philippine peso'),
  IDR: unchanging('rupiah'),
  MYR: unchanging('ringgit'),
  TWD: dollars('Taiwan '),
  TRY: unchanging('lira'),
  RUB: plain('ruble'),
  UAH: unchanging('hryvnia'),
  ILS: plain('shekel'),
  AED: plain('dirham'),
  SAR: plain('riyal'),
  EGP: plain('Egyptian pound'),
  NGN: unchanging('naira'),
  KES: plain('Kenyan shilling'),
  CZK: { one: 'koruna', many: 'koruna' },
  HUF: unchanging('forint'),
  RON: { one: 'leu', many: 'lei' },
  ARS: plain('Argentine peso'),
  CLP: plain('Chilean peso'),
  COP: plain('Colombian peso'),
  ISK: { one: 'Icelandic krona', many: 'Icelandic kronur' },
  BTC: plain('bitcoin'),
  KRW: unchanging('won'),
  CHF: plain('Swiss franc', ['centime', 'centimes']),
  SEK: { one: 'Swedish krona', many: 'Swedish kronor' },
  NOK: { one: 'Norwegian krone', many: 'Norwegian kroner' },
  DKK: { one: 'Danish krone', many: 'Danish kroner' },
  MXN: mexicanPesos,
  BRL: reais,
  ZAR: unchanging('rand'),
  PLN: { one: 'zloty', many: 'zloty' },
  kr: krona,
};
