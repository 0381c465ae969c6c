import type { VoiceWeight } from '../../contracts/synthesis.ts';
import type { FliteVoice } from './flite.ts';

/** Which of Flite's speakers stands in for a voice, by region and gender: the first letters of the voice's name. */
const fliteSpeakers: Readonly<Record<string, FliteVoice>> = {
  af: 'slt',
  am: 'rms',
  // No woman from Britain is among the speakers; awb is a Scot.
  bf: 'slt',
  bm: 'awb',
};

/** The speaker for a blend: its heaviest voice decides, the first of equals. */
export function fliteSpeaker(blend: readonly VoiceWeight[]): FliteVoice {
  const heaviest = blend.reduce((best, voice) => (voice.weight > best.weight ? voice : best));
  const kind = /^[a-z][fm](?=_)/.exec(heaviest.name)?.[0] ?? '';
  // A voice of another language in a blend: at least its gender. Of a saved voice nothing may be known.
  return fliteSpeakers[kind] ?? (kind.endsWith('m') ? 'rms' : 'slt');
}

export interface SpeakerTraits {
  /** Factor that brings speech to −19 dB RMS: measured over nine sentences, pauses left out. */
  gain: number;
  /**
   * No state of a phone is shorter than 5 ms, so that fast speech is slower than asked for; `speed · (1 + lag ·
   * (speed − 1.5)²)` is the speed to ask for, within 2 % up to 4.
   */
  lag: number;
}

export const speakerTraits: Readonly<Record<FliteVoice, SpeakerTraits>> = {
  slt: { gain: 0.631, lag: 0.027 },
  rms: { gain: 1.204, lag: 0.016 },
  awb: { gain: 1.094, lag: 0.033 },
};

/** Factor on durations at which a speaker's tempo is `speed` times its usual one. */
export function durationStretch(speaker: FliteVoice, speed: number): number {
  const fast = Math.max(0, speed - 1.5);
  return 1 / (speed * (1 + speakerTraits[speaker].lag * fast * fast));
}
