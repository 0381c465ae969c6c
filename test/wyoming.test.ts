import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeEvent, readEvents, type WyomingEvent } from '../src/wyoming/events.ts';
import { endAll, type Hear, type Say, type Service, startHear, startSay, until } from './fixtures/service.ts';
import { hasSpeech, readSpeech, speechFile, speechText, spokenWords } from './fixtures/speech.ts';
import { microCheckpoint, recordingFile } from './fixtures/whisper-micro.ts';

let hear: Hear;
let say: Say;
beforeAll(async () => {
  [hear, say] = await Promise.all([startHear({ WYOMING_PORT: '0' }), startSay({ WYOMING_PORT: '0' })]);
  await Promise.all([hear.ready(), say.ready()]);
});
afterAll(async () => {
  try {
    for (const service of [hear, say]) {
      expect(await service.tempFiles()).toEqual([]);
      expect(service.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
      await service.stop();
    }
  } finally {
    await endAll();
  }
});

class Client {
  readonly socket: Socket;
  readonly #events: AsyncGenerator<WyomingEvent>;

  constructor(service: Service) {
    const port = Number(/Listening for Wyoming on [\d.]+, port (\d+)/.exec(service.log.join('\n'))![1]);
    this.socket = connect(port, '127.0.0.1');
    this.#events = readEvents(this.socket);
  }

  send(type: string, data?: object, payload?: Uint8Array): void {
    this.socket.write(encodeEvent(type, data, payload));
  }

  /** The next event; undefined if the connection has ended. */
  async next(): Promise<WyomingEvent | undefined> {
    const { value, done } = await this.#events.next();
    return done ? undefined : value;
  }

  /** Events up to one of a type. */
  async until(type: string): Promise<WyomingEvent[]> {
    const events: WyomingEvent[] = [];
    for (let event = await this.next(); event; event = await this.next()) {
      events.push(event);
      if (event.type === type) return events;
    }
    throw new Error(`The connection ended before ${type}: ${events.map((event) => JSON.stringify(event.data))}`);
  }
}

async function withClient<T>(service: Service, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(service);
  try {
    return await work(client);
  } finally {
    client.socket.destroy();
  }
}

const format = { rate: 16_000, width: 2, channels: 1 };

/** Speech as signed 16-bit samples. */
async function pcm(path: string): Promise<Buffer> {
  const samples = await readSpeech(path);
  return Buffer.from(Int16Array.from(samples, (sample) => Math.max(-1, Math.min(1, sample)) * 32_767).buffer);
}

function sendAudio(client: Client, audio: Buffer): void {
  for (let at = 0; at < audio.length; at += 2048) client.send('audio-chunk', format, audio.subarray(at, at + 2048));
}

describe('hear over Wyoming', () => {
  it('describes its model', async () => {
    const { data } = await withClient(hear, async (client) => {
      client.send('describe');
      return (await client.next())!;
    });
    const [program] = data.asr as { models: object[] }[];
    expect(program!.models).toMatchObject([
      { name: 'moonshine-tiny', installed: true, languages: ['en'], attribution: { name: 'Hearsay', url: '' } },
    ]);
    expect(data.tts).toEqual([]);
  });

  it('describes the languages of a model that is not loaded', async () => {
    const lazy = await startHear({ WYOMING_PORT: '0', WARMUP_ON_START: 'false', MODEL_SIZE: 'small' });
    await until(() => lazy.log.some((line) => line.includes('Listening for Wyoming')), 'it listens');
    const { data } = await withClient(lazy, async (client) => {
      client.send('describe');
      return (await client.next())!;
    });
    const [program] = data.asr as { models: { languages: string[] }[] }[];
    expect(program!.models[0]!.languages.length).toBeGreaterThan(90);
    await lazy.stop();
  });

  it.skipIf(!hasSpeech)('transcribes one command after the other, with and without audio-start', async () => {
    const audio = await pcm(speechFile('jfk.flac'));
    await withClient(hear, async (client) => {
      client.send('ping', { text: 'there?' });
      expect(await client.next()).toMatchObject({ type: 'pong', data: { text: 'there?' } });
      for (const hasStart of [true, false]) {
        client.send('transcribe', { language: 'en-US', transcript_names: ['Americans', 5] });
        if (hasStart) client.send('audio-start', format);
        sendAudio(client, audio);
        client.send('audio-stop');
        const [transcript] = await client.until('transcript');
        expect(spokenWords(String(transcript!.data.text))).toEqual(spokenWords(speechText('jfk.txt')));
        expect(transcript!.data.language).toBe('en');
      }
      client.send('audio-start', format);
      client.send('audio-stop');
      expect((await client.next())!.data).toEqual({ text: '' });
    });
  });

  it('detects the language for auto in any case, whatever DEFAULT_LANGUAGE is', async () => {
    const french = await startHear({ WYOMING_PORT: '0', MODEL_SIZE: microCheckpoint, DEFAULT_LANGUAGE: 'fr' });
    await french.ready();
    const audio = await pcm(recordingFile('english-flite'));
    await withClient(french, async (client) => {
      for (const [language, expected] of [
        [undefined, 'fr'],
        ['auto', 'en'],
        [' AUTO', 'en'],
      ]) {
        client.send('transcribe', { language });
        sendAudio(client, audio);
        client.send('audio-stop');
        const [transcript] = await client.until('transcript');
        expect([language, transcript!.data.language]).toEqual([language, expected]);
      }
    });
    await french.stop();
  });

  it.each([
    [
      'a language that the model does not know',
      [['transcribe', { language: 'de' }], ['audio-chunk', format, Buffer.alloc(9000)], ['audio-stop']],
      'unsupported_language',
    ],
    ['an unknown language', [['transcribe', { language: 'klingon' }]], 'unsupported_language'],
    ['a format without a rate', [['audio-start', { width: 2, channels: 1 }]], 'invalid_request'],
    ['8-bit audio', [['audio-start', { ...format, width: 1 }]], 'invalid_request'],
    ['an end without audio', [['audio-stop']], 'invalid_request'],
  ] as [string, [string, object?, Buffer?][], string][])('answers %s with an error', async (_name, events, code) => {
    await withClient(hear, async (client) => {
      for (const event of events) client.send(...event);
      const [error] = await client.until('error');
      expect(error!.data).toEqual({ code, text: expect.any(String) });
      expect(await client.next()).toBeUndefined();
    });
  });

  it('survives garbage and clients that hang up', async () => {
    const audio = Buffer.alloc(64_000);
    const sendings: ((client: Client) => void)[] = [
      (client) => client.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
      (client) => client.socket.write(Buffer.alloc(300_000, 120)),
      (client) => client.socket.write(encodeEvent('audio-chunk', format, audio).subarray(0, 1000)),
      (client) => sendAudio(client, audio),
      (client) => {
        sendAudio(client, audio);
        client.send('audio-stop');
      },
    ];
    for (const send of sendings) {
      const client = new Client(hear);
      client.socket.on('error', () => {});
      send(client);
      await new Promise((resolve) => setTimeout(resolve, 50));
      client.socket.destroy();
    }
    await until(async () => (await hear.tempFiles()).length === 0, 'nothing is left');
    await until(async () => (await hear.metric('hearsay_queue_active')) === 0, 'no slot is taken');
    expect((await hear.get('/health')).status).toBe(200);
  });
});

describe('say over Wyoming', () => {
  it('describes its voices', async () => {
    const { data } = await withClient(say, async (client) => {
      client.send('describe');
      return (await client.next())!;
    });
    const [program] = data.tts as { voices: object[]; supports_synthesize_streaming: boolean }[];
    expect(program!.supports_synthesize_streaming).toBe(true);
    expect(program!.voices).toContainEqual(expect.objectContaining({ name: 'af_heart', languages: ['en-US'] }));
    expect(program!.voices).toContainEqual(expect.objectContaining({ name: 'bf_emma', languages: ['en-GB'] }));
  });

  const samplesOf = (events: WyomingEvent[]) =>
    Buffer.concat(events.filter(({ type }) => type === 'audio-chunk').map(({ payload }) => payload)).length / 2;

  it('speaks a text', async () => {
    await withClient(say, async (client) => {
      for (const voice of [undefined, { name: 'alloy' }, { language: 'en-GB' }]) {
        client.send('synthesize', { text: 'It is seven degrees.', ...(voice && { voice }) });
        const events = await client.until('audio-stop');
        expect(events[0]).toMatchObject({ type: 'audio-start', data: { rate: 24_000, width: 2, channels: 1 } });
        expect(samplesOf(events)).toBeGreaterThan(24_000);
      }
    });
  });

  it('speaks a text that arrives in pieces, each sentence as soon as it is whole', async () => {
    await withClient(say, async (client) => {
      client.send('synthesize-start', { voice: { name: 'af_heart' } });
      for (const text of ['It is ', 'seven degrees. Bring a', ' coat']) client.send('synthesize-chunk', { text });
      const first = await client.until('audio-chunk');
      expect(first.map(({ type }) => type)).toEqual(['audio-start', 'audio-chunk']);
      client.send('synthesize-chunk', { text: '! 👋' });
      client.send('synthesize', { text: 'It is seven degrees. Bring a coat! 👋' });
      client.send('synthesize-stop');
      const events = await client.until('synthesize-stopped');
      expect(events.slice(-2).map(({ type }) => type)).toEqual(['audio-stop', 'synthesize-stopped']);
      const seconds = samplesOf([...first, ...events]) / 24_000;
      // Both sentences, once.
      expect(seconds).toBeGreaterThan(1.5);
      expect(seconds).toBeLessThan(5);
    });
  });

  it.each([
    ['no text', 'synthesize', {}, 'invalid_request'],
    ['an empty text', 'synthesize', { text: ' ' }, 'invalid_request'],
    ['nothing to speak', 'synthesize', { text: '👋' }, 'unspeakable_text'],
    ['an unknown voice', 'synthesize', { text: 'Hi', voice: { name: 'nobody' } }, 'invalid_request'],
    ['a language without a voice', 'synthesize', { text: 'Hi', voice: { language: 'ja' } }, 'invalid_request'],
    ['a piece without a start', 'synthesize-chunk', { text: 'Hi' }, 'invalid_request'],
    ['a stop without a start', 'synthesize-stop', {}, 'invalid_request'],
  ])('answers %s with an error', async (_name, type, data, code) => {
    await withClient(say, async (client) => {
      client.send(type, data);
      const events = await client.until('error');
      expect(events.map(({ type }) => type)).toEqual(['error']);
      expect(events[0]!.data).toMatchObject({ code });
    });
  });

  it('has no sound for a stream of nothing to speak', async () => {
    await withClient(say, async (client) => {
      client.send('synthesize-start', {});
      client.send('synthesize-chunk', { text: '👋. ' });
      client.send('synthesize-stop');
      const events = await client.until('synthesize-stopped');
      expect(events.map(({ type }) => type)).toEqual(['audio-start', 'audio-stop', 'synthesize-stopped']);
    });
  });

  it('stops speaking for a client that hangs up', async () => {
    const client = new Client(say);
    client.send('synthesize', { text: 'This sentence takes a while. '.repeat(2000) });
    await client.until('audio-chunk');
    client.socket.destroy();
    await until(async () => (await say.active()) === 0, 'it stops');
  });
});
