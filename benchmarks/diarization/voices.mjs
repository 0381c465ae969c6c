import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { RATE } from '../accuracy/noise.mjs';
import { SENTENCES } from '../accuracy/passages.mjs';
import { readAudio, Speaker, writeWhole } from '../accuracy/speech.mjs';
import { readWav, wavFile } from '../measure.mjs';

/**
 * Repositories with recordings of many speakers. Nothing of them is copied here: they are read from clones at
 * `<folder>/<owner>/<name>`, at these commits.
 */
const RESEMBLYZER = {
  repository: 'resemble-ai/Resemblyzer',
  commit: '15d828edebe06bc72b9cabc8ef8ca5ab2cb457ce',
};
const SORBIAN = {
  repository: 'ZalozbaDev/speech_recognition_acoustic_model_training',
  commit: 'e21e48ab7ce1756cfdb62fca2c2ba0fbb64d0ec5',
};

/** Where the recordings of each speaker are, and which part of a path names the speaker. */
export const SOURCES = {
  /** 251 speakers of LibriSpeech train-clean-100, a clip of a quarter of a minute each. */
  readers: {
    ...RESEMBLYZER,
    folder: 'audio_data/librispeech_train-clean-100',
    speaker: (path) => basename(path).split('-')[0],
  },
  /** Ten speakers of LibriSpeech test-other, ten clips each. */
  others: { ...RESEMBLYZER, folder: 'audio_data/librispeech_test-other', speaker: (path) => basename(dirname(path)) },
  /** One speaker in twelve recordings. */
  speeches: { ...RESEMBLYZER, folder: 'audio_data/donald_trump/real', speaker: () => 'president' },
  /** Speakers of Upper Sorbian in Common Voice: sentences read into their own microphones. */
  sorbian: {
    ...SORBIAN,
    folder: 'step3_model_training_kaldi/inputs/sig/CV',
    speaker: (path) => basename(dirname(path)),
  },
};

/**
 * Speakers who are the same person under two names: their voices are as alike as those of one, those of all others half as much
 * (docs/decisions/0032-speakers.md).
 */
export const SAME_PERSON = { 'sorbian-CV00009': 'sorbian-CV00002', 'sorbian-CV00013': 'sorbian-CV00012' };

const AUDIO = /\.(?:flac|wav|mp3|m4a)$/;

/**
 * The clips of each speaker of a source, as paths of wavs in `folder/clips`; undefined without its clone.
 * @param most seconds of each speaker
 */
export async function speakersOf(name, { clones, folder, most = 900 }) {
  const source = SOURCES[name];
  const clone = join(clones, source.repository);
  if (!existsSync(clone)) {
    console.log(`Left out: what a clone of ${source.repository} would hold.`);
    return undefined;
  }
  const git = (...parameters) => execFileSync('git', ['-C', clone, ...parameters], { maxBuffer: 2 ** 28 });
  const paths = git('ls-tree', '-r', '--name-only', source.commit, `${source.folder}/`)
    .toString()
    .split('\n')
    .filter((path) => AUDIO.test(path));
  const target = join(folder, 'clips', name);
  mkdirSync(target, { recursive: true });
  const speakers = new Map();
  for (const path of paths) {
    const speaker = `${name}-${source.speaker(path)}`;
    const known = speakers.get(speaker) ?? { speaker, seconds: 0, clips: [] };
    speakers.set(speaker, known);
    if (known.seconds >= most) continue;
    const wav = join(target, `${speaker}-${basename(path, extname(path))}.wav`.replaceAll(' ', '-'));
    if (!existsSync(wav)) {
      const file = join(target, `partial${extname(path)}`);
      writeWhole(file, git('show', `${source.commit}:${path}`));
      writeWhole(wav, wavFile(await readAudio(file)));
    }
    known.clips.push(wav);
    known.seconds += readWav(wav).length / RATE;
  }
  return [...speakers.values()];
}

/** Neighbours go to different halves. */
const VOICES = 'af_heart af_bella am_michael am_fenrir bf_emma bf_isabella bm_george bm_fable af_nicole af_sarah'.split(
  ' ',
);
/** Sentences of each voice. */
const SPOKEN = 10;

/** Voices of Kokoro, each with its own sentences. @param model a checkpoint */
export async function spokenBy(model, folder) {
  const speaker = new Speaker({ folder, model, modelsDir: join(folder, 'models') });
  const speakers = [];
  try {
    for (const [index, voice] of VOICES.entries()) {
      const clips = [];
      let seconds = 0;
      for (const text of SENTENCES.slice(index * SPOKEN, (index + 1) * SPOKEN)) {
        seconds += (await speaker.speak(text, voice)).length / RATE;
        clips.push(speaker.pathOf(text, voice));
      }
      speakers.push({ speaker: `kokoro-${voice}`, seconds, clips });
    }
  } finally {
    await speaker.stop();
  }
  return speakers;
}
