import { open } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { HearsayError } from '../errors.ts';
import { fromWireError, toWireError } from './protocol.ts';

it.each([
  ['of the system with its code and call', () => open('/nowhere/at/all'), { code: 'ENOENT', syscall: 'open' }],
  [
    'for clients with its code and field',
    async () => Promise.reject(new HearsayError('invalid_audio', 'No audio.', { param: 'file' })),
    { code: 'invalid_audio', param: 'file' },
  ],
  ['of the program with its stack', async () => Promise.reject(new TypeError('no function')), {}],
])('an error %s arrives as it was', async (_, fail, fields) => {
  const error: Error = await fail().then(
    () => expect.unreachable(),
    (error) => error,
  );
  // Twice: that of a decoder passes through its engine.
  const arrived = fromWireError(structuredClone(toWireError(fromWireError(structuredClone(toWireError(error))))));
  expect(arrived.message).toBe(error.message);
  expect(arrived).toMatchObject(fields);
  if (!(error instanceof HearsayError)) expect(arrived.stack).toBe(error.stack);
});
