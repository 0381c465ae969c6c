import { confirmed } from '../shared/confirm.ts';
import { byId } from '../shared/dom.ts';
import { FieldMemory } from '../shared/field-memory.ts';
import { onceAFrame } from '../shared/frames.ts';
import { setUpKey } from '../shared/key.ts';
import { hideNotice, notify, setUpNotice } from '../shared/notice.ts';
import { shownName } from '../shared/quoting.ts';
import { BrowserStorage } from '../shared/storage.ts';
import { guardUnkept } from '../shared/unkept.ts';
import { JobList } from './job-list.ts';
import { outcomeOf, recordedChanges } from './job-outcome.ts';
import { type JobStatus, restingStatus, runningStatus } from './job-status.ts';
import { hasEnded, type Job, Jobs } from './jobs.ts';
import { ModelsPanel } from './models-panel.ts';
import { Monitor } from './monitor.ts';
import { PlayerBar } from './player-bar.ts';
import { Queue } from './queue.ts';
import { type Recorded, Recorder } from './recorder.ts';
import { RecordingForm } from './recording-form.ts';
import { putTranscriptFirst, showActions, showProgressOf } from './shown-job.ts';
import type { Transcript } from './transcript.ts';
import { TranscriptCard } from './transcript-card.ts';
import { isForeign, Translation } from './translation.ts';

const start = byId('start', HTMLButtonElement);
const card = byId('transcript-card', HTMLElement);

const EMPTY = 'Your transcript will appear here.';
/** Below this width, the page has one column. */
const phone = matchMedia('(max-width: 59.99rem)');

setUpNotice();
setUpKey((hasKey) => {
  form.showCode();
  // Without a key, a request would only ask for one.
  if (!hasKey) return;
  void models.load();
  recorder.reconnect();
});
const storage = new BrowserStorage();
guardUnkept(storage);
const form = new RecordingForm((files) => {
  const [first] = jobs.add(files);
  if (first) void offer(first);
});
const player = new PlayerBar();
const transcripts = new TranscriptCard(player, onEdit);
/** Many jobs may change at once. */
const jobs = new Jobs(storage, { onChange: onceAFrame(showJobs), onReturn, onCleared });
const list = new JobList({ open: (job) => void choose(job), stop: stopJob, stopAll, remove, clear });
const queue = new Queue(jobs, {
  onStart(job) {
    if (job === shown) transcripts.clear('');
  },
  onProgress: showProgress,
  onDelta(job, delta) {
    if (job === shown) transcripts.add(delta);
    showProgressSoon(job);
  },
  onEnd,
});
const models = new ModelsPanel(() => monitor.refresh());
const monitor = new Monitor(
  (model) => {
    form.model = model;
    translation.model = model;
    void models.load();
  },
  () => {
    form.offersLive = monitor.isLive;
    form.offersSpeakers = monitor.findsSpeakers;
    if (queue.running) showProgress(queue.running);
  },
);
const recorder = new Recorder(jobs, storage, {
  onStart(job) {
    void open(job);
    // The words appear at the top.
    scrollTo({ top: 0 });
  },
  onChange(job) {
    if (job === shown) transcripts.grow(recorder.segments);
    showProgress(job);
  },
  onEnd: onRecorded,
});
const translation = new Translation(jobs, queue, transcripts.beside, {
  names: () => form.settings.names,
  open: (job) => void open(job),
  statusOf,
});
/** Many segments may come at once. */
const showProgressSoon = onceAFrame(showProgress);
const memory = new FieldMemory(storage, form.fields);

/** The job whose recording and transcript are shown. */
let shown: Job | undefined;
/** Whether its transcript had been edited when it was shown: undo goes back to that. */
let wasEdited = false;

byId('transcription', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  transcribe();
});
byId('stop', HTMLButtonElement).addEventListener('click', () => shown && stopJob(shown));
byId('record', HTMLButtonElement).addEventListener('click', () => {
  hideNotice();
  void recorder.start(form.settings, form.isLive);
});
for (const field of form.fields) field.addEventListener('change', () => recorder.update(form.settings));
window.addEventListener('beforeunload', (event) => {
  transcripts.flush();
  // Recordings and transcripts are kept; only work in progress would be lost.
  if (recorder.isRecording || queue.isBusy) event.preventDefault();
});
void memory.restore();
void load();
showJobs();
byId('main', HTMLElement).inert = false;

async function load(): Promise<void> {
  await jobs.load();
  // A translation is shown next to its original.
  const latest = jobs.all.find(({ translationOf }) => translationOf === undefined) ?? jobs.all[0];
  if (!shown && latest) await open(latest);
}

/** Shows a recording, with its transcript if it has one. */
async function open(job: Job): Promise<void> {
  if (shown === job) transcripts.flush();
  else transcripts.clear('');
  shown = job;
  translation.show(undefined);
  hideNotice();
  form.fileName = job.name;
  byId('file-name', HTMLElement).textContent = shownName(job.name);
  showJobs();
  const [file, transcript] = await Promise.all([jobs.file(job), jobs.transcript(job)]);
  if (shown !== job) return;
  player.load(file, hasEnded(job));
  if (queue.running === job) {
    // Some may have been added while the file was read.
    transcripts.clear('');
    for (const delta of queue.heardOf(job)) transcripts.add(delta);
  } else if (recorder.job === job) {
    transcripts.clear(recorder.hasLiveText ? 'Speak: your words appear here.' : 'Transcribe it when you are done.');
    transcripts.grow(recorder.segments);
  } else if (transcript) showTranscript(transcript, job);
  else transcripts.clear(job.error ?? EMPTY);
  putTranscriptFirst(recorder.job === job || (transcript !== undefined && queue.running !== job));
}

/** Shows a recording that is chosen in the list. On a phone, its transcript or error is above the list. */
async function choose(job: Job): Promise<void> {
  await open(job);
  if (shown === job && job.state !== 'new' && phone.matches) card.scrollIntoView({ block: 'start' });
}

/** Shows a recording, and moves the focus to Transcribe, unless the user moves it meanwhile. */
async function offer(job: Job): Promise<void> {
  const focused = document.activeElement;
  await open(job);
  if (document.activeElement === focused) start.focus();
}

/** Shows what another tab has made of the shown job. */
function onReturn(job: Job): void {
  translation.refresh();
  if (job !== shown) return;
  if (jobs.all.includes(job)) void open(job);
  else showNothing();
}

function stopJob(job: Job): void {
  if (job === recorder.job) void recorder.stop();
  else queue.stop(job);
}

/** Stops what is transcribed and what waits for it. */
function stopAll(): void {
  for (const job of jobs.all) queue.stop(job);
}

function onRecorded(job: Job, recorded: Recorded): void {
  const { transcript, missing } = recorded;
  const isKept = jobs.all.includes(job);
  if (isKept) {
    if (transcript) void jobs.setTranscript(job, transcript);
    jobs.update(job, recordedChanges(recorded));
  }
  if (job === shown) {
    if (isKept) void (transcript ? open(job) : offer(job));
    else showNothing();
  }
  // Opening hides notices.
  if (!isKept) notify('Nothing was recorded.');
  else if (missing !== undefined) {
    notify(`Part of the recording was not transcribed. ${missing} “Transcribe again” transcribes all of it.`);
  }
}

function showTranscript(transcript: Transcript, job: Job): void {
  wasEdited = job.isEdited === true;
  transcripts.show(transcript, job.name);
  translation.show(isForeign(transcript) ? job : undefined);
}

/** Transcribes what is new; if nothing is, the shown recording again, as a new entry. */
function transcribe(): void {
  hideNotice();
  const fresh = jobs.all.filter(({ state }) => state === 'new');
  if (fresh.length === 0 && shown) fresh.push(jobs.again(shown));
  // A translation that was stopped stays one.
  for (const job of fresh) queue.add(job, job.translationOf === undefined ? form.settings : job.settings!);
  // At once, so that the focus is on Stop if a dialog asks for a key: it gives the focus back to where it was.
  if (shown && fresh.includes(shown)) showJobs();
  else if (fresh[0]) void open(fresh[0]);
}

function onEdit(transcript: Transcript, isChanged: boolean): void {
  if (!shown) return;
  jobs.update(shown, { isEdited: wasEdited || isChanged });
  void jobs.setTranscript(shown, transcript);
}

function onEnd(job: Job, transcript: Transcript | undefined, error: unknown): void {
  const { changes, failure } = outcomeOf(transcript, error);
  jobs.update(job, changes);
  if (failure !== undefined) {
    notify(`Transcription of ${shownName(job.name)} failed: ${failure}`);
  }
  monitor.refresh();
  translation.refresh();
  if (job !== shown) return;
  player.hasEnded = hasEnded(job);
  if (transcript) {
    showTranscript(transcript, job);
    putTranscriptFirst(true);
    if (phone.matches) card.scrollIntoView({ block: 'start' });
  } else transcripts.clear(failure ?? EMPTY);
}

async function remove(job: Job): Promise<void> {
  const question = `Remove ${shownName(job.name)}${job.summary === undefined ? '' : ' and its transcript'} from this browser?`;
  if (!(await confirmed(question, 'Remove'))) return;
  void jobs.remove(job);
  translation.refresh();
  if (job === shown) showNothing();
}

async function clear(): Promise<void> {
  const question =
    'Remove all recordings and transcripts from this browser? Recordings that are being transcribed stop.';
  if (!(await confirmed(question, 'Clear all'))) return;
  stopAll();
  recorder.discard();
  // Nothing is awaited from the answer on: a file that is added meanwhile would be cleared too.
  void jobs.clear();
  hideNotice();
  showNothing();
}

/** Removes what another tab has cleared: all but a recording that is being made. */
function onCleared(): void {
  for (const job of jobs.all.filter((job) => job !== recorder.job)) {
    void jobs.remove(job);
    queue.stop(job);
  }
  translation.refresh();
  if (shown && shown !== recorder.job) showNothing();
}

function showNothing(): void {
  shown = undefined;
  translation.show(undefined);
  player.load(undefined);
  transcripts.clear(EMPTY);
  putTranscriptFirst(false);
  form.fileName = '';
  showJobs();
}

/** Shows the list, and the actions for the shown recording. */
function showJobs(): void {
  list.show(jobs.all, shown, statusOf);
  showActions(jobs.all, shown, shown !== undefined && jobs.isElsewhere(shown));
  showProgressOf(shown, shown && statusOf(shown));
}

function statusOf(job: Job): JobStatus {
  if (job === recorder.job) return { text: recorder.status, isRunning: true };
  const progress = queue.progressOf(job);
  if (!progress) return restingStatus(job, jobs.isElsewhere(job));
  // A translation is shown with the player of its original.
  const duration = job.fileId === shown?.fileId ? player.duration : undefined;
  return runningStatus(job, progress, duration, { state: monitor.state, ...monitor.activity });
}

function showProgress(job: Job): void {
  list.update(job, statusOf(job), job === shown);
  if (job.translationOf !== undefined) translation.refresh();
  if (job === shown) showProgressOf(shown, statusOf(job));
}
