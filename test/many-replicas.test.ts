import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smallKokoro } from './fixtures/kokoro.ts';
import { connect } from './fixtures/realtime.ts';
import { endAll, type Hear, spawnHear, spawnSay, startSay, until } from './fixtures/service.ts';
import { microCheckpoint, recordingFile, recordings } from './fixtures/whisper-micro.ts';

let shared: string;
beforeEach(async () => {
  shared = await mkdtemp(join(tmpdir(), 'replicas-'));
});
afterEach(async () => {
  await endAll();
  await rm(shared, { recursive: true, force: true });
});

describe('replicas of hear with the same DATA_DIR', () => {
  const apiKey = 'sesame';
  const headers = { authorization: `Bearer ${apiKey}` };
  async function start(count: number): Promise<Hear[]> {
    const env = { DATA_DIR: shared, API_KEY: apiKey, MODEL_SIZE: microCheckpoint };
    const replicas = await Promise.all(Array.from({ length: count }, () => spawnHear(env)));
    await Promise.all(replicas.map((replica) => replica.ready()));
    return replicas;
  }

  it('compile a model at the same time, and keep one', async () => {
    const replicas = await start(3);
    for (const replica of replicas) {
      const response = await replica.post({ file: recordingFile('french'), headers });
      expect(((await response.json()) as { text: string }).text).toBe(recordings.french!.text);
    }
    const compiled = await readdir(join(shared, 'models', 'compiled'));
    expect(compiled.filter((name) => name.startsWith('.'))).toEqual([]);
    expect(compiled).toHaveLength(1);
  });

  it('follow an activation of one of them', async () => {
    const replicas = await start(2);
    const response = await fetch(`${replicas[0]!.url}/api/model/activate`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ size: 'moonshine-tiny' }),
    });
    expect(response.status).toBe(200);
    for (const replica of replicas) {
      await until(async () => {
        const health = (await (await replica.get('/health')).json()) as { model?: string };
        return health.model === 'moonshine-tiny';
      }, 'the model is active everywhere');
    }
  });

  it('take the client secrets of each other', async () => {
    const [one, other] = await start(2);
    const response = await fetch(`${one!.url}/v1/realtime/client_secrets`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ session: { type: 'transcription', audio: { input: { turn_detection: null } } } }),
    });
    const { value } = (await response.json()) as { value: string };
    const client = await connect(other!.url, { protocols: ['realtime', `openai-insecure-api-key.${value}`] });
    expect((await client.event('session.created')).session.audio.input.turn_detection).toBeNull();
    client.socket.close();
    const changed = value.replace(/.{5}$/, 'AAAAA');
    await expect(
      connect(other!.url, { protocols: ['realtime', `openai-insecure-api-key.${changed}`] }),
    ).rejects.toThrow(/^401/);
  });
});

describe('replicas of say with the same DATA_DIR and DOWNLOAD_DIR', () => {
  it('serve the downloads, voices and pronunciations of each other', async () => {
    const downloads = join(shared, 'downloads');
    const env = {
      DATA_DIR: shared,
      DOWNLOAD_DIR: downloads,
      ALLOW_LOCAL_VOICE_SAVING: 'true',
      TTS_MODEL: smallKokoro,
    };
    const [one, other] = await Promise.all([spawnSay(env), spawnSay(env)]);
    await Promise.all([one.ready(), other.ready()]);
    const speak = { input: 'Hello.', return_download_link: true, response_format: 'wav', stream: false };
    const speech = await one.post('/v1/audio/speech', speak);
    const link = speech.headers.get('x-download-path')!;
    const file = await other.get(link);
    expect([file.status, Buffer.from(await file.arrayBuffer())]).toEqual([
      200,
      Buffer.from(await speech.arrayBuffer()),
    ]);

    const combined = await one.post('/v1/audio/voices/combine?name=ours', 'af_heart+am_adam');
    expect(combined.status).toBe(200);
    const spoken = await other.post('/v1/audio/speech', { input: 'Hello.', voice: 'ours' });
    expect(spoken.status).toBe(200);
    await spoken.arrayBuffer();

    await writeFile(join(shared, 'lexicon.json'), JSON.stringify({ Hearsay: 'hˈɪɹsˌA' }));
    for (const replica of [one, other]) {
      const response = await replica.post('/dev/phonemize', { text: 'Hearsay', language: 'a' });
      expect(JSON.stringify(await response.json())).toContain('hˈɪɹsˌA');
    }

    // Files for download outlive the replica that made them.
    await Promise.all([one.stop(), other.stop()]);
    expect(existsSync(join(downloads, link.split('/').at(-1)!))).toBe(true);
    const next = await startSay(env);
    expect((await next.get(link)).status).toBe(200);
  });

  it('say at start that DOWNLOAD_DIR cannot be used', async () => {
    await writeFile(join(shared, 'file'), '');
    const say = await spawnSay({ DOWNLOAD_DIR: join(shared, 'file') });
    expect(await say.exited).toMatchObject({ code: 1 });
    expect(say.log.join('\n')).toContain('DOWNLOAD_DIR must be a writable directory');
    expect(await readdir(say.tempDir)).toEqual([]);
  });
});

it('a replica that gets SIGTERM refused requests before its balancer knew: it serves for SHUTDOWN_DELAY_SECONDS', async () => {
  const say = await startSay({ SHUTDOWN_DELAY_SECONDS: '3' });
  await say.ready();
  const stopped = say.stop();
  await until(async () => (await say.get('/ready')).status === 503, 'it is not ready');
  expect(await (await say.get('/ready')).json()).toEqual({ status: 'draining' });
  expect((await say.get('/health')).status).toBe(200);
  const late = await say.post('/v1/audio/speech', { input: 'One more sentence.' });
  expect([late.status, (await late.arrayBuffer()).byteLength > 1000]).toEqual([200, true]);
  await sleep(500);
  expect((await say.post('/v1/audio/speech', { input: 'Another one.' })).status).toBe(200);
  await stopped;
});
