import { recording } from '../measure.mjs';
import {
  activeLevel,
  atPeak,
  babble,
  hum,
  mix,
  pink,
  reverberant,
  seconds,
  silence,
  telephone,
  white,
} from './noise.mjs';
import { utterance } from './passages.mjs';
import { seeded } from './random.mjs';
import { concatenate, readAudio, readText } from './speech.mjs';

/** Recordings next to the repository, with their texts. */
export async function readings() {
  const files = [];
  for (const [name, extension] of [
    ['jfk', 'flac'],
    ['two_cities', 'wav'],
  ]) {
    files.push({
      name,
      samples: await readAudio(recording(`${name}.${extension}`)),
      text: readText(recording(`${name}.txt`)).join(' '),
    });
  }
  return files;
}

/** Real and synthetic speech, degraded in many ways: 35 s in total. */
export async function sample(speaker) {
  const [jfk] = await readings();
  const spoken = [utterance(0), utterance(4)];
  const parts = [jfk.samples];
  for (const { text, voice } of spoken) parts.push(silence(0.7), await speaker.speak(text, voice));
  return {
    samples: concatenate(parts.map((part) => (activeLevel(part) > 0 ? atPeak(part, -3) : part))),
    text: [jfk.text, ...spoken.map(({ text }) => text)].join(' '),
  };
}

/** Four voices reading their own texts, for babble behind others. @param texts indices of utterances */
async function voices(speaker, texts = [1, 8, 5, 12]) {
  return Promise.all(texts.map((index) => speaker.speak(utterance(index).text, utterance(index).voice)));
}

/** Utterances of the background voices. The long recordings contain none of them. */
const BEHIND = [
  [100, 106, 111, 117],
  [102, 107, 113, 118],
  [103, 108, 114, 119],
];

/**
 * Utterances with pauses from 0.1 to 20 s, evenly in their logarithm, in a quiet room at -60 dBFS.
 * @param first index of the first utterance
 * @param length seconds, about
 */
export async function longRecording(speaker, { first, length, seed }) {
  const random = seeded(seed);
  const parts = [];
  const texts = [];
  let total = 0;
  for (let index = first; total < seconds(length); index++) {
    const { text, voice } = utterance(index);
    const pause = silence(0.1 * 200 ** random());
    const speech = atPeak(await speaker.speak(text, voice), -3 - 9 * random());
    parts.push(pause, speech);
    texts.push(text);
    total += pause.length + speech.length;
  }
  const samples = concatenate(parts);
  const room = atPeak(pink(samples.length, seed), -60);
  return { samples: samples.map((sample, index) => sample + room[index]), text: texts.join(' ') };
}

export async function noisy(speaker, decibels) {
  const { samples, text } = await sample(speaker);
  const { length } = samples;
  const noises = {
    white: white(length, 1),
    pink: pink(length, 2),
    hum: hum(length, 3),
    babble: babble(await voices(speaker), length, 4),
  };
  return Object.entries(noises).flatMap(([kind, noise]) =>
    decibels.map((level) => ({ name: `${kind}-${level}-dB`, samples: mix(samples, noise, level), text })),
  );
}

/** A long recording with four voices in the background, who say the utterances of `behind`. */
export async function noisyLong(speaker, { length, level, first = 0, seed = 11, behind = BEHIND[0], babbleSeed = 5 }) {
  const { samples, text } = await longRecording(speaker, { first, length, seed });
  // Words of the recording itself, heard in the background, would count as invented.
  const shared = behind.filter((index) => text.includes(utterance(index).text));
  if (shared.length > 0) throw new Error(`Utterances ${shared.join(', ')} are in the recording and in its background.`);
  return { samples: mix(samples, babble(await voices(speaker, behind), samples.length, babbleSeed), level), text };
}

/** Five long recordings with voices at 5 to 15 dB behind them. */
export async function manyNoisyLong(speaker) {
  const recordings = [
    { level: 10, first: 0, behind: BEHIND[0] },
    { level: 10, first: 10, behind: BEHIND[1] },
    { level: 10, first: 20, behind: BEHIND[2] },
    { level: 15, first: 5, behind: BEHIND[1] },
    { level: 5, first: 15, behind: BEHIND[0] },
  ];
  const files = [];
  for (const [index, recording] of recordings.entries()) {
    const seed = 21 + index;
    const made = await noisyLong(speaker, { ...recording, length: 200, seed, babbleSeed: seed });
    files.push({ name: `${index + 1}-babble-${recording.level}-dB`, ...made });
  }
  return files;
}

/** Three long recordings with six readers behind them, at 8 to 14 dB. @param readers recordings of single sentences */
export async function readersBehind(speaker, readers) {
  const behind = readers.slice(0, 6).map(({ samples }) => samples);
  const files = [];
  for (const [index, level] of [10, 14, 8].entries()) {
    const { samples, text } = await longRecording(speaker, { first: 2 + 10 * index, length: 150, seed: 91 + index });
    const noise = babble(behind, samples.length, 77 + index);
    files.push({ name: `${index + 1}-readers-${level}-dB`, samples: mix(samples, noise, level), text });
  }
  return files;
}

/**
 * Readers in turn, every second one of them quieter, without and with noise behind.
 * @param readers recordings of single sentences
 */
export async function quietSpeakers(speaker, readers) {
  const text = readers.map((reader) => reader.text).join(' ');
  const behind = await voices(speaker);
  const noises = {
    pink: (length) => pink(length, 7),
    hum: (length) => hum(length, 3),
    babble: (length) => babble(behind, length, 4),
  };
  return [
    ['room', 10],
    ['pink', 10, 25],
    ['pink', 10, 20],
    ['pink', 10, 15],
    ['pink', 14, 18],
    ['hum', 9, 15],
    ['babble', 9, 20],
    ['babble', 9, 16],
  ].map(([kind, quieter, level]) => {
    const samples = concatenate(
      readers.flatMap((reader, index) => [
        atPeak(reader.samples, -3 - (index % 2) * quieter),
        silence(0.5 + (index % 3)),
      ]),
    );
    const room = atPeak(pink(samples.length, 7), -60);
    return {
      name: [kind, level && `${level}-dB`, `quieter-${quieter}-dB`].filter(Boolean).join('-'),
      samples: level
        ? mix(samples, noises[kind](samples.length), level)
        : samples.map((sample, index) => sample + room[index]),
      text,
    };
  });
}

export async function overTelephone(speaker) {
  const { samples, text } = await sample(speaker);
  return [{ name: 'sample', samples: telephone(samples), text }];
}

export async function inRooms(speaker) {
  const { samples, text } = await sample(speaker);
  return [
    { name: 'small', reverberationTime: 0.4, directDecibels: 3 },
    { name: 'hall', reverberationTime: 0.9, directDecibels: -2 },
  ].map(({ name, ...room }) => ({ name, samples: reverberant(samples, { ...room, seed: 6 }), text }));
}

/** Peaks from 0 to -60 dBFS, in 16 bits. */
export async function atLevels() {
  const [jfk] = await readings();
  return [0, -10, -20, -30, -40, -50, -60].map((peak) => ({
    ...jfk,
    name: `jfk${peak}-dBFS`,
    samples: atPeak(jfk.samples, peak),
  }));
}
