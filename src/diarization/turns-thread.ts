/** Runs in a thread for one recording, see `findTurnsApart`. */

import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority, THREAD_NICENESS } from '../scheduling/priority.ts';
import { findTurns } from './cluster.ts';
import type { TurnsTask } from './turn-finder.ts';

lowerPriority(THREAD_NICENESS);
const { samples, options } = workerData as TurnsTask;
parentPort!.postMessage(findTurns(samples, options));
