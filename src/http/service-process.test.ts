import { expect, it } from 'vitest';
import { serviceUrl } from './service-process.ts';

it.each([
  ['0.0.0.0', 'http://0.0.0.0:8880'],
  ['localhost', 'http://localhost:8880'],
  ['::', 'http://[::]:8880'],
  ['fe80::1', 'http://[fe80::1]:8880'],
])('serviceUrl of host %s is a valid URL', (host, url) => {
  expect(serviceUrl(host, 8880)).toBe(url);
  expect(new URL(url).port).toBe('8880');
});
