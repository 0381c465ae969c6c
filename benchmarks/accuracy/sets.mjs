import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wavFile } from '../measure.mjs';
import {
  atLevels,
  inRooms,
  longRecording,
  manyNoisyLong,
  noisy,
  noisyLong,
  overTelephone,
  quietSpeakers,
  readersBehind,
  readings,
} from './degraded.mjs';
import { atPeak, RATE, silence } from './noise.mjs';
import { LANGUAGES, utterance } from './passages.mjs';
import { CALLS, CLIPS, FLEURS, MEETINGS, NARRATIONS, READINGS, Repositories, SOUNDS } from './repositories.mjs';
import { sounds } from './sounds.mjs';
import { concatenate, Speaker, writeWhole } from './speech.mjs';

/**
 * The sets. `files` makes them: name, samples at 16 kHz, text, language (default English), task. `isFull` sets are only part of
 * the long form. Measures: word errors, words said where nobody speaks (`silence`), or chrF of a translation.
 */
const SETS = [
  {
    name: 'readings',
    what: 'public-domain recordings: a speech, a chapter of a book, clips of LibriSpeech test-clean and LibriVox',
    files: async ({ repositories }) => [...(await readings()), ...(await repositories.recordings(READINGS))],
  },
  {
    name: 'calls',
    what: 'two minutes of conference calls (Earnings-22)',
    files: ({ repositories }) => repositories.recordings(CALLS),
  },
  {
    name: 'meetings',
    what: 'five minutes of ten meetings (AMI)',
    files: ({ repositories }) => repositories.recordings(MEETINGS),
  },
  {
    name: 'fleurs',
    what: 'FLEURS: five sentences each in en, de, es, fr, pt',
    files: ({ repositories }) => repositories.recordings(FLEURS.filter(({ path }) => /00[0-4]\.ogg$/.test(path))),
  },
  {
    name: 'fleurs-all',
    what: 'FLEURS: five more sentences in each of these languages',
    isFull: true,
    files: ({ repositories }) => repositories.recordings(FLEURS.filter(({ path }) => /00[5-9]\.ogg$/.test(path))),
  },
  {
    name: 'common-voice',
    what: 'Common Voice 6.1: sentences in English, most of them by different speakers',
    files: ({ repositories }) => repositories.commonVoice(['en']),
  },
  {
    name: 'common-voice-languages',
    what: 'the same in de, es, fr, it, ja, nl, pl, pt, ru, zh',
    isFull: true,
    files: ({ repositories }) =>
      repositories.commonVoice(['de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'ru', 'zh-CN']),
  },
  {
    name: 'clips',
    what: 'single sentences in de, es, fr, it, ja, ko, pt, zh',
    files: ({ repositories }) => repositories.recordings(CLIPS),
  },
  {
    name: 'narrations',
    what: 'a German text of 600 words by another synthesizer, five minutes',
    files: ({ repositories }) => repositories.recordings(NARRATIONS.slice(0, 1)),
  },
  {
    name: 'narrations-all',
    what: 'the same text in en, de, es, fr, pt, nine recordings',
    isFull: true,
    files: ({ repositories }) => repositories.recordings(NARRATIONS.slice(1)),
  },
  {
    name: 'short',
    what: 'commands, dictation and sentences of 1 to 20 s by Kokoro, six voices',
    files: ({ speaker }) => spoken(speaker, 30),
  },
  {
    name: 'languages',
    what: 'two utterances by Kokoro in each of its languages: es, fr, it, pt, hi, ja, zh, British English',
    files: ({ speaker }) => inLanguages(speaker),
  },
  {
    name: 'mixed',
    what: 'one file each of sentences in different languages: Kokoro (es, en, fr, it, pt) and FLEURS (de, en, fr, es, pt)',
    files: (sources) => mixed(sources),
  },
  {
    name: 'translation',
    what: 'the utterances of `languages`, translated into English',
    measure: 'chrf',
    files: async ({ speaker }) => translations(await inLanguages(speaker)),
  },
  {
    name: 'levels',
    what: 'one recording at peak levels from 0 to -60 dBFS',
    files: () => atLevels(),
  },
  {
    name: 'telephone',
    what: 'a recording at telephone quality: 300 to 3400 Hz, 8 kHz, µ-law',
    files: ({ speaker }) => overTelephone(speaker),
  },
  {
    name: 'rooms',
    what: 'recordings with reverberation of 0.4 s and 0.9 s',
    files: ({ speaker }) => inRooms(speaker),
  },
  {
    name: 'noise',
    what: 'white and pink noise, hum, and babble of four voices at 10 and 0 dB',
    files: ({ speaker }) => noisy(speaker, [10, 0]),
  },
  {
    name: 'noise-all',
    what: 'the same noise at 20, 15, 5 and -5 dB',
    isFull: true,
    files: ({ speaker }) => noisy(speaker, [20, 15, 5, -5]),
  },
  {
    name: 'long',
    what: 'seven minutes by Kokoro, pauses of 0.1 to 20 s',
    files: async ({ speaker }) => [
      { name: 'long', ...(await longRecording(speaker, { first: 0, length: 450, seed: 9 })) },
    ],
  },
  {
    name: 'long-noise',
    what: 'four minutes of the same, with background voices at 10 dB that read other texts',
    files: async ({ speaker }) => [{ name: 'babble', ...(await noisyLong(speaker, { length: 240, level: 10 })) }],
  },
  {
    name: 'long-noise-all',
    what: 'five more of 200 s, with background voices at 5 to 15 dB',
    isFull: true,
    files: ({ speaker }) => manyNoisyLong(speaker),
  },
  {
    name: 'readers-behind',
    what: 'eight minutes by Kokoro in three recordings, with six readers of LibriSpeech and LibriVox in the background at 8 to 14 dB',
    isFull: true,
    files: async ({ speaker, repositories }) => readersBehind(speaker, await sentenceReaders(repositories)),
  },
  {
    name: 'quiet-speakers',
    what: 'readers who take turns, every second one 9 to 14 dB quieter, in a quiet room, with noise, hum and background voices',
    isFull: true,
    files: async ({ speaker, repositories }) => quietSpeakers(speaker, await sentenceReaders(repositories)),
  },
  {
    name: 'long-recordings',
    what: 'a narration, a chapter, a speech and two calls one after the other, eight minutes',
    isFull: true,
    files: ({ repositories }) => recordingsInOne(repositories),
  },
  {
    name: 'hour',
    what: '60 minutes of the same, each text in several voices',
    isFull: true,
    files: async ({ speaker }) => [
      { name: 'hour', ...(await longRecording(speaker, { first: 0, length: 3600, seed: 8 })) },
    ],
  },
  {
    name: 'sounds',
    what: 'a hundred synthetic sounds without speech, and a few recorded ones',
    measure: 'silence',
    files: async ({ repositories }) => [...sounds(), ...(await repositories.recordings(SOUNDS))],
  },
];

/** Names and descriptions; all of them, or those of the quick form. */
export const setsOf = (isFull) => SETS.filter((set) => isFull || !set.isFull).map(({ files, ...set }) => set);

/** Single sentences: a speech and clips of readers. */
const sentenceReaders = async (repositories) => [
  ...(await readings()).filter(({ name }) => name === 'jfk'),
  ...(await repositories.recordings(READINGS)),
];

async function spoken(speaker, count) {
  const files = [];
  for (let index = 0; index < count; index++) {
    const { text, voice } = utterance(index);
    files.push({ name: `${String(index).padStart(2, '0')}-${voice}`, samples: await speaker.speak(text, voice), text });
  }
  return files;
}

async function inLanguages(speaker) {
  const files = [];
  for (const { language, voice, text, english } of LANGUAGES) {
    for (const [index, each] of text.entries()) {
      const samples = await speaker.speak(each, voice);
      files.push({ name: `${voice}-${index}`, samples, text: each, language, english: english[index] });
    }
  }
  return files;
}

const translations = (files) =>
  files
    .filter(({ english }) => english !== undefined)
    .map(({ english, ...file }) => ({ ...file, text: english, language: 'en', task: 'translate' }));

async function mixed({ speaker, repositories }) {
  const kokoro = (await inLanguages(speaker)).filter(({ language }) =>
    ['es', 'en', 'fr', 'it', 'pt'].includes(language),
  );
  const fleurs = (await repositories.recordings(FLEURS)).filter(({ name }) => name.endsWith('-002'));
  return [
    ['kokoro', kokoro],
    ['fleurs', fleurs],
  ]
    .filter(([, files]) => files.length > 0)
    .map(([name, files]) => ({
      name,
      samples: concatenate(files.flatMap(({ samples }) => [samples, silence(1.2)])),
      text: files.map(({ text }) => text).join(' '),
      language: 'mixed',
    }));
}

async function recordingsInOne(repositories) {
  const english = NARRATIONS.filter(({ language }) => language === 'en').slice(0, 1);
  const files = [...(await repositories.recordings([...english, ...CALLS])), ...(await readings())];
  return [
    {
      name: 'recordings',
      samples: concatenate(files.flatMap(({ samples }) => [atPeak(samples, -3), silence(3)])),
      text: files.map(({ text }) => text).join(' '),
    },
  ];
}

/**
 * Sets on disk, made if they are missing: each with its files' paths, seconds, texts, languages and tasks.
 * @param options.folder to keep audio in; delete it to make all anew
 * @param options.names of the sets
 */
export async function prepare({ folder, names, kokoro, modelsDir, clones }) {
  const speaker = new Speaker({ folder, model: kokoro, modelsDir });
  const sources = { speaker, repositories: new Repositories(clones) };
  const prepared = [];
  try {
    for (const name of names) {
      const set = SETS.find((each) => each.name === name);
      if (!set) throw new Error(`No set ${name}; there are ${SETS.map((each) => each.name).join(', ')}.`);
      prepared.push(await made(set, folder, sources));
    }
  } finally {
    await speaker.stop();
  }
  return prepared.filter(({ files }) => files.length > 0);
}

async function made({ files: make, ...set }, folder, sources) {
  const manifest = join(folder, `${set.name}.json`);
  if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8'));
  const started = performance.now();
  const audio = join(folder, 'audio', set.name);
  mkdirSync(audio, { recursive: true });
  const files = (await make(sources)).map(
    ({ name, samples, text = '', language = 'en', task = 'transcribe', source }) => {
      const path = join(audio, `${name}.wav`);
      writeWhole(path, wavFile(samples.map((sample) => Math.max(-1, Math.min(1, sample)))));
      return { name, path, seconds: samples.length / RATE, text, language, task, source };
    },
  );
  const prepared = { ...set, measure: set.measure ?? 'errors', files };
  // Without its clones a set stays open, to be made when they are there.
  if (files.length > 0) writeWhole(manifest, JSON.stringify(prepared, null, 1));
  const minutes = files.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
  console.log(
    `${set.name}: ${files.length} files, ${minutes.toFixed(1)} min, made in ${Math.round((performance.now() - started) / 1000)} s`,
  );
  return prepared;
}
