/** An item of a `FairQueue`. */
export interface Queued {
  /** Turns are shared among owners, usually requests. */
  readonly owner: unknown;
  /** Whether this is its owner's first item. */
  readonly isNew?: boolean;
  /** Whether it transcribes unfinished live speech: it yields to items that are not drafts. */
  readonly isDraft?: boolean;
  /** Whether a draft goes before other drafts. */
  readonly isUrgent?: boolean;
  /** Whether it belongs to a background job: it runs only if no other item can. */
  readonly isBackground?: boolean;
}

/** Whether it is a draft that is not urgent. */
export function isPatient({ isDraft, isUrgent }: Pick<Queued, 'isDraft' | 'isUrgent'>): boolean {
  return isDraft === true && !isUrgent;
}

/**
 * A queue that is fair to owners (docs/decisions/0015-fair-turns.md): an owner's first item goes next, but never two
 * first items in a row; otherwise owners take turns, round robin. Within each of these, items that are not drafts go
 * first, then urgent drafts, then other drafts. Background items follow the same rules among themselves, and run only
 * while no other item is eligible.
 */
export class FairQueue<Item extends Queued> {
  /** Waiting items by owner, in the order of their turns. */
  readonly #items = new Map<unknown, Item[]>();
  #lastWasNew = false;

  /** The next item of each owner, in the order of their turns. */
  get heads(): Item[] {
    return [...this.#items.values()].map(([head]) => head!);
  }

  /** @param isFirst whether to add it in front of its owner's others */
  push(item: Item, isFirst = false): void {
    const items = this.#items.get(item.owner) ?? [];
    this.#items.set(item.owner, isFirst ? [item, ...items] : [...items, item]);
  }

  /**
   * Takes out the item whose turn it is.
   * @param isEligible whether an owner's next item can run now; if not, the owner keeps its turn
   */
  next(isEligible: (item: Item) => boolean = () => true): Item | undefined {
    const { heads } = this;
    const allEligible = heads.filter(isEligible);
    const interactive = allEligible.filter(({ isBackground }) => !isBackground);
    const eligible = interactive.length > 0 ? interactive : allEligible;
    const rank = ({ isDraft, isUrgent }: Item) => (isDraft ? (isUrgent ? 1 : 2) : 0);
    const inOrder = eligible.sort((a, b) => rank(a) - rank(b));
    const first = this.#lastWasNew ? undefined : inOrder.find(({ isNew }) => isNew);
    const item = first ?? inOrder[0];
    if (!item) return undefined;
    this.#lastWasNew = item.isNew === true;
    const { owner } = item;
    const [, ...rest] = this.#items.get(owner)!;
    this.#items.delete(owner);
    if (rest.length > 0) this.#items.set(owner, rest);
    return item;
  }

  /** Makes the next turn round robin, as after a first item. */
  skipNew(): void {
    this.#lastWasNew = true;
  }

  /** Does nothing if the item no longer waits. */
  remove(item: Item): void {
    const rest = this.#items.get(item.owner)?.filter((other) => other !== item);
    if (rest && rest.length > 0) this.#items.set(item.owner, rest);
    else this.#items.delete(item.owner);
  }
}
