import { byId, color, element, fittedContext } from './dom.ts';

/** Milliseconds between two looks at the service. */
export const POLL_MS = 2000;
/** Points in the graph: two minutes. */
const POINTS = 60;

/** Shows facts of the service by their names. */
export function showFacts(facts: readonly (readonly [name: string, value: string])[]): void {
  const rows = facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
  byId('facts', HTMLElement).replaceChildren(...rows);
}

/** The graph of what the service has done in the last minutes: a bar for each poll. */
export class ActivityGraph {
  readonly #canvas = byId('activity', HTMLCanvasElement);
  readonly #colors: readonly string[];
  #history: (readonly number[])[] = [];

  /** @param colors variables of the stylesheet for the parts of a bar, from the bottom up */
  constructor(...colors: string[]) {
    this.#colors = colors;
  }

  /** Adds a bar at the right. @param parts its parts, from the bottom up */
  add(...parts: number[]): void {
    this.#history = [...this.#history, parts].slice(-POINTS);
    const { context, width, height } = fittedContext(this.#canvas);
    const highest = Math.max(2, ...this.#history.map(sum));
    const step = width / POINTS;
    const first = POINTS - this.#history.length;
    // They may have changed with the color scheme.
    const colors = this.#colors.map(color);
    for (const [index, bar] of this.#history.entries()) {
      // Each part is drawn over those above it.
      for (let count = bar.length; count > 0; count--) {
        const length = Math.max(1, (sum(bar.slice(0, count)) / highest) * height);
        context.fillStyle = colors[count - 1]!;
        context.fillRect((first + index) * step, height - length, step - 1, length);
      }
    }
  }
}

function sum(parts: readonly number[]): number {
  return parts.reduce((total, part) => total + part, 0);
}
