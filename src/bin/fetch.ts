import { hubOptions } from '../config/service-variables.ts';
import { HearsayError } from '../errors.ts';
import { modelFiles } from '../hear/model-files.ts';
import { presets } from '../hear/presets.ts';
import { officialSpeakerModel, speakerModelFiles } from '../hear/speaker-source.ts';
import { readConfigOrExit } from '../http/service-process.ts';
import { Hub } from '../hub/hub.ts';
import { speakerModels, synthesizers } from '../models/registry.ts';
import { fetchLexicons, type LexiconOptions } from '../say/lexicon-files.ts';
import { officialModel, modelFiles as voiceModelFiles } from '../say/model-files.ts';
import { parseArguments } from './arguments.ts';
import { withDownloadProgress } from './download-progress.ts';
import { exitCodes, UsageError } from './exit-codes.ts';
import { readFetchSettings } from './settings.ts';
import { interruption } from './signals.ts';

/** The models that can be named. */
function downloadableModels(): string[] {
  const sizes = presets.filter(({ repository }) => repository).map(({ size }) => size);
  const voices = synthesizers.filter(({ repository }) => repository).map(({ name }) => name);
  return [...sizes, ...voices, ...speakerModels.map(({ name }) => name)];
}

/**
 * `hearsay fetch small kokoro campplus`: downloads models in advance, with the services' settings.
 * @returns the exit code
 * @throws UsageError
 */
export async function fetchModels(args: string[]): Promise<number> {
  const names = parseArguments(args, {}).positionals;
  if (names.length === 0) {
    throw new UsageError(`Name the models: ${downloadableModels().join(', ')}, or a hub id such as org/name`);
  }
  const settings = readConfigOrExit(readFetchSettings);
  const hub = new Hub(hubOptions(settings));
  const signal = interruption();
  for (const name of names) {
    try {
      const voice = officialModel(name);
      const fetchFiles = voice?.repository
        ? voiceModelFiles
        : officialSpeakerModel(name)
          ? speakerModelFiles
          : modelFiles;
      const { checkpoint } = await withDownloadProgress(name, (onProgress) =>
        fetchFiles(name, hub, { signal, onProgress }),
      );
      console.log(`${name}: ${checkpoint}`);
      if (voice?.usesLexicons) {
        const { modelsDir, misakiEndpoint: endpoint, hfHubOffline: offline } = settings;
        await fetchMisakiLexicons({ modelsDir, endpoint, offline }, signal);
      }
    } catch (error) {
      if (signal.aborted) {
        console.error(`${name}: stopped; what has arrived is kept`);
        throw signal.reason;
      }
      if (!(error instanceof HearsayError)) throw error;
      console.error(`${name}: ${error.message}`);
      return exitCodes.failed;
    }
  }
  return exitCodes.done;
}

/** Without them, text is read with the pronouncing dictionary. */
async function fetchMisakiLexicons(source: LexiconOptions, signal: AbortSignal): Promise<void> {
  try {
    const folder = await withDownloadProgress('lexicons', (onProgress) =>
      fetchLexicons(source, { signal, onProgress }),
    );
    console.log(`lexicons: ${folder}`);
  } catch (error) {
    if (!(error instanceof HearsayError)) throw error;
    console.error(`lexicons: ${error.message}`);
  }
}
