import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browsers, type Opened, open } from './fixtures/browser.ts';
import { accessibilityViolations, eventually, recordValues, text } from './fixtures/console-page.ts';
import { endAll, type Hear, startHear } from './fixtures/service.ts';

const file = (name: string, content = '') => ({ name, mimeType: 'audio/wav', buffer: Buffer.from(content) });

describe.each(browsers)('what fails in the console of hear ($name)', ({ launch }) => {
  let browser: Browser;
  let hear: Hear;
  let opened: Opened;
  beforeAll(async () => {
    browser = await launch();
    hear = await startHear();
    await hear.ready();
    opened = await open(browser, `${hear.url}/web`);
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
  });

  it('named only the last of several files that failed', async () => {
    const { page } = opened;
    const names = Array.from({ length: 12 }, (_, index) => `${index}.wav`);
    await page.setInputFiles(
      '#file',
      names.map((name, index) => file(name, index % 2 === 0 ? '' : 'no audio')),
    );
    await page.click('#start');
    await eventually(() => page.locator('#notice p').allTextContents()).toEqual(
      names.map((name, index) => {
        const reason = index % 2 === 0 ? 'The file is empty.' : 'The file is not audio in a supported format.';
        return `Transcription of ${name} failed: ${reason}`;
      }),
    );
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('hid failures behind a short message, and then with it', async () => {
    const { page } = opened;
    const shown = await recordValues<string>(page, `document.getElementById('notice-text').lastChild?.textContent`);
    await page.click('#code-copy');
    await eventually(shown).toContain('Copied.');
    await eventually(() => text(page, '#notice-text')).not.toContain('Copied.');
    expect(await page.locator('#notice p').count()).toBe(12);
    await page.keyboard.press('Escape');
    expect(await page.locator('#notice').isVisible()).toBe(false);
  });

  it('was silent about an update of the service, whose page may be another one', async () => {
    const { page } = opened;
    const system = (await (await hear.get('/system')).json()) as object;
    await page.waitForResponse('**/system');
    await page.route('**/system', (route) => route.fulfill({ json: { ...system, version: '9.0.0' } }));
    await eventually(() => text(page, '#notice-text')).toContain('updated to version 9.0.0. Reload the page');
    await page.unroute('**/system');
  });

  it('asked for the key for each file, and counted them as failed, if none was given', async () => {
    const { page } = opened;
    const refusal = { status: 401, json: { error: { message: 'Invalid key.' } } };
    await page.route('**/v1/models', (route) => route.fulfill(refusal));
    await page.setInputFiles(
      '#file',
      ['a.wav', 'b.wav', 'c.wav'].map((name) => file(name)),
    );
    const row = (index: number) => page.locator('#jobs li').nth(index).textContent();
    await page.click('#start');
    await page.locator('#key-dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    for (const index of [0, 1, 2]) await eventually(() => row(index)).toContain('Not transcribed yet.');
    expect(await page.locator('#key-dialog[open]').count()).toBe(0);
    await eventually(() => text(page, '#notice-text')).toContain('This service requires an API key.');
    await page.unroute('**/v1/models');
    expect(await text(page, '#start')).toBe('Transcribe 3 files');
    await page.click('#start');
    for (const index of [0, 1, 2]) await eventually(() => row(index)).toContain('The file is empty.');
  });

  it('said of a file that is transcribed, but cannot be played, that it can still be transcribed', async () => {
    const { page } = opened;
    const done = { type: 'transcript.text.done', task: 'transcribe', language: 'en', duration: 1, text: 'Hello.' };
    const body = `data: ${JSON.stringify({ ...done, words: [], segments: [{ id: 0, start: 0, end: 1, text: 'Hello.' }] })}\n\n`;
    await page.route('**/v1/audio/*', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
    await page.setInputFiles('#file', file('a.wav', 'no audio'));
    await eventually(() => text(page, '#audio-note')).toContain('it can still be transcribed');
    await page.click('#start');
    await eventually(() => text(page, '#transcript')).toContain('Hello.');
    await eventually(() => text(page, '#audio-note')).toBe('This browser cannot play the file.');
    await page.unroute('**/v1/audio/*');
  });

  it('stopped waiting recordings one by one only, or removed them all', async () => {
    const { page } = opened;
    await page.route('**/v1/models', () => {});
    const names = Array.from({ length: 9 }, (_, index) => `${index}.wav`);
    await page.setInputFiles(
      '#file',
      names.map((name) => file(name)),
    );
    expect(await page.locator('#jobs-stop').isVisible()).toBe(false);
    await page.click('#start');
    await page.click('#jobs-stop');
    await eventually(() => text(page, '#start')).toBe('Transcribe 9 files');
    expect(await page.evaluate('document.activeElement.id')).toBe('jobs-clear');
    expect(await page.locator('#jobs-stop').isVisible()).toBe(false);
    await page.unroute('**/v1/models');
  });

  it('logs no errors', () => {
    expect(opened.problems).toEqual([]);
  });
});
