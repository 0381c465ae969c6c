import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { isUnspaced } from './normalize.mjs';
import { readAudio } from './speech.mjs';

/**
 * Recordings with transcripts that public repositories hold. Nothing of them is copied here: they are read from clones at
 * `<folder>/<owner>/<name>`, at these commits.
 */
export const COMMITS = {
  'KennethWang1221/Speech2Text': 'bf5854c5995270f29bcc625a31e0b39e545a015d',
  'cmusphinx/pocketsphinx': '511126b492dcb267cf30d49d631946d7b61a9530',
  'Picovoice/leopard': 'f0d80c61f03f6438c1ff89d98b62b95796d27003',
  'victorchentw/WhisperSTT': 'eb374d6401279858cd0ee508ad396707634611c5',
  'sebastian-software/cuttledoc': 'e0c587883f1fdf67d521f8e0b3c216b22d91fda6',
  'omnilingo/rsample-100-cv-corpus-6.1-2020-12-11': '6785f863fec9770151abfe50a5e3e3787fd20ba2',
  'iver56/audiomentations': '73b94488279feda6542a2813c70ed0d00b49ee4f',
  'pyannote/pyannote-audio': 'b749285c5cdd4636b2edc7f766f1352c8dde9369',
  'gcunhase/AMICorpusXML': 'b43d9179369b99f8455aecec6f64237d11132e55',
};

const LIBRISPEECH = ['1089/134686/1089-134686-0000', '1089/134686/1089-134686-0001', '1089/134691/1089-134691-0001'];
const LIBRIVOX = ['0870', '0880', '0890', '0920', '0930'];
const EARNINGS = ['earnings22_1_4482311_3_62', 'earnings22_3_4483589_261_321'];
const numbered = (count) => Array.from({ length: count }, (_, index) => String(index).padStart(3, '0'));

const lineOf = (id) => (text) =>
  text
    .split('\n')
    .find((line) => line.startsWith(id))
    .slice(id.length);

/** Readings of books: LibriSpeech's test-clean, and LibriVox. */
export const READINGS = [
  ...LIBRISPEECH.map((path) => ({
    repository: 'KennethWang1221/Speech2Text',
    path: `LibriSpeech/test-clean/${path}.flac`,
    transcript: `LibriSpeech/test-clean/${path.replace(/-\d+$/, '')}.trans.txt`,
    read: lineOf(path.split('/').at(-1)),
  })),
  ...LIBRIVOX.map((id) => ({
    repository: 'cmusphinx/pocketsphinx',
    path: `test/data/librivox/sense_and_sensibility_01_austen_64kb-${id}.wav`,
    transcript: `test/data/librivox/sense_and_sensibility_01_austen_64kb-${id}.txt`,
  })),
];

/** A minute each of two conference calls (Earnings-22): free speech, accents, hesitations. */
export const CALLS = EARNINGS.map((name) => ({
  repository: 'victorchentw/WhisperSTT',
  path: `WhisperiOS/Models/benchmark-clips/${name}.wav`,
  transcript: `WhisperiOS/Models/benchmark-clips/${name}.txt`,
}));

/** Ten sentences of FLEURS in each of five languages. */
export const FLEURS = ['en', 'de', 'es', 'fr', 'pt'].flatMap((language) =>
  numbered(10).map((number) => ({
    repository: 'sebastian-software/cuttledoc',
    path: `packages/cuttledoc/fixtures/fleurs-${language}-${number}.ogg`,
    transcript: `packages/cuttledoc/fixtures/fleurs-${language}-${number}.txt`,
    language,
  })),
);

/** Single sentences in other languages: FLEURS, and the samples of a speech engine. */
export const CLIPS = [
  ...['de', 'es', 'fr', 'it', 'ja', 'ko', 'pt'].map((language) => ({
    repository: 'Picovoice/leopard',
    path: `resources/audio_samples/test_${language}.wav`,
    transcript: 'resources/.test/test_data.json',
    read: (text) => JSON.parse(text).tests.language_tests.find((test) => test.language === language).transcript,
    language,
  })),
  ...[
    ['ja', 'fleurs_ja_1837_clip4'],
    ['zh', 'fleurs_zh_1883_clip5'],
  ].map(([language, name]) => ({
    repository: 'victorchentw/WhisperSTT',
    path: `WhisperiOS/Models/benchmark-clips/${name}.wav`,
    transcript: `WhisperiOS/Models/benchmark-clips/${name}.txt`,
    language,
  })),
];

/**
 * Half a minute each of ten meetings (AMI): people near and far who interrupt each other, and sounds of the room. The words
 * are in another repository, those of each speaker on a line. Here is who says what when: the line, and how the words begin
 * and end.
 */
export const MEETINGS = [
  [
    'dev00',
    'ES2003a',
    [1, 'Okay, well', 'in the group'],
    [2, 'Oh, Ebenezer', 'spell that?'],
    [1, 'yeah, go for it', 'mate.'],
    [2, 'N_E_Z_', 'E_R_.'],
    [1, 'N_ E_ Z_.', 'role is?'],
    [2, "I'm the", 'Expert.'],
    [1, "You're the", 'okay.'],
  ],
  [
    'dev01',
    'ES2003b',
    [4, 'Just put it', 'desktop.'],
    [2, 'No on the desktop', 'just there.'],
    [4, 'Project documents', 'yeah.'],
    [2, "Yeah. That's it", 'dump it in there.'],
    [4, "What's your username?", 'password?'],
  ],
  ['trn03', 'EN2001e', [3, "I'm not a hundred", 'you say object']],
  ['trn05', 'EN2004a', [1, 'If not more', "what's involved."]],
  [
    'trn06',
    'EN2005a',
    [3, 'years just because', 'great joy.'],
    [1, "Aren't they", 'him?'],
    [3, 'I think they probably', 'I guess.'],
  ],
  ['trn07', 'EN2006a', [2, 'And something', 'set, go.'], [3, 'Did did you', 'the interaction']],
  [
    'trn08',
    'EN2006b',
    [4, 'Great', 'thank you.'],
    [1, 'Smile', 'camera.'],
    [2, 'Right.', 'Right.'],
    [1, 'I think there', 'underlined.'],
    [2, "Yeah, it's hard", 'break for and.'],
  ],
  [
    'trn09',
    'EN2009b',
    [2, 'So we', 'at the moment.'],
    [1, 'I mean m my view', 'I mean I guess'],
    [2, 'She did', 'admit it.'],
    [1, 'right, okay.', 'we can do really.'],
  ],
  [
    'tst00',
    'EN2002a',
    [1, 'Wonder', 'at the meetings.'],
    [2, 'Yeah, exactly', 'yeah yeah yeah.'],
    [4, 'Okay. So what', 'talk about?'],
    [2, 'Should we', "they've got."],
    [3, 'Has anybody Has', 'anything?'],
    [1, 'Not a lot.', 'No.'],
    [2, 'Well I', 'hope so.'],
    [1, 'Okay. Sounds', 'some stuff.'],
  ],
  ['tst01', 'EN2002b', [1, 'No.', 'No.'], [2, 'No.', 'No.'], [3, 'Okay.', 'Okay.'], [4, 'Okay.', 'today? Okay.']],
].map(([name, meeting, ...turns]) => ({
  repository: 'pyannote/pyannote-audio',
  path: `tests/data/${name}.wav`,
  transcripts: 'gcunhase/AMICorpusXML',
  transcript: `data/ami-transcripts/${meeting}.transcript.txt`,
  read: (text) => turns.map(turnOf(text.split('\n'))).join(' '),
}));

function turnOf(lines) {
  return ([line, begin, end]) => {
    const words = lines[line - 1];
    const start = words.indexOf(begin);
    const last = words.indexOf(end, start);
    if (start < 0 || last < 0) throw new Error(`Line ${line} does not hold ${begin} … ${end}.`);
    return words.slice(start, last + end.length).replaceAll('_', ' ');
  };
}

/** Common Voice 6.1: a hundred random clips in each of its languages, of as many speakers as there were. */
const COMMON_VOICE = 'omnilingo/rsample-100-cv-corpus-6.1-2020-12-11';

/** A text of 600 words in each of five languages, spoken by another synthesizer. */
export const NARRATIONS = [
  ['de', 'Otto'],
  ['en', 'Brian'],
  ['es', 'Sarah Martin'],
  ['fr', 'Manon'],
  ['pt', 'Adam'],
  ['en', 'Jesscia'],
  ['de', 'Mila'],
  ['es', 'Enrique M. Nieto'],
  ['fr', 'Paul'],
  ['pt', 'Raquel'],
].map(([language, speaker]) => ({
  repository: 'sebastian-software/cuttledoc',
  path: `packages/llm/fixtures/audio/${language}-sample - ${speaker}.ogg`,
  transcript: `packages/llm/fixtures/texts/${language}-sample.txt`,
  language,
}));

/** Sounds without speech. */
export const SOUNDS = [
  'demo/acoustic_guitar_0.wav',
  'demo/background_noises/hens.ogg',
  'demo/background_noises/sheep.ogg',
  'demo/short_noises/130921_iPhone_rub_channel0_chunk83_aug2.wav',
  'demo/short_noises/130921_laptopmic-dell_tap_channel0_chunk200_aug0.wav',
  'demo/short_noises/friction0.wav',
  'demo/short_noises/friction1.wav',
  'demo/tap.wav',
].map((path) => ({ repository: 'iver56/audiomentations', path }));

/** Shorter ones are single words, such as names of programs. */
const MIN_SENTENCE_WORDS = 4;
const MIN_SENTENCE_CHARACTERS = 10;

function isSentence(text, language) {
  const [length, min] = isUnspaced(language.slice(0, 2))
    ? [text.length, MIN_SENTENCE_CHARACTERS]
    : [text.split(' ').length, MIN_SENTENCE_WORDS];
  return length >= min;
}

/** Reads the listed files; reports missing clones. */
export class Repositories {
  #folder;
  #reported = new Set();

  /** @param folder of clones, or undefined if there is none */
  constructor(folder) {
    this.#folder = folder;
  }

  /** Samples and text of each recording whose repository is there. */
  async recordings(list) {
    const found = [];
    const isHere = ({ repository, transcripts = repository }) => this.#has(repository) && this.#has(transcripts);
    for (const entry of list.filter(isHere)) {
      const { transcripts = entry.repository, transcript } = entry;
      const text = entry.text ?? (transcript && this.#show(transcripts, transcript).toString());
      found.push({
        name: entry.path
          .split('/')
          .at(-1)
          .replace(/\.\w+$/, '')
          .replaceAll(/[ .]+/g, '-'),
        samples: await this.#decode(entry),
        text: (text && entry.read ? entry.read(text) : (text ?? '')).trim(),
        language: entry.language ?? 'en',
        source: `${entry.repository}: ${entry.path}`,
      });
    }
    return found;
  }

  /**
   * Sentences of Common Voice that nobody voted against, without those of the benchmark segment, which are single words.
   * @param languages its codes
   */
  commonVoice(languages) {
    if (!this.#has(COMMON_VOICE)) return [];
    const list = languages.flatMap((language) => {
      const [head, ...rows] = this.#show(COMMON_VOICE, `${language}/validated.tsv`).toString().trimEnd().split('\n');
      const names = head.split('\t');
      return rows
        .map((row) => Object.fromEntries(row.split('\t').map((value, index) => [names[index], value])))
        .map((row) => ({ ...row, text: row.sentence.replace(/^"(.*)"$/, '$1').replaceAll('""', '"') }))
        .filter(({ down_votes, segment, text }) => down_votes === '0' && !segment && isSentence(text, language))
        .map(({ path, text }) => ({
          repository: COMMON_VOICE,
          path: `${language}/clips/${path}`,
          text,
          language: language.slice(0, 2),
        }));
    });
    return this.recordings(list);
  }

  #has(repository) {
    if (this.#folder && existsSync(join(this.#folder, repository))) return true;
    if (!this.#reported.has(repository)) console.log(`Left out: what a clone of ${repository} would hold.`);
    this.#reported.add(repository);
    return false;
  }

  #show(repository, path) {
    const git = ['-C', join(this.#folder, repository), 'show', `${COMMITS[repository]}:${path}`];
    return execFileSync('git', git, { maxBuffer: 2 ** 28 });
  }

  async #decode({ repository, path }) {
    const folder = mkdtempSync(join(tmpdir(), 'hearsay-accuracy-'));
    const file = join(folder, `audio${extname(path)}`);
    try {
      writeFileSync(file, this.#show(repository, path));
      return await readAudio(file);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}
