import { joined, type VoiceGroup } from './voice-group.ts';

/**
 * Agglomerative clustering: joins the two most similar groups, as long as they are similar enough. Time and memory are
 * quadratic in the number of groups.
 * @param likeness of two groups, symmetric
 * @param enough minimum likeness for a join
 * @param fewest groups to stop at
 */
export function agglomerate(
  groups: readonly VoiceGroup[],
  likeness: (a: VoiceGroup, b: VoiceGroup) => number,
  enough: number,
  fewest = 1,
): VoiceGroup[] {
  const slots: (VoiceGroup | undefined)[] = [...groups];
  const size = slots.length;
  const table = new Float64Array(size * size).fill(Number.NEGATIVE_INFINITY);
  /** For each group, the most similar one of those after it. */
  const nearest = new Int32Array(size).fill(-1);
  const findNearest = (row: number) => {
    let best = -1;
    for (let column = row + 1; column < size; column++) {
      if (slots[column] && (best < 0 || table[row * size + column]! > table[row * size + best]!)) best = column;
    }
    nearest[row] = best;
  };
  for (let row = 0; row < size; row++) {
    for (let column = row + 1; column < size; column++)
      table[row * size + column] = likeness(slots[row]!, slots[column]!);
    findNearest(row);
  }
  for (let left = size; left > Math.max(1, fewest); left--) {
    let row = -1;
    for (let other = 0; other < size; other++) {
      if (!slots[other] || nearest[other]! < 0) continue;
      if (row < 0 || table[other * size + nearest[other]!]! > table[row * size + nearest[row]!]!) row = other;
    }
    const column = nearest[row]!;
    if (table[row * size + column]! < enough) break;
    const group = joined(slots[row]!, slots[column]!);
    slots[row] = group;
    slots[column] = undefined;
    for (let other = 0; other < size; other++) {
      const third = slots[other];
      if (!third || other === row) continue;
      table[Math.min(other, row) * size + Math.max(other, row)] = likeness(group, third);
    }
    for (let other = 0; other <= row; other++) {
      if (!slots[other]) continue;
      const at = nearest[other]!;
      if (other === row || at === row || at === column) findNearest(other);
      else if (at < 0 || table[other * size + row]! > table[other * size + at]!) nearest[other] = row;
    }
    for (let other = row + 1; other < column; other++) {
      if (slots[other] && nearest[other] === column) findNearest(other);
    }
  }
  return slots.filter((group) => group !== undefined);
}
