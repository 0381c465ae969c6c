import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './exit-codes.ts';

/** Parses the arguments of a command. @throws UsageError for an unknown option or one without its value */
export function parseArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')) throw error;
    // The first sentence says what is wrong, the others how options are written.
    throw new UsageError((error as Error).message.split(/\. /, 1)[0]!);
  }
}

/** The value of an option if it is one of several. @throws UsageError */
export function oneOf<const Value extends string>(option: string, value: string, allowed: readonly Value[]): Value {
  const found = allowed.find((each) => each === value.toLowerCase());
  if (found === undefined) throw new UsageError(`--${option} must be one of ${allowed.join(', ')}, not "${value}"`);
  return found;
}
