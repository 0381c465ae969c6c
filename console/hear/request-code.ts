import type { Samples } from '../shared/code-samples.ts';
import { pythonLiteral, shellQuoted, stringLiteral } from '../shared/quoting.ts';
import { namesFor } from './names.ts';
import type { ExportFormat } from './transcript.ts';

/** The settings of a transcription. */
export interface TranscriptionRequest {
  task: 'transcriptions' | 'translations';
  fileName: string;
  language: string;
  /** Names and spellings, with commas. */
  names: string;
  speakers?: boolean | undefined;
  format: Exclude<ExportFormat, 'markdown'>;
}

/**
 * The code that sends the same request. It never includes the key, only its place.
 * @param origin address of the service, without a trailing slash
 */
export function requestCode(request: TranscriptionRequest, origin: string, hasKey: boolean): Samples {
  const { task, fileName, language, names, speakers } = request;
  // JSON with speakers, as the libraries know it.
  const format = speakers && request.format.endsWith('json') ? 'diarized_json' : request.format;
  const fields: [string, string][] = [['response_format', format]];
  if (task === 'transcriptions' && language !== '') fields.push(['language', language]);
  const { prompt, keywords } = namesFor(task, names);
  if (prompt !== '') fields.push(['prompt', prompt]);
  const withWords = format === 'verbose_json' && task === 'transcriptions';
  /** Fields that the libraries do not know. */
  const own: [string, string][] = speakers && format !== 'diarized_json' ? [['speakers', 'true']] : [];
  const lists: [string, readonly string[]][] = [];
  if (keywords.length > 0) lists.push(['keywords', keywords]);
  if (withWords) lists.push(['timestamp_granularities', ['word']]);
  const curlFields = [
    ...fields,
    ...own,
    ...lists.flatMap(([name, values]) => values.map((value) => [`${name}[]`, value] as const)),
  ];
  return {
    curl: `curl ${shellQuoted(`${origin}/v1/audio/${task}`)} \\
${hasKey ? '  -H "Authorization: Bearer $API_KEY" \\\n' : ''}${curlFields
  // --form-string, unlike -F, does not interpret @, < and ;.
  .map(([name, value]) => `  --form-string ${shellQuoted(`${name}=${value}`)} \\\n`)
  .join('')}  -F ${shellQuoted(`file=@"${fileName.replace(/["\\]/g, '\\$&')}"`)}
`,
    javascript: `import { createReadStream } from 'node:fs';
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${stringLiteral(`${origin}/v1`)}, apiKey: ${hasKey ? 'process.env.API_KEY' : "'none'"} });
const transcript = await client.audio.${task}.create({
  file: createReadStream(${stringLiteral(fileName)}),
  model: 'asr-1',
${[...fields, ...own].map(([name, value]) => `  ${name}: ${stringLiteral(value)},\n`).join('')}${lists
  .map(([name, values]) => `  ${name}: [${values.map(stringLiteral).join(', ')}],\n`)
  .join('')}});
console.log(transcript);
`,
    python: `${hasKey ? 'import os\n' : ''}from openai import OpenAI

client = OpenAI(base_url=${pythonLiteral(`${origin}/v1`)}, api_key=${hasKey ? 'os.environ["API_KEY"]' : '"none"'})
with open(${pythonLiteral(fileName)}, "rb") as file:
    transcript = client.audio.${task}.create(
        file=file,
        model="asr-1",
${fields.map(([name, value]) => `        ${name}=${pythonLiteral(value)},\n`).join('')}${lists
  .map(([name, values]) => `        ${name}=[${values.map(pythonLiteral).join(', ')}],\n`)
  .join(
    '',
  )}${own.map(([name, value]) => `        extra_body={${pythonLiteral(name)}: ${pythonLiteral(value)}},\n`).join('')}    )
print(transcript)
`,
  };
}
