/** Runs in the forked engine process, and is the only file that loads a model. */

import { serveEngine } from '../engine/host.ts';
import { synthesizers } from '../models/registry.ts';
import { loadOnDevice } from '../ort/open-device.ts';
import { Languages } from '../text/languages.ts';
import type { SynthesisEngineSettings } from './engine-settings.ts';
import { LexiconFile } from './pipeline/lexicon-file.ts';
import { startPipeline } from './pipeline/pipeline.ts';

const { modelType, ...settings } = JSON.parse(process.argv[2] ?? '{}') as SynthesisEngineSettings;
const languages = new Languages({ lexicons: settings.lexicons });
const lexicon = new LexiconFile(settings.lexiconFile, (message) => process.stderr.write(`${message}\n`));
await serveEngine(async () => {
  const model = synthesizers.find((entry) => entry.modelType === modelType)!;
  const loaded = await loadOnDevice(settings, {
    name: settings.checkpoint,
    gpuTypes: model.gpuTypes,
    load: (device) => model.load({ ...settings, device }),
  });
  return startPipeline(loaded, languages, lexicon);
});
