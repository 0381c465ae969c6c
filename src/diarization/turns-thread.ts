/** Runs in a thread for one recording, see `findTurnsApart`. */

import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../scheduling/priority.ts';
import { findTurns } from './cluster.ts';
import type { TurnsTask } from './turn-finder.ts';

/** As threads that compute for a model. */
const NICENESS = 3;

lowerPriority(NICENESS);
const { samples, options } = workerData as TurnsTask;
parentPort!.postMessage(findTurns(samples, options));
