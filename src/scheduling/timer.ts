/** The longest time of a timer. Node.js fires a longer one at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
