import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { EventStream } from './event-stream.ts';
import { createServer } from './server.ts';

it('closes as soon as the last answer is out, whatever the clients keep alive', async () => {
  const app = await createServer({
    log: pino({ level: 'silent' }),
    requestLogLevel: 'silent',
    corsOrigins: [],
    description: { title: 'test', description: 'test', version: '0' },
  });
  const waiting: (() => void)[] = [];
  const turn = () => new Promise<void>((resolve) => waiting.push(resolve));
  app.get('/plain', async () => {
    await turn();
    return 'ok';
  });
  app.get('/events', async (_request, reply) => {
    const events = new EventStream(reply);
    events.send({ n: 1 });
    await turn();
    events.end();
    return reply;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;

  const agent = new Agent({ keepAlive: true });
  const bodies = ['/plain', '/events'].map(async (path) => {
    const sent = request({ port, host: '127.0.0.1', path, agent }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let body = '';
    for await (const chunk of response) body += chunk;
    return body;
  });
  while (waiting.length < 2) await new Promise(setImmediate);
  const closed = app.close();
  await new Promise(setImmediate);
  for (const resolve of waiting) resolve();
  expect(await Promise.all(bodies)).toEqual(['ok', 'data: {"n":1}\n\n']);
  await closed;
  agent.destroy();
}, 20_000);

it.each([
  ['warn', 'info', ['request']],
  ['info', 'warn', ['of the service']],
  ['info', 'silent', ['of the service']],
  ['silent', 'info', ['request']],
])('logs the service at %s and its requests at %s, each by its own level', async (level, requestLogLevel, expected) => {
  const lines: string[] = [];
  const log = pino({ level }, { write: (line: string) => lines.push(line) });
  const description = { title: 'test', description: 'test', version: '0' };
  const app = await createServer({ log, requestLogLevel, corsOrigins: [], description });
  app.get('/', async () => {
    log.info('of the service');
    return 'ok';
  });
  await app.inject('/');
  await app.close();
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(expected);
});
