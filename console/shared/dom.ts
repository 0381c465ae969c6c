/** The element with that id. @throws where the page has none of that kind: page and script do not belong together. */
export function byId<T extends Element>(id: string, kind: abstract new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} #${id}.`);
  return found;
}

/** A new element. Children given as strings become text, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** A button that does something other than to submit its form. */
export function button(label: string, className: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', className }, label);
  made.addEventListener('click', onClick);
  return made;
}

/** A canvas's context, its size fitted to the pixels of the screen; coordinates are CSS pixels. */
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

/** A colour of the stylesheet, by the name of its variable. */
export function color(name: string): string {
  return getComputedStyle(document.body).getPropertyValue(name).trim();
}
