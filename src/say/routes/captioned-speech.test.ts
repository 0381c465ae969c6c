import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { audio, spoken, spokenBytes, synthesisApp } from '../../../test/fixtures/synthesis-app.ts';
import { OUTPUT_RATE } from '../../audio/formats.ts';
import { wavHeader } from '../../audio/wav.ts';
import { AudioFile } from '../downloads/audio-file.ts';

const path = '/dev/captioned_speech';

const start = perTest(synthesisApp);

/** Removed files of speech that this process still has open. */
const openAudio = () =>
  readdirSync('/proc/self/fd')
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    })
    .filter((path) => path.endsWith('.part (deleted)'));

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('POST /dev/captioned_speech', () => {
  it('sends one object with stream=false', async () => {
    const t = await start();
    const response = await t.post(path, { input: 'Hello, world. $5', stream: false, response_format: 'opus' });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toEqual({
      audio: base64(spokenBytes),
      audio_format: 'audio/opus',
      timestamps: [
        { word: 'Hello,', start_time: 0, end_time: 0.3 },
        { word: 'world.', start_time: 0.3, end_time: 0.75 },
        { word: '$5', start_time: 1, end_time: 1.5 },
      ],
    });
    expect(t.models.jobs).toMatchObject([{ captions: true, format: 'opus' }]);
    expect(await t.files()).toEqual([]);
  });

  it('encodes audio of any size with exact wav sizes', async () => {
    const t = await start();
    for (const size of [0, 1, 2, 3, 65_535, 65_536, 300_001]) {
      const samples = Buffer.alloc(size, size % 251);
      t.models.run = async function* () {
        yield { type: 'audio', bytes: wavHeader(OUTPUT_RATE) };
        yield { type: 'audio', bytes: samples };
      };
      const { audio, timestamps } = (
        await t.post(path, { input: 'Hello', stream: false, response_format: 'wav' })
      ).json();
      const exact = Buffer.concat([wavHeader(OUTPUT_RATE, size), samples]);
      expect([size, Buffer.from(audio, 'base64').equals(exact)]).toEqual([size, true]);
      expect(timestamps).toEqual([]);
    }
  });

  it('streams a line for each chunk by default; the last has the rest of the audio', async () => {
    const t = await start();
    const response = await t.post(path, { input: 'Hello, world. $5' });
    expect(response.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(response.headers['x-accel-buffering']).toBe('no');
    const lines = response.body.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        audio: base64('one two '),
        audio_format: 'audio/mpeg',
        timestamps: [
          { word: 'Hello,', start_time: 0, end_time: 0.3 },
          { word: 'world.', start_time: 0.3, end_time: 0.75 },
        ],
      },
      {
        audio: base64('three '),
        audio_format: 'audio/mpeg',
        timestamps: [{ word: '$5', start_time: 1, end_time: 1.5 }],
      },
      { audio: base64('tail'), audio_format: 'audio/mpeg', timestamps: [] },
    ]);
  });

  it('streams lines while it synthesizes and cuts the connection on failure', async () => {
    const t = await start();
    let fail = () => {};
    t.models.run = async function* () {
      yield* spoken.slice(0, 3);
      await new Promise<void>((resolve) => {
        fail = resolve;
      });
      yield audio('more');
      throw new Error('in the middle');
    };
    const url = await t.listen();
    const lines: string[] = [];
    const ended = new Promise<string>((resolve) => {
      request(url + path, { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => {
        response.on('error', (error) => resolve(error.message)).on('end', () => resolve('a clean end'));
        createInterface({ input: response })
          .on('line', (line) => {
            lines.push(line);
            fail();
          })
          .on('error', () => {});
      }).end(JSON.stringify({ input: 'Hello' }));
    });
    expect(await ended).toBe('aborted');
    expect(lines.map((line) => JSON.parse(line).timestamps.length)).toEqual([2]);
  });

  it.skipIf(process.platform !== 'linux')('closes the audio of a client that leaves before its response', async () => {
    const t = await start();
    const url = await t.listen();
    const connected = once(t.app.server, 'connection') as Promise<[Socket]>;
    const headers = { 'content-type': 'application/json' };
    const client = request(url + path, { method: 'POST', headers }).on('error', () => {});
    client.end(JSON.stringify({ input: 'Hello', stream: false }));
    const [socket] = await connected;
    const { discard } = AudioFile.prototype;
    const spy = vi.spyOn(AudioFile.prototype, 'discard').mockImplementation(async function (this: AudioFile) {
      await discard.call(this);
      const isClosed = once(socket, 'close');
      client.destroy();
      await isClosed;
    });
    onTestFinished(() => spy.mockRestore());
    await vi.waitFor(() => expect(t.log.join('')).toContain('"status":499'));
    await vi.waitFor(() => expect(openAudio()).toEqual([]));
  });

  it('can be downloaded as well', async () => {
    const t = await start();
    for (const stream of [true, false]) {
      const response = await t.post(path, { input: 'Hello', stream, return_download_link: true });
      const file = await t.app.inject(String(response.headers['x-download-path']));
      expect([file.statusCode, file.body]).toEqual([200, spokenBytes]);
    }
  });

  it('validates the same fields as speech', async () => {
    const t = await start();
    for (const body of [{}, { input: 'Hello', voice: 'nobody' }, { input: 'Hello', speed: 9 }]) {
      expect((await t.post(path, body)).statusCode).toBe(400);
    }
    t.models.state = 'warming';
    expect((await t.post(path, { input: 'Hello' })).json().detail.error).toBe('model_warming');
  });
});
