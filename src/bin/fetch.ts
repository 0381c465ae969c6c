/** `npm run fetch -- small kokoro`: downloads models ahead of use, with the services' settings. */

import { hubOptions } from '../config/service-variables.ts';
import { HearsayError } from '../errors.ts';
import { readConfig } from '../hear/config.ts';
import { modelFiles } from '../hear/model-files.ts';
import { presets } from '../hear/presets.ts';
import { readConfigOrExit } from '../http/service-process.ts';
import { Hub, type HubFetchOptions } from '../hub/hub.ts';
import { progressBar, progressLines } from '../hub/progress.ts';
import { synthesizers } from '../models/registry.ts';
import { readConfig as readVoiceConfig } from '../say/config.ts';
import { fetchLexicons } from '../say/lexicon-files.ts';
import { officialModel, modelFiles as voiceModelFiles } from '../say/model-files.ts';

const names = process.argv.slice(2);
if (names.length === 0) {
  const sizes = presets.filter(({ repository }) => repository).map(({ size }) => size);
  const voices = synthesizers.filter(({ repository }) => repository).map(({ name }) => name);
  console.error(
    `Usage: npm run fetch -- <model> …\nModels: ${[...sizes, ...voices].join(', ')}, or a hub id such as org/name`,
  );
  process.exit(2);
}

const config = readConfigOrExit(readConfig);
const hub = new Hub(hubOptions(config));
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());

for (const name of names) {
  try {
    const voice = officialModel(name);
    const fetchFiles = voice?.repository ? voiceModelFiles : modelFiles;
    const { checkpoint } = await fetchFiles(name, hub, fetchOptions(name));
    console.log(`${name}: ${checkpoint}`);
    if (voice?.usesLexicons) await fetchMisakiLexicons();
  } catch (error) {
    if (interrupted.signal.aborted) console.error(`${name}: stopped; what has arrived is kept`);
    else if (error instanceof HearsayError) console.error(`${name}: ${error.message}`);
    else throw error;
    process.exit(1);
  }
}

function fetchOptions(name: string): HubFetchOptions {
  const onProgress = process.stderr.isTTY
    ? progressBar(name, process.stderr)
    : progressLines(name, (line) => console.error(line));
  return { signal: interrupted.signal, onProgress };
}

/** Without them, text is read with the pronouncing dictionary. */
async function fetchMisakiLexicons(): Promise<void> {
  const { modelsDir, misakiEndpoint: endpoint, hfHubOffline: offline } = readConfigOrExit(readVoiceConfig);
  try {
    console.log(`lexicons: ${await fetchLexicons({ modelsDir, endpoint, offline }, fetchOptions('lexicons'))}`);
  } catch (error) {
    if (!(error instanceof HearsayError)) throw error;
    console.error(`lexicons: ${error.message}`);
  }
}
