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
  // For a voice of another language, match at least the gender; the name of a saved voice may not show it.
  return fliteSpeakers[kind] ?? (kind.endsWith('m') ? 'rms' : 'slt');
}

/** Factors that bring speech to −19 dB RMS, measured over nine sentences without pauses. */
export const gains: Readonly<Record<FliteVoice, number>> = { slt: 0.631, rms: 1.204, awb: 1.094 };
