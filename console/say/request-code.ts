import type { Samples } from '../shared/code-samples.ts';
import { jsonText, pythonLiteral, shellQuoted, stringLiteral } from '../shared/quoting.ts';
import type { SpeechRequest } from './speech.ts';

/** Cuts longer texts, to keep the code readable. */
const MAX_SHOWN_CHARACTERS = 2000;

/**
 * The code that sends the same request. It never includes the key, only its place.
 * @param origin address of the service, without a trailing slash
 */
export function requestCode(request: SpeechRequest, origin: string, hasKey: boolean): Samples {
  const isCut = request.input.length > MAX_SHOWN_CHARACTERS;
  const input = isCut ? `${request.input.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}…` : request.input;
  const { voice, speed, volume, format, stream, lexicon } = request;
  const file = `speech.${format}`;
  const note = (commentSign: string) => (isCut ? `${commentSign} The text is cut short here.\n` : '');
  const body = {
    model: 'tts-1',
    input,
    voice,
    response_format: format,
    ...(speed !== 1 && { speed }),
    ...(volume !== 1 && { volume_multiplier: volume }),
    ...(!stream && { stream: false }),
    ...(lexicon && { lexicon }),
  };
  const extra = {
    ...(volume !== 1 && { volume_multiplier: volume }),
    ...(!stream && { stream: false }),
    ...(lexicon && { lexicon }),
  };
  return {
    curl: `${note('#')}curl ${shellQuoted(`${origin}/v1/audio/speech`)} \\
${hasKey ? '  -H "Authorization: Bearer $API_KEY" \\\n' : ''}  -H 'Content-Type: application/json' \\
  -d ${shellQuoted(jsonText(body))} \\
  -o ${shellQuoted(file)}
`,
    javascript: `${note('//')}import { writeFile } from 'node:fs/promises';
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${stringLiteral(`${origin}/v1`)}, apiKey: ${hasKey ? 'process.env.API_KEY' : "'none'"} });
const speech = await client.audio.speech.create({
${Object.entries(body)
  .map(([name, value]) => `  ${name}: ${jsonText(value)},\n`)
  .join('')}});
await writeFile('${file}', Buffer.from(await speech.arrayBuffer()));
`,
    python: `${note('#')}${hasKey ? 'import os\n' : ''}from openai import OpenAI

client = OpenAI(base_url=${pythonLiteral(`${origin}/v1`)}, api_key=${hasKey ? 'os.environ["API_KEY"]' : '"none"'})
with client.audio.speech.with_streaming_response.create(
    model="tts-1",
    input=${pythonLiteral(input)},
    voice=${pythonLiteral(voice)},
    response_format=${pythonLiteral(format)},
${speed !== 1 ? `    speed=${speed},\n` : ''}${
  Object.keys(extra).length > 0
    ? `    extra_body={${Object.entries(extra)
        .map(([name, value]) => `${pythonLiteral(name)}: ${pythonLiteral(value)}`)
        .join(', ')}},\n`
    : ''
}) as speech:
    speech.stream_to_file("${file}")
`,
  };
}
