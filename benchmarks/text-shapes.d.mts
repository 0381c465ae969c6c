export const shapes: readonly string[];
