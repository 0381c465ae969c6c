import { type LogFn, type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { lineOf } from '../errors.ts';

export interface LogOptions {
  /** A level of pino: fatal, error, warn, info, debug, trace or silent. */
  level: string;
  format: 'pretty' | 'json';
}

/** Bytes of log lines kept while standard output is blocked; further lines are dropped. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** Writes such an error as `reason` instead of `err`. */
function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [object, ...rest] = args as unknown[];
  const reason = lineOf((object as { err?: unknown } | undefined)?.err);
  if (reason === undefined) {
    method.apply(this, args);
  } else {
    const { err: _, ...others } = object as { err: unknown };
    method.apply(this, [{ ...others, reason }, ...rest] as Parameters<LogFn>);
  }
}

/**
 * Creates the log of a service, on standard output. Writes synchronously: a buffer, or a worker thread for pretty
 * lines, would lose the last lines before an exit. Write errors, as on a full disk, are ignored.
 */
export function createLog({ level, format }: LogOptions): Logger {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_BUFFERED_BYTES });
  output.on('error', () => {});
  const options = { level, hooks: { logMethod } };
  if (format === 'json') return pino(options, output);
  const prettify = prettyFactory({
    singleLine: true,
    ignore: 'pid,hostname,reason',
    translateTime: 'SYS:HH:MM:ss',
    messageFormat: ({ reason, msg }) =>
      reason === undefined ? String(msg ?? '') : `${String(msg).replace(/\.$/, '')}: ${reason}`,
  });
  return pino(options, { write: (line: string) => output.write(prettify(line) ?? '') });
}
