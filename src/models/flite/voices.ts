import type { VoiceWeight } from '../../contracts/synthesis.ts';
import type { FliteVoice } from './flite.ts';

/** Flite's speaker for a voice, by region and gender: the first two letters of the voice's name. */
const fliteSpeakers: Readonly<Record<string, FliteVoice>> = {
  af: 'slt',
  am: 'rms',
  // Flite has no British woman; awb is a Scot.
  bf: 'slt',
  bm: 'awb',
};

/** The speaker for the heaviest voice of a blend, the first of equals. */
export function fliteSpeaker(blend: readonly VoiceWeight[]): FliteVoice {
  const heaviest = blend.reduce((best, voice) => (voice.weight > best.weight ? voice : best));
  const kind = /^[a-z][fm](?=_)/.exec(heaviest.name)?.[0] ?? '';
  // For a voice of another language at least the gender; the name of a saved voice may tell nothing.
  return fliteSpeakers[kind] ?? (kind.endsWith('m') ? 'rms' : 'slt');
}

export interface SpeakerTraits {
  /** Factor that brings speech to −19 dB RMS, measured over nine sentences without pauses. */
  gain: number;
  /**
   * No state of a phone is shorter than 5 ms, so fast speech comes out slower than requested. Requesting `speed · (1 + lag
   * · (speed − 1.5)²)` compensates, within 2 % up to 4.
   */
  lag: number;
}

export const speakerTraits: Readonly<Record<FliteVoice, SpeakerTraits>> = {
  slt: { gain: 0.631, lag: 0.027 },
  rms: { gain: 1.204, lag: 0.016 },
  awb: { gain: 1.094, lag: 0.033 },
};

/** Factor on durations that changes a speaker's tempo by `speed`. */
export function durationStretch(speaker: FliteVoice, speed: number): number {
  const fast = Math.max(0, speed - 1.5);
  return 1 / (speed * (1 + speakerTraits[speaker].lag * fast * fast));
}
