import { byId, enablePair } from '../shared/dom.ts';
import type { JobStatus } from './job-status.ts';
import { isActive, type Job } from './jobs.ts';

const start = byId('start', HTMLButtonElement);
const stop = byId('stop', HTMLButtonElement);
const file = byId('file', HTMLInputElement);
const card = byId('transcript-card', HTMLElement);
const progress = byId('progress', HTMLElement);
const phase = byId('phase', HTMLElement);
const bar = byId('bar', HTMLProgressElement);

/** Puts a finished transcript, or one that is spoken, before the form. */
export function putTranscriptFirst(isFirst: boolean): void {
  const column = card.parentElement!;
  if ((column.firstElementChild === card) === isFirst) return;
  const boxes = [...card.querySelectorAll<HTMLElement>('[tabindex]')].map((box) => [box, box.scrollTop] as const);
  const focused = document.activeElement;
  if (isFirst) column.prepend(card);
  else column.insertBefore(card, column.children[2]!);
  // Moving an element loses its scroll position and its focus.
  for (const [box, top] of boxes) box.scrollTop = top;
  if (focused instanceof HTMLElement && card.contains(focused)) focused.focus({ preventScroll: true });
}

/** Shows what can be started and stopped. */
export function showActions(jobs: readonly Job[], shown: Job | undefined, isElsewhere: boolean): void {
  const fresh = jobs.filter(({ state }) => state === 'new').length;
  const isBusy = shown !== undefined && isActive(shown);
  enablePair([start, stop], [fresh > 0 || (shown !== undefined && !isBusy), isBusy && !isElsewhere], file);
  start.textContent =
    fresh > 1 ? `Transcribe ${fresh} files` : fresh === 0 && shown && !isBusy ? 'Transcribe again' : 'Transcribe';
}

/** Shows how far the shown recording is. Screen readers only read the part before the colon, once. */
export function showProgressOf(job: Job | undefined, status: JobStatus = { text: '', isRunning: false }): void {
  // The controls of a recording say how it is.
  const text = job?.state === 'new' || job?.state === 'recording' ? '' : status.text;
  if (progress.textContent !== text) progress.textContent = text;
  const announced = text.split(':', 1)[0]!;
  if (phase.textContent !== announced) phase.textContent = announced;
  bar.classList.toggle('idle', !status.isRunning);
  if (status.share !== undefined) bar.value = status.share;
  else bar.removeAttribute('value');
}
