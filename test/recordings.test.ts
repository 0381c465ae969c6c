import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type VerboseTranscript, verboseTranscript } from '../src/hear/transcript/response.ts';
import { type Clip, type MediaKind, writeMedia } from './fixtures/media.ts';
import { endAll, type Hear, startHear } from './fixtures/service.ts';
import {
  hasSpeech,
  readSpeech,
  seededNoise,
  speechFile,
  speechText,
  spokenWords,
  wordErrorRate,
} from './fixtures/speech.ts';

const sampleRate = 16_000;
const formats = ['json', 'text', 'verbose_json', 'srt', 'vtt'] as const;

let hear: Hear;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recordings-'));
  hear = await startHear();
  await hear.ready();
});
afterAll(async () => {
  try {
    expect(await hear.tempFiles()).toEqual([]);
    await hear.stop();
  } finally {
    await endAll();
    await rm(folder, { recursive: true, force: true });
  }
});

const answers = new Map<string, Promise<string>>();

/** Transcribes each once. */
function answer(path: string, format: (typeof formats)[number], words = false): Promise<string> {
  const key = `${path} ${format} ${words}`;
  const known = answers.get(key) ?? ask(path, format, words);
  answers.set(key, known);
  return known;
}

async function ask(path: string, format: (typeof formats)[number], words: boolean): Promise<string> {
  const fields = { response_format: format, ...(words && { 'timestamp_granularities[]': 'word' }) };
  const response = await hear.post({ file: path, fields });
  const body = await response.text();
  expect(response.status, body).toBe(200);
  expect(response.headers.get('content-type')).toMatch(format.endsWith('json') ? /^application\/json/ : /^text\/plain/);
  return body;
}

async function verbose(path: string, words = false): Promise<VerboseTranscript> {
  return verboseTranscript.strict().parse(JSON.parse(await answer(path, 'verbose_json', words)));
}

describe.skipIf(!hasSpeech)('a recording in many formats', () => {
  const kinds: [MediaKind, string][] = [
    ['flac', 'flac'],
    ['wav s16', 'wav'],
    ['mp3', 'mp3'],
    ['m4a moov first', 'm4a'],
    ['m4a moov last', 'm4a'],
    ['ogg opus', 'ogg'],
    ['webm opus', 'webm'],
    ['mp4 video', 'mp4'],
    ['flac 96 kHz stereo', 'flac'],
  ];
  let clip: Clip;

  beforeAll(async () => {
    clip = { samples: await readSpeech(speechFile('jfk.flac')), sampleRate };
  });

  it('is understood word for word in the original file', async () => {
    const { text } = JSON.parse(await answer(speechFile('jfk.flac'), 'json'));
    expect(spokenWords(text)).toEqual(spokenWords(speechText('jfk.txt')));
  });

  it('is understood word for word in wav mu-law 8 kHz made without a filter', async () => {
    const path = join(folder, 'telephone.wav');
    // Every second sample: sound above 4 kHz aliases instead of vanishing.
    const samples = clip.samples.filter((_, index) => index % 2 === 0);
    await writeMedia(path, 'wav mu-law 8 kHz', { samples, sampleRate: clip.sampleRate / 2 });
    const { text } = await verbose(path);
    expect(spokenWords(text)).toEqual(spokenWords(speechText('jfk.txt')));
  });

  // A steep filter removes everything above 4 kHz, including most of an s: the model hears `American` with any precision
  // and any resampler. See docs/models.md.
  it('loses one final s in wav mu-law 8 kHz made with a steep filter', async () => {
    const path = join(folder, 'mu-law.wav');
    await writeMedia(path, 'wav mu-law 8 kHz', clip);
    const { text } = await verbose(path);
    const said = spokenWords(text).join(' ').replace('american ', 'americans ');
    expect(said).toBe(spokenWords(speechText('jfk.txt')).join(' '));
  });

  it.each(kinds)('is understood word for word in %s', async (kind, extension) => {
    const path = join(folder, `${kind.replaceAll(' ', '-')}.${extension}`);
    await writeMedia(path, kind, clip);
    const { text, duration } = await verbose(path);
    expect(spokenWords(text)).toEqual(spokenWords(speechText('jfk.txt')));
    expect(Math.abs(duration - clip.samples.length / sampleRate)).toBeLessThan(0.15);
  });
});

describe.skipIf(!hasSpeech)('a reading of 44 seconds', () => {
  it('is transcribed with few errors, to its last word and no further', async () => {
    const text = await answer(speechFile('two_cities.wav'), 'text');
    const reference = speechText('two_cities.txt');
    expect(wordErrorRate(text, reference)).toBeLessThanOrEqual(0.05);
    expect(spokenWords(text).slice(-5)).toEqual(spokenWords(reference).slice(-5));
  });

  it('has plausible values in every field of verbose_json', async () => {
    const result = await verbose(speechFile('two_cities.wav'), true);
    expect(result).toMatchObject({ task: 'transcribe', language: 'en' });
    expect(result.duration).toBeCloseTo(44.386, 1);
    expect(result.segments.length).toBeGreaterThan(5);
    expect(result.segments.map(({ text }) => text).join('')).toBe(` ${result.text}`);
    expect(new Set(result.segments.map(({ seek }) => seek)).size).toBeGreaterThan(1);
    let end = 0;
    for (const [index, segment] of result.segments.entries()) {
      expect(segment.id).toBe(index);
      expect(segment.start).toBeGreaterThanOrEqual(end);
      expect(segment.end).toBeGreaterThan(segment.start);
      expect(segment.seek / 100).toBeLessThanOrEqual(segment.start);
      expect(segment.seek / 100).toBeGreaterThan(segment.start - 30);
      expect(segment.text).toMatch(/^ \S/);
      expect(segment.tokens.length).toBeGreaterThanOrEqual(spokenWords(segment.text).length);
      expect(segment.temperature).toBe(0);
      expect(segment.avg_logprob).toBeLessThan(0);
      expect(segment.avg_logprob).toBeGreaterThan(-1);
      expect(segment.compression_ratio).toBeGreaterThan(0.5);
      expect(segment.compression_ratio).toBeLessThan(2.4);
      expect(segment.no_speech_prob).toBeGreaterThanOrEqual(0);
      expect(segment.no_speech_prob).toBeLessThan(0.5);
      end = segment.end;
    }
    expect(end).toBeLessThan(result.duration);

    const words = result.words!;
    expect(words.map(({ word }) => word).join(' ')).toBe(result.text);
    end = 0;
    for (const { start, end: wordEnd, probability } of words) {
      expect(start).toBeGreaterThanOrEqual(end);
      expect(wordEnd).toBeGreaterThan(start);
      expect(wordEnd - start).toBeLessThan(2);
      expect(probability).toBeGreaterThan(0);
      expect(probability).toBeLessThanOrEqual(1);
      end = wordEnd;
    }
  });

  it.each(['srt', 'vtt'] as const)('makes %s cues of two lines of 42 characters and 7 s, in order', async (format) => {
    const body = await answer(speechFile('two_cities.wav'), format);
    const cues = format === 'srt' ? parseSrt(body) : parseVtt(body);
    expect(cues.length).toBeGreaterThan(5);
    let end = 0;
    for (const cue of cues) {
      expect(cue.start).toBeGreaterThanOrEqual(end);
      expect(cue.end).toBeGreaterThan(cue.start);
      expect(cue.end - cue.start).toBeLessThanOrEqual(7);
      expect(cue.lines.length).toBeGreaterThan(0);
      expect(cue.lines.length).toBeLessThanOrEqual(2);
      for (const line of cue.lines) expect(line.length).toBeLessThanOrEqual(42);
      end = cue.end;
    }
    expect(end).toBeLessThan(44);
    const text = await answer(speechFile('two_cities.wav'), 'text');
    expect(cues.flatMap(({ lines }) => lines).join(' ')).toBe(text.trim());
  });
});

describe.skipIf(!hasSpeech)('word times', () => {
  it('match the recording', async () => {
    const words = (await verbose(speechFile('jfk.flac'), true)).words!.map((word) => ({
      ...word,
      word: spokenWords(word.word).join(),
    }));
    // Read off the recording's waveform and spectrogram.
    const heard: [word: string, occurrence: number, start: number, end: number][] = [
      ['and', 0, 0.32, 0.55],
      ['americans', 0, 1.55, 2.25],
      ['ask', 0, 3.3, 3.75],
      ['not', 0, 3.75, 4.35],
      ['what', 0, 5.4, 5.6],
      ['country', 0, 5.8, 6.4],
      ['you', 0, 7.15, 7.65],
      ['ask', 1, 8.25, 8.55],
      ['country', 1, 9.95, 10.55],
    ];
    for (const [word, occurrence, start, end] of heard) {
      const found = words.filter((candidate) => candidate.word === word)[occurrence]!;
      expect(Math.abs(found.start - start), `start of ${word}, ${found.start}`).toBeLessThan(0.2);
      expect(Math.abs(found.end - end), `end of ${word}, ${found.end}`).toBeLessThan(0.2);
    }
  });

  it('exclude pauses', async () => {
    const words = (await verbose(speechFile('jfk.flac'), true)).words!;
    const samples = await readSpeech(speechFile('jfk.flac'));
    const loudness = (from: number, to: number) => {
      const part = samples.subarray(Math.round(from * sampleRate), Math.round(to * sampleRate));
      return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
    };
    const pauses = words
      .slice(1)
      .map((word, index) => ({ from: words[index]!.end, to: word.start }))
      .filter(({ from, to }) => to - from > 0.5);
    expect(pauses.length).toBeGreaterThanOrEqual(3);
    const loudestPause = Math.max(...pauses.map(({ from, to }) => loudness(from + 0.1, to - 0.1)));
    for (const { word, start, end } of words) {
      expect(loudness(start, end), `${word} at ${start}`).toBeGreaterThan(2 * loudestPause);
    }
  });
});

describe('a recording without speech', () => {
  const noise = seededNoise(1);
  const sound: Record<string, (second: number) => number> = {
    silence: () => 0,
    'white noise': () => 0.3 * noise(),
    'a tone of 440 Hz': (second) => 0.5 * Math.sin(2 * Math.PI * 440 * second),
    music,
  };

  it.each(Object.keys(sound))('gives no words: %s', async (name) => {
    const samples = Float32Array.from({ length: 12 * sampleRate }, (_, index) => sound[name]!(index / sampleRate));
    const path = join(folder, `${name.replaceAll(' ', '-')}.wav`);
    await writeMedia(path, 'wav s16', { samples, sampleRate });
    expect(await answer(path, 'json')).toBe('{"text":""}');
    expect((await answer(path, 'text')).trim()).toBe('');
    expect((await answer(path, 'srt')).trim()).toBe('');
    expect((await answer(path, 'vtt')).trim()).toBe('WEBVTT');
    expect(await verbose(path, true)).toEqual({
      task: 'transcribe',
      language: 'en',
      duration: 12,
      text: '',
      usage: { type: 'duration', seconds: 12 },
      segments: [],
      words: [],
    });
  });
});

/** Plucked chords over a bass and a beat: four bars of two seconds, repeated. */
function music(second: number): number {
  const chords = [
    [220, 261.63, 329.63],
    [174.61, 220, 261.63],
    [261.63, 329.63, 392],
    [196, 246.94, 293.66],
  ];
  const chord = chords[Math.floor(second / 2) % chords.length]!;
  const sincePluck = second % 0.5;
  let sample = 0.12 * Math.sin(2 * Math.PI * (chord[0]! / 2) * second);
  for (const [index, pitch] of chord.entries()) {
    for (const harmonic of [1, 2, 3, 4]) {
      const decay = Math.exp(-sincePluck * (2 + harmonic + index));
      sample += (0.15 / harmonic) * decay * Math.sin(2 * Math.PI * pitch * harmonic * second);
    }
  }
  return sample + 0.2 * Math.exp(-sincePluck * 40) * Math.sin(2 * Math.PI * 60 * sincePluck);
}

interface ParsedCue {
  /** Seconds. */
  start: number;
  end: number;
  lines: string[];
}

function parseSrt(body: string): ParsedCue[] {
  const blocks = body.trim().split('\n\n');
  return blocks.map((block, index) => {
    const [number, times, ...lines] = block.split('\n');
    expect(number).toBe(String(index + 1));
    return { ...parseTimes(times!, /^(\d\d):(\d\d):(\d\d),(\d{3}) --> (\d\d):(\d\d):(\d\d),(\d{3})$/), lines };
  });
}

function parseVtt(body: string): ParsedCue[] {
  const [header, ...blocks] = body.trim().split('\n\n');
  expect(header).toBe('WEBVTT');
  return blocks.map((block) => {
    const [times, ...lines] = block.split('\n');
    return { ...parseTimes(times!, /^(\d\d):(\d\d):(\d\d)\.(\d{3}) --> (\d\d):(\d\d):(\d\d)\.(\d{3})$/), lines };
  });
}

function parseTimes(line: string, pattern: RegExp): { start: number; end: number } {
  expect(line).toMatch(pattern);
  const numbers = pattern.exec(line)!.slice(1).map(Number);
  const seconds = ([hours, minutes, second, thousandth]: number[]) =>
    hours! * 3600 + minutes! * 60 + second! + thousandth! / 1000;
  return { start: seconds(numbers.slice(0, 4)), end: seconds(numbers.slice(4)) };
}
