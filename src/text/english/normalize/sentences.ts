import { sentenceEndRule } from '../../sentence-end.ts';
import { stopMayEnd } from './abbreviations.ts';

/** As `SentenceRules.sentenceEnd`. */
export const sentenceEnd = sentenceEndRule(stopMayEnd);
