/** Exit codes of the `hearsay` command, listed in docs/command.md. */
export const exitCodes = {
  done: 0,
  /** At least one recording, text or model failed. */
  failed: 1,
  /** The command line is wrong; nothing was done. */
  usage: 2,
  /** 128 plus the number of the signal, as shells report it. */
  SIGHUP: 129,
  SIGINT: 130,
  /** The reader of standard output has closed it. Node.js ignores the signal. */
  SIGPIPE: 141,
  SIGTERM: 143,
} as const;

/** The command line is wrong. The message is one line for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
