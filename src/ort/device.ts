import { readFileSync } from 'node:fs';

/**
 * Whether this CPU multiplies unsigned by signed bytes and adds them up without saturating on the way (AVX-512 VNNI,
 * AVX-VNNI). On others onnxruntime adds such products up in 16 bits, and only unsigned weights are exact.
 *
 * For tests: `INT8_DOT_PRODUCT=false` in the environment takes the path of a CPU without it, on any CPU.
 */
export function hasInt8DotProduct(): boolean {
  if (process.env.INT8_DOT_PRODUCT === 'false') return false;
  if (process.arch !== 'x64') return true;
  try {
    return /^flags\s*:.*\b(avx512_vnni|avx_vnni)\b/m.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return false;
  }
}
