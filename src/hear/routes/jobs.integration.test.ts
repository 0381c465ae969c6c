import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../test/fixtures/service.ts';
import {
  callbackKey,
  type FormPart,
  multipart,
  recording,
  spoken,
  type TestApp,
  transcriptionApp,
} from '../../../test/fixtures/transcription-app.ts';
import { HearsayError } from '../../errors.ts';

let t: TestApp;
beforeEach(async () => {
  t = await transcriptionApp();
  await t.startJobs();
});
afterEach(() => t.close());

const post = (parts: FormPart[] = [], url = '/v1/audio/transcriptions?background=true') => {
  const form = multipart([recording, ...parts]);
  return t.app.inject({ method: 'POST', url, payload: form.payload, headers: form.headers });
};
const get = (id: string) => t.app.inject(`/v1/jobs/${id}`);
const remove = (id: string) => t.app.inject({ method: 'DELETE', url: `/v1/jobs/${id}` });
const status = async (id: string) => (await get(id)).json().status;
const ended = async (id: string) => {
  await until(async () => !['queued', 'running'].includes(await status(id)), 'the job has ended');
  return (await get(id)).json();
};
const jobFiles = () => readdirSync(join(t.uploadDir, 'jobs')).filter((name) => name !== 'lock');

/** A model that waits until it is told to go on. */
function hold(): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  t.models.run = async function* (_job, signal) {
    yield spoken[0]!;
    signal?.throwIfAborted();
    await Promise.race([released, new Promise((_, reject) => signal?.addEventListener('abort', reject))]);
    yield* spoken.slice(1);
  };
  return release;
}

describe('POST ?background=true', () => {
  it('answers 202 with a job and its location, and takes neither a place nor a slot', async () => {
    const release = hold();
    const response = await post();
    expect(response.statusCode).toBe(202);
    const job = response.json();
    expect(response.headers.location).toBe(`/v1/jobs/${job.id}`);
    expect(job).toEqual({
      id: expect.stringMatching(/^job_[0-9a-f]{32}$/),
      object: 'transcription.job',
      task: 'transcribe',
      status: 'queued',
      created_at: expect.any(Number),
      started_at: null,
      finished_at: null,
      expires_at: null,
      progress: null,
      error: null,
      callback: null,
      response: null,
    });
    expect([t.gate.entered, t.uploads.bytes]).toEqual([0, 0]);
    await until(async () => (await get(job.id)).json().progress?.seconds === 2, 'progress is known');
    release();
    await ended(job.id);
  });

  it.each([
    ['json', []],
    ['text', []],
    ['srt', []],
    ['vtt', []],
    ['verbose_json', [['timestamp_granularities[]', 'word']]],
    ['json', [['include[]', 'logprobs']]],
  ] as [string, FormPart[]][])('gives the response of the synchronous request in %s %j', async (format, more) => {
    const parts: FormPart[] = [['response_format', format], ...more];
    const synchronous = await post(parts, '/v1/audio/transcriptions');
    const { id } = (await post(parts)).json();
    const job = await ended(id);
    const replayed = await t.app.inject(`/v1/jobs/${id}/response`);
    expect([replayed.statusCode, replayed.headers['content-type'], replayed.body]).toEqual([
      200,
      synchronous.headers['content-type'],
      synchronous.body,
    ]);
    const isJson = format.endsWith('json');
    expect(job.response).toEqual({
      status: 200,
      content_type: synchronous.headers['content-type'],
      body: isJson ? synchronous.json() : synchronous.body,
    });
    expect(t.models.jobs[1]).toEqual({ ...t.models.jobs[0], path: expect.any(String), isBackground: true });
  });

  it('translates too', async () => {
    const { id, task } = (await post([], '/v1/audio/translations?background=1')).json();
    expect(task).toBe('translate');
    expect((await ended(id)).status).toBe('succeeded');
  });

  it('gives the error of the synchronous request', async () => {
    t.models.run = () => {
      throw new HearsayError('invalid_audio', 'The file is no audio.', { param: 'file' });
    };
    const synchronous = await post([], '/v1/audio/transcriptions');
    const { id } = (await post()).json();
    const job = await ended(id);
    expect(job.status).toBe('failed');
    expect(job.error).toEqual(synchronous.json().error);
    expect(job.response).toMatchObject({ status: 400, body: synchronous.json() });
    const replayed = await t.app.inject(`/v1/jobs/${id}/response`);
    expect([replayed.statusCode, replayed.body]).toEqual([400, synchronous.body]);
    expect(jobFiles()).toEqual([`${id}.json`]);
  });

  it('refuses invalid fields at once, and leaves no file', async () => {
    const refused = [
      [await post([], '/v1/audio/transcriptions?background=perhaps'), 'background'],
      [await post([['response_format', 'xml']]), 'response_format'],
      [await post([['stream', 'true']]), 'stream'],
      [await post([['callback_url', 'ftp://receiver.example']]), 'callback_url'],
      [await post([['callback_url', 'https://me:secret@receiver.example']]), 'callback_url'],
      [await post([['callback_url', 'https://receiver.example']], '/v1/audio/transcriptions'), 'callback_url'],
    ] as const;
    for (const [response, param] of refused) {
      expect([response.statusCode, response.json().error.param]).toEqual([400, param]);
    }
    expect(refused[0][0].json().error.message).toBe('background: must be true or false');
    expect(jobFiles()).toEqual([]);
    expect((await post([], '/v1/audio/transcriptions?background=')).statusCode).toBe(200);
  });

  it('answers 503 when too many jobs wait, and 507 when their uploads are too large', async () => {
    const release = hold();
    const large = (bytes: number): FormPart[] => [['file', 'x'.repeat(bytes), 'large.wav']];
    const form = multipart(large(1001));
    const tooLarge = await t.app.inject({
      method: 'POST',
      url: '/v1/audio/transcriptions?background=true',
      payload: form.payload,
      headers: form.headers,
    });
    expect(tooLarge.statusCode).toBe(507);
    const ids = [];
    for (let count = 0; count < 3; count++) ids.push((await post()).json().id);
    const refused = await post();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '10']);
    expect(refused.json().detail.error).toBe('queue_full');
    release();
    for (const id of ids) await ended(id);
    expect(jobFiles()).toHaveLength(6);
  });

  it('is taken while the model is loading, and waits for it', async () => {
    t.models.state = 'warming';
    await t.jobs.close();
    await t.close();
    t = await transcriptionApp();
    t.models.state = 'warming';
    await t.startJobs();
    const { id } = (await post()).json();
    expect(await status(id)).toBe('queued');
    t.models.state = 'ready';
    expect((await ended(id)).status).toBe('succeeded');
  });

  it('is refused while the service drains or has no journal', async () => {
    t.drain.start();
    expect((await post()).json().detail.error).toBe('draining');
    await t.close();
    t = await transcriptionApp();
    const refused = await post();
    expect([refused.statusCode, refused.json().detail.error]).toEqual([503, 'jobs_unavailable']);
  });

  it('does not run while requests wait for a slot, even if they came later', async () => {
    let quiet = () => {};
    t.gate.waiting = 1;
    t.gate.onQuiet = () =>
      new Promise((resolve) => {
        quiet = resolve;
      });
    const { id } = (await post()).json();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([await status(id), t.models.jobs.length]).toEqual(['queued', 0]);
    t.gate.waiting = 0;
    t.gate.onQuiet = async () => {};
    quiet();
    expect((await ended(id)).status).toBe('succeeded');
  });

  it('tries again if the service fails, not the job', async () => {
    let runs = 0;
    t.models.run = async function* () {
      if (++runs === 1) throw new HearsayError('model_unavailable', 'The model could not be loaded.');
      yield* spoken;
    };
    const { id } = (await post()).json();
    expect((await ended(id)).status).toBe('succeeded');
    expect(runs).toBe(2);
  });

  it('waits for the speaker model if that is missing', async () => {
    t.models.state = 'warming';
    const { id } = (await post([['response_format', 'diarized_json']])).json();
    const { files } = t.speakerModel;
    let asked = 0;
    Object.defineProperty(t.speakerModel, 'files', { get: () => (++asked > 1 ? files : undefined) });
    t.models.run = async function* () {
      yield* spoken.slice(0, -1);
      yield { type: 'turns', turns: [] };
      yield spoken.at(-1)!;
    };
    t.models.state = 'ready';
    expect((await ended(id)).status).toBe('succeeded');
    expect(asked).toBe(2);
  });
});

describe('/v1/jobs/{id}', () => {
  it('is 404 for invalid ids', async () => {
    for (const id of ['job_0', `job_${'0'.repeat(32)}`, 'x', '..%2f..%2fetc%2fpasswd', 'a'.repeat(400)]) {
      for (const response of [await get(id), await remove(id), await t.app.inject(`/v1/jobs/${id}/response`)]) {
        expect([response.statusCode, response.json().error.code]).toEqual([404, 404]);
      }
    }
  });

  it('DELETE cancels a running job and removes it the second time, with its files', async () => {
    hold();
    const { id } = (await post()).json();
    await until(async () => (await status(id)) === 'running', 'the job runs');
    expect((await t.app.inject(`/v1/jobs/${id}/response`)).statusCode).toBe(202);
    expect((await remove(id)).json()).toMatchObject({ id, status: 'cancelled', response: null });
    await until(() => t.models.aborted === 1, 'the engine has stopped');
    expect((await t.app.inject(`/v1/jobs/${id}/response`)).statusCode).toBe(404);
    expect(jobFiles()).toEqual([`${id}.json`]);
    expect((await remove(id)).json()).toEqual({ id, object: 'transcription.job', deleted: true });
    expect(jobFiles()).toEqual([]);
    expect((await remove(id)).statusCode).toBe(404);
  });

  it('DELETE cancels a waiting job, which never runs', async () => {
    const release = hold();
    const first = (await post()).json().id;
    const second = (await post()).json().id;
    expect((await remove(second)).json().status).toBe('cancelled');
    release();
    await ended(first);
    expect(t.models.jobs).toHaveLength(1);
  });

  it('is marked as suspect on disk before it runs again after the death of its engine', async () => {
    const use = t.models.use.bind(t.models);
    t.models.use = async (work, options) => {
      await use(work, options);
      // As the supervisor does when the first engine has died.
      return use(work, options);
    };
    const marks: boolean[] = [];
    t.models.run = async function* () {
      const [record = ''] = jobFiles().filter((name) => name.endsWith('.json'));
      marks.push(JSON.parse(readFileSync(join(t.uploadDir, 'jobs', record), 'utf8')).isSuspect);
      yield* spoken;
    };
    const { id } = (await post()).json();
    expect((await ended(id)).status).toBe('succeeded');
    expect(marks).toEqual([false, true]);
  });

  it('goes back to the queue when the service is stopped', async () => {
    hold();
    const { id } = (await post()).json();
    await until(async () => (await status(id)) === 'running', 'the job runs');
    const { queue } = t.jobs;
    t.drain.start();
    await t.jobs.close();
    expect(await queue.get(id)).toMatchObject({ status: 'queued', starts: 0 });
    await t.drain.idle();
  });
});

describe('callback_url', () => {
  it('receives a signed message until it answers 2xx', async () => {
    const messages: { headers: IncomingHttpHeaders; body: string }[] = [];
    const receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        messages.push({ headers: request.headers, body });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    const { id } = (await post([['callback_url', `http://127.0.0.1:${port}/done`]])).json();
    await until(async () => (await get(id)).json().callback.status === 'delivered', 'it is delivered');
    receiver.close();
    const [{ headers, body }] = messages as [{ headers: IncomingHttpHeaders; body: string }];
    expect(messages).toHaveLength(1);
    expect(JSON.parse(body)).toEqual({
      type: 'transcription.succeeded',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { id, object: 'transcription.job', status: 'succeeded' },
    });
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const expected = createHmac('sha256', callbackKey).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
  });
});
