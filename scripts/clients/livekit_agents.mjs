// Runs the OpenAI plugin of LiveKit Agents for Node against both services: plays recordings to its live transcription at the
// speed of speech, once with the turns of `hear` and once with its own, compares what was heard with what its request hears,
// and speaks a sentence:
//
//     npm install --no-save @livekit/agents@1.9.0 @livekit/agents-plugin-openai@1.9.0 @livekit/rtc-node
//     node scripts/clients/livekit_agents.mjs http://localhost:8000/v1 http://localhost:8880/v1 speech.wav dialogue.wav
//
// Needs ffmpeg.

import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { initializeLogger, mergeFrames, stt as speechToText } from '@livekit/agents';
import { STT, TTS } from '@livekit/agents-plugin-openai';
import { AudioFrame } from '@livekit/rtc-node';
import { atSpeedOfSpeech, errors, pcm, report, words } from './recordings.mjs';

// Rooms have this rate; the plugin resamples.
const RATE = 48_000;
const MAX_ANSWER_MS = 20_000;
const SENTENCE = 'The train to Edinburgh leaves at noon.';
const { START_OF_SPEECH, INTERIM_TRANSCRIPT, FINAL_TRANSCRIPT, RECOGNITION_USAGE } = speechToText.SpeechEventType;
const [hearUrl, sayUrl, ...paths] = process.argv.slice(2);
initializeLogger({ pretty: false, level: 'warn' });

const listener = (options) => new STT({ baseURL: hearUrl, apiKey: 'none', ...options });

function frame(audio) {
  const samples = new Int16Array(audio.length / 2);
  Buffer.from(samples.buffer).set(audio);
  return new AudioFrame(samples, RATE, 1, samples.length);
}

/** The final transcripts; interim ones must come before them. */
async function live(path, options) {
  const stream = listener(options).stream();
  const turns = [];
  let [openTurns, shown] = [0, 0];
  // A stream with the plugin's own detector cannot be closed (1.9.0): it lives as long as the process.
  (async () => {
    for await (const { type, alternatives } of stream) {
      if (type === START_OF_SPEECH) openTurns += 1;
      if (type === RECOGNITION_USAGE) openTurns -= 1;
      if (type === INTERIM_TRANSCRIPT) shown += 1;
      if (type === FINAL_TRANSCRIPT) {
        const [{ text, language }] = alternatives;
        assert.equal(language, 'en');
        turns.push(text);
      }
    }
  })();
  for await (const piece of atSpeedOfSpeech(pcm(path, RATE), RATE, 0.01)) stream.pushFrame(frame(piece));
  const end = performance.now() + MAX_ANSWER_MS;
  while (openTurns > 0) {
    assert.ok(performance.now() < end, 'A turn was not answered.');
    await wait(50);
  }
  assert.ok(shown > 0);
  return turns;
}

async function heardAtOnce(audio) {
  const event = await listener({ useRealtime: false }).recognize(audio);
  return event.alternatives[0].text;
}

for (const path of paths) {
  const whole = await heardAtOnce(frame(pcm(path, RATE)));
  report('turns of hear', path, await live(path, { model: 'gpt-4o-mini-transcribe' }), whole);
  // The default model has no turn detection, so that the plugin commits.
  report('turns of the plugin', path, await live(path), whole);
}

const frames = [];
for await (const audio of new TTS({ baseURL: sayUrl, apiKey: 'none' }).synthesize(SENTENCE)) frames.push(audio.frame);
const speech = mergeFrames(frames);
const heard = await heardAtOnce(speech);
const wrong = errors(words(heard), words(SENTENCE));
const seconds = (speech.samplesPerChannel / speech.sampleRate).toFixed(1);
console.log(`speech: ${seconds} s at ${speech.sampleRate} Hz, heard with ${wrong} wrong words: ${heard}`);
assert.ok(wrong <= 2);
process.exit();
