/**
 * The element with an id.
 * @throws Error if the page has none of this kind: page and script do not match
 */
export function byId<T extends Element>(id: string, kind: abstract new () => T): T {
  const target = document.getElementById(id);
  if (!(target instanceof kind)) throw new Error(`The page has no ${kind.name} #${id}.`);
  return target;
}

/** A new element. Children given as strings become text, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

/** A button that does not submit its form. */
export function button(label: string, className: string, onClick: () => void): HTMLButtonElement {
  const node = element('button', { type: 'button', className }, label);
  node.addEventListener('click', onClick);
  return node;
}

/** Hands the focus on from what is about to be hidden, disabled or removed: it would go back to the top of the page. */
export function passFocus(from: Element, to: HTMLElement, options?: FocusOptions): void {
  if (from.contains(document.activeElement)) to.focus(options);
}

/** Enables or disables two buttons. The focus goes from one that is disabled to the other, or to `otherwise`. */
export function enablePair(
  pair: readonly [HTMLButtonElement, HTMLButtonElement],
  areEnabled: readonly [boolean, boolean],
  otherwise?: HTMLElement,
): void {
  // Only what is enabled can take the focus.
  for (const [index, button] of pair.entries()) if (areEnabled[index]) button.disabled = false;
  for (const [index, button] of pair.entries()) {
    if (areEnabled[index]) continue;
    const heir = areEnabled[1 - index] ? pair[1 - index] : otherwise;
    // Without scrolling: a transcript that appears above them may have moved both out of view.
    if (heir) passFocus(button, heir, { preventScroll: true });
    button.disabled = true;
  }
}

/** Removes a row of a list. Its focus goes to the next row, from the last row to the one before, at last to `otherwise`. */
export function removeRow(row: Element, otherwise: HTMLElement): void {
  const neighbor = row.nextElementSibling ?? row.previousElementSibling;
  passFocus(row, neighbor?.querySelector('button') ?? otherwise);
  row.remove();
}

/** The context of a canvas, resized to screen pixels and cleared; coordinates are CSS pixels. */
export function fittedContext(canvas: HTMLCanvasElement): {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
} {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = window.devicePixelRatio;
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const context = canvas.getContext('2d')!;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

/** A color of the stylesheet, by its variable. */
export function color(name: string): string {
  return getComputedStyle(document.body).getPropertyValue(name).trim();
}
