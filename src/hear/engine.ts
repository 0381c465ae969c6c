/** Runs in the forked engine process, the only kind of process that loads a model. */

import type { HearEvent, HearJob, SpeechModelInfo } from '../contracts/transcription.ts';
import { type Engine, serveEngine } from '../engine/host.ts';
import { EngineProcess } from '../engine/process.ts';
import type { RecognizerOptions } from '../models/entry.ts';
import { recognizers, speakerModels } from '../models/registry.ts';
import { cpu, type DeviceSettings } from '../ort/device.ts';
import { loadOnDevice } from '../ort/open-device.ts';
import { VoiceActivityModel } from '../vad/silero.ts';
import type { ModelFiles } from './model-files.ts';
import { type DecoderProcess, Decoders } from './pipeline/decoders.ts';
import { findSpeech, transcribeUtterance } from './pipeline/live.ts';
import { SpeakerModels } from './pipeline/speaker-models.ts';
import { TranscriptionPipeline } from './pipeline/transcription.ts';

/** What the service sends its engine process, as JSON in the first argument. */
export interface EngineSettings extends ModelFiles, DeviceSettings, Omit<RecognizerOptions, 'device'> {}

const { modelType, ...settings } = JSON.parse(process.argv[2] ?? '{}') as EngineSettings;
await serveEngine(async (): Promise<Engine<HearJob, HearEvent, SpeechModelInfo>> => {
  const model = recognizers.find((entry) => entry.modelType === modelType)!;
  const [recognizer, voiceActivity, decoders] = await Promise.all([
    loadOnDevice(settings, {
      name: settings.name,
      gpuTypes: model.gpuTypes,
      ...(model.gainsFromGpu && { gainsFromGpu: () => model.gainsFromGpu!(settings.checkpoint) }),
      load: (device) => model.load({ ...settings, device }),
    }),
    VoiceActivityModel.load(cpu()),
    Decoders.start(launchDecoder),
  ]);
  const { threads, modelsDir, timeoutMs } = settings;
  const recordings = new TranscriptionPipeline(
    recognizer,
    voiceActivity,
    (path, options) => decoders.decode(path, options),
    new SpeakerModels(({ modelType, checkpoint }) => {
      const entry = speakerModels.find((candidate) => candidate.modelType === modelType)!;
      return entry.load({ checkpoint, device: cpu({ threads }), modelsDir, timeoutMs });
    }),
  );
  return {
    info: recognizer.info,
    run(job, signal) {
      if ('path' in job) return recordings.run(job, signal);
      if ('samples' in job) return transcribeUtterance(recognizer, job, signal);
      return findSpeech(voiceActivity, job);
    },
  };
});

function launchDecoder(): Promise<DecoderProcess> {
  return EngineProcess.launch({
    entry: new URL('./decoder.js', import.meta.url),
    // Only models benefit from 2 MB pages.
    env: { ...process.env, GLIBC_TUNABLES: 'glibc.malloc.hugetlb=0' },
    timeoutMs: settings.timeoutMs,
    onLog: (line) => process.stderr.write(`decoder: ${line}\n`),
  });
}
