import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { callbackFault, post, send, signatureHeaders, WebhookRefused, webhookKey } from './webhook.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

let requests = 0;
async function listen(handler: RequestListener): Promise<string> {
  requests = 0;
  server = createServer((request, response) => {
    requests++;
    handler(request, response);
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const options = { body: '{}', headers: {}, allowPrivate: true, signal: new AbortController().signal };
const dns = (v4: string[], v6: string[] = []) => ({
  resolve4: (async () => v4) as never,
  resolve6: (async () => v6) as never,
});

describe('signatureHeaders', () => {
  it('signs as the example of Standard Webhooks', () => {
    const key = webhookKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')!;
    expect(signatureHeaders(key, 'msg_p5jXN8AQM9LWM0D4loKWxJek', '{"test": 2432232314}', 1_614_265_330_000)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it.each([
    '',
    'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'whsec_',
    'whsec_c2hvcnQ=',
    'whsec_!!!!',
    `whsec_${'A'.repeat(88)}`,
  ])('takes no key from %j', (secret) => {
    expect(webhookKey(secret)).toBeUndefined();
  });
});

describe('callbackFault', () => {
  it.each([
    'receiver.example',
    '/done',
    'http://receiver.example',
    'ftp://receiver.example',
    'file:///etc/passwd',
    'https://user@receiver.example',
    'https://localhost/',
    'https://a.localhost/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://169.254.169.254/latest',
    'https://10.0.0.1:8443/',
    'https://[fe80::1]/',
    `https://receiver.example/${'x'.repeat(2048)}`,
    'https://',
  ])('refuses %s', (url) => {
    expect(callbackFault(url, false)).toEqual(expect.any(String));
  });

  it('accepts https to names and public addresses, and all else that is http if private ones are allowed', () => {
    expect(callbackFault('https://receiver.example:8443/done?token=1', false)).toBeUndefined();
    expect(callbackFault('https://8.8.8.8/', false)).toBeUndefined();
    expect(callbackFault('http://localhost:3000/', true)).toBeUndefined();
    expect(callbackFault('ftp://receiver.example', true)).toEqual(expect.any(String));
  });
});

describe('post', () => {
  it('delivers the body', async () => {
    let received = '';
    const url = await listen((request, response) => {
      request.on('data', (chunk) => {
        received += chunk;
      });
      request.on('end', () => response.end());
    });
    await post(url, { ...options, body: '{"a":"ü"}' });
    expect(received).toBe('{"a":"ü"}');
  });

  it('follows no redirect', async () => {
    const url = await listen((_request, response) => response.writeHead(307, { location: '/elsewhere' }).end());
    await expect(post(url, options)).rejects.toThrow('The answer was 307.');
    expect(requests).toBe(1);
  });

  it('distinguishes a permanent refusal from a temporary one', async () => {
    const statuses = [410, 500];
    const url = await listen((_request, response) => response.writeHead(statuses.shift()!).end());
    await expect(post(url, options)).rejects.toMatchObject({ isFinal: true });
    await expect(post(url, options)).rejects.toMatchObject({ isFinal: false });
  });

  it('waited for good for a receiver that never answers once garbage was collected', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const url = await listen(() => {});
    const posted = post(url, { ...options, timeoutMs: 1000 });
    const timer = setInterval(collect, 100);
    await expect(posted)
      .rejects.toThrow('No answer within 1 s.')
      .finally(() => clearInterval(timer));
  });

  it('gives up on a resolver that never answers', async () => {
    const never = () => new Promise<never>(() => {});
    const silent = { resolve4: never as never, resolve6: never as never };
    const posted = post('https://receiver.example/', { ...options, allowPrivate: false, dns: silent, timeoutMs: 50 });
    await expect(posted).rejects.toThrow('No answer within 0.05 s.');
  });

  it('does not read an endless answer', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(1000)), 1);
      response.on('close', () => clearInterval(timer));
    });
    await expect(post(url, options)).resolves.toBeUndefined();
  });

  it.each([[['127.0.0.1']], [['8.8.8.8', '10.0.0.1']], [['169.254.169.254']]])(
    'refuses a name that leads to %j',
    async (addresses) => {
      const refused = post('https://receiver.example/', { ...options, allowPrivate: false, dns: dns(addresses) });
      await expect(refused).rejects.toThrow('The name leads to a private address.');
    },
  );

  it('refuses a name with one private address of IPv6', async () => {
    const refused = post('https://receiver.example/', {
      ...options,
      allowPrivate: false,
      dns: dns(['8.8.8.8'], ['::1']),
    });
    await expect(refused).rejects.toThrow(WebhookRefused);
  });

  it('connects to the address that was checked, even if the name now resolves to another', async () => {
    let host: string | undefined;
    const url = new URL(
      await listen((request, response) => {
        host = request.headers.host;
        response.end();
      }),
    );
    url.hostname = 'rebind.example';
    expect(await send(url, [{ address: '127.0.0.1', family: 4 }], options)).toBe(200);
    expect(host).toBe(url.host);
  });
});
