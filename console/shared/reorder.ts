import { button } from './dom.ts';

/** Pixels at the edge of a list where dragging scrolls it. */
const EDGE = 40;
const SCROLL_STEP = 12;

/**
 * Lets the rows of a list be dragged by their `.handle`, by mouse, pen or finger.
 * @param onMove called with the indexes before and after, when the row is dropped
 */
export function makeReorderable(list: HTMLElement, onMove: (from: number, to: number) => void): void {
  list.addEventListener('pointerdown', (event) => {
    const handle = event.target instanceof Element ? event.target.closest('.handle') : null;
    const row = handle?.closest('li');
    if (!row || row.parentElement !== list || event.button !== 0) return;
    event.preventDefault();
    const indexOf = (child: Element) => [...list.children].indexOf(child);
    const from = indexOf(row);
    row.classList.add('dragged');
    const drag = ({ clientY }: PointerEvent) => {
      scrollNear(list, clientY);
      for (;;) {
        const [before, after] = [row.previousElementSibling, row.nextElementSibling];
        // Move the neighbor: the row itself would lose the pointer.
        if (before && clientY < middleOf(before)) row.after(before);
        else if (after && clientY > middleOf(after)) row.before(after);
        else break;
      }
    };
    const drop = () => {
      row.classList.remove('dragged');
      window.removeEventListener('pointermove', drag);
      for (const name of ['pointerup', 'pointercancel'] as const) window.removeEventListener(name, drop);
      const to = indexOf(row);
      if (to !== from) onMove(from, to);
    };
    window.addEventListener('pointermove', drag);
    for (const name of ['pointerup', 'pointercancel'] as const) window.addEventListener(name, drop);
  });
}

function middleOf(row: Element): number {
  const { top, height } = row.getBoundingClientRect();
  return top + height / 2;
}

function scrollNear(list: HTMLElement, y: number): void {
  const { top, bottom } = list.getBoundingClientRect();
  if (y < top + EDGE) list.scrollTop -= SCROLL_STEP;
  else if (y > bottom - EDGE) list.scrollTop += SCROLL_STEP;
}

/** Buttons that move a row by one, for the keyboard. */
export function moveButtons(onMove: (by: -1 | 1) => void): { up: HTMLButtonElement; down: HTMLButtonElement } {
  return { up: button('↑', 'plain move', () => onMove(-1)), down: button('↓', 'plain move', () => onMove(1)) };
}

/** Puts rows in a list in order, without taking the focus from them. */
export function arrange(list: HTMLElement, rows: readonly HTMLElement[]): void {
  const focused = document.activeElement;
  const kept = new Set<Element>(rows);
  for (const child of [...list.children]) if (!kept.has(child)) child.remove();
  for (const [index, row] of rows.entries()) {
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
  }
  if (focused instanceof HTMLElement && focused !== document.activeElement && focused.isConnected) {
    focused.focus({ preventScroll: true });
  }
}

/** A list with the element at one index moved to another. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.filter((_, index) => index !== from);
  return [...rest.slice(0, to), items[from]!, ...rest.slice(to)];
}
