import { randomBytes } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { ClientSecrets } from './client-secrets.ts';
import { defaultSession, type SessionConfig } from './session-config.ts';

afterEach(() => vi.useRealTimers());

const config: SessionConfig = { ...defaultSession, turn_detection: null };

it('a client secret holds its configuration until it expires', async () => {
  const secrets = await ClientSecrets.signedBy('sesame');
  vi.useFakeTimers();
  const { value, expiresAt } = secrets.create(config, 60);
  expect(expiresAt).toBe(Math.floor(Date.now() / 1000) + 60);
  expect(secrets.create(config, 60).value).not.toBe(value);
  expect(secrets.isSecret(value)).toBe(true);
  expect(secrets.find(value)).toEqual(config);
  expect(secrets.find(value)).toEqual(config);
  vi.advanceTimersByTime(60_000);
  expect(secrets.find(value)).toBeUndefined();
});

it('a client secret was known only to the replica that made it: it works wherever the API key is the same', async () => {
  const { value } = (await ClientSecrets.signedBy('sesame')).create(config, 60);
  expect((await ClientSecrets.signedBy('sesame')).find(value)).toEqual(config);
  expect((await ClientSecrets.signedBy('Sesame')).find(value)).toBeUndefined();
  expect((await ClientSecrets.signedBy()).find(value)).toBeUndefined();
  const open = (await ClientSecrets.signedBy()).create(config, 60);
  expect((await ClientSecrets.signedBy()).find(open.value)).toEqual(config);
});

it('a changed client secret is invalid', async () => {
  const secrets = await ClientSecrets.signedBy('sesame');
  const { value } = secrets.create(config, 60);
  const flip = (at: number) => `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`;
  // The last character has bits that base64url ignores.
  for (let at = 0; at < value.length - 1; at++) expect([at, secrets.find(flip(at))]).toEqual([at, undefined]);
  const wrong = [
    '',
    'ek_',
    'ek_.',
    'ek_AA.AA',
    `${value}0`,
    value.replace('.', ''),
    value.split('.')[0]!,
    `${value}.x`,
  ];
  for (const each of wrong) expect([each, secrets.find(each)]).toEqual([each, undefined]);
});

it('a configuration that makes a secret too long for a header is refused', async () => {
  const secrets = await ClientSecrets.signedBy('sesame');
  const keywords = (count: number) => Array.from({ length: count }, () => randomBytes(8).toString('hex'));
  const withKeywords = (count: number): SessionConfig => ({
    ...defaultSession,
    transcription: { ...defaultSession.transcription, keywords: keywords(count) },
  });
  expect(secrets.create(withKeywords(300), 60).value.length).toBeLessThan(7500);
  expect(() => secrets.create(withKeywords(1000), 60)).toThrow(
    expect.objectContaining({ code: 'invalid_request', param: 'session' }),
  );
});
