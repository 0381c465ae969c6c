/**
 * How much of the speech of `say` does `hear` transcribe correctly? Every sentence of sentences.txt is spoken in mp3 and transcribed,
 * both sides are normalized to spoken words, and the word error rate is counted. Also: time to the first byte.
 */
import { readFileSync } from 'node:fs';
import { median, percentile, round, save } from './measure.mjs';
import { startService } from './service.mjs';
import { errors, englishWords as words } from './word-errors.mjs';

const sentences = readFileSync(new URL('./sentences.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const voices = (process.env.VOICES ?? 'af_heart,am_michael,bm_george').split(',');

const say = await startService('say');
const hear = await startService('hear');
const rows = [];
for (const voice of voices) {
  let wrong = 0;
  let total = 0;
  let audioSeconds = 0;
  let spokenSeconds = 0;
  const firstBytes = [];
  for (const sentence of sentences) {
    const started = performance.now();
    const speech = await fetch(`${say.base}/v1/audio/speech`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: sentence, voice, response_format: 'mp3' }),
    });
    if (speech.status !== 200) throw new Error(`${speech.status} ${await speech.text()}`);
    const chunks = [];
    for await (const chunk of speech.body) {
      if (chunks.length === 0) firstBytes.push(performance.now() - started);
      chunks.push(chunk);
    }
    spokenSeconds += (performance.now() - started) / 1000;
    const form = new FormData();
    form.set('file', new Blob(chunks), 'speech.mp3');
    form.set('response_format', 'verbose_json');
    const heard = await fetch(`${hear.base}/v1/audio/transcriptions`, { method: 'POST', body: form });
    if (heard.status !== 200) throw new Error(`${heard.status} ${await heard.text()}`);
    const { text, duration } = await heard.json();
    audioSeconds += duration;
    const meant = words(sentence);
    const difference = errors(words(text), meant);
    if (process.env.SHOW && difference > 0) console.log(`${difference}: ${sentence} → ${text}`);
    wrong += difference;
    total += meant.length;
  }
  rows.push([`${voice}, ${sentences.length} sentences: word error rate`, `${round((100 * wrong) / total, 3)} %`]);
  rows.push([
    `${voice}: first byte, median and p95`,
    `${Math.round(median(firstBytes))} ms, ${Math.round(percentile(firstBytes, 0.95))} ms`,
  ]);
  rows.push([`${voice}: real-time factor over HTTP, one request at a time`, round(spokenSeconds / audioSeconds)]);
}
await say.stop();
await hear.stop();
save(import.meta.url, rows);
