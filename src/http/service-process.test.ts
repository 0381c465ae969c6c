import { expect, it } from 'vitest';
import { isLoopback, serviceUrl } from './service-process.ts';

it.each([
  ['0.0.0.0', 'http://0.0.0.0:8880'],
  ['localhost', 'http://localhost:8880'],
  ['::', 'http://[::]:8880'],
  ['fe80::1', 'http://[fe80::1]:8880'],
])('serviceUrl of host %s is a valid URL', (host, url) => {
  expect(serviceUrl(host, 8880)).toBe(url);
  expect(new URL(url).port).toBe('8880');
});

it('distinguishes addresses of this machine alone from others', () => {
  const addresses = ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::', '192.168.1.5', 'fe80::1'];
  expect(addresses.map(isLoopback)).toEqual([true, true, true, true, false, false, false, false]);
});
