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
  const linkage = new Linkage(groups, likeness);
  for (let left = groups.length; left > Math.max(1, fewest); left--) {
    if (!linkage.joinNearest(enough)) break;
  }
  return linkage.groups;
}

/** Groups with their likeness to each other, and the nearest of each. */
class Linkage {
  readonly #likeness: (a: VoiceGroup, b: VoiceGroup) => number;
  /** Undefined once a group is part of one before it. */
  readonly #slots: (VoiceGroup | undefined)[];
  readonly #size: number;
  /** Above the diagonal. */
  readonly #table: Float64Array;
  /** For each group, the most similar one of those after it; -1 if there is none. */
  readonly #nearest: Int32Array;

  constructor(groups: readonly VoiceGroup[], likeness: (a: VoiceGroup, b: VoiceGroup) => number) {
    this.#likeness = likeness;
    this.#slots = [...groups];
    this.#size = groups.length;
    this.#table = new Float64Array(this.#size ** 2).fill(Number.NEGATIVE_INFINITY);
    this.#nearest = new Int32Array(this.#size).fill(-1);
    for (const [row, group] of groups.entries()) {
      for (let column = row + 1; column < this.#size; column++)
        this.#table[row * this.#size + column] = likeness(group, groups[column]!);
      this.#findNearest(row);
    }
  }

  get groups(): VoiceGroup[] {
    return this.#slots.filter((group) => group !== undefined);
  }

  /** Joins the two most similar groups; false if they are less similar than `enough`. */
  joinNearest(enough: number): boolean {
    const row = this.#nearestRow();
    const column = this.#nearest[row]!;
    if (this.#likenessOf(row, column) < enough) return false;
    const group = joined(this.#slots[row]!, this.#slots[column]!);
    this.#slots[row] = group;
    this.#slots[column] = undefined;
    this.#compare(row, group);
    this.#updateNearest(row, column);
    return true;
  }

  #likenessOf(row: number, column: number): number {
    return this.#table[row * this.#size + column]!;
  }

  /** The first of the two most similar groups. */
  #nearestRow(): number {
    let best = -1;
    for (let row = 0; row < this.#size; row++) {
      if (!this.#slots[row] || this.#nearest[row]! < 0) continue;
      if (best < 0 || this.#likenessOf(row, this.#nearest[row]!) > this.#likenessOf(best, this.#nearest[best]!))
        best = row;
    }
    return best;
  }

  #findNearest(row: number): void {
    let best = -1;
    for (let column = row + 1; column < this.#size; column++) {
      if (this.#slots[column] && (best < 0 || this.#likenessOf(row, column) > this.#likenessOf(row, best)))
        best = column;
    }
    this.#nearest[row] = best;
  }

  #compare(slot: number, group: VoiceGroup): void {
    for (const [other, third] of this.#slots.entries()) {
      if (!third || other === slot) continue;
      this.#table[Math.min(other, slot) * this.#size + Math.max(other, slot)] = this.#likeness(group, third);
    }
  }

  /** After `column` became part of `row`. */
  #updateNearest(row: number, column: number): void {
    for (let other = 0; other < column; other++) {
      if (!this.#slots[other]) continue;
      const at = this.#nearest[other]!;
      if (other === row || at === row || at === column) this.#findNearest(other);
      else if (other < row && (at < 0 || this.#likenessOf(other, row) > this.#likenessOf(other, at)))
        this.#nearest[other] = row;
    }
  }
}
