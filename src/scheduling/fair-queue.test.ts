import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

interface Item {
  owner: string;
  name: string;
  isNew?: boolean;
  isDraft?: boolean;
  isUrgent?: boolean;
  isBackground?: boolean;
}

/** A queue of items named after their owner and number; `first` ones are new. */
function queueOf(...names: string[]): FairQueue<Item> {
  const queue = new FairQueue<Item>();
  for (const name of names) queue.push(item(name));
  return queue;
}
const item = (name: string): Item => ({
  owner: name[0]!,
  name,
  isNew: name.endsWith('first'),
  isDraft: name.includes('draft'),
  isUrgent: name.includes('urgent'),
  isBackground: name.includes('background'),
});

function drain(queue: FairQueue<Item>, isEligible?: (item: Item) => boolean): string[] {
  const names: string[] = [];
  for (let next = queue.next(isEligible); next; next = queue.next(isEligible)) names.push(next.name);
  return names;
}

describe('FairQueue', () => {
  it('goes round robin by owner', () => {
    expect(drain(queueOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1'))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('puts first items first, but never two in a row', () => {
    expect(drain(queueOf('a1', 'b1', 'x first', 'y first', 'z first'))).toEqual([
      'x first',
      'a1',
      'y first',
      'b1',
      'z first',
    ]);
  });

  it('puts drafts after other work, and keeps their turns', () => {
    const names = ['p draft first', 'q draft first', 'a1', 'a2', 'x first', 'b1'];
    expect(drain(queueOf(...names))).toEqual(['x first', 'a1', 'p draft first', 'b1', 'q draft first', 'a2']);
  });

  it('serves other items first, then urgent drafts, then the other drafts', () => {
    const names = ['p draft', 'q draft', 'r urgent draft', 'a1', 's urgent draft'];
    expect(drain(queueOf(...names))).toEqual(['a1', 'r urgent draft', 's urgent draft', 'p draft', 'q draft']);
  });

  it('serves background items last, even first ones, and in the same turns among themselves', () => {
    const names = ['p background first', 'q background 1', 'a1', 'a2', 'x draft', 'q background 2'];
    expect(drain(queueOf(...names))).toEqual([
      'a1',
      'a2',
      'x draft',
      'p background first',
      'q background 1',
      'q background 2',
    ]);
  });

  it('serves a background item while no other can run', () => {
    const queue = queueOf('a1', 'p background');
    expect(queue.next(({ owner }) => owner === 'p')?.name).toBe('p background');
  });

  it('goes round robin after skipNew()', () => {
    const queue = queueOf('a1', 'x first');
    queue.skipNew();
    expect(drain(queue)).toEqual(['a1', 'x first']);
  });

  it('passes over owners whose next item is not eligible, and keeps their turn', () => {
    const queue = queueOf('a1', 'a2', 'b1', 'c1');
    expect(queue.next(({ owner }) => owner !== 'a')?.name).toBe('b1');
    expect(queue.next(({ name }) => name === 'a2')).toBeUndefined();
    expect(drain(queue)).toEqual(['a1', 'c1', 'a2']);
  });

  it("puts an item in front of its owner's others", () => {
    const queue = queueOf('a1', 'b1');
    queue.push(item('b0'), true);
    queue.push(item('c0'), true);
    expect(queue.heads.map(({ name }) => name)).toEqual(['a1', 'b0', 'c0']);
    expect(drain(queue)).toEqual(['a1', 'b0', 'c0', 'b1']);
  });

  it('removes waiting items', () => {
    const queue = queueOf('b1');
    const [a1, a2] = [item('a1'), item('a2')];
    for (const each of [a1, a2]) queue.push(each);
    for (const each of [a1, a1, item('c1')]) queue.remove(each);
    expect(drain(queue)).toEqual(['b1', 'a2']);
    queue.remove(a2);
    expect(queue.heads).toEqual([]);
  });

  it("removes an owner's only item", () => {
    const queue = queueOf('b1');
    const only = item('a1');
    queue.push(only);
    queue.remove(only);
    expect(drain(queue)).toEqual(['b1']);
  });
});
