import type { LanguageText, UnknownWords } from '../language.ts';
import type { Accent, English } from './g2p/phonemes.ts';
import { englishSegments } from './normalize.ts';

/**
 * English in one of its accents.
 * @param unknown what `english` says unknown words with, if anything
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

/** Words that a phrase begins with. */
const openers = `
  and but or nor so yet because although though since unless until while whereas when where if which who whom
  whose why how than as after before in on at of for from with without into onto over under about through between
  during against among towards across behind beyond near by to is are was were will would
`.match(/\S+/g)!;
/** Before a vowel some of them sound otherwise than before a consonant; at the end of a sentence they open no phrase. */
const followers = ['apples', 'dogs'];
const sounds = new WeakMap<English, ReadonlySet<string>>();

/** How the openers sound in both accents: a voice of one may speak the other. */
function openerSounds(english: English): ReadonlySet<string> {
  const known = sounds.get(english);
  if (known) return known;
  const found = new Set<string>();
  for (const accent of ['us', 'gb'] as const) {
    for (const opener of openers) {
      for (const follower of followers) {
        const tokens = ['dogs', opener, follower].map((word) => ({ written: word, spoken: word }));
        found.add(withoutSecondary(english.phonemes(tokens, accent)[1]!.trim()));
      }
    }
  }
  sounds.set(english, found);
  return found;
}

/** A small word may carry a secondary stress; one with the primary stress is another word: for, four. */
function withoutSecondary(sound: string): string {
  return sound.replaceAll('ˌ', '');
}
