import { messageOf } from '../shared/api.ts';
import { confirmed } from '../shared/confirm.ts';
import { byId } from '../shared/dom.ts';
import { setUpKey } from '../shared/key.ts';
import { hideNotice, notify, setUpNotice } from '../shared/notice.ts';
import { BrowserStorage } from '../shared/storage.ts';
import { guardUnkept } from '../shared/unkept.ts';
import { Actions } from './actions.ts';
import { BookPanel } from './book/book-panel.ts';
import { ComparePanel } from './compare-panel.ts';
import { DialoguePanel } from './dialogue/dialogue-panel.ts';
import { Editor } from './editor.ts';
import { FileOpener } from './file-opener.ts';
import { History, type HistoryEntry } from './history.ts';
import { LexiconPanel } from './lexicon-panel.ts';
import { ListenCard } from './listen-card.ts';
import { Modes } from './modes.ts';
import { Monitor } from './monitor.ts';
import { Player } from './player.ts';
import { Samples, sampleText } from './samples.ts';
import { searchedTexts } from './searched-texts.ts';
import { Settings } from './settings.ts';
import { Speaker, summaryOf } from './speaker.ts';
import type { Speech, SpeechRequest } from './speech.ts';
import { TextSearch } from './text-search.ts';
import { letterOf } from './voice-names.ts';
import { VoicePanel } from './voice-panel.ts';

const form = byId('speech', HTMLFormElement);

setUpNotice();
setUpKey((hasKey) => {
  // Without a key, a request would only ask for one.
  if (hasKey) void loadVoices();
});
const storage = new BrowserStorage();
guardUnkept(storage);
const actions = new Actions();
const voices = new VoicePanel(storage, (voice) => {
  void voiceSamples.toggle(voice, { voice, input: sampleText(letterOf(voice)) });
});
const editor = new Editor(() => language(), mayReplaceText);
const settings = new Settings(storage, editor.area);
const player = new Player(() => {
  listen.show();
  book.playerChanged();
});
const voiceSamples = new Samples(() => player.pause(), showSamples);
const compare = new ComparePanel(
  (key, voice, input) => void voiceSamples.toggle(key, { voice, input }),
  (voice) => voices.choose(voice),
);
const lexicon = new LexiconPanel(
  storage,
  () => language(),
  (word, phonemes) => {
    const voice = voices.voice;
    if (voice !== '') void voiceSamples.toggle(`word ${word}`, { voice, input: word, lexicon: { [word]: phonemes } });
  },
);
const listen = new ListenCard(player, {
  beforePlay: () => voiceSamples.stop(),
  onFrame: () => dialogue.follow(player),
  tell: (text) => actions.tell(text),
  report,
});
const history = new History(storage, {
  // Only allowed while handling the click.
  beforeChoice: () => player.unlock(),
  onChoice: (entry, speech) => void recall(entry, speech),
  onClear: () => void clearHistory(),
});
const monitor = new Monitor(() => void loadVoices());
const speaker = new Speaker({ player, listen, history, actions, report, onEnd: () => monitor.refresh() });
const dialogue = new DialoguePanel(storage, () => voices.preferred);
const book = new BookPanel(storage, {
  player,
  speaker,
  actions,
  settings: common,
  beforePlay: () => voiceSamples.stop(),
  onGrowth: () => listen.show(),
  onChange: () => showAction(),
  report,
});
const modes = new Modes(storage, () => {
  showAction();
  search.refresh();
});
const search = new TextSearch(() => searchedTexts({ modes, editor, dialogue, book }));
new FileOpener(form, { modes, editor, dialogue, book, mayReplaceText });

form.addEventListener('submit', (event) => {
  event.preventDefault();
  // Only allowed while handling the click.
  player.unlock();
  void speak();
});
form.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return;
  if (event.ctrlKey || event.metaKey) form.requestSubmit();
  // Who names a book, a chapter or a person does not want to hear it all yet.
  else if (event.target instanceof HTMLInputElement && ['text', 'number'].includes(event.target.type)) {
    event.preventDefault();
  }
});
form.addEventListener('input', (event) => {
  if (event.target instanceof HTMLTextAreaElement) search.refresh();
});
void restore();
byId('main', HTMLElement).inert = false;

/** Takes over what the browser has kept. */
async function restore(): Promise<void> {
  await Promise.all(
    [settings, voices, dialogue, book, modes].map((part) => part.restore()).concat(lexicon.load(), history.load()),
  );
  editor.showCount();
  await loadVoices();
}

async function loadVoices(): Promise<void> {
  try {
    await voices.load();
    compare.voices = voices.voices;
    dialogue.voices = voices.voices;
    settings.voices = voices.voices.map(({ id }) => id);
  } catch (error) {
    report(error);
  }
}

function report(error: unknown): void {
  const message = messageOf(error);
  if (message === undefined) return;
  notify(message);
  const [, line, column] = /^The SSML is invalid at line (\d+), column (\d+):/.exec(message) ?? [];
  if (line !== undefined && modes.mode === 'text') editor.goTo(Number(line), Number(column));
}

/** Letter of the language that the text is read in. */
function language(): string {
  return settings.language || voices.language;
}

/** What all requests have in common. */
function common(): Omit<SpeechRequest, 'input'> {
  const pronunciations = lexicon.lexicon;
  const { isSsml: _, ...values } = settings.values;
  return { voice: voices.voice, ...values, ...(pronunciations && { lexicon: pronunciations }) };
}

async function speak(): Promise<void> {
  hideNotice();
  if (voices.voice === '') await loadVoices();
  if (voices.voice === '') return;
  if (modes.mode === 'book') {
    if (!book.isSpeaking) {
      voiceSamples.stop();
      await book.speak();
      monitor.refresh();
    }
    return;
  }
  const request = modes.mode === 'text' ? textRequest() : dialogueRequest();
  if (!request) return;
  if (book.isSpeaking && !(await confirmed('Stop speaking the book, and speak this?', 'Speak'))) return;
  voiceSamples.stop();
  await speaker.speak(request, voices.blend);
}

function textRequest(): SpeechRequest | undefined {
  if (editor.text.trim() !== '') {
    const { isSsml } = settings.values;
    return { ...common(), input: editor.text, ...(isSsml && { isSsml }) };
  }
  notify('Write something to speak first.', { isTransient: true });
  editor.focus();
  return undefined;
}

function dialogueRequest(): SpeechRequest | undefined {
  const { input, lines } = dialogue.script;
  const [first] = lines;
  if (first) return { ...common(), input, voice: first.voice, lines };
  notify('Write something to speak first.', { isTransient: true });
  dialogue.focus();
  return undefined;
}

function showAction(): void {
  actions.label = modes.mode === 'book' ? book.action : 'Speak';
}

/** Whether the text may be replaced: asks if it has not been spoken and would be lost. */
async function mayReplaceText(): Promise<boolean> {
  const { text } = editor;
  if (text.trim() === '' || editor.isExample || history.includes(text)) return true;
  return confirmed('Replace the text? What you wrote has not been spoken yet.', 'Replace');
}

async function mayReplaceDialogue(): Promise<boolean> {
  if (dialogue.isEmpty || history.includes(dialogue.script.input)) return true;
  return confirmed('Replace the dialogue? What you wrote has not been spoken yet.', 'Replace');
}

async function clearHistory(): Promise<void> {
  if (await confirmed('Remove all speeches from this browser?', 'Clear all')) await history.clear();
}

async function recall({ voices: blend }: HistoryEntry, speech: Speech): Promise<void> {
  const { request } = speech;
  if (!(await (request.lines ? mayReplaceDialogue() : mayReplaceText()))) return;
  if (!book.isSpeaking) actions.stop();
  voiceSamples.stop();
  hideNotice();
  if (request.lines) dialogue.script = request.lines;
  else {
    editor.text = request.input;
    voices.blend = blend;
  }
  modes.mode = request.lines ? 'dialogue' : 'text';
  settings.values = request;
  speaker.play(speech);
  actions.tell(summaryOf(speech));
}

/** Shows which sample is heard. */
function showSamples(): void {
  voices.playing = voiceSamples.playing;
  compare.playing = voiceSamples.playing;
}
