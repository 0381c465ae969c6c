import type { StatedConfiguration, WhisperConfiguration } from '../configuration.ts';

type Head = WhisperConfiguration['alignmentHeads'][number];

/** The upper half of large has 320 heads, 2 MB of attention per token. */
const MAX_DEFAULT_HEADS = 32;

/**
 * The heads that the official checkpoints list in their generation_config.json, as `layer.head`, keyed by layers,
 * heads and tokens of the decoder. Omits the first two large checkpoints, which have the same shape but other heads.
 */
const official: Readonly<Record<string, string>> = {
  '4 6 51864': '1.0 2.0 2.5 3.0 3.1 3.2 3.3 3.4',
  '4 6 51865': '2.2 3.0 3.2 3.3 3.4 3.5',
  '6 8 51864': '3.3 4.7 5.1 5.5 5.7',
  '6 8 51865': '3.1 4.2 4.3 4.7 5.1 5.2 5.4 5.6',
  '12 12 51864': '6.6 7.0 7.3 7.8 8.2 8.5 8.7 9.0 9.4 9.8 9.10 10.0 10.1 10.2 10.3 10.6 10.11 11.2 11.4',
  '12 12 51865': '5.3 5.9 8.0 8.4 8.7 8.8 9.0 9.7 9.9 10.5',
  '24 16 51864': '11.4 14.1 14.12 14.14 15.4 16.0 16.4 16.9 17.12 17.14 18.7 18.10 18.15 20.0 20.3 20.9 20.14 21.12',
  '24 16 51865': '13.15 15.4 15.15 16.1 20.0 23.4',
  '32 20 51866': '7.0 10.17 12.18 13.12 16.1 17.14 19.11 21.4 24.1 25.6',
  '4 20 51866': '2.4 2.11 3.3 3.6 3.11 3.14',
};

/**
 * The heads that a checkpoint lists, or else those of the official checkpoint of its shape, or else those of the upper half
 * of the layers, as in the reference. Lower layers come first: most of the published heads are in them.
 */
export function chooseAlignmentHeads(configuration: StatedConfiguration): readonly Head[] {
  const { decoderLayers, decoderHeads, vocabulary, alignmentHeads: named } = configuration;
  // Distilled checkpoints list the heads of their teacher, including layers that they lack.
  const isValid = named.every(([layer, head]) => layer < decoderLayers && head < decoderHeads);
  if (isValid && named.length > 0) return named;
  const known = official[`${decoderLayers} ${decoderHeads} ${vocabulary}`];
  if (known !== undefined) return known.split(' ').map((pair) => pair.split('.').map(Number) as [number, number]);
  const first = Math.floor(decoderLayers / 2);
  const heads = Array.from({ length: decoderHeads }, (_, head) => head);
  const layers = Array.from({ length: decoderLayers - first }, (_, index) => first + index);
  const upper = layers.flatMap((layer) => heads.map((head): [number, number] => [layer, head]));
  return upper.slice(0, MAX_DEFAULT_HEADS);
}
