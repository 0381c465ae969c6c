export const MIN_SPEED = 0.25;
export const MAX_SPEED = 4;
/** Above this, the limiter distorts the voice. */
export const MAX_VOLUME = 10;
