import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { smallKokoro } from './fixtures/kokoro.ts';
import { endAll, startHear, startSay } from './fixtures/service.ts';
import { microCheckpoint } from './fixtures/whisper-micro.ts';

afterEach(endAll);

/** Libraries that a process has mapped into its memory. */
const mappedLibraries = (pid: number) => [
  ...new Set(readFileSync(`/proc/${pid}/maps`, 'utf8').match(/\/\S+(?:\.node|\.so(?:\.\d+)*)$/gm)),
];
const isModelLibrary = (path: string) => /onnxruntime|node-av|libav|libsw/.test(path);

// A crash in a native library must not end the HTTP server.
it.skipIf(process.platform !== 'linux').each([
  ['hear', startHear, { MODEL_SIZE: microCheckpoint }],
  ['say', startSay, { TTS_MODEL: smallKokoro }],
])('the HTTP process of %s maps no native model or media library, and its engine does', async (_name, start, env) => {
  const service = await start(env);
  await service.ready();
  expect(mappedLibraries(service.pid).filter(isModelLibrary)).toEqual([]);
  const [engine] = service.engines();
  expect(mappedLibraries(engine!).filter(isModelLibrary)).not.toEqual([]);
  await service.stop();
});
