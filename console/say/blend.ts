/** A voice of a blend and its weight. */
export interface WeightedVoice {
  id: string;
  /** Above 0. */
  weight: number;
}

/** The `voice` of a request: `a`, or a blend such as `a(2)+b(1)`. */
export function blendText(voices: readonly WeightedVoice[]): string {
  if (voices.length === 1) return voices[0]!.id;
  return voices.map(({ id, weight }) => `${id}(${weightText(weight)})`).join('+');
}

/** At most two decimals, without trailing zeros. */
export function weightText(weight: number): string {
  return String(Math.round(weight * 100) / 100);
}

/** The share of each voice, in percent. */
export function shares(voices: readonly WeightedVoice[]): number[] {
  const sum = voices.reduce((total, { weight }) => total + weight, 0);
  return voices.map(({ weight }) => Math.round((100 * weight) / sum));
}
