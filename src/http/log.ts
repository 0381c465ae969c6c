import { type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';

export interface LogOptions {
  /** A level of pino: fatal, error, warn, info, debug, trace or silent. */
  level: string;
  format: 'pretty' | 'json';
}

/** Bytes of lines that wait for standard output to take them again; what comes on top of that is lost. */
const MOST_WAITING = 1024 * 1024;

/**
 * The log of a service, on standard output. It is written at once: buffers, or a worker thread for pretty lines, would
 * lose the last lines before an exit. Where it cannot be written, as on a full disk, the service goes on without it.
 */
export function createLog({ level, format }: LogOptions): Logger {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MOST_WAITING });
  output.on('error', () => {});
  if (format === 'json') return pino({ level }, output);
  const prettify = prettyFactory({ singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' });
  return pino({ level }, { write: (line: string) => output.write(prettify(line) ?? '') });
}
