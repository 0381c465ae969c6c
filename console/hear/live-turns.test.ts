import { expect, it } from 'vitest';
import { LiveTurns, type RealtimeEvent } from './live-turns.ts';

const TRANSCRIPTION = 'conversation.item.input_audio_transcription';
const started = (item_id: string, audio_start_ms: number): RealtimeEvent => ({
  type: 'input_audio_buffer.speech_started',
  item_id,
  audio_start_ms,
});
const stopped = (item_id: string, audio_end_ms: number): RealtimeEvent => ({
  type: 'input_audio_buffer.speech_stopped',
  item_id,
  audio_end_ms,
});
const committed = (item_id: string): RealtimeEvent => ({ type: 'input_audio_buffer.committed', item_id });
const delta = (item_id: string, delta: string): RealtimeEvent => ({ type: `${TRANSCRIPTION}.delta`, item_id, delta });
const completed = (item_id: string, transcript: string, code = 'en'): RealtimeEvent => ({
  type: `${TRANSCRIPTION}.completed`,
  item_id,
  transcript,
  languages: [{ code }],
});

function turnsOf(events: readonly RealtimeEvent[], offset = 0, now = 100): LiveTurns {
  const turns = new LiveTurns();
  for (const event of events) turns.take(event, offset, now);
  return turns;
}

it('makes lines of turns, from where speech begins to where it ends', () => {
  const turns = turnsOf([
    started('a', 1000),
    delta('a', 'One small'),
    stopped('a', 4500),
    committed('a'),
    started('b', 6000),
    completed('a', 'One small step.'),
    delta('b', 'A giant'),
  ]);
  expect(turns.segments(7)).toEqual([
    { start: 1, end: 4, text: ' One small step.' },
    { start: 6, end: 7, text: ' A giant' },
  ]);
  expect([turns.open, turns.isAnswered, turns.answeredUntil]).toEqual(['b', false, 4]);
  expect(turns.transcript(8)).toMatchObject({ language: 'en', duration: 8, text: 'One small step. A giant' });
});

it('leaves out turns without text, and ends those that the page commits where the recording is', () => {
  const turns = turnsOf([
    started('a', 0),
    committed('a'),
    completed('a', ''),
    started('b', 2000),
    committed('b'),
    completed('b', 'Yes.'),
  ]);
  expect(turns.segments(100)).toEqual([{ start: 2, end: 100, text: ' Yes.' }]);
});

it('adds the time before a session, and transcribes unanswered turns again in the next', () => {
  const turns = turnsOf([
    started('a', 0),
    stopped('a', 1500),
    committed('a'),
    completed('a', 'One.'),
    started('b', 2000),
  ]);
  turns.take(delta('b', 'Tw'), 0, 3);
  expect(turns.dropUnanswered()).toBe(2);
  turns.take(started('c', 500), 2, 5);
  turns.take(delta('c', 'Two'), 2, 5);
  turns.take(delta('b', 'late'), 2, 5);
  expect(turns.segments(5)).toEqual([
    { start: 0, end: 1, text: ' One.' },
    { start: 2.5, end: 5, text: ' Two' },
  ]);
});

it('gives words the times of the recording', () => {
  const turns = turnsOf([started('a', 500)], 10);
  const words = [
    { word: 'Two', start: 0.6, end: 0.9, probability: 0.9 },
    { word: 'words.', start: 0.9, end: 1.4, probability: 0.8 },
  ];
  turns.take({ ...completed('a', 'Two words.'), words }, 10, 12);
  expect(turns.transcript(12).words).toEqual([
    { word: 'Two', start: 10.6, end: 10.9, probability: 0.9 },
    { word: 'words.', start: 10.9, end: 11.4, probability: 0.8 },
  ]);
});

it('keeps the text of a failed turn', () => {
  const turns = turnsOf([
    started('a', 0),
    delta('a', 'Half'),
    committed('a'),
    { type: `${TRANSCRIPTION}.failed`, item_id: 'a' },
  ]);
  expect([turns.hasFailed, turns.isAnswered, turns.transcript(9).text]).toEqual([true, true, 'Half']);
});

it('puts no spaces between turns of scripts without spaces', () => {
  const turns = turnsOf([
    started('a', 0),
    committed('a'),
    completed('a', '今日は。', 'ja'),
    started('b', 1000),
    committed('b'),
    completed('b', '雨です。', 'ja'),
    started('c', 2000),
    committed('c'),
    completed('c', 'Yes.'),
  ]);
  expect(turns.transcript(9)).toMatchObject({ text: '今日は。雨です。 Yes.', language: 'ja' });
});
