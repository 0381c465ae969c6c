import { expect, it } from 'vitest';
import { runSteps } from '../../src/hear/transcript/steps.ts';
import { docx } from './docx.ts';
import { Draft } from './draft.ts';
import { joined, retimed, split } from './retime.ts';
import { namedFrom, renamed, speakersOf } from './speakers.ts';
import { type ExportFormat, exportSteps, type Transcript } from './transcript.ts';

const texts = ['Hello there.', 'How are you?', 'Fine.', 'And you?', 'Well.'];
const transcript: Transcript = {
  task: 'transcribe',
  duration: 10,
  text: texts.join(' '),
  segments: texts.map((text, id) => ({ id, start: 2 * id, end: 2 * id + 1.8, text: ` ${text}` })),
};

/** Names by line: Ann, Ann, Bo, Bo, Ann. */
function named(): Draft {
  const draft = new Draft(transcript, () => {});
  draft.replaceAll(namedFrom(draft.lines, 0, 'Ann'));
  draft.replaceAll(namedFrom(draft.lines, 2, 'Bo'));
  draft.replaceAll(namedFrom(draft.lines, 4, 'Ann'));
  return draft;
}
const names = (draft: Draft) => draft.lines.map(({ speaker }) => speaker);
const exported = (draft: Draft, format: ExportFormat) => runSteps(exportSteps(draft.transcript, format));

it('names a line and those after it, until the next name', () => {
  const draft = named();
  expect(names(draft)).toEqual(['Ann', 'Ann', 'Bo', 'Bo', 'Ann']);
  draft.replaceAll(namedFrom(draft.lines, 1, 'Cy'));
  expect(names(draft)).toEqual(['Ann', 'Cy', 'Bo', 'Bo', 'Ann']);
  draft.replaceAll(namedFrom(draft.lines, 3, undefined));
  expect(names(draft)).toEqual(['Ann', 'Cy', 'Bo', undefined, 'Ann']);
  expect(speakersOf(draft.lines)).toEqual(['Ann', 'Cy', 'Bo']);
});

it('renames a speaker everywhere, which is undone at once', () => {
  const draft = named();
  draft.replaceAll(renamed(draft.lines, 'Ann', 'Anna'));
  expect(names(draft)).toEqual(['Anna', 'Anna', 'Bo', 'Bo', 'Anna']);
  draft.undo();
  expect(names(draft)).toEqual(['Ann', 'Ann', 'Bo', 'Bo', 'Ann']);
  draft.replaceAll(renamed(draft.lines, 'Bo', undefined));
  expect(names(draft)).toEqual(['Ann', 'Ann', undefined, undefined, 'Ann']);
});

it('keeps names of lines that are edited, split and joined', () => {
  const [first, , third] = named().lines;
  expect(retimed(first!, 'Hi there.')).toMatchObject({ text: 'Hi there.', speaker: 'Ann' });
  expect(split(first!, 6).map(({ speaker }) => speaker)).toEqual(['Ann', 'Ann']);
  expect(joined(first!, third!)).toMatchObject({ text: 'Hello there. Fine.', speaker: 'Ann' });
});

it('saves names in every format, and takes them from JSON', () => {
  const draft = named();
  expect(exported(draft, 'text')).toBe('Ann: Hello there. How are you?\n\nBo: Fine. And you?\n\nAnn: Well.\n');
  expect(exported(draft, 'markdown')).toContain('**0:04** Bo: Fine. And you?');
  expect(exported(draft, 'srt')).toContain('00:00:00,000 --> 00:00:03,800\nAnn: Hello there. How are you?\n');
  expect(exported(draft, 'srt')).toContain('\nBo: Fine. And you?\n');
  expect(exported(draft, 'vtt')).toContain('00:00:04.000 --> 00:00:07.800\n<v Bo>Fine. And you?\n');
  const json = JSON.parse(exported(draft, 'verbose_json')) as Transcript;
  expect(json.segments.map(({ speaker }) => speaker)).toEqual(['Ann', 'Ann', 'Bo', 'Bo', 'Ann']);
  expect(json.text).toBe(transcript.text);
  expect(names(new Draft(json, () => {}))).toEqual(names(draft));
});

it('saves names in a Word document', async () => {
  const xml = await docx(named().transcript, 'Talk').text();
  expect(xml).toContain('<w:t xml:space="preserve"> Bo:</w:t>');
});

it('leaves out the name of lines without one', () => {
  const draft = named();
  draft.replaceAll(renamed(draft.lines, 'Bo', undefined));
  expect(exported(draft, 'text')).toContain('\n\nFine. And you?\n\nAnn: Well.');
  expect(exported(draft, 'vtt')).toContain('\nFine. And you?\n');
});
