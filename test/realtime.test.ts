import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Connected, connect, type ReceivedEvent, silence, spokenPcm } from './fixtures/realtime.ts';
import { endAll, type Hear, startHear, until } from './fixtures/service.ts';
import { hasSpeech, speechText, spokenWords, wordErrorRate } from './fixtures/speech.ts';

const PREFIX = 'conversation.item.input_audio_transcription';
const apiKey = 'correct-horse';
const headers = { authorization: `Bearer ${apiKey}` };
const manual = {
  type: 'session.update',
  session: { type: 'transcription', audio: { input: { turn_detection: null } } },
};

let hear: Hear;
beforeAll(async () => {
  hear = await startHear({ API_KEY: apiKey, MAX_REALTIME_SESSIONS: '2' });
  await hear.ready();
});
afterAll(endAll);

const types = (events: readonly ReceivedEvent[]) => events.map(({ type }) => type);
const sessions = () => hear.metric('hearsay_realtime_sessions');
const isFree = () => until(async () => (await sessions()) === 0, 'all sessions have ended');

async function inSession<T>(work: (client: Connected) => Promise<T>): Promise<T> {
  const client = await connect(hear.url, { headers });
  try {
    return await work(client);
  } finally {
    client.socket.close();
    await isFree();
  }
}

describe('a realtime session', () => {
  it('starts with session.created, and shows updates in full', async () => {
    await inSession(async (client) => {
      const created = await client.event('session.created');
      expect(client.socket.protocol).toBe('realtime');
      expect(created.session).toMatchObject({
        type: 'transcription',
        object: 'realtime.transcription_session',
        id: expect.stringMatching(/^sess_\w{21}$/),
        audio: {
          input: {
            format: { type: 'audio/pcm', rate: 24_000 },
            turn_detection: { type: 'server_vad', threshold: 0.5, prefix_padding_ms: 300, silence_duration_ms: 500 },
          },
        },
      });
      // Some libraries send null for what they were not given.
      client.send({ ...manual, event_id: null });
      const updated = await client.event('session.updated');
      expect(updated.session.audio.input).toMatchObject({ format: { type: 'audio/pcm' }, turn_detection: null });
      client.send({
        type: 'transcription_session.update',
        session: {
          input_audio_format: 'g711_ulaw',
          input_audio_transcription: { model: 'whisper-1', language: 'en' },
          turn_detection: { type: 'server_vad', silence_duration_ms: 300 },
        },
      });
      const older = await client.event('transcription_session.updated');
      expect(older.session).toMatchObject({
        input_audio_format: 'g711_ulaw',
        input_audio_transcription: { model: 'whisper-1', language: 'en' },
        turn_detection: { type: 'server_vad', threshold: 0.5, silence_duration_ms: 300 },
      });
      expect(types(client.events)).not.toContain('error');
    });
  });

  it.skipIf(!hasSpeech)('finds turns, and sends the events of each in order', async () => {
    const pcm = await spokenPcm('two_cities.wav');
    const events = await inSession(async (client) => {
      client.append(pcm);
      client.append(silence(1));
      await until(
        () => types(client.events).filter((type) => type === `${PREFIX}.completed`).length === 7,
        'seven turns',
      );
      return client.events;
    });
    expect(types(events)).not.toContain('error');
    const [texts, shown]: [string[], string[]] = [[], []];
    let previous: string | null = null;
    for (const { item_id, transcript, usage, languages } of events.filter(
      ({ type }) => type === `${PREFIX}.completed`,
    )) {
      const own = events.filter((event) => (event.item_id ?? event.item?.id) === item_id);
      const isDelta = ({ type }: ReceivedEvent) => type === `${PREFIX}.delta`;
      expect(types(own.filter((event) => !isDelta(event)))).toEqual([
        'input_audio_buffer.speech_started',
        'input_audio_buffer.speech_stopped',
        'input_audio_buffer.committed',
        'conversation.item.added',
        'conversation.item.done',
        `${PREFIX}.completed`,
      ]);
      const [started, stopped, committed, added] = own.filter((event) => !isDelta(event));
      expect(stopped!.audio_end_ms).toBeGreaterThan(started!.audio_start_ms);
      expect(usage.type).toBe('duration');
      expect(usage.seconds).toBeCloseTo((stopped!.audio_end_ms - started!.audio_start_ms) / 1000, 1);
      expect(languages).toEqual([{ code: 'en' }]);
      expect([committed!.previous_item_id, added!.previous_item_id]).toEqual([previous, previous]);
      expect(added!.item).toMatchObject({ type: 'message', role: 'user', content: [{ type: 'input_audio' }] });
      shown.push(
        own
          .filter(isDelta)
          .map(({ delta }) => delta)
          .join(''),
      );
      texts.push(transcript);
      previous = item_id;
    }
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
    expect(wordErrorRate(texts.join(' '), speechText('two_cities.txt'))).toBeLessThan(0.1);
    // A word that was sent while it was said may be another one in the end.
    expect(wordErrorRate(shown.join(' '), texts.join(' '))).toBeLessThan(0.25);
  });

  it.skipIf(!hasSpeech)('transcribes what the client commits, word by word before it does', async () => {
    const pcm = await spokenPcm('jfk.flac');
    await inSession(async (client) => {
      client.send(manual);
      client.append(pcm);
      // Words come while more is said.
      await client.event(`${PREFIX}.delta`);
      client.send({ type: 'input_audio_buffer.commit' });
      const { transcript, item_id } = await client.event(`${PREFIX}.completed`);
      expect(spokenWords(transcript)).toEqual(spokenWords(speechText('jfk.txt')));
      expect(types(client.events)).not.toContain('input_audio_buffer.speech_started');
      client.send({ type: 'conversation.item.retrieve', item_id });
      const { item } = await client.event('conversation.item.retrieved');
      expect(item.content[0].transcript).toBe(transcript);
      client.send({ type: 'conversation.item.delete', item_id });
      await client.event('conversation.item.deleted');
      client.send({ type: 'conversation.item.retrieve', item_id });
      expect((await client.event('error')).error.code).toBe('item_retrieve_invalid_item_id');
    });
  });

  it('answers silence with an empty text', async () => {
    await inSession(async (client) => {
      client.send(manual);
      client.append(silence(2));
      client.send({ type: 'input_audio_buffer.commit' });
      expect(await client.event(`${PREFIX}.completed`)).toMatchObject({
        transcript: '',
        languages: [],
        usage: { type: 'duration', seconds: expect.closeTo(2, 2) },
      });
      expect(types(client.events)).not.toContain(`${PREFIX}.delta`);
    });
  });

  it.skipIf(!hasSpeech)('outlives its engine, and loses no words', async () => {
    const pcm = await spokenPcm('jfk.flac');
    await inSession(async (client) => {
      client.send(manual);
      client.append(pcm);
      await client.event(`${PREFIX}.delta`);
      for (const pid of hear.engines()) process.kill(pid, 'SIGKILL');
      client.send({ type: 'input_audio_buffer.commit' });
      const { transcript } = await client.event(`${PREFIX}.completed`);
      expect(spokenWords(transcript)).toEqual(spokenWords(speechText('jfk.txt')));
    });
    await hear.ready();
  });
});

describe('wrong events', () => {
  const invalid = 'invalid_request_error';
  it.each([
    ['hello', null, { type: invalid, code: 'invalid_value', event_id: null }],
    ['[]', 'type', { type: invalid, param: 'type' }],
    ['{"type":"response.create","event_id":"mine"}', 'type', { type: invalid, event_id: 'mine' }],
    ['{"type":"input_audio_buffer.append"}', 'audio', { type: invalid, param: 'audio' }],
    ['{"type":"input_audio_buffer.append","audio":"AA=="}', 'audio', { type: invalid, param: 'audio' }],
    ['{"type":"input_audio_buffer.append","audio":"????"}', 'audio', { type: invalid, param: 'audio' }],
    ['{"type":"input_audio_buffer.append","audio":"AAAA"}', 'audio', { type: invalid, param: 'audio' }],
    ['{"type":"input_audio_buffer.commit"}', null, { type: invalid, code: 'input_audio_buffer_commit_empty' }],
    [
      '{"type":"session.update","session":{"type":"realtime"}}',
      'session.type',
      { type: invalid, param: 'session.type' },
    ],
    [
      '{"type":"session.update","session":{"audio":{"input":{"turn_detection":{"type":"server_vad","threshold":2}}}}}',
      'threshold',
      { param: 'session.audio.input.turn_detection.threshold' },
    ],
    [
      '{"type":"session.update","session":{"audio":{"input":{"transcription":{"language":"de"}}}}}',
      'language',
      { code: 'unsupported_language', param: 'session.audio.input.transcription.language' },
    ],
    ['{"type":"conversation.item.delete","item_id":"item_1"}', 'item', { code: 'item_delete_invalid_item_id' }],
  ])('%s gets an error, and the session continues', async (message, _what, error) => {
    await inSession(async (client) => {
      client.socket.send(message);
      expect((await client.event('error')).error).toMatchObject(error);
      client.send({ type: 'input_audio_buffer.clear' });
      await client.event('input_audio_buffer.cleared');
    });
  });

  it('nested deeply closed the session: they get an error, too', async () => {
    await inSession(async (client) => {
      client.socket.send(`{"type":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
      expect((await client.event('error')).error).toMatchObject({ type: invalid, code: 'invalid_value' });
      client.send({ type: 'input_audio_buffer.clear' });
      await client.event('input_audio_buffer.cleared');
    });
  });

  it('more than one message may hold close the connection with 1009', async () => {
    await inSession(async (client) => {
      client.socket.send('x'.repeat(17 * 1024 * 1024));
      expect(await client.closed).toBe(1009);
    });
  });

  it('15 MiB of audio in one event are taken', async () => {
    await inSession(async (client) => {
      client.send(manual);
      client.send({ type: 'input_audio_buffer.append', audio: 'A'.repeat(15 * 1024 * 1024) });
      client.send({ type: 'input_audio_buffer.commit' });
      const { usage } = await client.event(`${PREFIX}.completed`);
      expect(usage.seconds).toBeCloseTo((15 * 1024 * 1024 * 3) / 4 / 48_000, 1);
    });
  });
});

describe('the handshake', () => {
  it('needs the key, as a header or as a subprotocol', async () => {
    await expect(connect(hear.url)).rejects.toThrow(/^401 .*Invalid API key/);
    const wrong = ['realtime', 'openai-insecure-api-key.wrong'];
    await expect(connect(hear.url, { protocols: wrong })).rejects.toThrow(/^401/);
    const client = await connect(hear.url, { protocols: ['realtime', `openai-insecure-api-key.${apiKey}`] });
    expect(client.socket.protocol).toBe('realtime');
    client.socket.close();
    await isFree();
  });

  it('ignores duplicate slashes, as every route does', async () => {
    const client = await connect(hear.url, { path: '/v1//realtime/?intent=transcription', headers });
    await client.event('session.created');
    client.socket.close();
    await isFree();
  });

  it('takes a client secret, which brings the configuration', async () => {
    const post = async (path: string, body: object) => {
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
      const response = await fetch(`${hear.url}/v1/realtime/${path}`, { ...init, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as ReceivedEvent };
    };
    const { body: created } = await post('client_secrets', {
      expires_after: { anchor: 'created_at', seconds: 60 },
      session: { type: 'transcription', audio: { input: { turn_detection: null } } },
    });
    expect(created).toMatchObject({
      value: expect.stringMatching(/^ek_/),
      expires_at: expect.closeTo(Date.now() / 1000 + 60, -1),
      session: { type: 'transcription', audio: { input: { turn_detection: null } } },
    });
    const unset = await post('client_secrets', { expires_after: { anchor: null, seconds: null }, session: null });
    expect(unset).toMatchObject({ status: 200, body: { expires_at: expect.closeTo(Date.now() / 1000 + 600, -1) } });
    const { body: older } = await post('transcription_sessions', { input_audio_format: 'g711_alaw' });
    expect(older).toMatchObject({ input_audio_format: 'g711_alaw', client_secret: { value: expect.any(String) } });
    for (const [secret, input] of [
      [created.value, { turn_detection: null }],
      [older.client_secret.value, { format: { type: 'audio/pcma' } }],
    ] as const) {
      const client = await connect(hear.url, { protocols: ['realtime', `openai-insecure-api-key.${secret}`] });
      expect((await client.event('session.created')).session.audio.input).toMatchObject(input);
      client.socket.close();
    }
    await isFree();
    const elsewhere = await hear.get('/v1/models', { authorization: `Bearer ${created.value}` });
    expect(elsewhere.status).toBe(401);
    const wrong = await post('client_secrets', {
      session: { type: 'transcription', audio: { input: { format: 'pcm' } } },
    });
    expect(wrong.status).toBe(400);
    const unknown = await post('client_secrets', {
      session: { type: 'transcription', audio: { input: { transcription: { languages: ['de'] } } } },
    });
    expect(unknown).toMatchObject({
      status: 400,
      body: { error: { param: 'session.audio.input.transcription.languages' } },
    });
  });

  it('is refused with 503 when all sessions are in use', async () => {
    const clients = [await connect(hear.url, { headers }), await connect(hear.url, { headers })];
    await expect(connect(hear.url, { headers })).rejects.toThrow(/^503 .*queue_full/);
    // Browsers only see the answer to a plain request.
    expect((await hear.get('/v1/realtime', headers)).status).toBe(503);
    for (const { socket } of clients) socket.close();
    await isFree();
    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await hear.get('/v1/realtime', headers)).status).toBe(400);
    }
    expect((await hear.get('/v1/realtime')).status).toBe(401);
    expect(await hear.metric('hearsay_realtime_sessions_max')).toBe(2);
    (await connect(hear.url, { headers })).socket.close();
    await isFree();
  });

  it('leaves nothing behind when clients come and go at once', async () => {
    for (let round = 0; round < 30; round++) {
      const client = await connect(hear.url, { headers }).catch(() => undefined);
      if (!client) continue;
      client.append(silence(3));
      if (round % 3 === 0) client.socket.terminate();
      else if (round % 3 === 1) client.socket.close();
      else connectSocketAndLeave();
      client.socket.terminate();
    }
    await isFree();
    expect((await hear.get('/health')).status).toBe(200);
  });

  function connectSocketAndLeave(): void {
    const socket = connectSocket(Number(new URL(hear.url).port), '127.0.0.1', () => {
      socket.write('GET /v1/realtime HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n');
      socket.destroy();
    });
  }

  it('answers requests without a WebSocket as usual', async () => {
    expect((await hear.get('/v1/realtime', headers)).status).toBe(400);
  });

  it('answers a handshake without a key like every other error', async () => {
    const socket = connectSocket(Number(new URL(hear.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (part) => {
      received += part;
    });
    const head = `GET /v1/realtime HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\nConnection: Upgrade\r\n`;
    socket.write(`${head}Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n\r\n`);
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1.1 400 .*"type":"invalid_request_error"/s);
  });

  it('a client that offers HTTP/2 is served over HTTP/1.1, its body included', async () => {
    const body = JSON.stringify({ size: 'no such model' });
    const socket = connectSocket(Number(new URL(hear.url).port), '127.0.0.1');
    socket.write(
      `POST /api/model/activate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n` +
        'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABk\r\n' +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    setTimeout(() => socket.write(body), 50);
    let received = '';
    socket.on('data', (part) => {
      received += part;
    });
    await until(() => received.includes('invalid_model'), 'the response');
    expect(received).toMatch(/^HTTP\/1.1 400 /);
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await once(socket, 'close');
    expect(received).toMatch(/HTTP\/1.1 200 /);
  });
});

describe('an upgrade that is pipelined behind other requests', () => {
  const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const websocket =
    `GET /v1/realtime HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\nConnection: Upgrade\r\n` +
    'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  const h2c = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';

  /** Status codes of what one write of some requests is answered with. */
  async function statusesOf(requests: string[]): Promise<string[]> {
    const socket = connectSocket(Number(new URL(hear.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (part) => {
      received += part.toString('latin1');
    });
    socket.write(requests.join(''));
    const statuses = () => received.match(/(?<=HTTP\/1.1 )(?:[2-4]\d\d|101)/g) ?? [];
    await until(() => statuses().length === requests.length, 'all responses');
    socket.destroy();
    return statuses();
  }

  it('ended the process: it opens a session after their responses', async () => {
    expect(await statusesOf([health, websocket])).toEqual(['200', '101']);
    expect(await statusesOf([health, health, websocket])).toEqual(['200', '200', '101']);
    const expecting = health.replace('Host', 'Expect: 100-continue\r\nHost');
    expect(await statusesOf([expecting, websocket])).toEqual(['200', '101']);
    expect(await statusesOf([expecting.replace('100-continue', 'more'), websocket])).toEqual(['200', '101']);
    expect(await statusesOf([health.replace('/health', '/%zz'), websocket])).toEqual(['400', '101']);
    await isFree();
  });

  it('lost responses if it is for another protocol: all are answered in order', async () => {
    expect(await statusesOf([health, h2c])).toEqual(['200', '200']);
    expect(await statusesOf([h2c, h2c, health])).toEqual(['200', '200', '200']);
    expect(await statusesOf([health, h2c, health, websocket])).toEqual(['200', '200', '200', '101']);
    await isFree();
  });

  it('is no fault of a client that leaves', async () => {
    for (let round = 0; round < 20; round++) {
      const socket = connectSocket(Number(new URL(hear.url).port), '127.0.0.1', () => {
        socket.write(health + websocket + h2c, () => (round % 2 === 0 ? socket.resetAndDestroy() : socket.destroy()));
      });
      await once(socket, 'close');
    }
    await isFree();
    expect(await statusesOf([health])).toEqual(['200']);
  });
});

it.skipIf(!hasSpeech)('a shutdown answers what has been said, then closes sessions with 1001', async () => {
  const other = await startHear();
  await other.ready();
  const pcm = await spokenPcm('jfk.flac');
  const client = await connect(other.url);
  client.append(pcm);
  await client.event('input_audio_buffer.speech_started');
  const stopped = other.stop();
  const { transcript } = await client.event(`${PREFIX}.completed`);
  expect(transcript).not.toBe('');
  expect(await client.closed).toBe(1001);
  await stopped;
});

it.skipIf(!hasSpeech)('a shutdown closes a session with 1001 that has too much to answer', async () => {
  const other = await startHear({ SHUTDOWN_TIMEOUT_SECONDS: '1' });
  await other.ready();
  const pcm = await spokenPcm('jfk.flac');
  const client = await connect(other.url);
  for (let count = 0; count < 10; count++) client.append(pcm);
  await client.event('input_audio_buffer.speech_started');
  const stopped = other.stop();
  expect(await client.closed).toBe(1001);
  await stopped;
});
