import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { postForm, startService } from '../service.mjs';

/**
 * A system answers files with segments of text, with times in seconds: {segments: [{start, end, text}], language}.
 * @typedef {{ name: string, parallel: number, start(): Promise<{ answer(file), stop() }> }} System
 */

/** A `hear` that is running, at a base URL. */
export function runningHear(name, base, parallel) {
  return { name, parallel, start: async () => ({ answer: (file) => ask(base, file), stop: async () => {} }) };
}

/** A built `hear`, started for the files, with `parallel` requests at once. `main` is another build's dist/hear/main.js. */
export function ours({ name, model, modelsDir, computeType, beam, threads, parallel, main }) {
  return {
    name,
    parallel,
    async start() {
      const env = {
        MODEL_SIZE: model,
        MODELS_DIR: modelsDir,
        COMPUTE_TYPE: computeType,
        BEAM_SIZE: String(beam),
        THREADS: String(threads),
      };
      const service = await startService('hear', { env, main });
      return { answer: (file) => ask(service.base, file), stop: () => service.stop() };
    },
  };
}

/** A Python program of benchmarks/peers that answers lines of JSON, and a package with its defaults but for these options. */
function peer({ name, version, python, program, model, options }) {
  return {
    name,
    version,
    parallel: 1,
    async start() {
      const path = fileURLToPath(new URL(`../peers/${program}`, import.meta.url));
      const child = spawn(python, [path, model, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] });
      const exited = once(child, 'exit');
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      return {
        async answer({ path, task }) {
          child.stdin.write(`${JSON.stringify({ path, task })}\n`);
          const { value, done } = await lines.next();
          if (done) throw new Error(`${program} ended with ${(await exited)[0]}`);
          return JSON.parse(value);
        },
        async stop() {
          child.stdin.end();
          await exited;
        },
      };
    },
  };
}

/** Peers on the weights in a folder that has their packages and their forms of the weights. */
export function peersIn(weights, threads) {
  const python = join(weights, 'venv/bin/python');
  const peersOf = (distribution, program, model, variants) => {
    const version = existsSync(join(weights, model)) ? versionOf(python, distribution) : undefined;
    if (version === undefined) return [];
    const found = { python, program, model: join(weights, model), version: `${distribution} ${version}` };
    return variants.map(([name, options]) => peer({ ...found, name, options }));
  };
  const fasterWhisper = { compute_type: 'int8', cpu_threads: threads };
  return [
    ...peersOf('faster-whisper', 'faster_whisper_files.py', 'ct2-base', [
      ['faster-whisper, greedy', { ...fasterWhisper, beam_size: 1 }],
      ['faster-whisper, beam 5', fasterWhisper],
      ['faster-whisper, beam 5, vad_filter', { ...fasterWhisper, vad_filter: true }],
    ]),
    ...peersOf('pywhispercpp', 'whisper_cpp_files.py', 'ggml-base.bin', [
      ['whisper.cpp, greedy', { n_threads: threads, beam_size: 1 }],
      ['whisper.cpp, beam 5', { n_threads: threads, beam_size: 5 }],
    ]),
  ];
}

/** Version of a Python distribution; undefined if it is not installed. */
function versionOf(python, distribution) {
  const program = `from importlib.metadata import version; print(version('${distribution}'))`;
  const { status, stdout } = spawnSync(python, ['-c', program], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

async function ask(base, { path, task }) {
  const form = new FormData();
  form.set('file', new Blob([readFileSync(path)]), 'audio.wav');
  form.set('response_format', 'verbose_json');
  const started = performance.now();
  const { segments, language } = await postForm(
    `${base}/v1/audio/${task === 'translate' ? 'translations' : 'transcriptions'}`,
    form,
  );
  return {
    segments: segments.map(({ start, end, text }) => ({ start, end, text })),
    language,
    seconds: (performance.now() - started) / 1000,
  };
}
