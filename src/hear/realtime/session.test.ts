import { beforeEach, describe, expect, it, vi } from 'vitest';
import { multilingual, segment } from '../../../test/fixtures/transcription-app.ts';
import type { UtteranceJob } from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import { FRAME } from '../../vad/frames.ts';
import type { LiveEngine, UtteranceText } from './live-engine.ts';
import { RealtimeSession } from './session.ts';
import { defaultSession, updateSession } from './session-config.ts';
import type { ServerEvent } from './turns.ts';

const PREFIX = 'conversation.item.input_audio_transcription';
/** μ-law of 800 Hz: the loudest and the quietest code. */
const SPEECH = 0x80;
const SILENCE = 0xff;

let sent: ServerEvent[];
let answers: { seconds: number; missed: number }[];
let engine: LiveEngine & { transcripts: ((job: UtteranceJob) => Promise<UtteranceText>)[]; jobs: UtteranceJob[] };
let session: RealtimeSession;

const textOf = (text: string, missed = 0): UtteranceText => ({
  segments: text === '' ? [] : [segment(text, 0, 0.5)],
  language: 'en',
  missed,
});

function open(input: object = {}, isOlder = false, info = multilingual): void {
  sent = [];
  answers = [];
  engine = {
    jobs: [],
    transcripts: [],
    // Loud frames are speech.
    async findSpeech({ frames }) {
      const probabilities = Float32Array.from({ length: frames.length / FRAME }, (_, index) =>
        Math.abs(frames[index * FRAME + 256]!) > 0.5 ? 0.9 : 0.1,
      );
      return { probabilities };
    },
    async transcribe(job) {
      this.jobs.push(job);
      return (this.transcripts.shift() ?? (async () => textOf(` Turn ${this.jobs.length}.`)))(job);
    },
  };
  session = new RealtimeSession({
    id: 'sess_1',
    config: updateSession(defaultSession, { audio: { input: { format: { type: 'audio/pcmu' }, ...input } } }),
    expiresAt: 5,
    isOlder,
    engine,
    info: () => info,
    defaultLanguage: undefined,
    send: (event) => sent.push(event),
    onAnswered: (answer) => answers.push(answer),
    toClientError: (error) =>
      error instanceof HearsayError ? error : new HearsayError('internal_error', 'The server had an unexpected error.'),
  });
  session.open();
}
beforeEach(() => open());

const types = () => sent.map(({ type }) => type);
const of = (type: string) => sent.filter((event) => event.type === type);

/** Appends some seconds of one code. */
function say(code: number, seconds: number): Promise<void> {
  const audio = Buffer.alloc(8000 * seconds, code).toString('base64');
  return session.handle({ type: 'input_audio_buffer.append', audio });
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Says a second of speech between silences. @returns the events of its start and end */
async function sayTurn() {
  await say(SILENCE, 1);
  await say(SPEECH, 1);
  await say(SILENCE, 1);
  await settled();
  const [started] = of('input_audio_buffer.speech_started');
  const [stopped] = of('input_audio_buffer.speech_stopped');
  return { started, stopped };
}

describe('RealtimeSession', () => {
  it('sends the events of a turn in order', async () => {
    const { started, stopped } = await sayTurn();
    expect(started!.audio_start_ms).toBeGreaterThan(600);
    expect(started!.audio_start_ms).toBeLessThan(720);
    expect(stopped!.audio_end_ms).toBeGreaterThan(2450);
    expect(stopped!.audio_end_ms).toBeLessThan(2600);
    const order = types().filter((type) => type !== `${PREFIX}.delta`);
    expect(order).toEqual([
      'session.created',
      'input_audio_buffer.speech_started',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.committed',
      'conversation.item.added',
      'conversation.item.done',
      `${PREFIX}.completed`,
    ]);
    const [completed] = of(`${PREFIX}.completed`);
    const deltas = of(`${PREFIX}.delta`).map(({ delta }) => delta);
    expect(deltas.join('')).toBe(completed!.transcript);
    expect(new Set(sent.flatMap(({ item_id }) => item_id ?? []))).toEqual(new Set([started!.item_id]));
    expect(answers).toHaveLength(1);
  });

  it('processes the audio of consecutive events together', async () => {
    const findSpeech = vi.spyOn(engine, 'findSpeech');
    const audio = Buffer.alloc(800, SPEECH).toString('base64');
    for (let event = 1; event <= 20; event++) {
      await session.handle({ type: 'input_audio_buffer.append', audio }, event < 20);
    }
    expect(findSpeech).toHaveBeenCalledTimes(4);
    const taken = findSpeech.mock.calls.reduce((sum, [{ frames }]) => sum + frames.length, 0);
    expect(taken).toBeGreaterThan(2 * 16_000 - 2 * FRAME);
  });

  it('processes audio before the event after it', async () => {
    const audio = Buffer.alloc(3200, SPEECH).toString('base64');
    await session.handle({ type: 'input_audio_buffer.append', audio }, true);
    await session.handle({ type: 'input_audio_buffer.commit' });
    await settled();
    expect(of(`${PREFIX}.completed`)[0]!.usage).toMatchObject({ seconds: expect.closeTo(0.4, 2) });
  });

  it('processes all audio before it finishes', async () => {
    const audio = Buffer.alloc(3200, SPEECH).toString('base64');
    await session.handle({ type: 'input_audio_buffer.append', audio }, true);
    await session.finish();
    expect(of(`${PREFIX}.completed`)).toHaveLength(1);
  });

  it('cut turns that the client of a model without turn detection commits, and failed on its commit', async () => {
    const transcription = { model: 'gpt-live-transcribe' };
    await session.handle({ type: 'session.update', session: { audio: { input: { transcription } } } });
    await say(SPEECH, 1);
    // The silence that would end a turn.
    await say(SILENCE, 0.55);
    await session.handle({ type: 'input_audio_buffer.commit' });
    await settled();
    expect(types().filter((type) => type.startsWith('input_audio_buffer'))).toEqual(['input_audio_buffer.committed']);
    expect(of(`${PREFIX}.completed`)).toHaveLength(1);
  });

  it('answers with the final text, even if deltas had other words', async () => {
    open();
    const drafted = (text: string) => {
      const heard = segment(text, 0, 0.5);
      return {
        ...textOf(''),
        segments: [{ ...heard, words: heard.words.map((word) => ({ ...word, probability: 1 })) }],
      };
    };
    engine.transcribe = async (job) => (job.isDraft ? drafted(' Won two') : textOf(' One two three.'));
    await say(SPEECH, 1.5);
    await say(SILENCE, 1);
    await settled();
    const deltas = of(`${PREFIX}.delta`).map(({ delta }) => delta);
    expect(deltas.join('')).toBe('Won two three.');
    const [completed] = of(`${PREFIX}.completed`);
    expect(completed!.transcript).toBe('One two three.');
    await session.handle({ type: 'conversation.item.retrieve', item_id: completed!.item_id as string });
    const [retrieved] = of('conversation.item.retrieved');
    expect(retrieved!.item).toMatchObject({ content: [{ transcript: 'One two three.' }] });
  });

  it.each([
    ['soon', 1, ['en'], true],
    ['after a long pause', 4, ['en'], false],
    ['in what may be another language', 1, ['en', 'de'], false],
  ])('a turn that follows %s', async (_when, pause, languages, isHeard) => {
    open({}, false, { ...multilingual, languages });
    await say(SPEECH, 1);
    await say(SILENCE, pause);
    await say(SPEECH, 1);
    await say(SILENCE, 1);
    await settled();
    const finals = engine.jobs.filter(({ isDraft }) => !isDraft);
    expect(finals.map((job) => job.before !== undefined)).toEqual([false, isHeard]);
  });

  it('knows the language of the turns before', async () => {
    for (const seconds of [1, 1]) {
      await say(SPEECH, seconds);
      await say(SILENCE, 1);
      await settled();
    }
    const known = engine.jobs.map(({ languageBefore }) => languageBefore);
    const first = engine.jobs.findIndex(({ isDraft }) => !isDraft);
    expect(new Set(known.slice(0, first + 1))).toEqual(new Set([undefined]));
    expect(known.at(-1)).toBe('en');
  });

  it('does not transcribe audio that the client has cleared', async () => {
    open({ turn_detection: null }, false, { ...multilingual, languages: ['en'] });
    await say(SPEECH, 1);
    await session.handle({ type: 'input_audio_buffer.commit' });
    await session.handle({ type: 'input_audio_buffer.clear' });
    await say(SPEECH, 1);
    await session.handle({ type: 'input_audio_buffer.commit' });
    await settled();
    expect(engine.jobs.some((job) => job.before !== undefined)).toBe(false);
  });

  it('sends the tokens of deltas and of the whole text if the session includes them', async () => {
    open();
    await session.handle({
      type: 'session.update',
      session: { include: ['item.input_audio_transcription.logprobs'], audio: { input: { turn_detection: null } } },
    });
    const tokens = [' Two', ' words', '.'];
    const logprobs = tokens.map((token) => ({ token, bytes: [...Buffer.from(token)], logprob: -0.5 }));
    engine.transcripts = [async () => ({ ...textOf(''), segments: [{ ...segment(' Two words.', 0, 0.5), logprobs }] })];
    await say(SPEECH, 0.2);
    await session.handle({ type: 'input_audio_buffer.commit' });
    await settled();
    expect(engine.jobs[0]).toMatchObject({ logprobs: true });
    const [delta] = of(`${PREFIX}.delta`);
    const [completed] = of(`${PREFIX}.completed`);
    const first = { token: 'Two', bytes: [...Buffer.from('Two')], logprob: -0.5 };
    expect(delta).toMatchObject({ delta: 'Two words.', logprobs: [first, logprobs[1], logprobs[2]] });
    expect(completed).toMatchObject({ transcript: 'Two words.', logprobs: delta!.logprobs });
    expect(completed).not.toHaveProperty('words');
  });

  it('sends the words of a turn in seconds of the session, if the session includes them', async () => {
    open();
    await session.handle({ type: 'session.update', session: { include: ['item.input_audio_transcription.words'] } });
    await say(SILENCE, 2);
    // The engine hears half a second of what was before.
    engine.transcribe = async () => ({ ...textOf(''), segments: [segment(' Two “words”.', 0.5, 1.5)] });
    await say(SPEECH, 1);
    await say(SILENCE, 1);
    await settled();
    const [completed] = of(`${PREFIX}.completed`);
    expect(completed!.transcript).toBe('Two “words”.');
    expect(completed).not.toHaveProperty('logprobs');
    const words = completed!.words as { word: string; start: number; end: number }[];
    expect(words.map(({ word }) => word)).toEqual(['Two', '“words”.']);
    expect(words[0]!.start).toBeGreaterThan(1.9);
    expect(words[0]!.start).toBeLessThan(2.1);
    expect(words[1]!.end).toBeCloseTo(words[0]!.start + 1, 2);
  });

  it('answers turns in order, whichever is decoded first', async () => {
    open({ turn_detection: null });
    let answerFirst = (_text: UtteranceText) => {};
    engine.transcripts = [
      () =>
        new Promise((resolve) => {
          answerFirst = resolve;
        }),
      async () => textOf(' Second.'),
    ];
    await say(SPEECH, 0.2);
    await session.handle({ type: 'input_audio_buffer.commit' });
    await say(SPEECH, 0.2);
    await session.handle({ type: 'input_audio_buffer.commit' });
    await settled();
    expect(types().slice(1)).toEqual([
      ...['input_audio_buffer.committed', 'conversation.item.added', 'conversation.item.done'],
      ...['input_audio_buffer.committed', 'conversation.item.added', 'conversation.item.done'],
    ]);
    answerFirst(textOf(' First.'));
    await settled();
    const texts = sent
      .filter(({ type }) => type.startsWith(PREFIX))
      .map(({ delta, transcript }) => delta ?? transcript);
    expect(texts).toEqual(['First.', 'First.', 'Second.', 'Second.']);
    const [first, second] = of('input_audio_buffer.committed');
    expect([first!.previous_item_id, second!.previous_item_id]).toEqual([null, first!.item_id]);
  });

  it('reports a turn that could not be transcribed, and continues', async () => {
    open({ turn_detection: null });
    engine.transcripts = [
      async () => {
        throw new HearsayError('engine_failed', 'The engine died twice on this request.');
      },
    ];
    for (let turn = 0; turn < 2; turn++) {
      await say(SPEECH, 0.2);
      await session.handle({ type: 'input_audio_buffer.commit' });
      await settled();
    }
    expect(of(`${PREFIX}.failed`)[0]).toMatchObject({
      content_index: 0,
      error: { type: 'server_error', code: 'engine_failed', message: 'The engine died twice on this request.' },
    });
    expect(of(`${PREFIX}.completed`)).toHaveLength(1);
  });

  it('reports silence as a turn without text if idle_timeout_ms is set', async () => {
    open({ turn_detection: { type: 'server_vad', idle_timeout_ms: 5000 } });
    await say(SILENCE, 6);
    await settled();
    const [timeout] = of('input_audio_buffer.timeout_triggered');
    expect(timeout!.audio_start_ms).toBe(0);
    expect(timeout!.audio_end_ms).toBeGreaterThanOrEqual(5000);
    expect(of(`${PREFIX}.completed`)[0]).toMatchObject({
      item_id: timeout!.item_id,
      transcript: '',
      usage: { seconds: expect.closeTo(5, 1) },
    });
    expect(engine.jobs).toEqual([]);
  });

  it('drops the audio of clear', async () => {
    await say(SPEECH, 1);
    await session.handle({ type: 'input_audio_buffer.clear' });
    await say(SILENCE, 1);
    await settled();
    expect(types()).toContain('input_audio_buffer.cleared');
    expect(of('input_audio_buffer.committed')).toEqual([]);
    await say(SPEECH, 1);
    await say(SILENCE, 1);
    await settled();
    expect(of(`${PREFIX}.completed`)).toHaveLength(1);
  });

  it('drops the audio of clear without turn detection, and transcribes what follows', async () => {
    open({ turn_detection: null });
    await say(SPEECH, 2);
    await session.handle({ type: 'input_audio_buffer.clear' });
    await say(SPEECH, 0.5);
    await session.handle({ type: 'input_audio_buffer.commit' });
    await settled();
    expect(of(`${PREFIX}.completed`)).toMatchObject([{ usage: { seconds: expect.closeTo(0.5, 1) } }]);
  });

  it('lets the client commit while voice activity finds turns, too', async () => {
    await say(SPEECH, 1);
    await session.handle({ type: 'input_audio_buffer.commit' });
    await say(SILENCE, 1);
    await settled();
    expect(types()).not.toContain('input_audio_buffer.speech_stopped');
    expect(of(`${PREFIX}.completed`)).toHaveLength(1);
    await session.handle({ type: 'input_audio_buffer.commit' });
    await settled();
    expect(of(`${PREFIX}.completed`)[1]).toMatchObject({ transcript: '' });
  });

  it('refuses to commit less than 100 ms', async () => {
    const empty = { realtimeCode: 'input_audio_buffer_commit_empty', code: 'invalid_request' };
    await expect(session.handle({ type: 'input_audio_buffer.commit' })).rejects.toMatchObject(empty);
    await say(SPEECH, 0.09);
    await expect(session.handle({ type: 'input_audio_buffer.commit' })).rejects.toMatchObject(empty);
    await say(SPEECH, 0.05);
    await session.handle({ type: 'input_audio_buffer.commit' });
    await expect(session.handle({ type: 'input_audio_buffer.commit' })).rejects.toMatchObject(empty);
  });

  it('refused to commit exactly 100 ms, and lost some of each commit', async () => {
    open({ turn_detection: null });
    await say(SPEECH, 0.1);
    await session.handle({ type: 'input_audio_buffer.commit' });
    await say(SPEECH, 1);
    await session.handle({ type: 'input_audio_buffer.commit' });
    await settled();
    expect(of(`${PREFIX}.completed`).map(({ usage }) => usage)).toEqual([
      { type: 'duration', seconds: 0.1 },
      { type: 'duration', seconds: 1 },
    ]);
  });

  it('knows the item before after one was deleted', async () => {
    open({ turn_detection: null });
    for (let count = 0; count < 2; count++) {
      await say(SPEECH, 0.2);
      await session.handle({ type: 'input_audio_buffer.commit' });
    }
    const [first, second] = of('input_audio_buffer.committed');
    await session.handle({ type: 'conversation.item.delete', item_id: second!.item_id as string });
    await say(SPEECH, 0.2);
    await session.handle({ type: 'input_audio_buffer.commit' });
    expect(of('input_audio_buffer.committed')[2]).toMatchObject({ previous_item_id: first!.item_id });
  });

  it('only cuts audio into items if transcription is off', async () => {
    open({ transcription: null });
    await say(SPEECH, 1);
    await say(SILENCE, 1);
    await settled();
    expect(types().at(-1)).toBe('conversation.item.done');
    expect(engine.jobs).toEqual([]);
    // The turn without text holds nothing back.
    await session.handle({
      type: 'session.update',
      session: { audio: { input: { transcription: { model: 'whisper-1' } } } },
    });
    await say(SPEECH, 1);
    await say(SILENCE, 1);
    await settled();
    expect(of(`${PREFIX}.delta`)).not.toEqual([]);
  });

  it('sends conversation.item.created to older clients', async () => {
    open({}, true);
    await say(SPEECH, 1);
    await say(SILENCE, 1);
    expect(types()).toContain('conversation.item.created');
    expect(types()).not.toContain('conversation.item.added');
  });

  it('took the audio before turn detection was switched on for part of the first turn', async () => {
    open({ turn_detection: null });
    await say(SPEECH, 10);
    await session.handle({ type: 'input_audio_buffer.commit' });
    await session.handle({
      type: 'session.update',
      session: { audio: { input: { turn_detection: { type: 'server_vad' } } } },
    });
    const { started, stopped } = await sayTurn();
    expect(started!.audio_start_ms).toBeGreaterThan(10_600);
    expect(stopped!.audio_end_ms).toBeGreaterThan(12_450);
    expect(of(`${PREFIX}.completed`)[1]!.usage).toMatchObject({ seconds: expect.closeTo(1.8, 0) });
  });

  it('finds speech at the threshold of the session', async () => {
    open({ turn_detection: { type: 'server_vad', threshold: 0.08 } });
    // The scripted engine gives silence a probability of 0.1.
    await say(SILENCE, 1);
    await session.finish();
    expect(engine.jobs[0]!.probabilities.every((probability) => probability >= 0.5)).toBe(true);
  });

  it('passes language and prompt on, and refuses a language that the model does not know', async () => {
    const update = (transcription: object) =>
      session.handle({ type: 'session.update', session: { audio: { input: { transcription } } } });
    await update({ language: 'de-AT', prompt: 'Namen' });
    await say(SPEECH, 1);
    await session.finish();
    expect(engine.jobs[0]).toMatchObject({ language: 'de', prompt: 'Namen', task: 'transcribe' });
    await expect(update({ language: 'sw' })).rejects.toMatchObject({
      code: 'unsupported_language',
      param: 'session.audio.input.transcription.language',
    });
    await expect(update({ language: '', languages: ['sw'] })).rejects.toMatchObject({
      code: 'unsupported_language',
      param: 'session.audio.input.transcription.languages',
    });
  });

  it('changes the format of audio midway', async () => {
    await say(SPEECH, 0.5);
    await session.handle({ type: 'session.update', session: { audio: { input: { format: { type: 'audio/pcm' } } } } });
    const loud = Buffer.alloc(24_000);
    for (let index = 0; index < loud.length; index += 2) loud.writeInt16LE(30_000, index);
    await session.handle({ type: 'input_audio_buffer.append', audio: loud.toString('base64') });
    await session.finish();
    expect(of(`${PREFIX}.completed`)[0]).toMatchObject({ usage: { seconds: expect.closeTo(1, 1) } });
  });

  it('reads speech beyond the first 30 s at no more than twice real time', async () => {
    const started = performance.now();
    await say(SPEECH, 31);
    expect(performance.now() - started).toBeGreaterThan(400);
    const saying = say(SPEECH, 600).catch((error: unknown) => error);
    const gone = new Error('The client is gone.');
    session.close(gone);
    expect(await saying).toBe(gone);
  });

  it('sends nothing after it was closed', async () => {
    await say(SPEECH, 1);
    const { length } = sent;
    session.close(new Error('gone'));
    await expect(say(SPEECH, 1)).rejects.toThrow('gone');
    await session.finish();
    expect(sent.length).toBeLessThanOrEqual(length + 3);
    expect(of(`${PREFIX}.completed`)).toEqual([]);
  });
});
