const operandBefore = /(?:[\d)²³]|(?<![A-Za-z])[A-Za-z])\s?$/;
const operandAfter = /^\s?(?:[\d(]|[A-Za-z](?![A-Za-z]))/;
const side = String.raw`(?:[\d\s.,+×÷*/()²³^−-]|(?<![A-Za-z])[A-Za-z](?![A-Za-z])){0,40}`;
const equalsBefore = new RegExp(`=${side}$`);
const equalsAfter = new RegExp(`^${side}=`);
const MAX_SIDE = 42;

/**
 * Whether a hyphen or minus sign subtracts: in a calculation with an equals sign, or between spaced numbers without a unit
 * of which the first is not smaller. Between others it may mean a range.
 */
export function isMinus(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - MAX_SIDE), index);
  const after = text.slice(index + 1, index + 1 + MAX_SIDE);
  if (!operandBefore.test(before) || !operandAfter.test(after)) return false;
  return text[index] === '−' || equalsAfter.test(after) || equalsBefore.test(before) || isSpaced(before, after);
}

function isSpaced(before: string, after: string): boolean {
  const first = /(?<![\d.:/-])(\d{1,15}(?:\.\d{1,15})?) $/.exec(before)?.[1];
  const second = /^ (\d{1,15}(?:\.\d{1,15})?)(?![\d.:/-]|\s?[\p{L}%％])/u.exec(after)?.[1];
  return first !== undefined && second !== undefined && Number(first) >= Number(second);
}
