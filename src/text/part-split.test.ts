import { describe, expect, it } from 'vitest';
import { groupWords, type Part } from './part-split.ts';

const words = (...surfaces: string[]) => surfaces.map((surface) => ({ surface }));
const plain = (written: string): Part => ({ written, read: written, plain: true });
const written = (parts: Part[], surfaces: string[]) =>
  groupWords(parts, words(...surfaces)).map((group) => group.written);

describe('groupWords', () => {
  it('cuts plain text where its words end', () => {
    expect(written([plain('我家的园')], ['我家', '的', '园'])).toEqual(['我家', '的', '园']);
  });

  it('keeps a part whole, whatever is read for it', () => {
    const parts: Part[] = [plain('在'), { written: '¥5.50', read: '五元五角' }, plain('买')];
    expect(written(parts, ['在', '五元', '五角', '买'])).toEqual(['在', '¥5.50', '买']);
  });

  it('joins a part and the text that share a word', () => {
    const parts: Part[] = [{ written: '3', read: '三' }, plain('者は')];
    expect(written(parts, ['三者', 'は'])).toEqual(['3者', 'は']);
  });

  it('says which part a group is', () => {
    const mark: Part = { written: '、', read: '、', mark: ',' };
    const groups = groupWords([plain('あ'), mark, plain('い')], words('あ', '、', 'い'));
    expect(groups.map(({ part }) => part)).toEqual([undefined, mark, undefined]);
  });

  it('loses nothing that no word covers', () => {
    expect(written([plain('あ い')], ['あ', 'い'])).toEqual(['あ', ' ', 'い']);
  });
});
