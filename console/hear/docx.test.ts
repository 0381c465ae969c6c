import { expect, it } from 'vitest';
import { docx } from './docx.ts';

const transcript = {
  task: 'transcribe' as const,
  language: 'en',
  duration: 90,
  text: '',
  segments: [
    { start: 0, end: 2, text: ' Ham & <eggs>.' },
    { start: 2, end: 3, text: ' \u0007Twice\ud800.' },
    { start: 75, end: 80, text: ' שלום עולם.' },
  ],
};

/** Archives are not compressed: their text can be read. */
const textOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer()).toString();

it('has a title, and a paragraph with its time after each pause', async () => {
  const blob = docx(transcript, 'A & B');
  expect(blob.type).toBe('application/vnd.openxmlformats-officedocument.wordprocessingml.document');
  const text = await textOf(blob);
  const [, body] = /<w:body>(.*)<\/w:body>/.exec(text)!;
  const written = body!.split('</w:p>').map((part) => part.replace(/<[^>]+>/g, ''));
  expect(written).toEqual(['A &amp; B', '0:00 Ham &amp; &lt;eggs&gt;. Twice\ufffd.', '1:15 שלום עולם.', '']);
  expect(text).toContain('<dc:title>A &amp; B</dc:title><dc:language>en</dc:language>');
});

it('writes Hebrew from right to left', async () => {
  const text = await textOf(docx(transcript, 'x'));
  expect(text.match(/<w:bidi\/>/g)).toHaveLength(1);
  expect(text).toMatch(/<w:rPr><w:rtl\/><\/w:rPr><w:t xml:space="preserve"> שלום/);
});

it('is a document without speech, too', async () => {
  expect(await textOf(docx({ ...transcript, segments: [] }, 'Nothing'))).toContain(
    '>Nothing</w:t></w:r></w:p></w:body>',
  );
});
