/**
 * Live transcription over a WebSocket at the speed of speech: the delay from a spoken word to its text, the first words of
 * each turn apart, and from the end of a turn to its whole text. Word errors of both, alongside those over HTTP.
 *
 * `--sessions 1,4,16` sessions at a time, `--rounds 1` times the recordings, `--clips 2` adds as many clients that post
 * short files one after the other, and `--floods 1` as many sessions that send speech as fast as it is taken. `--recordings` are WAV files at 16 kHz with their text next to them in .txt, which sessions
 * play in turn. `MODEL_SIZE` chooses the model.
 */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { Resampler } from '../dist/audio/resampler.js';
import { formBody } from './load.mjs';
import { percentile, readWav, recording, round, save, wavFile } from './measure.mjs';
import { cpuSeconds, postAudio, sleep, startService } from './service.mjs';
import { errors, plainWords, sameWords } from './word-errors.mjs';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1,4,16' },
    rounds: { type: 'string', default: '1' },
    clips: { type: 'string', default: '0' },
    floods: { type: 'string', default: '0' },
    recordings: { type: 'string', default: recording('two_cities.wav') },
  },
});
const CHUNK_SECONDS = 0.05;
/** Seconds between the starts of sessions, so that their turns do not coincide. */
const APART_SECONDS = 0.7;

const service = await startService('hear', { env: { MAX_REALTIME_SESSIONS: '64' } });
const recordings = [];
for (const path of values.recordings.split(',')) recordings.push(await prepare(path));
const clip = formBody(wavFile(readWav(recordings[0].path).slice(16_000, 80_000)));
const rows = [['word error rate over HTTP', errorShare(recordings.map(({ whole, meant }) => [whole, meant]))]];

for (const count of values.sessions.split(',').map(Number)) {
  const results = [];
  const stop = new AbortController();
  const posting = Array.from({ length: Number(values.clips) }, () => postClips(stop.signal));
  const floods = Array.from({ length: Number(values.floods) }, () => flood(recordings[0].pcm, stop.signal));
  const cpu = cpuSeconds(service.pid);
  const started = performance.now();
  const plays = Number(values.rounds) * Math.max(count, recordings.length);
  const queue = Array.from({ length: plays }, (_, index) => recordings[index % recordings.length]);
  const playing = Array.from({ length: count }, async (_, index) => {
    await sleep(1000 * index * APART_SECONDS);
    while (queue.length > 0) results.push(await listen(queue.shift()));
  });
  await Promise.all(playing);
  const cores = (cpuSeconds(service.pid) - cpu) / ((performance.now() - started) / 1000);
  stop.abort();
  const clips = (await Promise.all(posting)).flat();
  await Promise.all(floods);
  const all = (key) => results.flatMap((result) => result[key]);
  const label = count === 1 ? '1 session' : `${count} sessions`;
  const latency = (list) =>
    `median ${ms(percentile(list, 0.5))}, p95 ${ms(percentile(list, 0.95))}, worst ${ms(percentile(list, 1))}`;
  rows.push(
    [`${label}: delay of the first words of a turn`, latency(all('first'))],
    [`${label}: delay of words`, latency(all('words'))],
    [`${label}: delay of the final text after the end of a turn`, latency(all('finals'))],
    [`${label}: word error rate`, errorShare(results.map(({ text, meant }) => [text, meant]))],
    [`${label}: word error rate of the deltas`, errorShare(results.map(({ shown, meant }) => [shown, meant]))],
    [`${label}: CPU cores used`, round(cores, 2)],
  );
  if (clips.length > 0) rows.push([`${label}: clips of 4 s meanwhile`, `${clips.length} clips, ${latency(clips)}`]);
}
await service.stop();
save(import.meta.url, rows);

/** A recording, and its transcript over HTTP. */
async function prepare(path) {
  const fields = { response_format: 'verbose_json', 'timestamp_granularities[]': 'word' };
  const { text, words } = await (await postAudio(service.base, path, fields)).json();
  return {
    path,
    pcm: toPcm(new Resampler(16_000, 24_000).push(readWav(path))),
    meant: plainWords(readFileSync(path.replace(/\.wav$/, '.txt'), 'utf8')),
    whole: text,
    spoken: words.flatMap(({ word, end }) => plainWords(word).map((each) => ({ word: each, end }))),
  };
}

/** Sends a recording to a session in real time. Times are seconds from the moment that something was said. */
async function listen({ pcm, meant, spoken }) {
  const socket = connect();
  const events = [];
  let start = 0;
  socket.on('message', (data) => events.push({ ...JSON.parse(data), at: (performance.now() - start) / 1000 }));
  await once(socket, 'open');
  start = performance.now();
  const bytes = CHUNK_SECONDS * 48_000;
  const padded = Buffer.concat([pcm, Buffer.alloc(48_000)]);
  for (let sent = 0; sent < padded.length; sent += bytes) {
    // A chunk can be sent when its last sample has been said.
    const due = start + (1000 * (sent + bytes)) / 48_000;
    await sleep(Math.max(0, due - performance.now()));
    socket.send(appendOf(padded.subarray(sent, sent + bytes)));
  }
  const of = (type) => events.filter((event) => event.type.endsWith(type));
  while (of('.completed').length < of('.committed').length || of('.committed').length === 0) await sleep(50);
  socket.close();
  const failed = events.filter(({ type }) => type === 'error' || type.endsWith('.failed'));
  if (failed.length > 0) throw new Error(JSON.stringify(failed[0]));
  const deltas = of('_transcription.delta');
  return {
    ...wordLatencies(deltas, spoken),
    finals: finalLatencies(of),
    text: textOf(of('.completed')),
    // The first delta of a turn has no leading space.
    shown: deltas
      .map(({ item_id, delta }, index) => (item_id === deltas[index - 1]?.item_id ? delta : ` ${delta}`))
      .join(''),
    meant,
  };
}

/** Says a recording again and again, as fast as the service reads it. */
async function flood(pcm, signal) {
  const socket = connect();
  await once(socket, 'open');
  const event = appendOf(Buffer.concat([pcm, Buffer.alloc(48_000)]));
  while (!signal.aborted) {
    if (socket.bufferedAmount === 0) socket.send(event);
    else await sleep(10);
  }
  socket.terminate();
}

function connect() {
  return new WebSocket(`${service.base.replace('http', 'ws')}/v1/realtime?intent=transcription`, ['realtime']);
}

function appendOf(pcm) {
  return JSON.stringify({ type: 'input_audio_buffer.append', audio: pcm.toString('base64') });
}

function finalLatencies(of) {
  return of('.speech_stopped').map(({ item_id, audio_end_ms }) => {
    const { at } = of('.completed').find((event) => event.item_id === item_id);
    return at - audio_end_ms / 1000;
  });
}

/** Matches the words of the deltas with those over HTTP, whose times are known. */
function wordLatencies(deltas, spoken) {
  const arrived = [];
  const firsts = new Set();
  for (const { item_id, delta, at } of deltas) {
    for (const word of plainWords(delta)) {
      arrived.push({ word, at, isFirst: !firsts.has(item_id) });
      firsts.add(item_id);
    }
  }
  const words = sameWords(arrived, spoken).map(([a, b]) => ({ ...a, seconds: a.at - b.end }));
  return {
    words: words.map(({ seconds }) => seconds),
    first: words.filter(({ isFirst }) => isFirst).map(({ seconds }) => seconds),
  };
}

async function postClips(signal) {
  const seconds = [];
  while (!signal.aborted) {
    const started = performance.now();
    const { type, bytes } = clip;
    const response = await fetch(`${service.base}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: bytes,
    });
    if (response.status !== 200) throw new Error(await response.text());
    await response.text();
    seconds.push((performance.now() - started) / 1000);
  }
  return seconds;
}

function toPcm(samples) {
  const bytes = Buffer.alloc(2 * samples.length);
  for (const [index, sample] of samples.entries())
    bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))), 2 * index);
  return bytes;
}

function textOf(completed) {
  return completed.map(({ transcript }) => transcript).join(' ');
}

function ms(seconds) {
  return `${round(1000 * seconds, 3)} ms`;
}

/** @param texts pairs of a text and the words that were meant */
function errorShare(texts) {
  const wrong = texts.reduce((sum, [text, meant]) => sum + errors(plainWords(text), meant), 0);
  const total = texts.reduce((sum, [, meant]) => sum + meant.length, 0);
  return `${round((100 * wrong) / total, 3)} % (${wrong} of ${total})`;
}
