import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUTPUT_RATE, speechFormats } from '../src/audio/formats.ts';
import { runBothServices } from './fixtures/both-services.ts';
import { openaiClient } from './fixtures/openai.ts';
import { until } from './fixtures/service.ts';
import { readSpeech, wordErrorRate } from './fixtures/speech.ts';

const services = runBothServices();

const texts = [
  'The kettle was still warm when we came back from the garden.',
  'The museum is closed on Mondays and on public holidays.',
  'Please keep the receipt in case you want to return the lamp.',
];
const lines = [
  { voice: 'af_heart', input: texts[0] },
  { voice: 'am_michael', input: texts[1], pause_after: 0.75 },
  { voice: 'af_bella', input: texts[2], speed: 0.9 },
];
const ssml = `<?xml version="1.0"?>
<speak version="1.1" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="en-US">
  <mark name="first"/>${texts[0]}
  <voice name="am_michael"><s>${texts[1]}</s></voice>
  <break time="750ms"/>
  <mark name="third"/><prosody rate="90%">${texts[2]}</prosody>
</speak>`;

async function transcribed(bytes: Buffer, name: string): Promise<string> {
  const file = join(services.folder, name);
  await writeFile(file, bytes);
  const response = await services.hear.post({ file, fields: { response_format: 'text' } });
  expect(response.status).toBe(200);
  return response.text();
}

describe('a dialogue', () => {
  it('is understood, and sounds like the SSML document that says the same', async () => {
    const dialogue = await services.spoken('/v1/audio/dialogue', { lines, response_format: 'wav', stream: false });
    const document = { input: ssml, input_type: 'ssml', response_format: 'wav', stream: false };
    expect(dialogue.equals(await services.spoken('/v1/audio/speech', document))).toBe(true);
    expect(wordErrorRate(await transcribed(dialogue, 'dialogue.wav'), texts.join(' '))).toBeLessThan(0.1);
  });

  it('has the same length in every format', async () => {
    const pcm = await services.spoken('/v1/audio/dialogue', { lines, response_format: 'pcm' });
    const seconds = pcm.length / 2 / OUTPUT_RATE;
    for (const format of speechFormats.filter((each) => each !== 'pcm')) {
      const file = join(services.folder, `dialogue.${format}`);
      await writeFile(file, await services.spoken('/v1/audio/dialogue', { lines, response_format: format }));
      const { length } = await readSpeech(file);
      expect(Math.abs(length / 16_000 - seconds), format).toBeLessThan(0.1);
    }
  });

  it('has the time and the line of each word, streamed or whole', async () => {
    const whole = JSON.parse(String(await services.spoken('/dev/captioned_dialogue', { lines, stream: false })));
    const streamed = String(await services.spoken('/dev/captioned_dialogue', { lines }))
      .trim()
      .split('\n')
      .flatMap((line) => JSON.parse(line).timestamps);
    expect(streamed).toEqual(whole.timestamps);
    for (const [index, text] of texts.entries()) {
      const words = streamed.filter(({ line }) => line === index);
      expect(words.map(({ word }) => word).join(' ')).toBe(text);
    }
    const starts = streamed.map(({ start_time }) => start_time);
    expect(starts).toEqual([...starts].sort((one, other) => one - other));
  });

  it('is reached by the openai client', async () => {
    const client = openaiClient(services.say);
    const answer = await client.post<Response>('/audio/dialogue', {
      body: { lines, response_format: 'flac' },
      __binaryResponse: true,
    });
    expect(answer.headers.get('content-type')).toBe('audio/flac');
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('fLaC');
    const wrong = client.post('/audio/dialogue', { body: { lines: [...lines, { voice: 'nobody', input: 'a' }] } });
    await expect(wrong).rejects.toMatchObject({ status: 400, param: 'lines[3].voice' });
  });

  it('ends with its client and leaves no file', async () => {
    const long = { lines: Array.from({ length: 1000 }, () => lines).flat() };
    for (const path of ['/v1/audio/dialogue', '/dev/captioned_dialogue']) await services.leave(path, long);
    await until(async () => (await services.say.tempFiles()).length === 0, 'no file is left');
  });
});

describe('an SSML document', () => {
  it('reports its marks', async () => {
    const body = { input: ssml, input_type: 'ssml', stream: false };
    const { timestamps, marks } = JSON.parse(String(await services.spoken('/dev/captioned_speech', body)));
    const third = timestamps.find(({ word }: { word: string }) => word === 'Please');
    expect(marks).toEqual([
      { name: 'first', time: timestamps[0].start_time },
      { name: 'third', time: third.start_time },
    ]);
  });

  it.each([
    [
      'entities within entities',
      `<!DOCTYPE l [<!ENTITY a "${'x'.repeat(99)}"><!ENTITY b "&a;&a;">]><speak>&b;</speak>`,
      400,
    ],
    ['a file as an entity', '<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/hostname">]><speak>&a;</speak>', 400],
    ['deep nesting', `<speak>${'<s>'.repeat(20_000)}`, 400],
    ['no end', `<speak>${'<s>a</s>'.repeat(5000)}`, 400],
    ['a lone surrogate, a null and a noncharacter', '<speak>\ud800 \0 \uffff</speak>', 400],
    ['nothing', '<speak/>', 400],
    ['whitespace and empty elements', '<speak> <p> <s/> </p><voice name="af_sky"/> </speak>', 400],
    ['marks alone', `<speak>${'<mark name="a"/>'.repeat(5000)}</speak>`, 400],
    ['marks beside a word', `<speak>${'<mark name="a"/>'.repeat(5000)}Hello.</speak>`, 200],
    ['voices without a word', `<speak>${'<voice name="am_adam"> </voice>'.repeat(3000)}Hello.</speak>`, 200],
  ])('with %s is answered', async (_, input, status) => {
    const response = await services.say.post('/dev/captioned_speech', {
      input,
      input_type: 'ssml',
      response_format: 'pcm',
    });
    const body = await response.text();
    expect([response.status, body.slice(0, 200)]).toEqual([status, expect.any(String)]);
    expect(body).not.toContain('ENTITY');
  });
});
