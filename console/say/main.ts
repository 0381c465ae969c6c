import { messageOf } from '../shared/api.ts';
import { CodeSamples } from '../shared/code-samples.ts';
import { confirmed } from '../shared/confirm.ts';
import { byId } from '../shared/dom.ts';
import { FieldMemory } from '../shared/field-memory.ts';
import { spokenLength } from '../shared/format.ts';
import { setUpKey, storedKey } from '../shared/key.ts';
import { hideNotice, notify, setUpNotice } from '../shared/notice.ts';
import { BrowserStorage } from '../shared/storage.ts';
import { ComparePanel } from './compare-panel.ts';
import { Editor } from './editor.ts';
import { History, type HistoryEntry } from './history.ts';
import { LexiconPanel } from './lexicon-panel.ts';
import { ListenCard } from './listen-card.ts';
import { Monitor } from './monitor.ts';
import { Player } from './player.ts';
import { requestCode } from './request-code.ts';
import { Samples, sampleText } from './samples.ts';
import { Speech, type SpeechRequest } from './speech.ts';
import { synthesize } from './synthesis.ts';
import { letterOf, VoicePanel } from './voice-panel.ts';

/** Seconds of unplayed speech to receive before making the service wait. */
const MAX_AHEAD = 1800;

const form = byId('speech', HTMLFormElement);
const speak = byId('speak', HTMLButtonElement);
const stop = byId('stop', HTMLButtonElement);
const progress = byId('progress', HTMLElement);
const speed = byId('speed', HTMLInputElement);
const volume = byId('volume', HTMLInputElement);
const format = byId('format', HTMLSelectElement);
const streaming = byId('streaming', HTMLInputElement);

setUpNotice();
setUpKey(() => void loadVoices());
const storage = new BrowserStorage();
const voices = new VoicePanel(storage, (voice) => {
  void voiceSamples.toggle(voice, { voice, input: sampleText(letterOf(voice)) });
});
const editor = new Editor(() => voices.language, mayReplaceText);
const player = new Player(() => listen.show());
const voiceSamples = new Samples(() => player.pause(), showSamples);
const compare = new ComparePanel(
  (key, voice, input) => void voiceSamples.toggle(key, { voice, input }),
  (voice) => voices.choose(voice),
);
const lexicon = new LexiconPanel(
  storage,
  () => voices.language,
  (word, phonemes) => {
    const voice = voices.voice;
    if (voice !== '') void voiceSamples.toggle(`word ${word}`, { voice, input: word, lexicon: { [word]: phonemes } });
  },
);
const listen = new ListenCard(player, { beforePlay: () => voiceSamples.stop(), tell, report });
const code = new CodeSamples();
const history = new History(
  storage,
  (entry, speech) => void recall(entry, speech),
  () => void clearHistory(),
);
const monitor = new Monitor(() => void loadVoices());
const memory = new FieldMemory(storage, [byId('input', HTMLTextAreaElement), speed, volume, format, streaming]);
let inFlight: AbortController | undefined;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  // Only allowed while handling the click.
  player.unlock();
  void run();
});
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});
stop.addEventListener('click', () => inFlight?.abort());
window.addEventListener('beforeunload', (event) => {
  // Speeches are kept when they are complete.
  if (inFlight) event.preventDefault();
});
for (const [slider, unit] of [
  [speed, '×'],
  [volume, '×'],
] as const) {
  for (const name of ['input', 'change']) slider.addEventListener(name, () => showSlider(slider, unit));
  showSlider(slider, unit);
}
void restore();

/** Takes over what the browser has kept. */
async function restore(): Promise<void> {
  await Promise.all([memory.restore(), voices.restore(), lexicon.load(), history.load()]);
  editor.showCount();
  await loadVoices();
}

function showSlider(slider: HTMLInputElement, unit: string): void {
  const text = `${Number(slider.value)}${unit}`;
  byId(`${slider.id}-value`, HTMLElement).textContent = text;
  slider.setAttribute('aria-valuetext', text);
}

async function loadVoices(): Promise<void> {
  try {
    await voices.load();
    compare.voices = voices.voices;
  } catch (error) {
    report(error);
  }
}

function report(error: unknown): void {
  const message = messageOf(error);
  if (message !== undefined) notify(message);
}

function readRequest(): SpeechRequest {
  const pronunciations = lexicon.lexicon;
  return {
    input: editor.text,
    voice: voices.voice,
    speed: Number(speed.value),
    volume: Number(volume.value),
    format: format.value,
    stream: streaming.checked,
    ...(pronunciations && { lexicon: pronunciations }),
  };
}

async function run(): Promise<void> {
  hideNotice();
  inFlight?.abort();
  if (editor.text.trim() === '') {
    notify('Write something to speak first.', { isTransient: true });
    editor.focus();
    return;
  }
  if (voices.voice === '') await loadVoices();
  if (voices.voice === '') return;
  const controller = new AbortController();
  inFlight = controller;
  const speech = new Speech(readRequest());
  const blend = voices.blend;
  voiceSamples.stop();
  show(speech);
  player.load(speech);
  player.play();
  setBusy(true);
  tell('Requesting speech…');
  try {
    await synthesize(speech, {
      signal: controller.signal,
      onChunk() {
        if (player.speech === speech) player.update();
        tell('Speaking…');
        listen.show();
      },
      waitForRoom: () => waitForRoom(speech, controller.signal),
      onWaiting() {
        tell('Waiting for the model to warm up…');
      },
    });
    tell(summaryOf(speech));
  } catch (error) {
    tell(controller.signal.aborted ? 'Stopped.' : 'Failed.');
    report(error);
  } finally {
    // What was received can be replayed, even if it is not all.
    speech.complete = true;
    if (player.speech === speech) player.update();
    if (controller.signal.aborted && player.speech === speech) player.pause();
    if (inFlight === controller) {
      inFlight = undefined;
      setBusy(false);
    }
    if (speech.duration > 0) void history.add(speech, blend);
    listen.show();
    monitor.refresh();
  }
}

/** Shows the progress. Screen readers repeat text that is set again. */
function tell(text: string): void {
  if (progress.textContent !== text) progress.textContent = text;
}

async function waitForRoom(speech: Speech, signal: AbortSignal): Promise<void> {
  while (player.speech === speech && speech.duration - player.position > MAX_AHEAD) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function setBusy(isBusy: boolean): void {
  stop.disabled = !isBusy;
  speak.classList.toggle('busy', isBusy);
}

function show(speech: Speech): void {
  listen.set(speech.request);
  code.set(requestCode(speech.request, location.origin, storedKey() !== ''));
}

/** Whether the text may be replaced: asks if it has not been spoken and would be lost. */
async function mayReplaceText(): Promise<boolean> {
  const { text } = editor;
  if (text.trim() === '' || editor.isExample || history.includes(text)) return true;
  return confirmed('Replace the text? What you wrote has not been spoken yet.', 'Replace');
}

async function clearHistory(): Promise<void> {
  if (await confirmed('Remove all speeches from this browser?', 'Clear all')) await history.clear();
}

async function recall({ voices: blend }: HistoryEntry, speech: Speech): Promise<void> {
  if (!(await mayReplaceText())) return;
  inFlight?.abort();
  voiceSamples.stop();
  const { input, format: fileFormat, stream } = speech.request;
  editor.text = input;
  voices.blend = blend;
  format.value = fileFormat;
  streaming.checked = stream;
  for (const [slider, value] of [
    [speed, speech.request.speed],
    [volume, speech.request.volume],
  ] as const) {
    slider.value = String(value);
    showSlider(slider, '×');
  }
  memory.save();
  show(speech);
  player.unlock();
  player.load(speech);
  player.play();
  tell(summaryOf(speech));
}

function summaryOf({ duration, skippedLetters }: Speech): string {
  const skipped =
    skippedLetters === 0
      ? ''
      : ` ${skippedLetters} ${skippedLetters === 1 ? 'letter was' : 'letters were'} left out: the language of the voice does not have ${skippedLetters === 1 ? 'it' : 'them'}.`;
  return `${spokenLength(duration)} of speech.${skipped}`;
}

/** Shows which sample is heard. */
function showSamples(): void {
  voices.playing = voiceSamples.playing;
  compare.playing = voiceSamples.playing;
}
