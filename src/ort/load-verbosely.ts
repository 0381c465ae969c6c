/** Runs as a process: loads a graph on the GPU, with onnxruntime's verbose log on standard error. */

import { webgpu } from './device.ts';
import { Session } from './session.ts';

await Session.load(process.argv[2]!, webgpu(), { isVerbose: true });
process.stdout.write('loaded');
// Some drivers crash in an orderly exit.
process.kill(process.pid, 'SIGKILL');
