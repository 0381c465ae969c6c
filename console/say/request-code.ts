import type { Samples } from '../shared/code-samples.ts';
import { jsonText, pythonLiteral, shellQuoted, stringLiteral } from '../shared/quoting.ts';
import type { SpeechRequest } from './speech.ts';

/** Texts beyond this many characters are cut short in the code, which is to be read. */
const SHOWN_CHARACTERS = 2000;

/**
 * The code that speaks the same from elsewhere. A key is never part of it, only where it belongs.
 * @param origin address of the service, without a slash at its end
 */
export function requestCode(request: SpeechRequest, origin: string, hasKey: boolean): Samples {
  const isCut = request.input.length > SHOWN_CHARACTERS;
  const input = isCut ? `${request.input.slice(0, SHOWN_CHARACTERS).toWellFormed()}…` : request.input;
  const { voice, speed, volume, format, stream } = request;
  const file = `speech.${format}`;
  const remark = (sign: string) => (isCut ? `${sign} The text is cut short here.\n` : '');
  const body = {
    model: 'tts-1',
    input,
    voice,
    response_format: format,
    ...(speed !== 1 && { speed }),
    ...(volume !== 1 && { volume_multiplier: volume }),
    ...(!stream && { stream: false }),
  };
  const extra = { ...(volume !== 1 && { volume_multiplier: volume }), ...(!stream && { stream: false }) };
  return {
    curl: `${remark('#')}curl ${shellQuoted(`${origin}/v1/audio/speech`)} \\
${hasKey ? '  -H "Authorization: Bearer $API_KEY" \\\n' : ''}  -H 'Content-Type: application/json' \\
  -d ${shellQuoted(jsonText(body))} \\
  -o ${shellQuoted(file)}
`,
    javascript: `${remark('//')}import { writeFile } from 'node:fs/promises';
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${stringLiteral(`${origin}/v1`)}, apiKey: ${hasKey ? 'process.env.API_KEY' : "'none'"} });
const speech = await client.audio.speech.create({
${Object.entries(body)
  .map(([name, value]) => `  ${name}: ${typeof value === 'string' ? stringLiteral(value) : value},\n`)
  .join('')}});
await writeFile('${file}', Buffer.from(await speech.arrayBuffer()));
`,
    python: `${remark('#')}${hasKey ? 'import os\n' : ''}from openai import OpenAI

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
