import { describe, expect, it } from 'vitest';
import { groupWords, type Span } from './spans.ts';

const words = (...surfaces: string[]) => surfaces.map((surface) => ({ surface }));
const plain = (written: string): Span => ({ written, replacement: written, isPlain: true });
const written = (spans: Span[], surfaces: string[]) =>
  groupWords(spans, words(...surfaces)).map((group) => group.written);

describe('groupWords', () => {
  it('cuts plain text at the ends of its words', () => {
    expect(written([plain('我家的园')], ['我家', '的', '园'])).toEqual(['我家', '的', '园']);
  });

  it('keeps a rewritten span whole', () => {
    const spans: Span[] = [plain('在'), { written: '¥5.50', replacement: '五元五角' }, plain('买')];
    expect(written(spans, ['在', '五元', '五角', '买'])).toEqual(['在', '¥5.50', '买']);
  });

  it('joins a rewritten span and plain text that share a word', () => {
    const spans: Span[] = [{ written: '3', replacement: '三' }, plain('者は')];
    expect(written(spans, ['三者', 'は'])).toEqual(['3者', 'は']);
  });

  it('returns the span that a group consists of', () => {
    const mark: Span = { written: '、', replacement: '、', mark: ',' };
    const groups = groupWords([plain('あ'), mark, plain('い')], words('あ', '、', 'い'));
    expect(groups.map(({ span }) => span)).toEqual([undefined, mark, undefined]);
  });

  it('keeps characters that are in no word', () => {
    expect(written([plain('あ い')], ['あ', 'い'])).toEqual(['あ', ' ', 'い']);
  });
});
