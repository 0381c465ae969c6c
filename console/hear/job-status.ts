import { languageName } from '../../src/hear/transcript/languages.ts';
import { clock, spokenLength } from '../shared/format.ts';
import type { Job } from './jobs.ts';
import { type Progress, progressText } from './queue.ts';
import type { Transcript } from './transcript.ts';

/** How far a job is, for its row. */
export interface JobStatus {
  text: string;
  /** The done share; absent if it is not known. */
  share?: number;
  isRunning: boolean;
  /** Whether another tab works on it. */
  isElsewhere?: boolean;
}

/** What a transcript holds, e.g. `214 words, English, 3 min.` */
export function summaryOf({ duration, language, words, text }: Transcript): string {
  if (text === '') return `No speech found in ${spokenLength(duration)}.`;
  const count = words ? [`${words.length.toLocaleString('en')} words`] : [];
  const name = languageName(language ?? '') ?? language;
  return `${[...count, ...(name === undefined ? [] : [name]), spokenLength(duration)].join(', ')}.`;
}

/** The status of a job that is neither transcribed nor recorded by this page. */
export function restingStatus({ state, summary, error, isEdited }: Job, isElsewhere: boolean): JobStatus {
  const text = {
    recording: 'Being recorded in another tab.',
    new: 'Not transcribed yet.',
    waiting: isElsewhere ? 'Waits for its turn in another tab.' : 'Waits for its turn.',
    failed: `${summary} ${error ?? ''}`,
    stopped: `${summary ?? ''} ${error ?? ''}`.trim(),
    done: summary ?? '',
    running: isElsewhere ? 'Being transcribed in another tab.' : (summary ?? ''),
  }[state];
  return { text: `${text}${isEdited ? ' Edited.' : ''}`, isRunning: false, isElsewhere };
}

/**
 * The status of the job that is transcribed or translated.
 * @param duration seconds of its recording, if known
 */
export function runningStatus(
  { settings }: Job,
  progress: Progress,
  duration: number | undefined,
  service: { state: string; waiting: number },
): JobStatus {
  const named = (text: string) =>
    settings?.task === 'translations' ? text.replace(/^Transcribing/, 'Translating') : text;
  if (progress.phase === 'transcribing' && progress.done > 0) {
    const text = named(`Transcribing: ${clock(progress.done)}${duration ? ` of ${clock(duration)}` : ''}`);
    return { text, isRunning: true, ...(duration && { share: Math.min(1, progress.done / duration) }) };
  }
  const { text, ...rest } = progressText(progress, service);
  return { text: named(text), ...rest, isRunning: true };
}
