// Runs the audio operations of n8n's OpenAI node with n8n's own functions for requests, without the application. In an empty
// directory with a copy of this file:
//
//     npm install --ignore-scripts n8n-core n8n-workflow form-data
//     npm pack @n8n/n8n-nodes-langchain && tar xzf n8n-n8n-nodes-langchain-*.tgz
//     node n8n_nodes.mjs http://localhost:8000 http://localhost:8880 speech.wav
//
// With API_KEY set, give its value as a fourth argument.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';

const require = createRequire(import.meta.url);
require('reflect-metadata');
const requests = require('n8n-core/dist/execution-engine/node-execution-context/utils/request-helpers');

const [hearUrl, sayUrl, path, key = 'none'] = process.argv.slice(2);

/** Runs an operation with what n8n gives a node: parameters, a credential and the incoming file. */
async function run(operation, url, parameters, { file = Buffer.alloc(0), apiKey = key } = {}) {
  const { execute } = require(`./package/dist/nodes/vendors/OpenAi/v2/actions/audio/${operation}.operation.js`);
  const node = { name: 'OpenAI', type: '@n8n/n8n-nodes-langchain.openAi', typeVersion: 2 };
  const credentialsHelper = {
    getParentTypes: () => [],
    preAuthentication: async () => undefined,
    authenticate: async (_credential, _type, { headers, ...options }) => ({
      ...options,
      headers: { ...headers, Authorization: `Bearer ${apiKey}` },
    }),
  };
  const context = {
    getNodeParameter: (name, _index, otherwise) => parameters[name] ?? otherwise,
    getCredentials: async () => ({ apiKey, url: `${url}/v1` }),
    getNode: () => node,
    helpers: {
      ...requests.getRequestHelperFunctions({ settings: {} }, node, { credentialsHelper }),
      assertBinaryData: () => ({ fileName: basename(path), mimeType: 'audio/wav' }),
      getBinaryDataBuffer: async () => file,
      binaryToBuffer: async (body) => body,
      prepareBinaryData: async (body, name, type) => ({ body, name, type }),
    },
  };
  const [item] = await execute.call(context, 0);
  return item;
}

const file = await readFile(path);
const { json } = await run('transcribe', hearUrl, { options: { language: 'en', temperature: 0.5 } }, { file });
assert.ok(json.text !== '' && Object.keys(json).length === 1, JSON.stringify(json));
console.log(json.text);

for (const response_format of ['mp3', 'opus', 'aac', 'flac']) {
  const options = { response_format, speed: 1.2 };
  const { binary } = await run('generate', sayUrl, { model: 'tts-1', input: 'Hello there.', voice: 'nova', options });
  const { body } = binary.data;
  const audio = Buffer.isBuffer(body) ? body : Buffer.concat(await body.toArray());
  assert.ok(audio.length > 2000, response_format);
  console.log(response_format, audio.length, 'bytes');
}

const refused = (operation, url, parameters, options, status, message) =>
  assert.rejects(run(operation, url, parameters, options), (error) => {
    console.log(`${error.httpCode} ${error.message} ${error.description}`);
    assert.equal(error.httpCode, status);
    assert.match(`${error.message} ${error.description}`, message);
    return true;
  });
await refused('transcribe', hearUrl, {}, { file: Buffer.from('This is not audio.') }, '400', /not audio/);
await refused('generate', sayUrl, { model: 'tts-1', input: '', voice: 'nova' }, {}, '400', /input/);
if (key !== 'none') await refused('transcribe', hearUrl, {}, { file, apiKey: 'wrong' }, '401', /key|credentials/i);
