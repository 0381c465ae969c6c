import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { watchOpenRequests } from './open-requests.ts';

it('watchOpenRequests lists requests until their responses are complete or cut', async () => {
  const finish: (() => void)[] = [];
  const server = createServer((_request, response) => finish.push(() => response.end()));
  const openRequests = watchOpenRequests(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const arrived = async (count: number) => {
    while (finish.length < count) await new Promise(setImmediate);
  };
  const closed = async (count: number) => {
    while (openRequests().length > count) await new Promise(setImmediate);
  };
  get({ port, path: '/first?secret=1' }, (response) => response.resume());
  await arrived(1);
  const second = get({ port, path: '/second' }).on('error', () => {});
  await arrived(2);
  expect(openRequests()).toEqual([
    { method: 'GET', path: '/first', seconds: 0 },
    { method: 'GET', path: '/second', seconds: 0 },
  ]);
  second.destroy();
  await closed(1);
  finish[0]?.();
  await closed(0);
  await new Promise((resolve) => server.close(resolve));
});
