import type { LanguageText, UnknownWords } from '../language.ts';
import type { Accent, English } from './g2p/phonemes.ts';
import { englishSegments } from './normalize.ts';

/**
 * English in one of its accents.
 * @param unknown the engine that `english` pronounces unknown words with, if any
 */
export function englishText(english: English, accent: Accent, unknown?: UnknownWords): LanguageText {
  return {
    segments: englishSegments,
    phonemes: async (tokens, entries) => {
      const read = () => english.phonemes(tokens, accent, entries);
      return unknown ? unknown.during(read) : read();
    },
    beginsPhrase: (_, sound) => openerSounds(english).has(withoutSecondary(sound)),
  };
}

/** Words that begin a phrase. */
const openers = `
  and but or nor so yet because although though since unless until while whereas when where if which who whom
  whose why how than as after before in on at of for from with without into onto over under about through between
  during against among towards across behind beyond near by to is are was were will would
`.match(/\S+/g)!;
/** Some openers sound different before a vowel and before a consonant. */
const followers = ['apples', 'dogs'];
const sounds = new WeakMap<English, ReadonlySet<string>>();

/** The openers' sounds in both accents: a voice of one may speak the other. */
function openerSounds(english: English): ReadonlySet<string> {
  const known = sounds.get(english);
  if (known) return known;
  const all = new Set<string>();
  for (const accent of ['us', 'gb'] as const) {
    for (const opener of openers) {
      for (const follower of followers) {
        const tokens = ['dogs', opener, follower].map((word) => ({ written: word, spoken: word }));
        all.add(withoutSecondary(english.phonemes(tokens, accent)[1]!.trim()));
      }
    }
  }
  sounds.set(english, all);
  return all;
}

/** Drops secondary stress, which openers may have; primary stress tells other words apart: for, four. */
function withoutSecondary(sound: string): string {
  return sound.replaceAll('ˌ', '');
}
