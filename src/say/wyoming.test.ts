import { pino } from 'pino';
import { expect, it } from 'vitest';
import { ScriptedModels, voices } from '../../test/fixtures/synthesis-app.ts';
import type { SynthesisJob } from '../contracts/synthesis.ts';
import { AdmissionGate } from '../scheduling/admission.ts';
import { Drain } from '../scheduling/drain.ts';
import type { WyomingConnection } from '../wyoming/connection.ts';
import type { SayContext } from './context.ts';
import { WyomingSpeech } from './wyoming.ts';

/** A client of a service with a default voice: sends events, and tells which jobs the engine got. */
function client(defaultVoice = 'af_heart') {
  const models = new ScriptedModels();
  const context: Partial<SayContext> = {
    models,
    expected: { model: 'flite', languages: ['a', 'b'] },
    gate: new AdmissionGate({ concurrency: 1, queueSize: 0, queueTimeoutMs: 0 }),
    drain: new Drain(),
    voices: async () => [...voices, { id: 'bm_fable', name: 'Fable' }],
    onSpoken: () => {},
    config: { defaultVoice, maxInputCharacters: 1000, maxBookCharacters: 1000, maxAnswerBytes: 1000 },
  };
  const connection: Partial<WyomingConnection> = { signal: new AbortController().signal, send: async () => {} };
  const speech = new WyomingSpeech(context as SayContext, pino({ level: 'silent' }), connection as WyomingConnection);
  return {
    send: (type: string, data: Record<string, unknown> = {}) => speech.handle({ type, data, payload: Buffer.alloc(0) }),
    spoken: () => models.jobs.map((job) => (job as Extract<SynthesisJob, { kind: 'speech' }>).input),
    voices: () => models.jobs.map((job) => (job as Extract<SynthesisJob, { kind: 'speech' }>).voice[0]!.name),
  };
}

it('speaks sentences of a stream as a whole text has them, not up to each full stop', async () => {
  const { send, spoken } = client();
  await send('synthesize-start');
  for (const text of ['Ask Dr', '. ', 'Smith at 5 p.', 'm. on Monday', '. He', ' is back', '.']) {
    await send('synthesize-chunk', { text });
  }
  await send('synthesize-stop');
  expect(spoken()).toMatchObject([{ text: 'Ask Dr. Smith at 5 p.m. on Monday. ' }, { text: 'He is back.' }]);
});

it('pauses between paragraphs of a stream, however its pieces are cut', async () => {
  const { send, spoken } = client();
  await send('synthesize-start');
  for (const text of ['\n\nOne. Two', '.\n', '\nThree. ', '\r\n', '\r\nFour. Five.\nSix.']) {
    await send('synthesize-chunk', { text });
  }
  await send('synthesize-stop');
  expect(spoken().map((input) => 'text' in input && input.text)).toEqual([
    '\n\nOne. ',
    'Two.\n\n',
    '[pause:0.4s]\nThree. \r\n\r\nFour. ',
    'Five.\nSix.',
  ]);
});

it('knows in each piece of a stream whether it begins in a block of code', async () => {
  const { send, spoken } = client();
  await send('synthesize-start');
  const text = 'Run it. Then:\n\n```sh\necho One. Two is\n\nhere. Three is code.\n```\n**Done.** All is well.';
  for (const chunk of text.match(/.{1,7}/gs)!) await send('synthesize-chunk', { text: chunk });
  await send('synthesize-stop');
  expect(spoken().map((input) => 'text' in input && input.text)).toEqual([
    'Run it. ',
    'Then:\n\n',
    '[pause:0.4s]\n```sh\necho One. ',
    '```\nTwo is\n\n',
    '[pause:0.4s]\n```\nhere. ',
    '```\nThree is code.\n',
    '```\n```\n',
    '**Done.** ',
    'All is well.',
  ]);
});

it.each([
  ['fable', 'en-GB', 'bm_fable'],
  ['fable', 'en-US', 'af_heart'],
  ['af_heart', 'en-US', 'af_heart'],
  ['af_bella(2)+af_heart(1)', 'en', 'af_bella'],
])('with the default voice %s speaks %s with %s', async (defaultVoice, language, voice) => {
  const { send, voices } = client(defaultVoice);
  await send('synthesize', { text: 'Hello.', voice: { language } });
  expect(voices()).toEqual([voice]);
});

const document = '<speak>Wait. <break time="2s"/> Go on.</speak>';

it('reads a document of SSML as such, whole or in pieces', async () => {
  const { send, spoken } = client();
  await send('synthesize', { text: document, text_format: 'ssml' });
  await send('synthesize-start', { text_format: 'ssml' });
  for (const text of document.match(/.{1,7}/gs)!) await send('synthesize-chunk', { text });
  await send('synthesize-stop');
  const parts = expect.arrayContaining([{ type: 'pause', seconds: 2 }]);
  const passages = [expect.objectContaining({ text: parts })];
  expect(spoken()).toMatchObject([{ passages }, { passages }]);
});

it('refuses SSML that is malformed', async () => {
  await expect(client().send('synthesize', { text: '<speak>', text_format: 'ssml' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});
