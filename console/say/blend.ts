/** A voice of a blend, and how much of it. */
export interface Part {
  id: string;
  /** Above 0. */
  weight: number;
}

/** The voice of a request: the only one by its name, several as `a(2)+b(1)`. */
export function blendText(parts: readonly Part[]): string {
  if (parts.length === 1) return parts[0]!.id;
  return parts.map(({ id, weight }) => `${id}(${weightText(weight)})`).join('+');
}

/** At most two decimals, and none that say nothing. */
export function weightText(weight: number): string {
  return String(Math.round(weight * 100) / 100);
}

/** Each part's share of the whole, in per cent. */
export function shares(parts: readonly Part[]): number[] {
  const sum = parts.reduce((total, { weight }) => total + weight, 0);
  return parts.map(({ weight }) => Math.round((100 * weight) / sum));
}
