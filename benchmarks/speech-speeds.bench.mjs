/**
 * Does Kokoro with official weights follow the requested speed, and is it understood at every speed? Short
 * utterances and sentences in three voices at speeds from 0.25 to 4: the length against that at a speed of 1, and Whisper
 * base's transcript.
 *
 * `npm run benchmark speech-speeds -- WEIGHTS`: a directory with the checkpoints `kokoro` and `whisper-base`. SPEEDS and VOICES
 * name others, SENTENCES limits the sentences, MAIN is the path of another build's main.js of say, and SHOW=1 prints what was
 * heard.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokens } from './accuracy/normalize.mjs';
import { median, percentile, round, save } from './measure.mjs';
import { startService } from './service.mjs';
import { SAMPLE_RATE } from './speech-request.mjs';
import { errors } from './word-errors.mjs';

const WAV_HEADER = 44;
const utterances = [
  'Yes.',
  'Hello!',
  'Good morning.',
  'Turn left here. Then stop.',
  'I like it. I really do. Do you?',
  'Good morning. How are you today?',
  'The kitchen light is on.',
  'What time is it?',
  'Dinner is ready!',
  'Call me back tomorrow.',
  'Wait. Not yet. Now!',
  'Thank you, that was kind.',
];

const [weights] = process.argv.slice(2);
if (!weights) throw new Error('Name the directory of the weights.');
const speeds = (process.env.SPEEDS ?? '0.25,0.5,0.75,1,1.25,1.5,2,3,4').split(',').map(Number);
const voices = (process.env.VOICES ?? 'af_heart,am_michael,bf_emma').split(',');
const sentences = readFileSync(new URL('./sentences.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(0, Number(process.env.SENTENCES ?? 20));

const { MAIN: main } = process.env;
const say = await startService('say', { env: { TTS_MODEL: join(weights, 'kokoro') }, ...(main && { main }) });
const hear = await startService('hear', { env: { MODEL_SIZE: join(weights, 'whisper-base') } });

async function spoken(input, voice, speed) {
  const response = await fetch(`${say.base}/v1/audio/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input, voice, speed, response_format: 'wav', stream: false }),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const wav = await response.arrayBuffer();
  return { wav, seconds: (wav.byteLength - WAV_HEADER) / 2 / SAMPLE_RATE };
}

async function heard(wav) {
  const form = new FormData();
  form.set('file', new Blob([wav]), 'speech.wav');
  form.set('language', 'en');
  const response = await fetch(`${hear.base}/v1/audio/transcriptions`, { method: 'POST', body: form });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()).text;
}

const rows = [];
for (const [kind, texts] of [
  ['utterances of one to seven words', utterances],
  ['sentences', sentences],
]) {
  const usual = new Map();
  for (const voice of voices) for (const text of texts) usual.set(voice + text, (await spoken(text, voice, 1)).seconds);
  for (const speed of speeds) {
    const deviations = [];
    let wrong = 0;
    let words = 0;
    for (const voice of voices) {
      for (const text of texts) {
        const { wav, seconds } = await spoken(text, voice, speed);
        deviations.push(100 * ((seconds * speed) / usual.get(voice + text) - 1));
        const said = await heard(wav);
        const meant = tokens(text, 'en');
        const here = errors(tokens(said, 'en'), meant);
        wrong += here;
        words += meant.length;
        if (process.env.SHOW && here > 0) console.log(`${speed}, ${voice}: ${text} → ${said.trim()}`);
      }
    }
    const far = deviations.map(Math.abs);
    const points = (value) => Math.abs(value).toFixed(1);
    const length = `length off by ${points(median(deviations))} % (median; p95 ${points(percentile(far, 0.95))}, worst ${points(Math.max(...far))})`;
    const label = `${texts.length} ${kind} in ${voices.length} voices at speed ${speed}`;
    const value = `${length}; word error rate ${round((100 * wrong) / words, 2)} %`;
    rows.push([label, value]);
    console.log(`${label}: ${value}`);
  }
}
await say.stop();
await hear.stop();
save(import.meta.url, rows);
