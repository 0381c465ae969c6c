import { exitCodes } from './exit-codes.ts';

/** The user or the system ended the command. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(signal: 'SIGHUP' | 'SIGINT' | 'SIGTERM') {
    super(signal);
    this.exitCode = exitCodes[signal];
  }
}

/** A signal that aborts with an `Interrupted` on SIGHUP, SIGINT and SIGTERM, so that the command can clean up. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    // Ignore further signals while the command cleans up.
    process.on(signal, () => controller.abort(new Interrupted(signal)));
  }
  return controller.signal;
}
