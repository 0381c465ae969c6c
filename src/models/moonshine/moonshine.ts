import { resolveComputeType } from '../../ort/device.ts';
import type { RecognizerEntry } from '../entry.ts';
import { moonshinePresets } from './presets.ts';

/** Moonshine tiny, whose weights ship with the package. */
export const moonshine: RecognizerEntry = {
  modelType: 'moonshine',
  presets: moonshinePresets,
  gpuTypes: [],
  async load({ device, computeType, modelsDir, timeoutMs, beamSize }) {
    const { loadMoonshine } = await import('./recognizer.ts');
    return loadMoonshine({
      device,
      computeType: resolveComputeType(computeType, 'int8'),
      modelsDir,
      timeoutMs,
      // More make fewer errors in clear speech, and more words of other talkers.
      beamSize: beamSize === 'auto' ? 1 : beamSize,
    });
  },
};
