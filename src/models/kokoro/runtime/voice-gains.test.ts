import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loudness } from '../../../audio/loudness.ts';
import { packagedFolder } from '../voice-pack.ts';
import { VoicePacks } from '../voices.ts';
import type { SpeechTask } from './speech.ts';
import { MEASURED_PHONEMES, TARGET_LOUDNESS, VoiceGains } from './voice-gains.ts';

const tokens = new Map([...'ðəkwɪbɹWnfɑsʤʌmpOvdɔɡˈˌ .'].map((symbol, index) => [symbol, index + 1]));
const signal = new AbortController().signal;
const styleOf = (value: number) => new Float32Array(256).fill(value);
const hum = (peak: number) => Float32Array.from({ length: 24_000 }, (_, index) => peak * Math.sin(index / 10));

/** Voices as loud as the first value of their style. */
function measuring(sound = (style: Float32Array) => hum(style[0]!)) {
  const tasks: SpeechTask[] = [];
  const gains = new VoiceGains(async (_, task) => {
    tasks.push(task);
    return { samples: sound(task.style), times: [] };
  }, tokens);
  return { gains, tasks };
}

describe('VoiceGains', () => {
  it('makes voices equally loud', async () => {
    const { gains } = measuring();
    for (const peak of [0.05, 0.1, 0.3]) {
      const gain = await gains.of(styleOf(peak), {}, signal);
      expect(loudness(hum(peak * gain), 24_000)).toBeCloseTo(TARGET_LOUDNESS, 2);
    }
  });

  it('knows the published voices', async () => {
    const names = readdirSync(packagedFolder).map((file) => file.replace('.bin', ''));
    const voices = new VoicePacks({}, 256);
    const { gains, tasks } = measuring();
    for (const name of names) {
      const style = await voices.style([{ name, weight: 1 }], MEASURED_PHONEMES.length);
      expect(await gains.of(style, {}, signal), name).toBeGreaterThan(0.4);
    }
    expect(names).toHaveLength(54);
    expect(tasks).toEqual([]);
  });

  it('measures a voice once, at the same time and later', async () => {
    const { gains, tasks } = measuring();
    await Promise.all([gains.of(styleOf(0.1), {}, signal), gains.of(styleOf(0.1), {}, signal)]);
    await gains.of(styleOf(0.1), {}, signal);
    expect(tasks).toHaveLength(1);
    expect(tasks[0]!.phonemes.length).toBeGreaterThan(20);
    await gains.of(styleOf(0.2), {}, signal);
    expect(tasks).toHaveLength(2);
  });

  it('leaves silence as it is, and changes no voice beyond measure', async () => {
    const { gains } = measuring();
    expect(await gains.of(styleOf(0), {}, signal)).toBe(1);
    expect(await gains.of(styleOf(1e-3), {}, signal)).toBeCloseTo(10 ** (15 / 20), 5);
  });

  it('measures again for a job that waited for an aborted one', async () => {
    let fails = true;
    const { gains } = measuring((style) => {
      if (!fails) return hum(style[0]!);
      fails = false;
      throw new Error('gone');
    });
    const first = gains.of(styleOf(0.1), {}, signal);
    const second = gains.of(styleOf(0.1), {}, signal);
    await expect(first).rejects.toThrow('gone');
    expect(await second).toBeGreaterThan(0.1);
  });

  it('measures again after an aborted measurement', async () => {
    let fails = true;
    const { gains } = measuring((style) => {
      if (fails) throw new Error('gone');
      return hum(style[0]!);
    });
    await expect(gains.of(styleOf(0.1), {}, signal)).rejects.toThrow('gone');
    fails = false;
    expect(await gains.of(styleOf(0.1), {}, signal)).toBeGreaterThan(0.1);
  });
});
