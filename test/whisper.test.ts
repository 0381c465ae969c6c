import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpu } from '../src/ort/device.ts';
import { endAll, type Hear, type SpeechForm, startHear } from './fixtures/service.ts';
import { microCheckpoint, type Recording, recordingFile, recordings } from './fixtures/whisper-micro.ts';

/** The small checkpoint over HTTP: everything a user sees of a Whisper model. */
interface Verbose {
  language: string;
  duration: number;
  text: string;
  segments: { start: number; end: number; text: string; tokens: number[]; temperature: number; avg_logprob: number }[];
  words?: { word: string; start: number; end: number; probability: number }[];
}

let hear: Hear;
beforeAll(async () => {
  hear = await startHear({ MODEL_SIZE: microCheckpoint, COMPUTE_TYPE: 'float32' });
  await hear.ready();
});
afterAll(endAll);

const recording = (name: string): Recording => recordings[name]!;

async function post(name: string, fields: Record<string, string> = {}, options: SpeechForm = {}, service = hear) {
  const response = await service.post({ file: recordingFile(name), fields, ...options });
  const body = await response.text();
  expect(response.status, body).toBe(200);
  return body;
}
const verbose = async (...[name, fields, ...rest]: Parameters<typeof post>): Promise<Verbose> =>
  JSON.parse(
    await post(
      name,
      { response_format: 'verbose_json', 'timestamp_granularities[]': 'word,segment', ...fields },
      ...rest,
    ),
  );

describe('transcription', () => {
  it.each(['english-flite', 'english-espeak', 'french', 'name'])('detects the language and writes %s', async (name) => {
    const { language, text, duration } = await verbose(name);
    expect({ language, text }).toEqual({ language: recording(name).language, text: recording(name).text });
    expect(duration).toBeGreaterThan(recording(name).sentences.at(-1)!.end);
  });

  it('continues across windows in any language, and loses nothing between them', async () => {
    const { language, text, segments } = await verbose('french-and-english');
    expect(text).toBe(recording('french-and-english').text);
    // The language with most speech.
    expect(language).toBe('fr');
    expect(new Set(segments.map((segment) => (segment as unknown as { seek: number }).seek)).size).toBeGreaterThan(2);
  });

  it.each(['english-flite', 'english-espeak', 'french', 'french-and-english'])(
    'times the sentences of %s',
    async (name) => {
      const { segments } = await verbose(name);
      const { sentences } = recording(name);
      expect(segments.map(({ text }) => text.trim())).toEqual(sentences.map(({ text }) => text));
      for (const [index, { start, end }] of segments.entries()) {
        expect(Math.abs(start - sentences[index]!.start)).toBeLessThan(0.4);
        expect(Math.abs(end - sentences[index]!.end)).toBeLessThan(0.4);
      }
    },
  );

  it('times the words, each with its probability', async () => {
    const { words, segments } = await verbose('english-flite');
    expect(words!.map(({ word }) => word).join(' ')).toBe(recording('english-flite').text);
    let earliest = 0;
    for (const { start, end, probability } of words!) {
      expect(start).toBeGreaterThanOrEqual(earliest);
      expect(end).toBeGreaterThanOrEqual(start);
      expect(probability).toBeGreaterThan(0.1);
      expect(probability).toBeLessThanOrEqual(1);
      earliest = start;
    }
    const known = recording('english-flite').sentences.flatMap((sentence) => sentence.words);
    const near = words!.filter(({ start, end }, index) => {
      const middle = (known[index]!.start + known[index]!.end) / 2;
      return middle > start - 0.15 && middle < end + 0.15;
    });
    expect(near.length / words!.length).toBeGreaterThan(0.8);
    expect(words!.at(-1)!.end).toBe(segments.at(-1)!.end);
  });

  it('returns no text for noise', async () => {
    expect(await verbose('noise')).toMatchObject({ text: '', segments: [] });
  });

  it('writes subtitles with the right times', async () => {
    const cues = (await post('french', { response_format: 'srt' })).trim().split(/\n\n/);
    const { sentences } = recording('french');
    const time = (text: string) => {
      const [hours, minutes, seconds] = text.replace(',', '.').split(':').map(Number);
      return hours! * 3600 + minutes! * 60 + seconds!;
    };
    const [, first] = cues[0]!.split('\n');
    const [, last, ...lines] = cues.at(-1)!.split('\n');
    expect(Math.abs(time(first!.split(' --> ')[0]!) - sentences[0]!.start)).toBeLessThan(0.4);
    const [shown, gone] = last!.split(' --> ').map(time);
    const { end } = sentences.at(-1)!;
    expect(gone).toBeGreaterThan(end - 0.4);
    // It stays until it has been read, at 17 characters a second.
    expect(gone).toBeLessThan(Math.max(end, shown! + lines.join(' ').length / 17) + 0.4);
    expect(cues.map((cue) => cue.split('\n').slice(2).join(' ')).join(' ')).toBe(recording('french').text);
  });

  it('streams the transcript', async () => {
    const events = (await post('french-and-english', { stream: 'true' }))
      .split('\n\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)));
    const deltas = events.filter(({ type }) => type === 'transcript.text.delta');
    expect(deltas.length).toBeGreaterThan(3);
    expect(deltas.map(({ delta }) => delta).join('')).toBe(recording('french-and-english').text);
    expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text: recording('french-and-english').text });
  });

  it('uses the requested language, and refuses one that the model lacks', async () => {
    expect((await verbose('french', { language: 'French' })).text).toBe(recording('french').text);
    const forced = await verbose('english-flite', { language: 'fr' });
    expect(forced.language).toBe('fr');
    expect(forced.text).not.toBe(recording('english-flite').text);
    const refused = await hear.post({ file: recordingFile('french'), fields: { language: 'tlh' } });
    expect(refused.status).toBe(400);
  });

  it('takes spellings from the prompt', async () => {
    for (const [prompt, text] of Object.entries(recording('name').withPrompt!)) {
      expect((await verbose('name', { prompt })).text).toBe(text);
    }
  });

  it('decodes unsure windows again at higher temperatures, deterministically', async () => {
    const first = await verbose('unknown-sentence');
    expect(Math.max(...first.segments.map(({ temperature }) => temperature))).toBeGreaterThan(0);
    expect(await verbose('unknown-sentence')).toEqual(first);
  });
});

describe('translation', () => {
  it.each(['french', 'english-flite', 'french-and-english'])('gives %s in English', async (name) => {
    const { language, text } = await verbose(name, {}, { task: 'translations' });
    expect(text).toBe(recording(name).translation);
    expect(language).toBe(recording(name).language);
  });
});

describe('int8 and beam search', () => {
  it('write the same, int8 also without the dot product', async () => {
    const int8 = await startHear({ MODEL_SIZE: microCheckpoint, COMPUTE_TYPE: 'int8' });
    const noDotProduct = await startHear({
      MODEL_SIZE: microCheckpoint,
      COMPUTE_TYPE: 'int8',
      INT8_DOT_PRODUCT: 'false',
    });
    const beams = await startHear({ MODEL_SIZE: microCheckpoint, COMPUTE_TYPE: 'float32', BEAM_SIZE: '4' });
    await Promise.all([int8.ready(), noDotProduct.ready(), beams.ready()]);
    for (const service of [int8, noDotProduct]) {
      expect(await (await service.get('/health')).json()).toMatchObject({ compute_type: 'int8' });
    }
    for (const name of ['english-flite', 'english-espeak', 'french', 'french-and-english']) {
      const tokens = async (service: Hear) =>
        (await verbose(name, {}, {}, service)).segments.map((segment) => segment.tokens);
      const text = async (service: Hear) => (await verbose(name, {}, {}, service)).text;
      const expected = await tokens(hear);
      expect(await tokens(int8)).toEqual(expected);
      expect(await tokens(noDotProduct)).toEqual(expected);
      expect(await text(beams)).toBe(recording(name).text);
    }
    for (const service of [int8, noDotProduct, beams]) await service.stop();
  });

  it('COMPUTE_TYPE=auto is int8 on a CPU with AVX2, without the dot product too', async () => {
    const service = await startHear({ MODEL_SIZE: microCheckpoint, INT8_DOT_PRODUCT: 'false' });
    await service.ready();
    expect(await (await service.get('/health')).json()).toMatchObject({
      compute_type: cpu({ int8DotProduct: false }).fastInt8 ? 'int8' : 'float32',
    });
    await service.stop();
  });
});

describe('requests at the same time', () => {
  it('keep their contexts apart', async () => {
    const names = ['french', 'english-flite', 'french-and-english', 'english-espeak', 'french', 'name'];
    const all = await Promise.all(names.map((name) => verbose(name)));
    expect(all.map(({ text }) => text)).toEqual(names.map((name) => recording(name).text));
  });

  it('give the same numbers as alone, even if others leave in between', async () => {
    const names = ['french', 'english-flite', 'unknown-sentence', 'french-and-english', 'english-espeak', 'name'];
    const alone: Verbose[] = [];
    for (const name of names) alone.push(await verbose(name));
    const controllers = names.map(() => new AbortController());
    const leaving = controllers.map(({ signal }, index) =>
      hear.post({ file: recordingFile(names[index]!), signal }).catch(() => undefined),
    );
    const together = Promise.all(names.map((name) => verbose(name)));
    for (const controller of controllers) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.abort();
    }
    await Promise.all(leaving);
    expect(await together).toEqual(alone);
  });
});
