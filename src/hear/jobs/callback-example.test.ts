import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signatureHeaders, webhookKey } from './webhook.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"type":"transcription.succeeded"}';
const headers = (now = Date.now()) => signatureHeaders(webhookKey(secret)!, 'msg_1', body, now);

let folder: string;
let isGenuine: (headers: Record<string, string>, body: string, secret: string) => boolean;
beforeAll(async () => {
  const page = readFileSync(new URL('../../../docs/jobs.md', import.meta.url), 'utf8');
  const [, code = ''] = /callback-example\.test\.ts -->\s*```js\n(.*?)```/s.exec(page) ?? [];
  folder = await mkdtemp(join(tmpdir(), 'callback-example-'));
  await writeFile(join(folder, 'verify.mjs'), code);
  ({ isGenuine } = await import(join(folder, 'verify.mjs')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the example of docs/jobs.md accepts messages that the service signs', () => {
  expect(isGenuine(headers(), body, secret)).toBe(true);
});

it('the example of docs/jobs.md rejects messages that are changed, old, unsigned or signed with another key', () => {
  const genuine = headers();
  expect(isGenuine(genuine, `${body} `, secret)).toBe(false);
  expect(isGenuine({ ...genuine, 'webhook-id': 'msg_2' }, body, secret)).toBe(false);
  expect(isGenuine(headers(Date.now() - 600_000), body, secret)).toBe(false);
  expect(isGenuine({}, body, secret)).toBe(false);
  expect(isGenuine({ ...genuine, 'webhook-signature': 'v1,AAAA' }, body, secret)).toBe(false);
  expect(isGenuine(genuine, body, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).toBe(false);
});
