import type { Preset } from '../contracts/preset.ts';
import { recognizers } from '../models/registry.ts';

export const presets: readonly Preset[] = recognizers.flatMap((model) => model.presets);

/** The model that ships with the package. */
export const builtInPreset: Preset = presets.find(({ repository }) => repository === undefined)!;

/** Presets that are chosen if nothing is named, best first. */
export const preferredPresets: readonly Preset[] = presets
  .filter(({ preference }) => preference !== undefined)
  .sort((a, b) => a.preference! - b.preference!);

/** The presets in the API's contract, which also says that any other configured size is listed first. */
const contractSizes = ['tiny', 'base', 'small', 'medium', 'large-v3', 'large-v3-turbo', 'distil-large-v3'];

/** The sizes that can be selected. */
export function selectablePresets(
  configuredSize: string | undefined,
): readonly Pick<Preset, 'size' | 'label' | 'params' | 'download'>[] {
  if (configuredSize === undefined || contractSizes.includes(configuredSize)) return presets;
  const others = presets.filter(({ size }) => size !== configuredSize);
  const configured = presets.find(({ size }) => size === configuredSize);
  return [configured ?? { size: configuredSize, label: configuredSize, params: 'unknown' }, ...others];
}

/** Multilingual presets to recommend, in the order of `presets`. */
const recommended = presets.filter(({ isWeak, capabilities }) => !isWeak && capabilities.languages.length > 1);

/** Sizes that translate, for messages: `small, medium or large-v3`. */
export function translatingSizes(): string {
  return anyOf(recommended.filter(({ capabilities }) => capabilities.translates));
}

/** Sizes that know a language, for messages: all of them, or examples if every multilingual size does. */
export function sizesKnowing(language: string): string {
  const sizes = recommended.filter(({ capabilities }) => capabilities.languages.includes(language));
  if (sizes.length > 0 && sizes.length < recommended.length) return anyOf(sizes);
  const best = preferredPresets.find((preset) => recommended.includes(preset))!;
  return `a multilingual size such as ${anyOf([recommended[0]!, best])}`;
}

/** `a, b or c` */
function anyOf(options: readonly Preset[]): string {
  const sizes = options.map(({ size }) => size);
  return [sizes.slice(0, -1).join(', '), ...sizes.slice(-1)].filter((part) => part !== '').join(' or ');
}
