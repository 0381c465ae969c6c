const MEBIBYTE = 1024 ** 2;
const GIBIBYTE = 1024 ** 3;

/** Rounds to two decimals. */
export const round = (value: number) => Math.round(value * 100) / 100;

export const mb = (bytes: number) => round(bytes / MEBIBYTE);

export const gb = (bytes: number) => round(bytes / GIBIBYTE);

export const percent = (part: number, whole: number) => (whole > 0 ? round((100 * part) / whole) : 0);
