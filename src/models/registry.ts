import { campplus } from './campplus/campplus.ts';
import type { RecognizerEntry, SpeakerEntry, SynthesizerEntry } from './entry.ts';
import { flite } from './flite/flite-model.ts';
import { kokoro } from './kokoro/kokoro.ts';
import { moonshine } from './moonshine/moonshine.ts';
import { whisper } from './whisper/whisper.ts';

/** The models of `hear`; their presets are listed in this order. */
export const recognizers: readonly RecognizerEntry[] = [whisper, moonshine];

/** The models of `say`, best first. */
export const synthesizers: readonly SynthesizerEntry[] = [kokoro, flite];

/** The models that tell voices apart. */
export const speakerModels: readonly SpeakerEntry[] = [campplus];
