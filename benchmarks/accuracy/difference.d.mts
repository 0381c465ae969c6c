export interface Stretch {
  words: number;
  errors: number;
}

export function difference(one: Stretch[], other: Stretch[]): { points: number; from: number; to: number };
