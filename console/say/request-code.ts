import type { Samples } from '../shared/code-samples.ts';
import { jsonText, pythonLiteral, shellQuoted, stringLiteral } from '../shared/quoting.ts';
import type { SpeechRequest } from './speech.ts';
import { speechBody } from './speech-body.ts';

/** Cuts longer texts, to keep the code readable. */
const MAX_SHOWN_CHARACTERS = 2000;

/** Fields of the official clients; others are extra. */
const standard = new Set(['input', 'voice', 'speed']);

/**
 * The code that sends the same request. It never includes the key, only its place.
 * @param origin address of the service, without a trailing slash
 */
export function requestCode(request: SpeechRequest, origin: string, hasKey: boolean): Samples {
  const shown = cut(request);
  const note = (commentSign: string) => (shown === request ? '' : `${commentSign} The text is cut short here.\n`);
  const { kind, content } = speechBody(shown);
  const { format, stream } = request;
  const body = {
    ...(kind === 'speech' && { model: 'tts-1' }),
    ...content,
    response_format: format,
    ...(!stream && { stream: false }),
  };
  const address = `${origin}/v1/audio/${kind}`;
  const curl = `${note('#')}curl ${shellQuoted(address)} \\
${hasKey ? '  -H "Authorization: Bearer $API_KEY" \\\n' : ''}  -H 'Content-Type: application/json' \\
  -d ${shellQuoted(jsonText(body))} \\
  -o ${shellQuoted(`${kind}.${format}`)}
`;
  if (kind === 'dialogue') return { curl, ...dialogueCode(address, body, `dialogue.${format}`, hasKey, note) };
  const extra = Object.entries(body).filter(
    ([name]) => !standard.has(name) && !['model', 'response_format'].includes(name),
  );
  return {
    curl,
    javascript: `${note('//')}import { writeFile } from 'node:fs/promises';
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${stringLiteral(`${origin}/v1`)}, apiKey: ${hasKey ? 'process.env.API_KEY' : "'none'"} });
const speech = await client.audio.speech.create({
${Object.entries(body)
  .map(([name, value]) => `  ${name}: ${jsonText(value)},\n`)
  .join('')}});
await writeFile('speech.${format}', Buffer.from(await speech.arrayBuffer()));
`,
    python: `${note('#')}${hasKey ? 'import os\n' : ''}from openai import OpenAI

client = OpenAI(base_url=${pythonLiteral(`${origin}/v1`)}, api_key=${hasKey ? 'os.environ["API_KEY"]' : '"none"'})
with client.audio.speech.with_streaming_response.create(
    model="tts-1",
    input=${pythonLiteral(shown.input)},
    voice=${pythonLiteral(shown.voice)},
    response_format=${pythonLiteral(format)},
${shown.speed !== 1 ? `    speed=${shown.speed},\n` : ''}${
  extra.length > 0
    ? `    extra_body={${extra.map(([name, value]) => `${pythonLiteral(name)}: ${pythonLiteral(value)}`).join(', ')}},\n`
    : ''
}) as speech:
    speech.stream_to_file("speech.${format}")
`,
  };
}

/** The official clients know no dialogues. */
function dialogueCode(
  address: string,
  body: unknown,
  file: string,
  hasKey: boolean,
  note: (commentSign: string) => string,
): Omit<Samples, 'curl'> {
  return {
    javascript: `${note('//')}import { writeFile } from 'node:fs/promises';

const response = await fetch(${stringLiteral(address)}, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
${hasKey ? `    authorization: \`Bearer \${process.env.API_KEY}\`,\n` : ''}  },
  body: JSON.stringify(${jsonText(body)}),
});
if (!response.ok) throw new Error(await response.text());
await writeFile('${file}', Buffer.from(await response.arrayBuffer()));
`,
    python: `${note('#')}import json
${hasKey ? 'import os\n' : ''}from urllib.request import Request, urlopen

body = ${pythonLiteral(body)}
headers = {"Content-Type": "application/json"${hasKey ? ', "Authorization": "Bearer " + os.environ["API_KEY"]' : ''}}
request = Request(${pythonLiteral(address)}, json.dumps(body).encode(), headers)
with urlopen(request) as speech, open("${file}", "wb") as file:
    file.write(speech.read())
`,
  };
}

/** The request with a text that can be read; itself if it is short. */
function cut(request: SpeechRequest): SpeechRequest {
  const { input, lines } = request;
  if (input.length <= MAX_SHOWN_CHARACTERS) return request;
  const first = (text: string) => `${text.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}…`;
  if (!lines) return { ...request, input: first(input) };
  const shown = lines.filter(({ at, input: said }) => at + said.length <= MAX_SHOWN_CHARACTERS);
  return { ...request, lines: shown.length > 0 ? shown : [{ ...lines[0]!, input: first(lines[0]!.input) }] };
}
