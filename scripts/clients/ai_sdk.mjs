// Transcribes and speaks with the Vercel AI SDK, by its official provider: npm install ai @ai-sdk/openai, then
//
//     node scripts/clients/ai_sdk.mjs http://localhost:8000 http://localhost:8880 speech.wav

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';

// Experimental in version 6.
const { generateSpeech = ai.experimental_generateSpeech, transcribe = ai.experimental_transcribe } = ai;

const [hearUrl, sayUrl, path] = process.argv.slice(2);
const hear = createOpenAI({ baseURL: `${hearUrl}/v1`, apiKey: 'none' });
const say = createOpenAI({ baseURL: `${sayUrl}/v1`, apiKey: 'none' });
const audio = await readFile(path);

// Version 6 asks for verbose_json except from gpt-4o-transcribe and gpt-4o-mini-transcribe, version 7 only from whisper-1.
for (const [model, responseFormat] of [['whisper-1'], ['asr-1', 'verbose_json'], ['gpt-4o-transcribe', 'json']]) {
  for (const options of [{}, { timestampGranularities: ['word'] }, { include: ['logprobs'], language: 'en' }]) {
    const openai = { ...options, ...(responseFormat && { responseFormat }) };
    const heard = await transcribe({ model: hear.transcription(model), audio, providerOptions: { openai } });
    assert.ok(heard.text !== '', model);
    if (responseFormat !== 'json') assert.ok(heard.segments.length > 0 && heard.durationInSeconds > 0, model);
    console.log(model, options, heard.text.slice(0, 60), `${heard.segments.length} segments`);
  }
}

for (const [model, options, mediaType] of [
  ['tts-1', {}, 'audio/mpeg'],
  ['gpt-4o-mini-tts', { voice: 'verse', outputFormat: 'wav', instructions: 'Slowly', speed: 1.2 }, 'audio/wav'],
]) {
  const { audio } = await generateSpeech({ model: say.speech(model), text: 'Hello there.', ...options });
  assert.equal(audio.mediaType, mediaType);
  console.log(model, audio.mediaType, audio.uint8Array.length, 'bytes');
}
