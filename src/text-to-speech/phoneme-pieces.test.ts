import { describe, expect, it } from 'vitest';
import { phonemePieces } from './phoneme-pieces.ts';

describe('phonemePieces', () => {
  it('makes words of phonemes, and keeps the punctuation between them', () => {
    expect([...phonemePieces('həlˈO, wˈɜɹld! “ɡˌʊd dˈA.”')]).toEqual([
      {
        type: 'sentence',
        tokens: [
          { written: 'həlˈO', spoken: '', ipa: 'həlˈO' },
          { written: ',', spoken: ',' },
          { written: 'wˈɜɹld', spoken: '', ipa: 'wˈɜɹld' },
          { written: '!', spoken: '!' },
        ],
      },
      {
        type: 'sentence',
        tokens: [
          { written: 'ɡˌʊd', spoken: '', ipa: 'ɡˌʊd' },
          { written: 'dˈA', spoken: '', ipa: 'dˈA' },
          { written: '.”', spoken: '.”' },
        ],
      },
    ]);
  });

  it('cuts what never ends, and takes nothing and punctuation alone', () => {
    const pieces = [...phonemePieces('ə '.repeat(200))];
    expect(pieces.length).toBe(4);
    expect([...phonemePieces('  ')]).toEqual([]);
    expect([...phonemePieces('...')]).toEqual([{ type: 'sentence', tokens: [{ written: '...', spoken: '...' }] }]);
  });

  it('takes a megabyte of punctuation in linear time', () => {
    expect([...phonemePieces(`${'!'.repeat(1_000_000)}ə`)]).toHaveLength(1);
  });
});
