import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { smallKokoro } from './fixtures/kokoro.ts';
import { modelsDir } from './fixtures/models-dir.ts';
import { endAll, type Hear, startHear } from './fixtures/service.ts';
import { unpackSwiftShader } from './fixtures/swiftshader.mjs';
import { microCheckpoint, recordingFile, recordings } from './fixtures/whisper-micro.ts';

// The graphs for GPUs, on SwiftShader: a Vulkan device in software, which the package of Chromium has for Linux on x64.
const isHere = process.platform === 'linux' && process.arch === 'x64';
const TIMEOUT_MS = 300_000;
/** Decibels of signal to noise against the CPU. */
const LEAST_RATIO = 40;
/** Operators on shapes, which are on the CPU anyway. */
const OF_SHAPES = ['Concat', 'Gather', 'Shape'];

/** Operators by provider. */
type Providers = Record<string, string[]>;

const run = promisify(execFile);
let swiftShader: ReturnType<typeof unpackSwiftShader>;

beforeAll(() => {
  if (isHere) swiftShader = unpackSwiftShader();
});
afterAll(() => {
  if (isHere) rmSync(swiftShader.folder, { recursive: true, force: true });
});
afterEach(endAll);

/** Runs one of our programs with the device in software. */
async function onSwiftShader(program: string, ...parameters: string[]): Promise<string> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const env = { ...process.env, ...swiftShader.env };
  // Programs with a GPU end by a signal: what they print tells whether they came to their end.
  const { stdout } = await run(process.execPath, [path, ...parameters], { env, maxBuffer: 2 ** 26 }).catch(
    (error) => error,
  );
  if (stdout === '') throw new Error(`${program} has printed nothing`);
  return stdout;
}

/** Operators of a compiled model's graphs that run on the CPU. */
function leftOnCpu(folder: string): string[] {
  const report = JSON.parse(readFileSync(join(folder, 'providers.json'), 'utf8')) as Record<string, Providers>;
  const graphs = Object.values(report);
  expect(graphs.length).toBeGreaterThan(0);
  return graphs.flatMap(({ WebGpuExecutionProvider: onGpu, ...others }) => {
    expect(onGpu).toBeDefined();
    return Object.values(others).flat();
  });
}

interface Transcript {
  text: string;
  logprobs: { token: string; logprob: number }[];
}

async function transcribe(hear: Hear, name: string): Promise<Transcript> {
  while ((await hear.get('/ready')).status !== 200) await sleep(200);
  const response = await hear.post({
    file: recordingFile(name),
    fields: { response_format: 'json', 'include[]': 'logprobs', language: recordings[name]!.language },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Transcript;
}

describe.skipIf(!isHere)('on a GPU', () => {
  it('Whisper writes what it writes on the CPU, as surely', { timeout: TIMEOUT_MS }, async () => {
    const settings = { MODEL_SIZE: microCheckpoint, COMPUTE_TYPE: 'float32', ENGINE_TIMEOUT_SECONDS: '600' };
    const expected = await transcribe(await startHear(settings), 'name');
    const hear = await startHear({ ...settings, ...swiftShader.env, MODELS_DIR: modelsDir, DEVICE: 'webgpu' });
    // Their windows are decoded together.
    const transcripts = await Promise.all([1, 2].map(() => transcribe(hear, 'name')));
    for (const { text, logprobs } of transcripts) {
      expect(text).toBe(recordings.name!.text);
      expect(logprobs.map(({ token }) => token)).toEqual(expected.logprobs.map(({ token }) => token));
      for (const [index, { logprob }] of logprobs.entries()) {
        expect(Math.abs(logprob - expected.logprobs[index]!.logprob)).toBeLessThan(1e-4);
      }
    }
    const metrics = await (await hear.get('/metrics')).text();
    const total = (name: string) => Number(new RegExp(`^hearsay_decoder_${name}_total (\\S+)`, 'm').exec(metrics)![1]);
    expect(total('steps') / total('runs')).toBeGreaterThan(1.2);
    const folder = join(modelsDir, 'compiled');
    const compiled = readdirSync(folder).find((entry) => entry.startsWith('whisper-'))!;
    for (const operator of leftOnCpu(join(folder, compiled))) expect(OF_SHAPES).toContain(operator);

    // A model that cannot run there takes the device, and gives it back.
    const refused = await hear.activate('moonshine-tiny');
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain('The model moonshine-tiny runs on the CPU only.');
    const ready = () => new Set(hear.log.filter((line) => line.includes('is ready (process')));
    while (ready().size < 2) await sleep(200);
  });

  it.each([
    ['that fails', '3', 'The GPU has failed: '],
    ['without room', '40000', 'The GPU is out of memory: '],
  ])('a run %s ends the process, as a lost device needs', { timeout: TIMEOUT_MS }, async (_, size, message) => {
    const path = fileURLToPath(new URL('./fixtures/failing-run.mjs', import.meta.url));
    const failed = run(process.execPath, [path, size], { env: { ...process.env, ...swiftShader.env } });
    await expect(failed).rejects.toMatchObject({ stdout: '', stderr: expect.stringContaining(message) });
  });

  it('Kokoro sounds as on the CPU', { timeout: TIMEOUT_MS }, async () => {
    const speak = async (device: string) => {
      const output = await onSwiftShader('./fixtures/kokoro-on.mjs', device, smallKokoro, modelsDir);
      const { folder, samples } = JSON.parse(output) as { folder: string; samples: string };
      return { folder, samples: new Float32Array(new Uint8Array(Buffer.from(samples, 'base64')).buffer) };
    };
    const expected = (await speak('cpu')).samples;
    const { folder, samples } = await speak('webgpu');
    expect(samples.length).toBe(expected.length);
    let signal = 0;
    let noise = 0;
    for (const [index, sample] of expected.entries()) {
      signal += sample ** 2;
      noise += (samples[index]! - sample) ** 2;
    }
    expect(10 * Math.log10(signal / noise)).toBeGreaterThan(LEAST_RATIO);
    expect(leftOnCpu(folder)).toEqual([]);
  });
});
