import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavHeader } from '../src/audio/wav.ts';
import { browsers, open } from './fixtures/browser.ts';
import { accessibilityViolations, download, eventually, stored, text } from './fixtures/console-page.ts';
import { endAll, startHear } from './fixtures/service.ts';

interface Said {
  start: number;
  end: number;
  text: string;
}

const german: Said[] = [
  { start: 0, end: 2, text: ' Guten Tag.' },
  { start: 3, end: 5, text: ' Wie geht es Ihnen?' },
  { start: 8, end: 10, text: ' Bis morgen.' },
];
const english: Said[] = [
  { start: 0.2, end: 5, text: ' Good day. How are you?' },
  { start: 8, end: 9.5, text: ' See you tomorrow.' },
];

/** A streamed response. The built-in model does not translate: the page is shown another one's answers. */
function response(task: 'transcribe' | 'translate', language: string, said: readonly Said[]): string {
  const deltas = said.map(({ text: delta, ...times }) => ({ type: 'transcript.text.delta', delta, ...times }));
  const whole = {
    task,
    language,
    duration: 12,
    text: said
      .map(({ text }) => text)
      .join('')
      .trim(),
    segments: said.map((segment, id) => ({ id, ...segment })),
  };
  const done = { type: 'transcript.text.done', ...whole, ...(task === 'transcribe' && { words: [] }) };
  return [...deltas, done].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

const answer = (body: string) => (route: Route) => route.fulfill({ contentType: 'text/event-stream', body });
const recording = (name: string) => {
  const buffer = Buffer.concat([wavHeader(8000, 12 * 16_000), Buffer.alloc(12 * 16_000)]);
  return { name, mimeType: 'audio/wav', buffer };
};

describe.each(browsers)('a translation beside the original in the console of hear ($name)', ({ launch }) => {
  let browser: Browser;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    browser = await launch();
    const hear = await startHear({ WARMUP_ON_START: 'false' });
    ({ page, problems } = await open(browser, `${hear.url}/web`));
    await page.route('**/health', (route) =>
      route.fulfill({ json: { status: 'healthy', model_loaded: true, model: 'base', device: 'cpu' } }),
    );
    await page.route('**/v1/audio/transcriptions', answer(response('transcribe', 'de', german)));
    await page.route('**/v1/audio/translations', answer(response('translate', 'de', english)));
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
  });

  const rows = () =>
    page
      .locator('#transcript .segment')
      .evaluateAll((all) => all.map((row) => row.querySelector('.translation')?.textContent ?? null));

  it('is asked for by a button, and stands beside the line that it is said at', async () => {
    await eventually(() => text(page, '#model-hint')).toContain('translates');
    await page.setInputFiles('#file', recording('talk.wav'));
    await page.click('#start');
    await eventually(() => page.locator('#beside').isVisible()).toBe(true);
    await eventually(() => rows()).toEqual([null, null, null]);
    const held: Route[] = [];
    await page.route('**/v1/audio/translations', (route) => void held.push(route), { times: 1 });
    await page.click('#beside');
    await eventually(() => text(page, '#beside-status')).toMatch(/^(Sending|Translating)…$/);
    await eventually(async () => held.length).toBe(1);
    await held[0]!.fallback();
    await eventually(rows).toEqual(['Good day. How are you?', '', 'See you tomorrow.']);
    await eventually(() => text(page, '#beside-status')).toMatch(/^Translation: .*12 s\.$/);
    await eventually(() => page.locator('#jobs li').count()).toBe(2);
    const [, original, translated] = await page
      .locator('#transcript .segment:last-child > *')
      .evaluateAll((all) => all.map((part) => part.getBoundingClientRect().x));
    expect(translated).toBeGreaterThan(original! + 100);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('follows edits, and is there again after a reload', async () => {
    await page.click('#edit');
    await page.locator('#transcript p').nth(0).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Delete');
    await eventually(rows).toEqual(['Good day. How are you?', 'See you tomorrow.']);
    await eventually(() => stored(page, 'transcripts')).toContain('Guten Tag. Wie geht es Ihnen?');
    await page.reload();
    await eventually(() => page.locator('#transcript .segment').count()).toBe(2);
    await eventually(rows).toEqual(['Good day. How are you?', 'See you tomorrow.']);
  });

  it('is below its line on a phone, and can be hidden', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const [, original, translated] = await page
      .locator('#transcript .segment:last-child > *')
      .evaluateAll((all) => all.map((part) => part.getBoundingClientRect()));
    expect(translated!.x).toBe(original!.x);
    expect(translated!.y).toBeGreaterThan(original!.y + original!.height - 0.1);
    await eventually(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.click('#beside');
    await eventually(rows).toEqual([null, null]);
    await page.click('#beside');
    await eventually(rows).toEqual(['Good day. How are you?', 'See you tomorrow.']);
    await eventually(() => page.locator('#jobs li').count()).toBe(2);
  });

  it('is an entry of its own, which is saved in all formats', async () => {
    await page.click('#beside-open');
    await eventually(() => text(page, '#file-name')).toBe('talk (English).wav');
    await eventually(() => page.locator('#beside').isVisible()).toBe(false);
    expect((await download(page, '[data-save=text]')).toString()).toBe('Good day. How are you?\n\nSee you tomorrow.\n');
    expect((await download(page, '[data-save=srt]')).toString()).toContain('00:00:08,000 --> 00:00:09,500\nSee you');
    await page.click('[aria-label="Remove talk (English).wav"]');
    await page.click('#confirm-yes');
    await page.click('#jobs li .pick');
    await eventually(() => page.locator('#transcript .segment').count()).toBe(2);
    await eventually(() => rows()).toEqual([null, null]);
  });

  it('says why it failed, and can be tried again', async () => {
    await page.route('**/v1/audio/translations', (route) =>
      route.fulfill({ status: 400, json: { error: { message: 'The model does not translate.' } } }),
    );
    await page.click('#beside');
    await eventually(() => text(page, '#beside-status')).toContain('The model does not translate.');
    await page.unroute('**/v1/audio/translations');
    await page.route('**/v1/audio/translations', answer(response('translate', 'de', english)));
    await page.click('#beside');
    await page.click('#beside');
    await eventually(rows).toEqual(['Good day. How are you?', 'See you tomorrow.']);
  });

  it('stays a translation if it is stopped and started again by the main button', async () => {
    await page.setInputFiles('#file', recording('again.wav'));
    await page.click('#start');
    await eventually(() => page.locator('#beside[aria-pressed=false]').isVisible()).toBe(true);
    const held: Route[] = [];
    await page.route('**/v1/audio/translations', (route) => void held.push(route), { times: 1 });
    await page.click('#beside');
    await eventually(async () => held.length).toBe(1);
    await page.click('[aria-label="Stop again (English).wav"]');
    await eventually(() => text(page, '#jobs li')).toContain('Not transcribed yet.');
    await page.click('#start');
    await eventually(() => text(page, '#file-name')).toBe('again (English).wav');
    await eventually(() => page.locator('#transcript p').allTextContents()).toContain('See you tomorrow.');
  });

  it('is not offered for English, nor by a model that does not translate', async () => {
    await page.route('**/v1/audio/transcriptions', answer(response('transcribe', 'en', english)));
    await page.setInputFiles('#file', recording('english.wav'));
    await page.click('#start');
    await eventually(() => page.locator('#transcript p').allTextContents()).toContain('See you tomorrow.');
    await eventually(() => page.locator('#beside').isVisible()).toBe(false);
    await page.route('**/health', (route) =>
      route.fulfill({ json: { status: 'healthy', model_loaded: true, model: 'large-v3-turbo', device: 'cpu' } }),
    );
    await eventually(() => text(page, '#model-hint')).toContain('does not translate');
    await page.route('**/v1/audio/transcriptions', answer(response('transcribe', 'de', german)));
    await page.setInputFiles('#file', recording('other.wav'));
    await page.click('#start');
    await eventually(() => page.locator('#transcript p').allTextContents()).toContain('Bis morgen.');
    await eventually(() => page.locator('#beside').isVisible()).toBe(false);
  });

  it('logs no errors and sends no request elsewhere', () => {
    expect(problems).toEqual([]);
  });
});
