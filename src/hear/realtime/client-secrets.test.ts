import { afterEach, expect, it, vi } from 'vitest';
import { ClientSecrets } from './client-secrets.ts';
import { defaultSession } from './session-config.ts';

afterEach(() => vi.useRealTimers());

it('ClientSecrets finds the configuration of a secret until it expires', () => {
  vi.useFakeTimers();
  const secrets = new ClientSecrets();
  const config = { ...defaultSession, turn_detection: null };
  const { value, expiresAt } = secrets.create(config, 60);
  expect(expiresAt).toBe(Math.floor(Date.now() / 1000) + 60);
  expect(secrets.create(config, 60).value).not.toBe(value);
  expect(secrets.isSecret(value)).toBe(true);
  expect(secrets.find(value)).toBe(config);
  expect(secrets.find(value)).toBe(config);
  expect(secrets.find(`${value}0`)).toBeUndefined();
  vi.advanceTimersByTime(60_000);
  expect(secrets.find(value)).toBeUndefined();
});

it('ClientSecrets keeps a bounded number, the latest', () => {
  const secrets = new ClientSecrets();
  const first = secrets.create(defaultSession, 60).value;
  const second = secrets.create(defaultSession, 60).value;
  for (let index = 0; index < 9999; index++) secrets.create(defaultSession, 60);
  expect(secrets.find(first)).toBeUndefined();
  expect(secrets.find(second)).toBeDefined();
});
