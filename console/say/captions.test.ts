import { describe, expect, it } from 'vitest';
import { runSteps } from '../../src/hear/transcript/steps.ts';
import { type CaptionFormat, captionSteps } from './captions.ts';
import { Speech } from './speech.ts';

const request = { voice: 'af_heart', speed: 1, volume: 1, format: 'mp3', stream: true };

/** A speech of one second for each word. */
function speech(input: string, words: string[]): Speech {
  const made = new Speech({ ...request, input });
  const samples = new Int16Array(words.length * 24_000);
  const times = words.map((word, i) => ({ word, start_time: i, end_time: i + 0.9 }));
  made.append(samples, times);
  return made;
}

const captions = (of: Speech, format: CaptionFormat) => runSteps(captionSteps(of, format));

describe('captionSteps', () => {
  it('drops text that is not spoken, and keeps the spaces between words', () => {
    const said = speech('One *two*, [pause:1s] three.', ['One', 'two', 'three.']);
    expect(captions(said, 'srt')).toBe('1\n00:00:00,000 --> 00:00:02,900\nOne two three.\n');
    expect(captions(said, 'vtt')).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:02.900\nOne two three.\n');
  });

  it('joins words of scripts without spaces', () => {
    expect(captions(speech('你好世界。', ['你好', '世界。']), 'srt')).toContain('\n你好世界。\n');
  });

  it('ends no caption after the speech', () => {
    const made = new Speech({ ...request, input: 'Hi.' });
    made.append(new Int16Array(12_000), [{ word: 'Hi.', start_time: 0, end_time: 0.4 }]);
    expect(captions(made, 'srt')).toContain('00:00:00,000 --> 00:00:00,500\n');
  });

  it('has the seconds of each word in json', () => {
    expect(JSON.parse(captions(speech('One two.', ['One', 'two.']), 'json'))).toEqual({
      duration: 2,
      words: [
        { word: 'One', start: 0, end: 0.9 },
        { word: 'two.', start: 1, end: 1.9 },
      ],
    });
  });

  it('has a cue for each line of a dialogue, and its index in json', () => {
    const line = { voice: 'af_heart', speed: 1, pauseAfter: 0 };
    const lines = [
      { ...line, name: 'Ann', input: 'Hi.', at: 5 },
      { ...line, name: '', input: '…', at: 9 },
      { ...line, name: 'Bob', input: 'Yo.', at: 16 },
    ];
    const said = new Speech({ ...request, input: 'Ann: Hi.\n…\nBob: Yo.', lines });
    said.append(new Int16Array(48_000), [
      { word: 'Hi.', start_time: 0, end_time: 0.9, line: 0 },
      { word: 'Yo.', start_time: 1, end_time: 1.9, line: 2 },
    ]);
    expect(captions(said, 'srt')).toBe(
      '1\n00:00:00,000 --> 00:00:01,000\nHi.\n\n2\n00:00:01,000 --> 00:00:02,000\nYo.\n',
    );
    expect(JSON.parse(captions(said, 'json')).words.map(({ line }: { line: number }) => line)).toEqual([0, 2]);
  });

  it('has the marks of SSML in json', () => {
    const said = speech('<speak>One <mark name="m"/></speak>', ['One']);
    said.marks.push({ name: 'm', time: 0.9 });
    expect(JSON.parse(captions(said, 'json')).marks).toEqual([{ name: 'm', time: 0.9 }]);
  });

  it('works without words', () => {
    expect(captions(speech('…', []), 'srt')).toBe('');
  });
});
