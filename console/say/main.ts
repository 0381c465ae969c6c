import { messageOf } from '../shared/api.ts';
import { CodeSamples } from '../shared/code-samples.ts';
import { confirmed } from '../shared/confirm.ts';
import { byId } from '../shared/dom.ts';
import { FieldMemory } from '../shared/field-memory.ts';
import { save, saveText } from '../shared/files.ts';
import { clock, spokenLength } from '../shared/format.ts';
import { setUpKey, storedKey } from '../shared/key.ts';
import { hideNotice, notify, setUpNotice } from '../shared/notice.ts';
import { runInSlices } from '../shared/slices.ts';
import { BrowserStorage } from '../shared/storage.ts';
import { type CaptionFormat, captionSteps } from './captions.ts';
import { ComparePanel } from './compare-panel.ts';
import { Editor } from './editor.ts';
import { History, type HistoryEntry } from './history.ts';
import { LexiconPanel } from './lexicon-panel.ts';
import { Monitor } from './monitor.ts';
import { Player } from './player.ts';
import { requestCode } from './request-code.ts';
import { Samples, sampleText } from './samples.ts';
import { Speech, type SpeechRequest } from './speech.ts';
import { SpokenText } from './spoken-text.ts';
import { speechFile, synthesize } from './synthesis.ts';
import { letterOf, VoicePanel } from './voice-panel.ts';
import { Waveform } from './waveform.ts';

/** Seconds of unplayed speech to receive before making the service wait. */
const MAX_AHEAD = 1800;

const form = byId('speech', HTMLFormElement);
const speak = byId('speak', HTMLButtonElement);
const stop = byId('stop', HTMLButtonElement);
const playButton = byId('play', HTMLButtonElement);
const replay = byId('replay', HTMLButtonElement);
const download = byId('download', HTMLButtonElement);
const downloadFormat = byId('download-format', HTMLSelectElement);
const time = byId('time', HTMLElement);
const progress = byId('progress', HTMLElement);
const speed = byId('speed', HTMLInputElement);
const volume = byId('volume', HTMLInputElement);
const format = byId('format', HTMLSelectElement);
const streaming = byId('streaming', HTMLInputElement);
const captionButtons = document.querySelectorAll<HTMLButtonElement>('[data-captions]');

setUpNotice();
setUpKey(() => void loadVoices());
const storage = new BrowserStorage();
const voices = new VoicePanel(storage, (voice) => {
  void voiceSamples.toggle(voice, { voice, input: sampleText(letterOf(voice)) });
});
const editor = new Editor(() => voices.language, mayReplaceText);
const player = new Player(showPlayer);
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
const waveform = new Waveform(byId('waveform', HTMLCanvasElement), player);
const spokenText = new SpokenText(byId('spoken', HTMLElement), player);
const code = new CodeSamples();
const history = new History(
  storage,
  (entry, speech) => void recall(entry, speech),
  () => void clearHistory(),
);
const monitor = new Monitor(() => void loadVoices());
const memory = new FieldMemory(storage, [byId('input', HTMLTextAreaElement), speed, volume, format, streaming]);
let inFlight: AbortController | undefined;
/** The requested animation frame; 0 for none. */
let frame = 0;

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
playButton.addEventListener('click', () => {
  voiceSamples.stop();
  if (player.state === 'paused') player.play();
  else player.pause();
});
replay.addEventListener('click', () => {
  player.seek(0);
  player.play();
});
download.addEventListener('click', () => void downloadSpeech());
for (const each of captionButtons) {
  each.addEventListener('click', () => void saveCaptions(each.dataset.captions as CaptionFormat));
}
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
showPlayer();
waveform.draw(true);
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
        showPlayer();
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
    showPlayer();
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
  spokenText.set(speech.request.input);
  byId('spoken-empty', HTMLElement).hidden = true;
  downloadFormat.value = speech.request.format;
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

async function saveCaptions(captions: CaptionFormat): Promise<void> {
  const { speech } = player;
  if (!speech) return;
  const types = { srt: 'application/x-subrip', vtt: 'text/vtt', json: 'application/json' };
  saveText(`speech.${captions}`, types[captions], await runInSlices(captionSteps(speech, captions)));
}

/** Shows which sample is heard. */
function showSamples(): void {
  voices.playing = voiceSamples.playing;
  compare.playing = voiceSamples.playing;
}

async function downloadSpeech(): Promise<void> {
  const { speech } = player;
  if (!speech) return;
  const chosen = downloadFormat.value;
  download.disabled = true;
  tell(`Making the ${chosen} file…`);
  try {
    save(`speech.${chosen}`, await speechFile(speech, chosen));
    tell('Saved.');
  } catch (error) {
    tell('');
    report(error);
  } finally {
    showPlayer();
  }
}

function showPlayer(): void {
  const { state, speech } = player;
  const hasSound = speech !== undefined && speech.duration > 0;
  playButton.disabled = !hasSound;
  replay.disabled = !hasSound;
  download.disabled = !hasSound || !speech.complete;
  for (const each of captionButtons) each.disabled = download.disabled || speech?.words.length === 0;
  const label = state === 'paused' ? 'Play' : 'Pause';
  playButton.dataset.icon = state === 'paused' ? 'play' : 'pause';
  if (playButton.getAttribute('aria-label') !== label) playButton.setAttribute('aria-label', label);
  showTime();
  if (state !== 'paused' && frame === 0) frame = requestAnimationFrame(animate);
}

function animate(): void {
  frame = 0;
  showTime();
  if (player.state !== 'paused') frame = requestAnimationFrame(animate);
}

function showTime(): void {
  const text = `${clock(player.position)} / ${clock(player.speech?.duration ?? 0)}`;
  if (time.textContent !== text) time.textContent = text;
  waveform.draw();
  spokenText.follow();
}
