/**
 * say over HTTP: time to ready, first byte of a sentence and of a chapter, real-time factor, 32 requests at once, time to
 * notice a hang-up, and memory over a long text.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { median, percentile, round, save } from './measure.mjs';
import { megabytes, memory, startService } from './service.mjs';

const sentences = readFileSync(new URL('./sentences.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const chapter = sentences.join(' ').repeat(12).slice(0, 100_000);
const MP3_BYTES_A_SECOND = 12_000;

const service = await startService('say');

/** Requests speech; hangs up after `bytes`. */
async function speak(input, { format = 'mp3', bytes = Number.POSITIVE_INFINITY, onReceived = () => {} } = {}) {
  const started = performance.now();
  const response = await fetch(`${service.base}/v1/audio/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input, response_format: format }),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  let first;
  let received = 0;
  for await (const chunk of response.body) {
    first ??= performance.now() - started;
    received += chunk.length;
    onReceived(received);
    if (received >= bytes) break;
  }
  return { first, received, seconds: (performance.now() - started) / 1000 };
}

const rows = [['time to ready', `${round(service.readyMs / 1000, 2)} s`]];
for (const sentence of sentences.slice(0, 5)) await speak(sentence);

const short = [];
for (const sentence of sentences.slice(0, 40)) short.push(await speak(sentence));
const firsts = short.map(({ first }) => first);
rows.push([
  'first byte of a sentence, median and p95 of 40',
  `${Math.round(median(firsts))} ms, ${Math.round(percentile(firsts, 0.95))} ms`,
]);
const ofChapter = [];
for (let index = 0; index < 9; index++) ofChapter.push((await speak(chapter, { bytes: 1 })).first);
rows.push(['first byte of a chapter of 100,000 characters, median of 9', `${Math.round(median(ofChapter))} ms`]);

const page = sentences.slice(160).join(' ');
const audioSeconds = (await speak(page)).received / MP3_BYTES_A_SECOND;
for (const format of ['mp3', 'pcm', 'opus', 'flac', 'aac']) {
  const runs = [];
  for (let index = 0; index < 3; index++) runs.push((await speak(page, { format })).seconds);
  rows.push([
    `a page in ${format}, one request, median of 3`,
    `real-time factor ${round(median(runs) / audioSeconds)}`,
  ]);
}

const all = await Promise.all(
  Array.from({ length: 32 }, (_, index) => speak(sentences.slice(index, index + 4).join(' '))),
);
const starts = all.map(({ first }) => first);
rows.push([
  '32 requests of four sentences at once: first byte, earliest and latest',
  `${Math.round(Math.min(...starts))} ms, ${Math.round(Math.max(...starts))} ms; the last one complete after ${round(Math.max(...all.map(({ seconds }) => seconds)), 2)} s`,
]);

/** CPU milliseconds of all threads of a process. */
function computed(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6;
}

/** Milliseconds from a hang-up to the last 10 ms in which the engine computed for more than 2. */
async function workAfterHangUp() {
  await speak(chapter, { bytes: 20_000 + Math.random() * 200_000 });
  const hungUp = performance.now();
  let busyUntil = hungUp;
  for (let last = computed(service.enginePid()), now = hungUp; now - hungUp < 1_000; ) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    now = performance.now();
    const total = computed(service.enginePid());
    if (total - last > 2) busyUntil = now;
    last = total;
  }
  return busyUntil - hungUp;
}

const afterHangUp = [];
for (let index = 0; index < 25; index++) afterHangUp.push(await workAfterHangUp());
rows.push([
  'engine work after a client hangs up during a chapter: median and longest of 25',
  `${Math.round(median(afterHangUp))} ms, ${Math.round(Math.max(...afterHangUp))} ms`,
]);

const quarters = [];
const { seconds, received } = await speak(chapter, {
  onReceived(bytes) {
    if (bytes > (quarters.length + 1) * 25 * 60 * MP3_BYTES_A_SECOND)
      quarters.push(megabytes(service.enginePid(), 'VmRSS'));
  },
});
rows.push([
  'whole chapter of 100,000 characters',
  `${round(received / MP3_BYTES_A_SECOND / 60, 3)} minutes of audio in ${round(seconds)} s, real-time factor ${round((seconds * MP3_BYTES_A_SECOND) / received)}`,
]);
rows.push([
  'memory of the engine process after 25, 50 and 75 minutes of that chapter',
  `${quarters.slice(0, 3).join(', ')} MB`,
]);
rows.push(['memory of the engine process afterwards', memory(service.enginePid())]);
rows.push(['memory of the HTTP process afterwards', memory(service.pid)]);
await service.stop();
save(import.meta.url, rows);
