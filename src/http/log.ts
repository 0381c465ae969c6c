import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export interface LogOptions {
  /** A level of pino: fatal, error, warn, info, debug, trace or silent. */
  level: string;
  format: 'pretty' | 'json';
}

/**
 * The log of a service, on standard output. Pretty lines are made in this process: a worker thread for them would lose
 * the last lines before an exit.
 */
export function createLog({ level, format }: LogOptions): Logger {
  if (format === 'json') return pino({ level }, pino.destination({ dest: 1, sync: true }));
  return pino(
    { level },
    pretty({ sync: true, singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }),
  );
}
