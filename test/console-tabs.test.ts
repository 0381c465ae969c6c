import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wavHeader } from '../src/audio/wav.ts';
import { browsers, open } from './fixtures/browser.ts';
import { eventually, text } from './fixtures/console-page.ts';
import { endAll, type Hear, startHear } from './fixtures/service.ts';

const answer = (said: string) => {
  const transcript = { task: 'transcribe', language: 'en', duration: 2, text: said, words: [] };
  const done = { type: 'transcript.text.done', ...transcript, segments: [{ id: 0, start: 0, end: 2, text: said }] };
  return { contentType: 'text/event-stream', body: `data: ${JSON.stringify(done)}\n\n` };
};
const recording = (name: string) => {
  const buffer = Buffer.concat([wavHeader(8000, 16_000), Buffer.alloc(16_000)]);
  return { name, mimeType: 'audio/wav', buffer };
};

describe.each(browsers)('two tabs of the console of hear ($name)', ({ launch }) => {
  let browser: Browser;
  let hear: Hear;
  beforeAll(async () => {
    browser = await launch();
    hear = await startHear({ WARMUP_ON_START: 'false' });
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
  });

  describe.each([
    ['a page of this machine or HTTPS', ''],
    ['a page of plain HTTP, which has no locks', `Object.defineProperty(navigator, 'locks', { value: undefined })`],
  ])('on %s', (_, script) => {
    let context: BrowserContext;
    let first: Page;
    /** Requests that are not answered yet. */
    let asked: Route[];
    beforeEach(async () => {
      context = await browser.newContext();
      if (script !== '') await context.addInitScript(script);
      asked = [];
      await context.route('**/v1/audio/transcriptions', (route) => void asked.push(route));
      ({ page: first } = await open(context, `${hear.url}/web`));
      await first.setInputFiles('#file', ['one.wav', 'two.wav'].map(recording));
      await first.click('#start');
      await eventually(async () => asked.length).toBe(1);
    });
    afterEach(async () => {
      await context.close();
    });

    const row = (page: Page, index: number) => page.locator('#jobs li').nth(index);
    const opened = async () => (await open(context, `${hear.url}/web`)).page;

    it('marked jobs that another tab transcribes as stopped', async () => {
      const second = await opened();
      await eventually(() => row(second, 0).textContent()).toContain('Being transcribed in another tab.');
      await eventually(() => row(second, 1).textContent()).toContain('Waits for its turn in another tab.');
      // What only the other tab can do is not offered.
      for (const button of await second.locator('#jobs li .plain').all()) expect(await button.isVisible()).toBe(false);
      expect(
        await second.locator('#start, #stop').evaluateAll((all) => all.map((each) => each.matches(':disabled'))),
      ).toEqual([true, true]);
      await asked[0]!.fulfill(answer('The first one.'));
      await eventually(() => text(second, '#transcript p')).toBe('The first one.');
      await eventually(() => row(second, 0).textContent()).toContain('English, 2 s.');
      await eventually(async () => asked.length).toBe(2);
      await eventually(() => row(second, 1).textContent()).toMatch(/in another tab\.$|in another tab\.Stop/);
      await asked[1]!.fulfill(answer('The second one.'));
      await eventually(() => row(second, 1).textContent()).toContain('English, 2 s.');
      await row(second, 1).locator('.pick').click();
      await eventually(() => text(second, '#transcript p')).toBe('The second one.');
    });

    it('listed jobs as new, or not at all, that another tab started later', async () => {
      await first.setInputFiles('#file', recording('three.wav'));
      const second = await opened();
      await eventually(() => row(second, 0).textContent()).toContain('Not transcribed yet.');
      await first.setInputFiles('#file', recording('four.wav'));
      await first.click('#start');
      await eventually(() => second.locator('#jobs .pick > bdi').allTextContents()).toEqual([
        'four.wav',
        'three.wav',
        'one.wav',
        'two.wav',
      ]);
      for (const index of [0, 1])
        await eventually(() => row(second, index).textContent()).toContain('Waits for its turn in another tab.');
      expect(await second.locator('#start').isDisabled()).toBe(true);
    });

    it('stored jobs again that another tab had cleared', async () => {
      const second = await opened();
      await eventually(() => row(second, 0).textContent()).toContain('in another tab.');
      await second.click('#jobs-clear');
      await second.click('#confirm-yes');
      await eventually(() => first.locator('#jobs li').count()).toBe(0);
      expect(await first.locator('#jobs-none').isVisible()).toBe(true);
      await asked[0]!.fulfill(answer('The first one.')).catch(() => {});
      const third = await opened();
      expect(await third.locator('#jobs li').count()).toBe(0);
      expect(asked).toHaveLength(1);
    });

    it('offers jobs again when the tab that transcribed them is closed', async () => {
      const second = await opened();
      await eventually(() => row(second, 1).textContent()).toContain('in another tab.');
      await first.goto('about:blank');
      for (const index of [0, 1])
        await eventually(() => row(second, index).textContent()).toContain('Not transcribed yet.');
      await eventually(() => text(second, '#start')).toBe('Transcribe 2 files');
    });
  });
});
