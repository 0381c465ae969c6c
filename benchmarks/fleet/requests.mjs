/**
 * Requests of mixed kinds. Each client has its own sentences, so that an answer tells whose it is; `answer` of a request
 * throws `Refused` for a 503, `Moved` for a live session that is to be opened again, and any other error if it was lost.
 */
import { createHash, randomUUID } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { WebSocket } from 'ws';
import { formBody } from '../load.mjs';

export class Refused extends Error {}
export class Moved extends Error {}

/** RFC 6455: the service is going away. */
const GOING_AWAY = 1001;
const PCM_CHUNK_BYTES = 24_000;

const agent = new Agent({ keepAlive: true, maxSockets: 200 });

/** @returns a complete answer with its body; rejects if it breaks off */
export function exchange(key, url, { method = 'GET', body, type, id = randomUUID() } = {}) {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'x-request-id': id,
      ...(body && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    };
    const sent = httpRequest(url, { agent, method, headers }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('aborted', () => reject(new Error('the answer broke off')));
      response.on('end', () => {
        const bytes = Buffer.concat(parts);
        const { statusCode: status, headers: received } = response;
        // HAProxy's own has none: then no replica was there.
        if (status === 503 && received['retry-after']) reject(new Refused(bytes.toString()));
        else if (status !== 200) reject(new Error(`${status} ${bytes.toString().slice(0, 200)}`));
        else resolve({ headers: received, bytes });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const post = (key, url, value, id) =>
  exchange(key, url, { method: 'POST', body: JSON.stringify(value), type: 'application/json', id });

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Requests of one kind, made of a text. `bases` are the addresses of both services; `id` marks the request. */
const kinds = {
  /** The recording of the text, transcribed. */
  async transcription({ bases, key, id }, { wav }) {
    const { bytes, type } = formBody(wav, { response_format: 'json' });
    const url = `${bases.hear}/v1/audio/transcriptions`;
    const answer = await exchange(key, url, { method: 'POST', body: bytes, type, id });
    return JSON.parse(answer.bytes).text;
  },
  async events({ bases, key, id }, { wav }) {
    const { bytes, type } = formBody(wav, { stream: 'true' });
    const url = `${bases.hear}/v1/audio/transcriptions`;
    const answer = await exchange(key, url, { method: 'POST', body: bytes, type, id });
    const last = answer.bytes.toString().trimEnd().split('\n\n').at(-1);
    const event = JSON.parse(last.replace(/^(?:event: .*\n)?data: /, ''));
    if (event.type !== 'transcript.text.done') throw new Error(`the stream ended with ${last.slice(0, 200)}`);
    return event.text;
  },
  async speech({ bases, key, id }, { text }) {
    const body = { input: text, response_format: 'wav', stream: false };
    return digest((await post(key, `${bases.say}/v1/audio/speech`, body, id)).bytes);
  },
  async stream({ bases, key, id }, { text }) {
    const answer = await post(key, `${bases.say}/v1/audio/speech`, { input: text, response_format: 'pcm' }, id);
    return digest(answer.bytes);
  },
  /** Speech, fetched once more from any replica. */
  async download({ bases, key, id }, { text }) {
    const body = { input: text, response_format: 'pcm', return_download_link: true };
    const { headers, bytes } = await post(key, `${bases.say}/v1/audio/speech`, body, id);
    const file = await exchange(key, bases.say + headers['x-download-path'], { id });
    if (!file.bytes.equals(bytes)) throw new Error('the file for download differs from the speech');
    return digest(bytes);
  },
  /** A live session, with a client secret that any replica has made. */
  async live({ bases, key, id }, { pcm }) {
    const session = { type: 'transcription', audio: { input: { turn_detection: null } } };
    const secret = await post(key, `${bases.hear}/v1/realtime/client_secrets`, { session }, id);
    return converse(`${bases.hear.replace('http', 'ws')}/v1/realtime?intent=transcription`, {
      key: JSON.parse(secret.bytes).value,
      id,
      pcm,
    });
  },
};

export const kindNames = Object.keys(kinds);

/** Sends a recording at once and resolves with its text. */
function converse(url, { key, id, pcm }) {
  return new Promise((resolve, reject) => {
    const headers = { 'x-request-id': id };
    const socket = new WebSocket(url, ['realtime', `openai-insecure-api-key.${key}`], { headers });
    socket.on('unexpected-response', (_request, response) => {
      reject(response.statusCode === 503 ? new Refused('a live session') : new Error(`${response.statusCode}`));
      response.destroy();
    });
    socket.on('error', reject);
    socket.on('open', () => {
      for (let at = 0; at < pcm.length; at += PCM_CHUNK_BYTES) {
        const audio = pcm.subarray(at, at + PCM_CHUNK_BYTES).toString('base64');
        socket.send(JSON.stringify({ type: 'input_audio_buffer.append', audio }));
      }
      socket.send(JSON.stringify({ type: 'input_audio_buffer.commit' }));
    });
    socket.on('message', (data) => {
      const event = JSON.parse(data);
      if (event.type === 'conversation.item.input_audio_transcription.completed') resolve(event.transcript);
      else if (event.type.endsWith('.failed')) reject(new Error(JSON.stringify(event.error)));
      else return;
      socket.close();
    });
    socket.on('close', (code) => {
      reject(code === GOING_AWAY ? new Moved('the session') : new Error(`the session ended with ${code}`));
    });
  });
}

/** One request of a client. @returns what `expect` compares */
export const answer = (kind, target, material) => kinds[kind](target, material);
