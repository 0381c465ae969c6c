import { exitCodes } from './exit-codes.ts';

/** The user, the system or the reader of standard output ended the command. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(signal: 'SIGHUP' | 'SIGINT' | 'SIGPIPE' | 'SIGTERM') {
    super(signal);
    this.exitCode = exitCodes[signal];
  }
}

/**
 * A signal that aborts with an `Interrupted` on SIGHUP, SIGINT and SIGTERM, and when standard output is closed, so that the
 * command can clean up.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    // Ignore further signals while the command cleans up.
    process.on(signal, () => controller.abort(new Interrupted(signal)));
  }
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') controller.abort(new Interrupted('SIGPIPE'));
  });
  return controller.signal;
}
