/** `npm run fetch -- small kokoro`: downloads models before anybody waits for them, with the services' own settings. */

import { hubOptions } from '../config/service-variables.ts';
import { HearsayError } from '../errors.ts';
import { readConfig } from '../hear/config.ts';
import { modelFiles } from '../hear/model-files.ts';
import { presets } from '../hear/presets.ts';
import { readConfigOrExit } from '../http/service-process.ts';
import { Hub, type HubFetchOptions } from '../hub/hub.ts';
import { progressBar, progressLines } from '../hub/progress.ts';
import { readConfig as readVoiceConfig } from '../say/config.ts';
import { fetchLexicons } from '../say/lexicon-files.ts';
import { isKokoro, KOKORO, modelFiles as voiceModelFiles } from '../say/model-files.ts';

const names = process.argv.slice(2);
if (names.length === 0) {
  const sizes = presets.filter(({ repository }) => repository !== undefined).map(({ size }) => size);
  console.error(
    `Usage: npm run fetch -- <model> …\nModels: ${[...sizes, KOKORO].join(', ')}, or a hub id such as org/name`,
  );
  process.exit(2);
}

const config = readConfigOrExit(readConfig);
const hub = new Hub(hubOptions(config));
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());

for (const name of names) {
  try {
    const fetchFiles = isKokoro(name) ? voiceModelFiles : modelFiles;
    console.log(`${name}: ${await fetchFiles(name, hub, watched(name))}`);
    if (isKokoro(name)) await fetchItsLexicons();
  } catch (error) {
    if (interrupted.signal.aborted) console.error(`${name}: stopped; what has arrived is kept`);
    else if (error instanceof HearsayError) console.error(`${name}: ${error.message}`);
    else throw error;
    process.exit(1);
  }
}

function watched(name: string): HubFetchOptions {
  const onProgress = process.stderr.isTTY
    ? progressBar(name, process.stderr)
    : progressLines(name, (line) => console.error(line));
  return { signal: interrupted.signal, onProgress };
}

/** Kokoro speaks without them too. */
async function fetchItsLexicons(): Promise<void> {
  const { modelsDir, misakiEndpoint: endpoint, hfHubOffline: offline } = readConfigOrExit(readVoiceConfig);
  try {
    console.log(`lexicons: ${await fetchLexicons({ modelsDir, endpoint, offline }, watched('lexicons'))}`);
  } catch (error) {
    if (!(error instanceof HearsayError)) throw error;
    console.error(`lexicons: ${error.message}`);
  }
}
