import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const SENTENCE = 'My voice stays at home.';
const MAX_TRIES = 120;

const letters = (text) => text?.replace(/\W/g, '').toLowerCase();

/** Sends a request to this machine, whatever the name in the URL. @returns status and body */
function send(url, { method = 'GET', key, type, body, ca } = {}) {
  const { protocol, hostname, port, pathname, host } = new URL(url);
  const headers = { host, ...(key && { authorization: `Bearer ${key}` }), ...(type && { 'content-type': type }) };
  const options = { host: '127.0.0.1', port, path: pathname, method, headers, ca, servername: hostname };
  return new Promise((resolve, reject) => {
    const request = (protocol === 'https:' ? https : http).request(options, (response) => {
      const answer = (chunks) => ({ status: response.statusCode, body: Buffer.concat(chunks) });
      response.toArray().then(answer).then(resolve, reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/**
 * Speaks with `say` and transcribes that with `hear` until both answer, for two minutes at most. With a key it also checks that
 * none is refused.
 *
 * @param ca a function that returns the certificate that signed those of the services
 * @throws the last error
 */
export async function answers({ hear, say, key, ca }) {
  for (let tries = MAX_TRIES; ; tries--) {
    try {
      const tls = { ca: ca?.() };
      const spoken = await send(`${say}/v1/audio/speech`, {
        method: 'POST',
        type: 'application/json',
        body: JSON.stringify({ input: SENTENCE, voice: 'alloy', response_format: 'wav' }),
        key,
        ...tls,
      });
      assert.equal(spoken.status, 200);
      const form = new FormData();
      form.set('file', new Blob([spoken.body]), 'speech.wav');
      const encoded = new Response(form);
      const upload = { method: 'POST', type: encoded.headers.get('content-type'), ...tls };
      upload.body = Buffer.from(await encoded.arrayBuffer());
      const heard = await send(`${hear}/v1/audio/transcriptions`, { ...upload, key });
      assert.equal(letters(JSON.parse(heard.body).text), letters(SENTENCE));
      if (key) assert.equal((await send(`${hear}/v1/audio/transcriptions`, upload)).status, 401);
      return;
    } catch (error) {
      if (tries === 0) throw error;
      await sleep(1000);
    }
  }
}
