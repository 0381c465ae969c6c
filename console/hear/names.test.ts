import { expect, it } from 'vitest';
import { namesFor } from './names.ts';

it('namesFor lists names as keywords, or as the prompt of a translation', () => {
  const keywords = ['Zoë', 'ONNX Runtime', 'MP3'];
  expect(namesFor('transcriptions', ' Zoë, ONNX Runtime;\nMP3 , ')).toEqual({ prompt: '', keywords });
  expect(namesFor('transcriptions', ' ')).toEqual({ prompt: '', keywords: [] });
  expect(namesFor('translations', ' Zoë, MP3 ')).toEqual({ prompt: 'Zoë, MP3', keywords: [] });
});
