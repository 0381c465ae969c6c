import { MOONSHINE } from './engine-settings.ts';

export interface Preset {
  size: string;
  label: string;
  /** Parameter count, e.g. `244M`. */
  params: string;
  /** Hub id of the official checkpoint; absent where the model ships with the package or is no preset of ours. */
  repository?: string;
}

export const presets: readonly Preset[] = [
  { size: 'tiny', label: 'Tiny', params: '39M', repository: 'openai/whisper-tiny' },
  { size: 'base', label: 'Base', params: '74M', repository: 'openai/whisper-base' },
  { size: 'small', label: 'Small', params: '244M', repository: 'openai/whisper-small' },
  { size: 'medium', label: 'Medium', params: '769M', repository: 'openai/whisper-medium' },
  { size: 'large-v3', label: 'Large v3', params: '1550M', repository: 'openai/whisper-large-v3' },
  { size: 'large-v3-turbo', label: 'Large v3 Turbo', params: '809M', repository: 'openai/whisper-large-v3-turbo' },
  { size: 'distil-large-v3', label: 'Distil Large v3', params: '756M', repository: 'distil-whisper/distil-large-v3' },
  { size: MOONSHINE, label: 'Moonshine Tiny', params: '27M' },
];

/** What can be selected: a configured size that is no preset comes first. */
export function selectablePresets(configuredSize: string | undefined): readonly Preset[] {
  if (configuredSize === undefined || presets.some(({ size }) => size === configuredSize)) return presets;
  return [{ size: configuredSize, label: configuredSize, params: 'unknown' }, ...presets];
}
