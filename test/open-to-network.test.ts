import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { endAll, startHear, startSay } from './fixtures/service.ts';

afterEach(endAll);

const lazy = { WARMUP_ON_START: 'false' };

function post(url: string, headers: Record<string, string>, body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on('error', reject).end(body);
  });
}

describe.each([
  ['hear', startHear],
  ['say', startSay],
] as const)('%s', (_name, start) => {
  it.each([
    [{ HOST: '0.0.0.0' }, true],
    [{ HOST: '0.0.0.0', API_KEY: 'sesame' }, false],
    [{ HOST: '127.0.0.1' }, false],
    [{ HOST: 'localhost' }, false],
  ])('with %j says at start whether everyone can use it', async (env, isOpen) => {
    const service = await start({ ...lazy, ...env });
    const lines = () => service.log.filter((line) => line.includes('No API_KEY is set'));
    // It follows the line by which the service is known to listen.
    if (isOpen) await expect.poll(lines).toHaveLength(1);
    await service.stop();
    expect(lines()).toHaveLength(isOpen ? 1 : 0);
  });
});

it('a rebound page cannot activate a model, and a foreign page can neither do that nor unload one', async () => {
  const hear = await startHear(lazy);
  const json = { 'content-type': 'application/json' };
  const activate = (headers: Record<string, string>) =>
    post(`${hear.url}/api/model/activate`, { ...json, ...headers }, '{"size": "no such size"}');
  expect(await activate({})).toBe(400);
  expect(await activate({ host: 'evil.example', origin: 'http://evil.example' })).toBe(403);
  expect(await activate({ origin: 'https://evil.example' })).toBe(403);
  await hear.stop();
  const say = await startSay(lazy);
  const unload = (headers: Record<string, string>) => post(`${say.url}/dev/unload`, headers, 'x');
  expect(await unload({ origin: say.url })).toBe(200);
  expect(await unload({ origin: 'https://evil.example', 'content-type': 'text/plain' })).toBe(403);
  expect(await unload({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  await say.stop();
});
