import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeAudio } from '../../dist/audio/decode.js';
import { readWav, wavFile } from '../measure.mjs';
import { startService } from '../service.mjs';

const MAX_SECONDS = 2 * 3600;

/** Samples of any recording as mono at 16 kHz. */
export async function readAudio(path) {
  const chunks = [];
  for await (const chunk of decodeAudio(path, { maxSeconds: MAX_SECONDS })) chunks.push(chunk);
  return concatenate(chunks);
}

export function concatenate(parts) {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Writes a file atomically, so that an interrupted run leaves no partial file. */
export function writeWhole(path, content) {
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, content);
  renameSync(partial, path);
}

/**
 * Kokoro's speech, kept in a folder: each text is spoken once by each voice, and the service starts with the first one
 * that is missing.
 */
export class Speaker {
  #folder;
  #model;
  #modelsDir;
  #service;

  constructor({ folder, model, modelsDir }) {
    this.#folder = join(folder, 'speech');
    this.#model = model;
    this.#modelsDir = modelsDir;
    mkdirSync(this.#folder, { recursive: true });
  }

  /** Samples at 16 kHz, without the silence around them. */
  async speak(text, voice) {
    const path = this.pathOf(text, voice);
    if (!existsSync(path)) {
      const samples = await this.#synthesize(text, voice, `${path}.${process.pid}.partial`);
      writeWhole(path, wavFile(withoutSilence(samples)));
    }
    return readWav(path);
  }

  /** Of the wav that `speak` keeps. */
  pathOf(text, voice) {
    const name = createHash('sha256').update(`${voice}\n${text}`).digest('hex').slice(0, 20);
    return join(this.#folder, `${voice}-${name}.wav`);
  }

  async #synthesize(text, voice, partial) {
    // Several voices may be asked for at once.
    // In float32 on every CPU, so that the audio differs as little as possible.
    const env = { TTS_MODEL: this.#model, MODELS_DIR: this.#modelsDir, COMPUTE_TYPE: 'float32' };
    this.#service ??= startService('say', { env });
    const { base } = await this.#service;
    const response = await fetch(`${base}/v1/audio/speech`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: text, voice, response_format: 'wav', stream: false }),
    });
    if (response.status !== 200) throw new Error(`${voice}: ${response.status} ${await response.text()}`);
    writeFileSync(partial, Buffer.from(await response.arrayBuffer()));
    try {
      return await readAudio(partial);
    } finally {
      rmSync(partial);
    }
  }

  async stop() {
    await (await this.#service)?.stop();
  }
}

/** Keeps 50 ms around audio louder than -50 dBFS. */
function withoutSilence(samples) {
  const isLoud = (sample) => Math.abs(sample) > 10 ** (-50 / 20);
  const first = samples.findIndex(isLoud);
  const last = samples.findLastIndex(isLoud);
  return samples.slice(Math.max(0, first - 800), last + 800);
}

export const readText = (url) => readFileSync(url, 'utf8').trim().split('\n');
