import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { wavHeader } from '../src/audio/wav.ts';
import { endAll, type Service, startHear, startSay, until } from './fixtures/service.ts';

const hasLimit = spawnSync('prlimit', ['--version']).status === 0 && process.platform === 'linux';
if (!hasLimit) console.log('Skipped: a limit of open files, because there is no prlimit.');

afterEach(endAll);

function limitFiles({ pid }: Service, files: number | 'unlimited'): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--nofile=${files}:`]);
  if (status !== 0) throw new Error(`prlimit: ${stderr}`);
}

/** The number that the next file gets. */
function lowestFree({ pid }: Service): number {
  const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  let lowest = 0;
  while (open.has(lowest)) lowest++;
  return lowest;
}

interface Answer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

/** Sends on the one connection of an agent: a new one would need a file too. */
function send(agent: Agent, url: string, body?: string, type = ''): Promise<Answer> {
  const headers = body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', agent, headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode!, headers: response.headers, body: text });
    });
    sent.on('error', reject).end(body);
  });
}

/** Sends while the service can open no file. @param otherwise status of the answer if it could open one */
async function sendWithoutFiles(service: Service, send: () => Promise<Answer>, otherwise: number): Promise<Answer> {
  let answer: Answer;
  // A file that closes late leaves room for another try.
  let tries = 0;
  do {
    if (tries > 0) await sleep(100);
    limitFiles(service, lowestFree(service));
    answer = await send();
  } while (answer.status === otherwise && ++tries < 10);
  limitFiles(service, 4096);
  return answer;
}

const form = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nspeech\r\n--x--\r\n';

it.skipIf(!hasLimit).each([
  ['hear', startHear, '/v1/audio/transcriptions', form, 'multipart/form-data; boundary=x', 400],
  ['say', startSay, '/v1/audio/speech', '{"input": "Hello", "stream": false}', 'application/json', 200],
] as const)('without open files left, %s answers 503 with a line in the log, and keeps running', async (...row) => {
  const [, start, path, body, type, otherwise] = row;
  const service = await start();
  await service.ready();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await send(agent, `${service.url}${path}`, body, type)).status).toBe(otherwise);
  const refused = await sendWithoutFiles(service, () => send(agent, `${service.url}${path}`, body, type), otherwise);
  expect([refused.status, refused.headers['retry-after']], refused.body).toEqual([503, '10']);
  expect(JSON.parse(refused.body).detail).toMatchObject({
    error: 'queue_full',
    message: expect.stringContaining('too many open files'),
  });
  const lines = () => service.log.filter((line) => line.includes('EMFILE'));
  await until(() => lines().length > 0, 'the log has the reason');
  for (const line of lines()) expect(line).not.toContain('    at ');
  expect((await send(agent, `${service.url}${path}`, body, type)).status).toBe(otherwise);
  agent.destroy();
  await service.stop();
});

const json = 'application/json';
/** A second of silence. */
const silence = Buffer.concat([wavHeader(16_000, 32_000), Buffer.alloc(32_000)]).toString('base64');

it.skipIf(!hasLimit).each([
  [
    'a download',
    startSay,
    {},
    async (agent: Agent, { url }: Service): Promise<unknown> => {
      const body = '{"input": "Hello", "return_download_link": true}';
      return (await send(agent, `${url}/v1/audio/speech`, body, json)).headers['x-download-path'];
    },
  ],
  [
    'a saved voice',
    startSay,
    { ALLOW_LOCAL_VOICE_SAVING: 'true' },
    async (agent: Agent, { url }: Service): Promise<unknown> => {
      await send(agent, `${url}/v1/audio/voices/combine?name=mine`, '"af_heart"', json);
      return '/v1/audio/voices';
    },
  ],
  [
    'the response of a job',
    startHear,
    {},
    async (agent: Agent, { url }: Service): Promise<unknown> => {
      const path = '/v1/audio/transcriptions?background=true';
      const { location } = (await send(agent, url + path, JSON.stringify({ file: silence }), json)).headers;
      await until(async () => (await send(agent, `${url}${location}/response`)).status === 200, 'the job is done');
      return `${location}/response`;
    },
  ],
] as const)('without open files left, %s is not reported as missing', async (_name, start, env, prepare) => {
  const service = await start(env);
  await service.ready();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = `${service.url}${await prepare(agent, service)}`;
  const found = await send(agent, url);
  expect(found.status).toBe(200);
  const refused = await sendWithoutFiles(service, () => send(agent, url), 200);
  expect([refused.status, refused.headers['retry-after']], refused.body).toEqual([503, '10']);
  expect((await send(agent, url)).body).toBe(found.body);
  agent.destroy();
  await service.stop();
});
