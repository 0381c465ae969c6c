// Takes the README's pictures of the consoles, docs/console*.png, from two running services:
//   node scripts/console-pictures.mjs http://127.0.0.1:8000 http://127.0.0.1:8880 recording.wav
// They show what the services run: Kokoro has more voices, a larger Whisper more languages.
// CHROMIUM names another browser than the one of the npm package.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const [hear, say, recording] = process.argv.slice(2);
if (recording === undefined) throw new Error('Usage: console-pictures.mjs <hear> <say> <recording>');

const STORY = `The lighthouse keeper counted the waves, as he did every night. The seventh was always the tallest. Tonight it did not come. He waited, and listened, and the sea held its breath.

“Well then,” he said at last, and lit a second lamp.`;

/** One chapter is long enough to be shown while it is being made. */
const BOOK = `# The Seventh Wave

## The lamp

${STORY}

## The harbor

The boats came in before the storm, one after the other, and nobody spoke. Only the oldest of the captains looked back.

## The storm

${'The wind turned in the night, and with it the sea. Those who slept heard nothing of it; the others told it ever after. '.repeat(80)}

## The morning

In the morning the sea lay still, and on the sand lay a single oar.
`;

const folder = mkdtempSync(join(tmpdir(), 'hearsay-pictures-'));
const unpack = fileURLToPath(new URL('../test/fixtures/unpack-chromium.mjs', import.meta.url));
if (process.env.CHROMIUM === undefined) {
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
  execFileSync(process.execPath, [unpack], { env });
}
const executablePath = process.env.CHROMIUM ?? join(folder, 'chromium');
const browser = await chromium.launch({
  executablePath,
  env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') },
  args: ['--no-sandbox', '--disable-gpu'],
});

const picture = (name) => fileURLToPath(new URL(`../docs/${name}.png`, import.meta.url));

/** @param options of the page, or the profile that it opens in */
async function open(url, options) {
  const page = await ('newPage' in options ? options.newPage() : browser.newPage(options));
  await page.goto(`${url}/web`);
  await page.locator('#state[data-state=ready]').waitFor();
  return page;
}

async function transcribe(page) {
  await page.setInputFiles('#file', recording);
  await page.click('#start');
  await page.locator('#jobs li', { hasText: ' words, ' }).waitFor({ timeout: 120_000 });
}

/** Plays until a word in the middle is marked. */
async function playTo(page, seconds) {
  await page.evaluate(`audio.currentTime = ${seconds}; audio.play()`);
  await page.locator('.word.now').waitFor();
}

async function speak(page) {
  await page.locator('[data-voice=af_kore]').waitFor();
  await page.click('[data-voice=af_bella] .favorite');
  await page.click('[data-voice=af_heart] .pick');
  await page.click('[data-voice=af_kore] .add');
  await page.locator('#blend input').first().fill('2');
  await page.fill('#input', STORY);
  await page.click('#speak');
  await page.locator('#history li').waitFor({ timeout: 120_000 });
  await page.locator('#voices').evaluate((box) => box.scrollTo(0, 0));
}

/** A cover, drawn by the browser: a lamp over the sea. */
async function cover() {
  const page = await browser.newPage({ viewport: { width: 300, height: 400 } });
  await page.setContent(
    `<style>body{margin:0;height:400px;background:radial-gradient(circle at 70% 25%,#ffe9a8 0 9%,#4a6a8a 10%,#1d2f45 75%)}
    div{position:absolute;inset:auto 0 0;height:36%;background:linear-gradient(#16324f,#0c1c2e)}
    p{position:absolute;left:24px;bottom:60px;font:600 40px serif;color:#f4ead2;margin:0}</style><div></div><p>The<br>Seventh<br>Wave</p>`,
  );
  const image = await page.screenshot();
  await page.close();
  return image;
}

async function speakBook(page) {
  await page.locator('[data-voice=af_kore]').waitFor();
  await page.setInputFiles('#open-file', { name: 'wave.md', mimeType: 'text/markdown', buffer: Buffer.from(BOOK) });
  await page.locator('#chapters li').nth(3).waitFor();
  await page.fill('#book-author', 'Ann Author');
  await page.setInputFiles('#cover-file', { name: 'cover.png', mimeType: 'image/png', buffer: await cover() });
  await page.locator('#book-cover img').waitFor();
  await page.locator('#chapters li', { hasText: 'The lamp' }).locator('.pick').click();
  await page.click('#speak');
  await page.locator('#chapters li', { hasText: 'The storm' }).locator('progress').waitFor({ timeout: 120_000 });
  await page.evaluate('document.activeElement.blur(), scrollTo(0, 0)');
  await page.mouse.move(0, 0);
  // The time left follows the pace so far.
  await page.waitForTimeout(4000);
}

try {
  const desktop = { viewport: { width: 1200, height: 860 } };
  const sayPage = await open(say, desktop);
  await speak(sayPage);
  await sayPage.locator('#waveform').press('Home');
  for (let i = 0; i < 3; i++) await sayPage.locator('#waveform').press('ArrowRight');
  if ((await sayPage.locator('#play').getAttribute('aria-label')) === 'Play') await sayPage.click('#play');
  await sayPage.evaluate('document.activeElement.blur()');
  await sayPage.waitForTimeout(1500);
  await sayPage.screenshot({ path: picture('console-say') });

  const context = await browser.newContext({ viewport: { width: 1200, height: 860 } });
  const bookPage = await open(say, context);
  await speakBook(bookPage);
  await bookPage.screenshot({ path: picture('console-book') });
  await context.close();

  const hearPage = await open(hear, desktop);
  await transcribe(hearPage);
  await playTo(hearPage, 8.6);
  await hearPage.screenshot({ path: picture('console-hear') });

  const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' };
  const phones = [await open(say, phone), await open(hear, phone)];
  await transcribe(phones[1]);
  await playTo(phones[1], 8.6);
  const shots = await Promise.all(phones.map((page) => page.screenshot({ type: 'png' })));
  const images = shots.map((shot) => `<img src="data:image/png;base64,${shot.toString('base64')}">`);
  const both = await browser.newPage({ viewport: { width: 800, height: 844 } });
  await both.setContent(
    `<style>body{margin:0;background:#231f1c;display:flex;gap:20px}</style><body>${images.join('')}</body>`,
  );
  await both.locator('img').last().waitFor();
  await both.screenshot({ path: picture('consoles-phone-dark') });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
