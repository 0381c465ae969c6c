import { type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';

export interface LogOptions {
  /** A level of pino: fatal, error, warn, info, debug, trace or silent. */
  level: string;
  format: 'pretty' | 'json';
}

/** Bytes of log lines kept while standard output is blocked; further lines are dropped. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * Creates the log of a service, on standard output. Writes synchronously: a buffer, or a worker thread for pretty
 * lines, would lose the last lines before an exit. Write errors, as on a full disk, are ignored.
 */
export function createLog({ level, format }: LogOptions): Logger {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_BUFFERED_BYTES });
  output.on('error', () => {});
  if (format === 'json') return pino({ level }, output);
  const prettify = prettyFactory({ singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' });
  return pino({ level }, { write: (line: string) => output.write(prettify(line) ?? '') });
}
