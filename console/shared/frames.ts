/** Runs a task with the last argument that it was asked for, once before the next frame. */
export function onceAFrame<T = void>(task: (argument: T) => void): (argument: T) => void {
  let frame = 0;
  let last: T;
  return (argument) => {
    last = argument;
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      task(last);
    });
  };
}
