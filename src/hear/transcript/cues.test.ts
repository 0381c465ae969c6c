import { describe, expect, it } from 'vitest';
import { segment, spoken } from '../../../test/fixtures/segments.ts';
import type { Segment, Word } from '../../contracts/transcription.ts';
import { MAX_LINE_WIDTH, MAX_PAUSE_MS } from './cue-units.ts';
import { type Cue, cues, MAX_CUE_MS, MAX_HESITATION_MS } from './cues.ts';
import { srt, vtt } from './subtitles.ts';

const texts = (result: Cue[]) => result.map(({ lines }) => lines);

describe('cues', () => {
  it('cuts at the ends of sentences', () => {
    const result = cues([
      spoken('It was the best of times for all of us who lived then. It was the worst of times for the others.'),
    ]);
    expect(texts(result)).toEqual([
      ['It was the best of times', 'for all of us who lived then.'],
      ['It was the worst of times for the others.'],
    ]);
  });

  it('cuts a long sentence at other punctuation', () => {
    const result = cues([
      spoken(
        'And so my fellow Americans, ask not what your country can do for you, ask what you can do for your country.',
      ),
    ]);
    for (const { lines } of result) expect(lines.join(' ')).toMatch(/[,.]$/);
    expect(result.length).toBe(2);
  });

  it('does not take an abbreviation for the end of a sentence', () => {
    const result = cues([
      spoken('When they had all come in and sat down at the long table, Mr. Brown rose and said that he was sorry.'),
    ]);
    for (const { lines } of result) expect(lines.join(' ')).not.toMatch(/Mr\.$/);
  });

  it('cuts at every long pause and preferably at short ones', () => {
    const pausing = (milliseconds: number) => ({ start: 0.9 + milliseconds / 1000 + 0.05 });
    const long = [spoken('one two three.'), spoken('four five', pausing(MAX_PAUSE_MS))];
    expect(texts(cues(long))).toEqual([['one two three.'], ['four five']]);
    const withinSentence = [spoken('one two three'), spoken('four five', pausing(MAX_HESITATION_MS))];
    expect(texts(cues(withinSentence))).toEqual([['one two three'], ['four five']]);
    const first = 'many words without any mark go on';
    const short = [spoken(`${first} and then there are still a lot more words without any`)];
    for (const word of short[0]!.words.slice(7)) {
      word.start += 0.3;
      word.end += 0.3;
    }
    expect(cues(short)[0]!.lines.join(' ')).toBe(first);
  });

  it('keeps the words of a hesitant speaker together', () => {
    const hesitant = spoken('I would um say that we should wait.');
    for (const [index, word] of hesitant.words.entries()) {
      word.start = index;
      word.end = index + 0.2;
    }
    hesitant.end = 8;
    expect(cues([hesitant]).length).toBeLessThanOrEqual(2);
  });

  it('balances two lines and leaves no single word on the second', () => {
    expect(texts(cues([spoken('this line has just a few letters more than fit')]))).toEqual([
      ['this line has just', 'a few letters more than fit'],
    ]);
    expect(texts(cues([spoken('some-twenty-letters-x another-fifteen and-fourteen')]))).toEqual([
      ['some-twenty-letters-x', 'another-fifteen and-fourteen'],
    ]);
    // A cut before the last word would balance the lines better.
    expect(texts(cues([spoken('some-twenty-letters-x so thirty-letters-in-one-long-word')]))).toEqual([
      ['some-twenty-letters-x', 'so thirty-letters-in-one-long-word'],
    ]);
  });

  it('ends no line between words that belong together', () => {
    const firstLine = (text: string) => cues([spoken(text)])[0]!.lines[0];
    // The most even cut is after 'and', 'dem', 'и', 'Jane' and 'Dr.'.
    expect(firstLine('Nobody was at home yesterday and they had waited outside the house')).toBe(
      'Nobody was at home yesterday',
    );
    expect(firstLine('Gestern lagen die Unterlagen auf dem Schreibtisch meines anderen Vaters')).toBe(
      'Gestern lagen die Unterlagen',
    );
    expect(firstLine('Вчера вечером никого дома не было и поэтому все они вместе пошли гулять')).toBe(
      'Вчера вечером никого дома не было',
    );
    expect(firstLine('everybody had believed Jane Fairfax without any reason')).toBe('everybody had believed');
    expect(firstLine('everybody had believed Dr. Livingstone for no reason')).toBe('everybody had believed');
    // Marks end what belongs together.
    expect(firstLine('everybody had believed Jane, Fairfax without any reason')).toBe('everybody had believed Jane,');
  });

  it('ends no cue between words that belong together', () => {
    const text =
      'He could rise if he seemed to complain against the wizard who would vanish behind the curtain on the left.';
    expect(texts(cues([spoken(text, { pace: 0.2 })]))).toEqual([
      ['He could rise if he seemed', 'to complain against the wizard'],
      ['who would vanish behind', 'the curtain on the left.'],
    ]);
  });

  it('splits a word that is longer than a line', () => {
    const word = 'x'.repeat(100);
    const result = cues([segment(` ${word}`, [{ word, start: 0, end: 5, probability: 1 }])]);
    expect(result.flatMap(({ lines }) => lines).join('')).toBe(word);
    for (const line of result.flatMap(({ lines }) => lines)) expect(line.length).toBeLessThanOrEqual(MAX_LINE_WIDTH);
    const accents = `a${'\u0301'.repeat(100)}`;
    const heap = cues([segment(accents, [{ word: accents, start: 0, end: 1, probability: 1 }])]);
    expect(heap.flatMap(({ lines }) => lines).join('')).toBe(accents);
  });

  it('joins words without spaces if the text has none', () => {
    const text = '今天天气很好，我们一起去公园散步吧。然后我们去吃饭，晚上再回家看电影。';
    const words = Array.from(new Intl.Segmenter('zh', { granularity: 'word' }).segment(text), ({ segment }) => segment);
    const times = words.map((word, i) => ({ word, start: i * 0.25, end: (i + 1) * 0.25, probability: 1 }));
    const result = cues([segment(text, times)]);
    expect(result.flatMap(({ lines }) => lines).join('')).toBe(text);
    for (const line of result.flatMap(({ lines }) => lines)) {
      expect(line.length).toBeLessThanOrEqual(MAX_LINE_WIDTH / 2);
      expect(line).not.toMatch(/^[，。]/);
    }
    expect(result[0]!.lines.join('')).toMatch(/[，。]$/);
  });

  it('spreads the text of a segment without words over its time', () => {
    const latin =
      'A text whose words have no times of their own must still be cut into cues that can be read, one by one.';
    const result = cues([segment(` ${latin}`, [], 10, 22)]);
    expect(result.flatMap(({ lines }) => lines).join(' ')).toBe(latin);
    expect(result.length).toBeGreaterThan(1);
    expect(result[0]!.start).toBe(10_000);
    expect(result.at(-1)!.end).toBe(22_000);
    const thai = 'วันนี้อากาศดีมากเราไปเดินเล่นที่สวนสาธารณะกันเถอะแล้วค่อยกลับบ้านไปดูหนังตอนเย็น';
    expect(
      cues([segment(thai, [], 0, 8)])
        .flatMap(({ lines }) => lines)
        .join(''),
    ).toBe(thai);
  });

  it('puts spaces by script if the words differ from the text', () => {
    const timed = (words: string[]) =>
      words.map((word, i) => ({ word, start: i * 0.2, end: i * 0.2 + 0.2, probability: 1 }));
    expect(texts(cues([segment(' something else', timed(['Hello', 'there']))]))).toEqual([['Hello there']]);
    expect(texts(cues([segment('别的', timed(['你好', '世界']))]))).toEqual([['你好世界']]);
    expect(texts(cues([segment(" I don't", timed(['I', 'don', "'t"]))]))).toEqual([["I don't"]]);
  });

  it('extends a short cue to a second if there is room', () => {
    const result = cues([spoken('Yes.'), spoken('No.', { start: 5 }), spoken('Maybe.', { start: 5.95 })]);
    expect(result.map(({ start, end }) => [start, end])).toEqual([
      [0, 1000],
      [5000, 5950],
      [5950, 6950],
    ]);
  });

  it('shows fast speech until it can be read, if there is room', () => {
    const text = 'Nobody reads such a long sentence in a second.';
    const fast = (start: number) => spoken(text, { start, pace: 0.1 });
    const [first, second] = cues([fast(0), fast(1.6)]);
    expect([first!.start, first!.end, second!.start]).toEqual([0, 1600, 1600]);
    expect(text.length / ((second!.end - second!.start) / 1000)).toBeLessThanOrEqual(17);
    const chinese = '今天天气很好我们一起去公园散步吧。';
    const [cue] = cues([segment(chinese, [{ word: chinese, start: 0, end: 1.5, probability: 1 }])]);
    // A full-width character takes as long as two letters.
    expect(cue!.end).toBe(2000);
  });

  it('gives a word that is followed at once no cue that is too short to read', () => {
    const clause = 'Furthermore, our financial profile reminds the restroom with again the world-ever trade.';
    const [first] = cues([spoken(clause)]);
    expect(first!.lines.join(' ')).not.toBe('Furthermore,');
    // After a pause there is time to read it.
    const pausing = spoken(clause);
    for (const word of pausing.words.slice(1)) {
      word.start += 1;
      word.end += 1;
    }
    expect(texts(cues([pausing]))[0]).toEqual(['Furthermore,']);
  });

  it('ends no cue after the recording', () => {
    const words = [spoken('Yes.'), spoken('No.', { start: 5 })];
    expect(cues(words, { duration: 5.4 }).map(({ end }) => end)).toEqual([1000, 5400]);
    // A word that begins with the end of the recording still has a cue.
    checkTimes(cues(words, { duration: 5 }));
  });

  it('shows slow words while they are spoken', () => {
    const slow = spoken('one two three four five six seven eight', { pace: 1.5 });
    const result = cues([slow]);
    expect(result.length).toBe(2);
    expect([result[0]!.end, result[1]!.start, result[1]!.end]).toEqual([6000, 6000, 12_000]);
  });

  it('shortens a word longer than the limit of a cue', () => {
    const result = cues([segment(' Oh', [{ word: 'Oh', start: 1, end: 60, probability: 1 }])]);
    expect(result).toEqual([{ start: 1000, end: 8000, lines: ['Oh'] }]);
  });

  it('keeps cues in order for unordered times', () => {
    const words = ['One.', 'Two.', 'Three.'].map((word) => ({ word, probability: 1 }));
    const result = cues([
      segment(' One. Two. Three.', [
        { ...words[0]!, start: 5, end: 9 },
        { ...words[1]!, start: 3, end: 2 },
        { ...words[2]!, start: Number.NaN, end: Number.POSITIVE_INFINITY },
      ]),
      spoken('Four.', { start: 1 }),
    ]);
    checkTimes(result);
    expect(result.flatMap(({ lines }) => lines).join(' ')).toBe('One. Two. Three. Four.');
  });
});

function checkTimes(result: Cue[]): void {
  let previousEnd = 0;
  for (const { start, end } of result) {
    expect(Number.isInteger(start) && Number.isInteger(end)).toBe(true);
    expect(start).toBeGreaterThanOrEqual(previousEnd);
    expect(end).toBeGreaterThan(start);
    expect(end - start).toBeLessThanOrEqual(MAX_CUE_MS);
    previousEnd = end;
  }
}

/** Seeded random numbers from 0 to 1. Source: mulberry32 by Tommy Ettinger, public domain. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

describe('cues of random words', () => {
  const alphabets = [
    'abcdefghij',
    'äöüßéñ',
    '你好世界今天',
    'ひらがなカタカナ',
    'กขคงจฉ',
    '안녕하세요',
    '<>&-',
    '😀👍🏽',
  ];
  const marks = ['', '', '', '', '', '.', ',', '?', '。', '—', '…'];

  it.each(Array.from({ length: 60 }, (_, seed) => seed))('satisfy all limits with seed %i', (seed) => {
    const random = seeded(seed);
    const pick = <T>(list: ArrayLike<T>): T => list[Math.floor(random() * list.length)]!;
    const alphabet = Array.from(pick(alphabets));
    const spaced = random() < 0.7;
    let time = random() * 4000;
    const segments: Segment[] = [];
    const written: string[] = [];
    for (let s = 0; s < 1 + random() * 8; s++) {
      const words: Word[] = [];
      let text = '';
      for (let w = 0; w < random() * 40; w++) {
        const length = random() < 0.03 ? random() * 120 : random() * 10;
        const word = Array.from({ length: 1 + length }, () => pick(alphabet)).join('') + pick(marks);
        if (random() < 0.1) time += random() * 2;
        const duration = random() < 0.02 ? random() * 20 : random() * 0.6;
        words.push({ word, start: time, end: time + duration, probability: 1 });
        time += random() < 0.02 ? -random() : duration;
        text += (spaced ? ' ' : '') + word;
        written.push(word);
      }
      segments.push(random() < 0.1 ? segment(text, [], words[0]?.start, time) : segment(text, words));
    }
    const result = cues(segments);

    checkTimes(result);
    for (const { lines } of result) {
      expect(lines.length === 1 || lines.length === 2).toBe(true);
      for (const line of lines) {
        expect(line).toMatch(/^\S(?:.*\S)?$/u);
        expect(line.length).toBeLessThanOrEqual(MAX_LINE_WIDTH);
      }
    }
    const lines = result.flatMap((cue) => cue.lines);
    expect(lines.join('').replaceAll(' ', '')).toBe(written.join(''));
    // Only words too long for a line, or of a script without spaces, may be split.
    if (spaced && /[a-zä]/.test(alphabet[0]!) && written.every((word) => word.length <= MAX_LINE_WIDTH)) {
      expect(lines.join(' ')).toBe(written.join(' '));
    }
    if (!spaced) expect(lines.join('')).toBe(written.join(''));

    const unescaped = vtt(segments)
      .split('\n\n')
      .slice(1)
      .map((block) => block.trimEnd().split('\n'));
    expect(unescaped.length).toBe(result.length);
    for (const [i, [times, ...shown]] of unescaped.entries()) {
      expect(times).toMatch(/^\d{2,}:\d\d:\d\d\.\d{3} --> \d{2,}:\d\d:\d\d\.\d{3}$/);
      expect(
        shown.map((line) => line.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')),
      ).toEqual(result[i]!.lines);
    }
    expect(srt(segments).split('\n\n').length).toBe(Math.max(1, result.length));
  });

  it('handle long recordings', () => {
    const many = Array.from({ length: 4000 }, (_, i) =>
      spoken('ten words that go on without a pause or mark', { start: i * 3, pace: 0.3 }),
    );
    const result = cues(many);
    checkTimes(result);
    expect(
      result
        .flatMap(({ lines }) => lines)
        .join(' ')
        .split(' ').length,
    ).toBe(40_000);
  });
});
