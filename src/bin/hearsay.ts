#!/usr/bin/env node
/** The `hearsay` command: runs the subcommand, and turns its result into an exit code. */

import '../config/working-directory.ts';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { version } from '../config/version.ts';
import { parseArguments } from './arguments.ts';
import { exitCodes, UsageError } from './exit-codes.ts';
import { help } from './help.ts';
import { Interrupted } from './signals.ts';

/** Undefined: the command runs until it is stopped. */
type Command = (args: string[]) => Promise<number | undefined>;

const commands: Record<Exclude<keyof typeof help, 'hearsay'>, Command> = {
  hear: service(() => import('../hear/main.ts')),
  say: service(() => import('../say/main.ts')),
  fetch: async (args) => (await import('./fetch.ts')).fetchModels(args),
  transcribe: async (args) => (await import('./transcribe.ts')).transcribe(args),
  speak: async (args) => (await import('./speak.ts')).speak(args),
};

/** Both services, or one: without arguments, since environment variables hold the settings. */
function service(start: () => Promise<unknown>): Command {
  return async (args) => {
    if (parseArguments(args, {}).positionals.length > 0) throw new UsageError(`Unknown argument "${args[0]}"`);
    await start();
    return undefined;
  };
}

/** @throws UsageError if the user has no home directory */
function dataHome(): string {
  if (process.env.XDG_DATA_HOME) return process.env.XDG_DATA_HOME;
  let home = '';
  try {
    home = homedir();
  } catch {
    // HOME is not set, and the system does not know the user.
  }
  if (home === '') throw new UsageError('This user has no home directory: set DATA_DIR');
  return join(home, '.local/share');
}

async function run(args: string[]): Promise<number | undefined> {
  const [first] = args;
  const name = first !== undefined && Object.hasOwn(commands, first) ? (first as keyof typeof commands) : undefined;
  const options = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  if (options.includes('--help') || options.includes('-h') || first === 'help') {
    console.log(help[name ?? 'hearsay']);
    return exitCodes.done;
  }
  if (options.includes('--version') || first === '-V') {
    console.log(version);
    return exitCodes.done;
  }
  try {
    // Do not write data to the working directory.
    if (!process.env.DATA_DIR?.trim()) process.env.DATA_DIR = join(dataHome(), 'hearsay');
    if (name !== undefined) return await commands[name](args.slice(1));
    if (first !== undefined && !first.startsWith('-')) throw new UsageError(`Unknown command "${first}"`);
    return await service(() => import('./start.ts'))(args);
  } catch (error) {
    if (error instanceof Interrupted) return error.exitCode;
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}. See hearsay ${name === undefined ? '' : `${name} `}--help`);
    return exitCodes.usage;
  }
}

// The writer of a closed pipe gets the error, too.
process.stdout.on('error', () => {});
const code = await run(process.argv.slice(2));
// Services go on.
if (code !== undefined) process.exitCode = code;
