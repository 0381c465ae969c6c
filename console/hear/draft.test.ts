import { expect, it } from 'vitest';
import { Draft, type Splice } from './draft.ts';
import { joined, retimed, split } from './retime.ts';
import type { Transcript } from './transcript.ts';

const original: Transcript = {
  task: 'transcribe',
  duration: 4,
  text: 'One two. Three four.',
  segments: [
    { text: ' One two.', start: 0, end: 2 },
    { text: ' Three four.', start: 2, end: 4 },
  ],
};

it('a draft undoes and redoes changes one by one, and reports each splice', () => {
  const shown: string[] = ['One two.', 'Three four.'];
  const draft = new Draft(original, ({ at, removed, inserted }: Splice) => {
    expect(shown.splice(at, removed.length, ...inserted.map(({ text }) => text))).toEqual(
      removed.map(({ text }) => text),
    );
  });
  const states = [draft.transcript];
  draft.replace(0, 1, split(draft.lines[0]!, 4));
  states.push(draft.transcript);
  draft.replace(1, 2, [joined(draft.lines[1]!, draft.lines[2]!)]);
  states.push(draft.transcript);
  draft.replaceAll([0, 1].map((at) => ({ at, count: 1, inserted: [retimed(draft.lines[at]!, `${at}!`)] })));
  states.push(draft.transcript);
  expect(states.map(({ text }) => text)).toEqual([
    'One two. Three four.',
    'One two. Three four.',
    'One two. Three four.',
    '0! 1!',
  ]);
  for (const state of states.slice(0, -1).reverse()) {
    expect(draft.undo()).toBeTypeOf('number');
    expect(draft.transcript).toEqual(state);
  }
  expect([draft.canUndo, draft.undo()]).toEqual([false, undefined]);
  for (const state of states.slice(1)) {
    draft.redo();
    expect(draft.transcript).toEqual(state);
    expect(shown).toEqual(draft.lines.map(({ text }) => text));
  }
  draft.undo();
  draft.replace(0, 1, []);
  expect([draft.canRedo, draft.lines.length, shown.length]).toEqual([false, 1, 1]);
});
