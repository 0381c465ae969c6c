/**
 * Scrolls a box, and nothing around it, until a part of its content is in view.
 * @param end where the box stops being in view, if something lies over its end
 */
export function reveal(box: HTMLElement, item: Element | Range, end = Number.POSITIVE_INFINITY): void {
  const { top: boxTop, bottom: boxBottom, height } = box.getBoundingClientRect();
  const { top, bottom } = item.getBoundingClientRect();
  if (top >= boxTop && bottom <= Math.min(boxBottom, end)) return;
  box.scrollTop += top - boxTop - height / 3;
}
