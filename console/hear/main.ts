import { languageCodes, languageName } from '../../src/hear/transcript/languages.ts';
import { ApiError, messageOf } from '../shared/api.ts';
import { CodeSamples } from '../shared/code-samples.ts';
import { byId, element } from '../shared/dom.ts';
import { copy, saveText } from '../shared/files.ts';
import { byteSize, clock, spokenLength } from '../shared/format.ts';
import { setUpKey, storedKey } from '../shared/key.ts';
import { hideNotice, notify, setUpNotice } from '../shared/notice.ts';
import { ModelsPanel } from './models-panel.ts';
import { Monitor } from './monitor.ts';
import { factsOf } from './preset-facts.ts';
import { Recorder } from './recorder.ts';
import { requestCode } from './request-code.ts';
import { type ExportFormat, exported, fileOf, partialTranscript, type Transcript } from './transcript.ts';
import { TranscriptView } from './transcript-view.ts';
import { transcribe } from './upload.ts';

const WARMING_RETRY_MS = 1500;

const form = byId('transcription', HTMLFormElement);
const drop = byId('drop', HTMLElement);
const choose = byId('file', HTMLInputElement);
const audio = byId('audio', HTMLAudioElement);
const audioNote = byId('audio-note', HTMLElement);
const task = byId('task', HTMLSelectElement);
const language = byId('language', HTMLSelectElement);
const prompt = byId('prompt', HTMLInputElement);
const format = byId('format', HTMLSelectElement);
const start = byId('start', HTMLButtonElement);
const stop = byId('stop', HTMLButtonElement);
const progress = byId('progress', HTMLElement);
const phase = byId('phase', HTMLElement);
const bar = byId('bar', HTMLProgressElement);
const plain = byId('plain', HTMLElement);
const words = byId('transcript', HTMLElement);

setUpNotice();
setUpKey(() => void models.load());
language.append(
  ...languageCodes
    .map((code) => ({ value: code, textContent: languageName(code) ?? code }))
    .sort((a, b) => a.textContent.localeCompare(b.textContent, 'en'))
    .map((option) => element('option', option)),
);
const view = new TranscriptView(audio);
const samples = new CodeSamples();
const models = new ModelsPanel(() => monitor.refresh());
const monitor = new Monitor((model) => {
  showModel(model);
  void models.load();
});
void models.load();
new Recorder(select);

let file: File | undefined;
let transcript: Transcript | undefined;
/** Segments of the transcription in progress. */
let heard: Transcript['segments'] = [];
let inFlight: AbortController | undefined;

choose.addEventListener('change', () => {
  const chosen = choose.files?.[0];
  if (chosen) select(chosen);
  // Lets the user choose the same file again.
  choose.value = '';
});
for (const name of ['dragenter', 'dragover'] as const) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
}
document.addEventListener('dragleave', (event) => {
  if (event.relatedTarget === null) drop.classList.remove('over');
});
document.addEventListener('drop', (event) => {
  event.preventDefault();
  drop.classList.remove('over');
  const dropped = event.dataTransfer?.files[0];
  if (dropped) select(dropped);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void run();
});
stop.addEventListener('click', () => inFlight?.abort());
task.addEventListener('change', showOptions);
format.addEventListener('change', () => {
  showFormat();
  showCode();
});
for (const field of [task, language, prompt]) field.addEventListener('change', showCode);
byId('copy', HTMLButtonElement).addEventListener('click', () => {
  if (transcript) void copy(exported(transcript, shownFormat()));
});
for (const save of document.querySelectorAll<HTMLButtonElement>('[data-save]')) {
  save.addEventListener('click', () => {
    if (!transcript) return;
    const wanted = save.dataset.save as ExportFormat;
    const { name, type } = fileOf(wanted, file?.name ?? '');
    saveText(name, type, exported(transcript, wanted));
  });
}
audio.addEventListener('error', () => {
  if (file) audioNote.textContent = 'This browser cannot play the file, but it can still be transcribed.';
});
audio.addEventListener('loadedmetadata', () => void findDuration());
showOptions();
showCode();
setResultButtons();

/** Seeks to the end, so that the browser finds the duration of its own recordings. */
async function findDuration(): Promise<void> {
  if (audio.duration !== Number.POSITIVE_INFINITY) return;
  audio.currentTime = Number.MAX_SAFE_INTEGER;
  await new Promise((resolve) => audio.addEventListener('durationchange', resolve, { once: true }));
  audio.currentTime = 0;
}

function select(selected: File): void {
  inFlight?.abort();
  file = selected;
  transcript = undefined;
  view.clear();
  plain.textContent = '';
  audioNote.textContent = '';
  tell('');
  URL.revokeObjectURL(audio.src);
  audio.src = URL.createObjectURL(selected);
  byId('file-name', HTMLElement).replaceChildren(element('bdi', {}, selected.name), ` · ${byteSize(selected.size)}`);
  byId('player', HTMLElement).classList.remove('empty');
  start.disabled = false;
  setResultButtons();
  showFormat();
  showCode();
  start.focus();
}

function showOptions(): void {
  const translates = task.value === 'translations';
  language.disabled = translates;
  if (translates) language.value = '';
}

function showModel(model: string): void {
  const facts = factsOf(model);
  const isEnglish = facts?.languages === 'English only';
  byId('model-hint', HTMLElement).textContent = facts
    ? isEnglish
      ? `${model} supports English only; other models support more languages.`
      : `${model}: ${facts.languages}, ${facts.translation}.`
    : '';
}

function showCode(): void {
  const request = {
    task: task.value as 'transcriptions' | 'translations',
    fileName: file?.name ?? 'recording.mp3',
    language: language.value,
    prompt: prompt.value,
    format: codeFormat(),
  };
  samples.set(requestCode(request, location.origin, storedKey() !== ''));
}

function codeFormat(): ExportFormat {
  return format.value === 'words' ? 'verbose_json' : (format.value as ExportFormat);
}

/** The format to show and copy. */
function shownFormat(): ExportFormat {
  return format.value === 'words' ? 'text' : (format.value as ExportFormat);
}

function showFormat(): void {
  // Until the transcript is complete, only its segments can be shown.
  const isPlain = format.value !== 'words' && transcript !== undefined;
  byId('plain-frame', HTMLElement).hidden = !isPlain;
  words.hidden = isPlain;
  plain.textContent = isPlain && transcript ? exported(transcript, shownFormat()) : '';
}

function setResultButtons(): void {
  for (const each of document.querySelectorAll<HTMLButtonElement>('[data-save], #copy')) {
    each.disabled = transcript === undefined;
  }
  byId('search', HTMLInputElement).disabled = transcript === undefined;
  byId('transcript-empty', HTMLElement).hidden = transcript !== undefined || inFlight !== undefined;
}

async function run(): Promise<void> {
  const recording = file;
  if (!recording) return;
  hideNotice();
  inFlight?.abort();
  const controller = new AbortController();
  const { signal } = controller;
  inFlight = controller;
  transcript = undefined;
  view.clear();
  showFormat();
  setBusy(true);
  setResultButtons();
  try {
    transcript = await transcribeWhenReady(recording, signal);
    view.show(transcript);
    tell(summary(transcript));
  } catch (error) {
    // Another recording may have been chosen meanwhile.
    if (file !== recording || inFlight !== controller) return;
    if (heard.length > 0) {
      const isTranslation = task.value === 'translations';
      transcript = partialTranscript(isTranslation ? 'translate' : 'transcribe', heard);
    }
    tell(`${signal.aborted ? 'Stopped' : 'Failed'}${transcript ? ` after ${spokenLength(transcript.duration)}` : ''}.`);
    const message = messageOf(error);
    if (message !== undefined && !signal.aborted) notify(`Transcription failed: ${message}`);
  } finally {
    if (inFlight === controller) {
      inFlight = undefined;
      setBusy(false);
    }
    setResultButtons();
    showFormat();
    monitor.refresh();
  }
}

/** Retries while the model warms up. */
async function transcribeWhenReady(recording: File, signal: AbortSignal): Promise<Transcript> {
  for (;;) {
    try {
      view.clear();
      heard = [];
      return await transcribe({
        task: task.value as 'transcriptions' | 'translations',
        file: recording,
        fileName: recording.name,
        fields: { language: language.value, prompt: prompt.value },
        signal,
        onProgress: showUpload,
        onDelta({ delta, start, end }) {
          heard.push({ text: delta, start, end });
          view.add(delta, start, end);
          showTranscribed(end);
        },
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'model_warming') throw error;
      showProgress('Waiting for the model to warm up…');
      await new Promise((resolve) => setTimeout(resolve, WARMING_RETRY_MS));
      signal.throwIfAborted();
    }
  }
}

function showUpload(sent: number, total: number): void {
  if (sent < total) {
    const percent = Math.floor((100 * sent) / total);
    showProgress(`Uploading: ${percent} % of ${byteSize(total)}`, sent / total);
    return;
  }
  const { waiting } = monitor.queue;
  showProgress(waiting > 0 ? 'Waiting in the queue…' : 'Listening…');
}

function showTranscribed(seconds: number): void {
  const { duration } = audio;
  if (Number.isFinite(duration) && duration > 0) {
    showProgress(`Listening: ${clock(seconds)} of ${clock(duration)}`, Math.min(1, seconds / duration));
  } else showProgress(`Listening: ${clock(seconds)}`);
}

function showProgress(text: string, share?: number): void {
  tell(text);
  if (share === undefined) bar.removeAttribute('value');
  else bar.value = share;
}

/** Shows the progress. Screen readers only read the part before the colon, once. */
function tell(text: string): void {
  progress.textContent = text;
  const announced = text.split(':', 1)[0]!;
  if (phase.textContent !== announced) phase.textContent = announced;
}

function setBusy(isBusy: boolean): void {
  stop.disabled = !isBusy;
  start.disabled = isBusy;
  bar.classList.toggle('idle', !isBusy);
  if (isBusy) showProgress('Sending…');
}

function summary({ duration, language: code, words: transcribed, text }: Transcript): string {
  if (text === '') return `No speech found in ${spokenLength(duration)}.`;
  const count = transcribed ? `${transcribed.length.toLocaleString('en')} words, ` : '';
  return `${count}${languageName(code ?? '') ?? code}, ${spokenLength(duration)}.`;
}
