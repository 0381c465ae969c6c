/** Runs in the forked engine process, and is the only file that loads a model. */

import { serveEngine } from '../engine/host.ts';
import { synthesizers } from '../models/registry.ts';
import { openDevice } from '../ort/device.ts';
import { Languages } from '../text/languages.ts';
import type { SynthesisEngineSettings } from './engine-settings.ts';
import { LexiconFile } from './pipeline/lexicon-file.ts';
import { startPipeline } from './pipeline/pipeline.ts';

const { modelType, ...settings } = JSON.parse(process.argv[2] ?? '{}') as SynthesisEngineSettings;
const languages = new Languages({ lexicons: settings.lexicons });
const lexicon = new LexiconFile(settings.lexiconFile, (message) => process.stderr.write(`${message}\n`));
await serveEngine(async () => {
  const device = openDevice(settings, settings.checkpoint);
  const model = synthesizers.find((entry) => entry.modelType === modelType)!;
  return startPipeline(await model.load({ ...settings, device }), languages, lexicon);
});
