/**
 * Measures the console of hear with a generated transcript of three hours that arrives in one burst: processor time of the
 * longest task on the page's main thread, for every view and edit. Wall time would depend on other load of the machine.
 *
 * `MAIN=<main.js>` also measures the views of another build of hear.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { save, wavFile } from './measure.mjs';
import { sleep, startService } from './service.mjs';

const HOURS = 3;
/** The longest delay that a person perceives as immediate. */
const NOTICEABLE_MS = 100;

/** A streamed response with words of 0.38 s, some of them uncertain. The same in every run. */
function response() {
  const vocabulary = 'the quick brown fox jumps over a lazy dog while seven wizards quietly box and nobody minds'.split(
    ' ',
  );
  let seed = 1;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  const [segments, words] = [[], []];
  for (let time = 0; time < HOURS * 3600; time += random() < 0.1 ? 2 : 0) {
    const [start, texts, tokens] = [time, [], []];
    for (let count = 8 + Math.floor(random() * 8); count > 0; count--, time += 0.38) {
      const word = vocabulary[Math.floor(random() * vocabulary.length)] + (count === 1 ? '.' : '');
      words.push({ word, start: time, end: time + 0.35, probability: 0.3 + 0.7 * random() });
      texts.push(word);
      tokens.push(Math.floor(random() * 50_000));
    }
    segments.push({
      id: segments.length,
      seek: 0,
      start,
      end: time,
      text: ` ${texts.join(' ')}`,
      tokens,
      avg_logprob: -0.2,
    });
  }
  const text = segments.map((segment) => segment.text).join('');
  const deltas = segments.map(({ start, end, text: delta }) => ({ type: 'transcript.text.delta', delta, start, end }));
  const done = { type: 'transcript.text.done', task: 'transcribe', language: 'en', duration: HOURS * 3600, text };
  const events = [...deltas, { ...done, segments, words }];
  return { body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), words: words.length };
}

/** Processor time of the longest task in the trace, and how many tasks took noticeably long, in milliseconds. */
function longest(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const threadOf = ({ pid, tid }) => `${pid} ${tid}`;
  const isMain = ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain';
  const main = new Set(traceEvents.filter(isMain).map(threadOf));
  const tasks = traceEvents.filter((event) => event.name.includes('RunTask') && main.has(threadOf(event)));
  const times = tasks.map(({ tdur = 0 }) => tdur / 1000);
  return { ms: Math.max(0, ...times), long: times.filter((ms) => ms > NOTICEABLE_MS).length };
}

const folder = mkdtempSync(join(tmpdir(), 'hearsay-benchmark-'));
const unpack = fileURLToPath(new URL('../test/fixtures/unpack-chromium.mjs', import.meta.url));
const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
const executablePath = process.env.CHROMIUM ?? execFileSync(process.execPath, [unpack], { env }).toString().trim();
const { MAIN } = process.env;
const hear = await startService('hear', MAIN ? { main: MAIN } : {});
const browser = await chromium.launch({
  executablePath,
  env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') },
  args: ['--no-sandbox', '--disable-gpu'],
});
const rows = [];
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${hear.base}/web`);
  const { body, words } = response();
  rows.push(['words', words.toLocaleString('en')]);
  await page.route('**/v1/audio/*', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
  const until = async (condition) => {
    while (!(await page.evaluate(condition))) await sleep(200);
  };
  /** Runs an action, waits until the page is idle, and adds a row. */
  const measure = async (what, action) => {
    await browser.startTracing(page, { categories: ['toplevel'] });
    await action();
    // Long enough for slices and for delayed writes to storage.
    await sleep(4000);
    // A task that still runs is not in the trace yet.
    await page.evaluate('0');
    await sleep(500);
    const { ms, long } = longest(await browser.stopTracing());
    rows.push([what, `${Math.round(ms)} ms; tasks over ${NOTICEABLE_MS} ms: ${long}`]);
  };

  const buffer = wavFile(new Float32Array(16_000));
  await page.setInputFiles('#file', { name: 'hours.wav', mimeType: 'audio/wav', buffer });
  await measure('receive three hours at once, until words can be clicked', async () => {
    await page.click('#start');
    await until("document.querySelectorAll('.word').length > 20");
  });
  for (const format of ['text', 'srt', 'vtt', 'json', 'verbose_json', 'words']) {
    await measure(`show ${format}`, () => page.selectOption('#format', format));
  }
  await measure('scroll through all words', async () => {
    for (let step = 0; step <= 30; step++) {
      await page.evaluate(`transcript.scrollTop = (transcript.scrollHeight * ${step}) / 30`);
      await sleep(60);
    }
  });
  await measure('search, and step through ten matches', async () => {
    await page.fill('#search', 'fox');
    for (let i = 0; i < 10; i++) await page.press('#search', 'Enter');
  });
  await measure('resize to the width of a phone and back', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await sleep(1000);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
  if (await page.locator('#edit').isVisible()) {
    await measure('type in a line, and split it', async () => {
      await page.click('#edit');
      await page.locator('#transcript p').nth(2).click();
      await page.keyboard.type('some words ', { delay: 20 });
      await page.keyboard.press('Enter');
    });
    await measure('replace a word everywhere', async () => {
      await page.fill('#replacement', 'wolf');
      await page.click('#replace-all');
    });
    await measure('undo the replacement', () => page.click('#undo'));
    await measure('name the speaker of all lines, then of those after the third', async () => {
      for (const [button, name] of [
        ['.speaker >> nth=0', 'Ann'],
        ['.segment >> nth=2 >> .speaker', 'Bo'],
      ]) {
        await page.click(button);
        await page.fill('#line-speaker', name);
        await page.press('#line-speaker', 'Enter');
        await sleep(1000);
      }
    });
    await measure('reload the page', async () => {
      await page.reload();
      await until("document.querySelectorAll('#transcript p').length > 2000");
    });
  }
} finally {
  await browser.close();
  await hear.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (MAIN) for (const [what, result] of rows) console.log(`${what}: ${result}`);
else save(import.meta.url, rows);
