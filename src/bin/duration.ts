/** Runs in a separate process, since it parses media: prints the likely length of a recording in seconds, if known. */

import { estimatedDuration } from '../audio/estimated-duration.ts';

process.stdout.write(String((await estimatedDuration(process.argv[2] ?? '')) ?? ''));
