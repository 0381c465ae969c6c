import { messageOf } from '../shared/api.ts';
import { spokenLength } from '../shared/format.ts';
import { isLocked } from '../shared/retry.ts';
import { summaryOf } from './job-status.ts';
import type { Job } from './jobs.ts';
import type { Recorded } from './recorder.ts';
import type { Transcript } from './transcript.ts';

/** How a transcription ended. */
export interface Outcome {
  changes: Partial<Job>;
  /** Why it failed, unless it was stopped. */
  failure?: string;
}

/** The outcome of a transcription. @param transcript the transcript so far @param error undefined if it is complete */
export function outcomeOf(transcript: Transcript | undefined, error: unknown): Outcome {
  if (error === undefined) return { changes: { state: 'done', summary: summaryOf(transcript!) } };
  const message = messageOf(error);
  // It has not been tried without the key.
  const isStopped = message === undefined || isLocked(error);
  const after = transcript ? ` after ${spokenLength(transcript.duration)}` : '';
  const changes: Partial<Job> = {
    state: isStopped ? (transcript ? 'stopped' : 'new') : 'failed',
    ...(message !== undefined && { error: message }),
    summary: `${isStopped ? 'Stopped' : 'Failed'}${after}.`,
  };
  return { changes, ...(message !== undefined && { failure: message }) };
}

/** The changes of a job whose recording has been made. */
export function recordedChanges({ transcript, missing }: Recorded): Partial<Job> {
  if (!transcript) return { state: 'new' };
  if (missing === undefined) return { state: 'done', summary: summaryOf(transcript) };
  return { state: 'stopped', summary: 'Not all of it was transcribed.', error: missing };
}
