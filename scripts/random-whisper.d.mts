export interface RandomWhisper {
  width: number;
  heads: number;
  encoderLayers: number;
  decoderLayers: number;
  mels: number;
  audioPositions: number;
  textPositions: number;
  vocabulary: number;
  dataType: 'F32' | 'F16' | 'BF16';
  shards: number;
  prefix: '' | 'model.';
  alignmentHeads?: readonly (readonly [layer: number, head: number])[];
  seed?: number;
  block?: number;
}

export const tinyVariants: Record<
  'sharded-f32' | 'f16-without-prefix' | 'bf16-128-mels' | 'deep-encoder-f16',
  RandomWhisper
>;
export const officialShapes: Record<string, RandomWhisper>;
export function writeRandomWhisper(directory: string, options: RandomWhisper): void;
