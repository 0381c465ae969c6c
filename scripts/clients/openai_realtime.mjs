// Plays recordings to `hear` at the speed of speech, by the official library for Node (a development dependency), and
// compares what was heard live with what a request hears. The library opens wss: only:
//
//     NODE_EXTRA_CA_CERTS=cert.pem node scripts/clients/openai_realtime.mjs https://localhost:8000/v1 speech.wav dialogue.wav
//
// Needs ffmpeg.

import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { atSpeedOfSpeech, pcm, report } from './recordings.mjs';

const RATE = 24_000;
const MAX_ANSWER_MS = 20_000;
const PREFIX = 'conversation.item.input_audio_transcription';
const [baseURL, ...paths] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey: 'none' });

/** The transcripts of the turns, and the deltas of each up to then. */
async function live(path) {
  const connection = new OpenAIRealtimeWS({ intent: 'transcription' }, client);
  const [turns, shown] = [[], []];
  const deltas = new Map();
  let openTurns = 0;
  let failure;
  connection.on('error', (error) => {
    failure ??= error;
  });
  connection.on(`${PREFIX}.failed`, (event) => {
    failure ??= new Error(event.error.message);
  });
  connection.on('input_audio_buffer.speech_started', () => {
    openTurns += 1;
  });
  connection.on(`${PREFIX}.delta`, ({ item_id, delta }) => deltas.set(item_id, (deltas.get(item_id) ?? '') + delta));
  connection.on(`${PREFIX}.completed`, ({ item_id, transcript }) => {
    assert.ok(deltas.has(item_id) || transcript === '');
    turns.push(transcript);
    shown.push(deltas.get(item_id) ?? '');
    openTurns -= 1;
  });
  await connection.emitted('session.created');
  for await (const piece of atSpeedOfSpeech(pcm(path, RATE), RATE, 0.1)) {
    connection.send({ type: 'input_audio_buffer.append', audio: piece.toString('base64') });
  }
  const end = performance.now() + MAX_ANSWER_MS;
  while (openTurns > 0 && !failure) {
    assert.ok(performance.now() < end, 'A turn was not answered.');
    await wait(50);
  }
  connection.close();
  if (failure) throw failure;
  return { turns, shown };
}

for (const path of paths) {
  const { turns, shown } = await live(path);
  const whole = await client.audio.transcriptions.create({ model: 'asr-1', file: createReadStream(path) });
  report('live', path, turns, whole.text);
  report('deltas', path, shown, whole.text);
}
