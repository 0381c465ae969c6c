import type { Preset } from '../contracts/preset.ts';
import { moonshinePresets } from './moonshine/presets.ts';
import { whisperPresets } from './whisper/presets.ts';

/** The presets of the registry's recognizers, for the console's pages: unlike the registry, this is pure data. */
export const presets: readonly Preset[] = [...whisperPresets, ...moonshinePresets];
