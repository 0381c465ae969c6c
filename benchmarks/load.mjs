/** Clients that overload a service, and one that polls its health. */
import { Agent, request } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A multipart body with one file. */
export function formBody(file, fields = {}) {
  const boundary = 'hearsay-load-boundary';
  const part = (disposition) => Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`);
  const end = Buffer.from('\r\n');
  const parts = Object.entries(fields).flatMap(([name, value]) => [part(`name="${name}"`), Buffer.from(value), end]);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([
      ...parts,
      part('name="file"; filename="speech"'),
      file,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  };
}

/**
 * Sends one request; resolves with its status and body, or with the connection's error.
 * @returns {Promise<{ status: number, text: string } | { error: string }>}
 */
export function send(agent, url, body) {
  return new Promise((resolve) => {
    const headers = body ? { 'content-type': body.type, 'content-length': body.bytes.length } : {};
    const sent = request(url, { agent, method: body ? 'POST' : 'GET', headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
      response.on('error', (error) => resolve({ error: error.code ?? error.message }));
    });
    sent.on('error', (error) => resolve({ error: error.code ?? error.message }));
    sent.end(body?.bytes);
  });
}

/**
 * Clients post recordings, each again once its response is complete, or about `pauseMs` after a refusal.
 * @param bodies from `formBody`; each client posts them in turn
 * @returns {Promise<Record<string, number>>} responses by kind: a status, the code of a 503, or the error of a connection
 */
export async function drive(base, { clients, seconds, bodies, pauseMs }) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const counts = {};
  const end = performance.now() + 1000 * seconds;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let turn = client; performance.now() < end; turn++) {
        const answer = await send(agent, `${base}/v1/audio/transcriptions`, bodies[turn % bodies.length]);
        const kind = kindOf(answer);
        counts[kind] = (counts[kind] ?? 0) + 1;
        // Spread evenly, like independent clients.
        if (kind !== '200') await sleep(pauseMs * (0.5 + Math.random()));
      }
    }),
  );
  agent.destroy();
  return counts;
}

function kindOf({ status, text, error }) {
  if (error) return error;
  if (status !== 503) return String(status);
  return JSON.parse(text).detail.error;
}

/**
 * Polls /health and /ready in turn, every `everyMs`, on its own thread, so that no other client delays it.
 * @returns stops polling; resolves with the latencies in milliseconds and every response other than 200
 */
export function probe(base, everyMs = 20) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { base, everyMs } });
  const result = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  return () => {
    worker.postMessage('end');
    return result;
  };
}

async function runProbe({ base, everyMs }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const latencies = [];
  const wrong = [];
  let ended = false;
  parentPort.once('message', () => {
    ended = true;
  });
  while (!ended) {
    for (const path of ['/health', '/ready']) {
      const asked = performance.now();
      const answer = await send(agent, base + path);
      latencies.push(performance.now() - asked);
      if (answer.status !== 200) wrong.push(`${path}: ${answer.error ?? answer.status}`);
    }
    await sleep(everyMs);
  }
  agent.destroy();
  parentPort.postMessage({ latencies, wrong });
}

if (!isMainThread && workerData?.everyMs !== undefined) await runProbe(workerData);
