import { describe, expect, it } from 'vitest';
import {
  at,
  type Distribution,
  type Script,
  sampled,
  saying,
  special,
} from '../../../../test/fixtures/scripted-decoder.ts';
import { ONE, POSITIONS, transcribe, windowOf } from '../../../../test/fixtures/scripted-windows.ts';
import type { TranscribeOptions } from './transcribe.ts';

const { startOfTranscript } = special;

describe('transcribeWindow language', () => {
  const bilingual =
    (language: number, script: Script): Script =>
    (fed): Distribution =>
      fed.length === 1 ? { [language]: 0.8, 22: 0.05 } : script(fed);

  it('is detected with every decoding if none is given', async () => {
    const { language, states, context } = await transcribe({
      window: windowOf(0, 12, [0, 12]),
      say: (start) => bilingual(23, saying(start === 0 ? [at(0), 1, at(9), at(9)] : ONE)),
      options: { language: undefined as never },
    });
    expect(language).toBe('fr');
    expect(context.language).toBe('fr');
    expect(states).toHaveLength(4);
    expect(states[0]!.fed).toEqual([[startOfTranscript]]);
    expect(states[1]!.fed[0]!.slice(0, 3)).toEqual([startOfTranscript, 23, special.transcribe]);
  });

  it('is detected over a whole window if short audio leaves it unsure', async () => {
    for (const [probability, expected] of [
      [0.95, [250]],
      [0.6, [250, POSITIONS]],
    ] as const) {
      let tries = 0;
      const { language, lengths, segments } = await transcribe({
        window: windowOf(0, 3, [0, 3]),
        say: () => {
          const detects = tries++ < expected.length;
          const language = tries < expected.length ? 22 : 23;
          const other = language === 22 ? 23 : 22;
          return detects ? () => ({ [language]: probability, [other]: 1 - probability }) : saying(ONE);
        },
        options: { language: undefined as never },
      });
      expect(lengths).toEqual(expected);
      expect(language).toBe('fr');
      expect(segments).toHaveLength(1);
    }
  });

  it('is translated over a whole window, however short the speech is', async () => {
    const { lengths, language } = await transcribe({
      window: windowOf(0, 3, [0, 3]),
      say: () => saying(ONE),
      options: { language: 'fr', task: 'translate' },
    });
    expect(lengths).toEqual([POSITIONS]);
    expect(language).toBe('fr');
  });

  const detecting =
    (probability: number, script: Script): Script =>
    (fed): Distribution =>
      fed.length === 1 ? { 23: probability, 22: 1 - probability } : script(fed);

  it('is detected in a shorter piece if it is unsure', async () => {
    let decoders = 0;
    const { starts, states } = await transcribe({
      window: windowOf(0, 9, [0, 4], [5, 9]),
      say: () => detecting([0.7, 0.01, 0, 0.99][decoders++] ?? 0, saying([at(0), 1, at(4.5)])),
      options: { language: undefined as never },
    });
    expect(starts).toEqual([0, 0, 4.5]);
    const decoded = states.filter(({ fed }) => fed[0]!.length > 1);
    expect(decoded.map(({ fed }) => fed[0]![fed[0]!.indexOf(startOfTranscript) + 1])).toEqual([22, 23]);
  });

  it.each<[string, Partial<TranscribeOptions>]>([
    ['text before', { context: { tokens: [], language: 'en', lastSpeech: 0, levels: [] } }],
    ['speech before', { languageBefore: 'en', isLive: true }],
  ])('stays that of the %s if an unsplittable piece is unsure', async (_, before) => {
    const spoken = async (probability: number) =>
      (
        await transcribe({
          window: windowOf(0, 3, [0, 3]),
          say: () => detecting(probability, saying([at(0), 1, at(3)])),
          options: { language: undefined as never, ...before },
        })
      ).language;
    expect(await spoken(0.7)).toBe('en');
    expect(await spoken(0.9)).toBe('fr');
  });

  it('is that of the surer text if detection leaves a doubt', async () => {
    const inEnglish = (fed: readonly number[]) => fed.includes(22);
    const spoken = (likely: number, french = 0.2) =>
      transcribe({
        window: windowOf(0, 4, [0, 4]),
        say: () => detecting(likely, (fed) => saying([at(0), 1, 2, at(4)], inEnglish(fed) ? 0.9 : french)(fed)),
        options: { language: undefined as never },
      });
    const { language, segments } = await spoken(0.9);
    expect(language).toBe('en');
    expect(segments[0]!.avg_logprob).toBeGreaterThan(-0.5);
    expect(segments[0]!.temperature).toBe(0);
    expect((await spoken(0.99)).language).toBe('fr');
    expect((await spoken(0.9, 0.7)).language).toBe('fr');
  });

  it('is the more probable one if the texts are about as sure', async () => {
    const spoken = async (english: number) =>
      (
        await transcribe({
          window: windowOf(0, 4, [0, 4]),
          say: () => detecting(0.95, (fed) => saying([at(0), 1, 2, at(4)], fed.includes(22) ? english : 0.2)(fed)),
          options: { language: undefined as never },
        })
      ).language;
    expect(await spoken(0.25)).toBe('fr');
    expect(await spoken(0.9)).toBe('en');
  });

  it('is detected again in segments that are unsure in the language of the rest', async () => {
    const unsure: Script = (fed) =>
      saying([at(0), 2, 3, at(3), at(3), 1, at(6), at(6), 4, at(9)], sampled(fed).length < 3 ? 0.3 : 0.9)(fed);
    const { texts, starts, language, context } = await transcribe({
      window: windowOf(0, 9, [0, 9]),
      say: (start) => (start === 77 ? detecting(0.01, unsure) : detecting(0.97, saying([at(0), 7, at(3)]))),
      // The spectrogram of the whole window is not that of its first segment.
      options: { language: undefined as never, mel: Float32Array.of(77) },
    });
    expect(starts).toEqual([77, 0, 0]);
    expect(texts).toEqual([' seven', ' one', ' four']);
    expect(language).toBe('en');
    expect(context.tokens).not.toContain(7);
  });

  it('is detected again only up to the end of a piece, though a timestamp lies after it', async () => {
    const unsure: Script = (fed) =>
      saying([at(0), 2, 3, at(2.5), at(2.5), 1, at(6)], sampled(fed).length < 5 ? 0.9 : 0.3)(fed);
    let decoders = 0;
    const { texts, starts, lengths } = await transcribe({
      window: windowOf(0, 9, [0, 4], [5, 9]),
      say: (start) => {
        // The language of the window is unsure, that of its first half is not.
        if (start === 0) return decoders++ === 0 ? detecting(0.7, unsure) : detecting(0.01, unsure);
        return detecting(0.97, saying([at(0), 7, 8, at(4.5)]));
      },
      options: { language: undefined as never },
    });
    expect(starts.slice(0, 2)).toEqual([0, 0]);
    expect(texts).toEqual([' two three', ' seven eight', ' seven eight']);

    // Two seconds and silence, not the 3.5 s up to the timestamp.
    expect(starts[3]).toBe(2.5);
    expect(lengths[3]).toBe(200);
  });

  it('is the requested one, as is the task', async () => {
    const { language, states } = await transcribe({
      window: windowOf(0, 3, [0, 3]),
      say: () => saying(ONE),
      options: { language: 'fr', task: 'translate' },
    });
    expect(language).toBe('fr');
    expect(states).toHaveLength(1);
    expect(states[0]!.fed[0]!.slice(0, 3)).toEqual([startOfTranscript, 23, special.translate]);
  });

  it('is implicit in an English-only model', async () => {
    const { language, states } = await transcribe({
      window: windowOf(0, 3, [0, 3]),
      say: () => saying(ONE),
      options: { language: undefined as never },
      multilingual: false,
    });
    expect(language).toBe('en');
    expect(states[0]!.fed[0]!.slice(0, 2)).toEqual([startOfTranscript, at(0)]);
  });

  it('is rejected if it is not in the vocabulary', async () => {
    await expect(
      transcribe({ window: windowOf(0, 3, [0, 3]), say: () => saying(ONE), options: { language: 'xx' } }),
    ).rejects.toMatchObject({ code: 'unsupported_language' });
  });
});
