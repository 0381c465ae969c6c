/** `0:07`, `12:05`, `1:02:05`; a dash for anything else. */
export function clock(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return '–';
  const whole = Math.floor(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** `2026-11-27-09-05-00`, in the time zone of the browser: a time for the name of a file. */
export function fileTime(date: Date): string {
  // Swedish has the order of ISO 8601.
  return date.toLocaleString('sv').replace(/[ :]/g, '-');
}

/** `4.2 s`, `7 min`, `1 h 3 min`: a duration for people and screen readers. */
export function spokenLength(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'of unknown length';
  if (seconds < 60) return `${seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `512 B`, `3.4 MB`, `12 GB`, in powers of 1000. */
export function byteSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** A text on one line, of at most `length` characters. */
export function snippet(text: string, length: number): string {
  // Do not search a megabyte for whitespace.
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length > length || text.length > length * 4 ? `${characters.slice(0, length - 1).join('')}…` : line;
}
