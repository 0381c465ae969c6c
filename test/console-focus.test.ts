import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browsers, open } from './fixtures/browser.ts';
import { eventually, holdStorage, stored } from './fixtures/console-page.ts';
import { endAll, startHear, startSay } from './fixtures/service.ts';

/** Where the focus is: the id of the control, or what a screen reader calls it. Lost, it is on `BODY`. */
const focus = (page: Page) =>
  page.evaluate<string>(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => {
    const { id, ariaLabel, textContent, tagName } = document.activeElement;
    resolve(tagName === 'BODY' ? tagName : id || ariaLabel || textContent);
  })))`);

/** A control that is visible and enabled. Playwright presses keys for any other, too, but the focus does not move there. */
const usable = (page: Page, selector: string) => page.locator(`${selector}:enabled:visible`);

/** Presses a button by keyboard, and confirms what it asks. */
async function press(page: Page, selector: string, isAsked = false): Promise<void> {
  await usable(page, selector).press('Enter');
  if (isAsked) await usable(page, '#confirm-yes').press('Enter');
}

/** Waits until the page has seen its service warm up and has read the voices of the ready one. */
async function warmUp(page: Page): Promise<void> {
  const system = await (await page.request.get(new URL('/system', page.url()).href)).json();
  await page.route('**/system', (route) => route.fulfill({ json: { ...system, status: 'warming' } }));
  await eventually(() => page.locator('#state').textContent()).toBe('Warming up');
  const loaded = page.waitForResponse('**/v1/audio/voices');
  await page.unroute('**/system');
  await (await loaded).finished();
}

describe.each(browsers)('the focus in the consoles ($name)', ({ launch }) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
  });

  describe('of say', () => {
    let page: Page;
    beforeAll(async () => {
      const say = await startSay();
      await say.ready();
      ({ page } = await open(browser, `${say.url}/web`));
      await page.locator('#voices li').nth(3).waitFor();
    });

    const speak = async (input: string, count: number) => {
      await page.evaluate(`{
        document.getElementById('input').value = ${JSON.stringify(input)};
        document.getElementById('speech').requestSubmit();
      }`);
      await eventually(() => page.locator('#history li').count()).toBe(count);
    };

    it('was lost with a removed speech', async () => {
      for (const [index, input] of ['One.', 'Two.', 'Three.'].entries()) await speak(input, index + 1);
      await press(page, '#history li:nth-child(2) .plain', true);
      await eventually(() => focus(page)).toMatch(/^One\./);
      await press(page, '#history li:nth-child(2) .plain', true);
      await eventually(() => focus(page)).toMatch(/^Three\./);
      await press(page, '#history li .plain', true);
      await eventually(() => focus(page)).toBe('speak');
    });

    it('was lost when the history is cleared', async () => {
      await speak('Four.', 1);
      await press(page, '#history-clear', true);
      await eventually(() => focus(page)).toBe('speak');
    });

    it('was lost in the history when a speech was added', async () => {
      await speak('Five.', 1);
      await page.locator('#history .entry').focus();
      await speak('Six.', 2);
      expect(await focus(page)).toMatch(/^Five\./);
    });

    it('was lost with a removed word', async () => {
      await page.route('**/dev/phonemize', (route) => route.fulfill({ json: { phonemes: 'x' } }));
      for (const [index, word] of ['uno', 'due'].entries()) {
        await page.fill('#lexicon-word', word);
        await page.keyboard.press('Enter');
        await eventually(() => page.locator('#lexicon li').count()).toBe(index + 1);
      }
      await press(page, '[aria-label="Remove uno"]');
      await eventually(() => focus(page)).toBe('Hear due');
      await press(page, '[aria-label="Remove due"]');
      await eventually(() => focus(page)).toBe('lexicon-add');
    });

    it('was lost with a voice removed from the blend', async () => {
      const names = page.locator('#blend .name');
      await page.locator('#voices .add:enabled').nth(2).click();
      await page.locator('#voices .add:enabled').nth(4).click();
      const [first] = await names.allTextContents();
      await press(page, '#blend li:nth-child(3) button');
      await eventually(() => focus(page)).toMatch(/^Remove .* from the blend$/);
      await press(page, '#blend li:nth-child(2) button');
      await eventually(() => focus(page)).toBe('voice-search');
      expect(await names.allTextContents()).toEqual([first]);
    });

    it('was lost in the list of voices when the service is ready again', async () => {
      const pick = page.locator('#voices .pick').nth(3);
      await pick.focus();
      const focused = await focus(page);
      await warmUp(page);
      expect(await focus(page)).toBe(focused);
    });

    it('was lost on a weight of the blend when the service is ready again', async () => {
      await page.locator('#voices .add:not(:disabled)').first().click();
      const slider = page.locator('#blend input').last();
      await slider.press('ArrowRight');
      const focused = await focus(page);
      expect(focused).toMatch(/^Weight of /);
      await warmUp(page);
      expect(await focus(page)).toBe(focused);
      await slider.press('ArrowRight');
      await eventually(() => page.locator('#blend-text').textContent()).toContain('(1.2)');
      await page.locator('#blend button').last().click();
    });

    it('was lost while a file was made', async () => {
      await speak('Seven.', (await page.locator('#history li').count()) + 1);
      await page.selectOption('#download-format', 'flac');
      let answer = () => {};
      await page.route('**/v1/audio/speech', (route) => {
        answer = () => void route.continue();
      });
      const asked = page.waitForRequest('**/v1/audio/speech');
      const saved = page.waitForEvent('download');
      await press(page, '#download');
      await asked;
      await eventually(() => page.locator('#download').getAttribute('aria-disabled')).toBe('true');
      expect(await focus(page)).toBe('download');
      answer();
      await saved;
      await eventually(() => page.locator('#download').getAttribute('aria-disabled')).toBe(null);
      expect(await focus(page)).toBe('download');
      await page.unroute('**/v1/audio/speech');
    });

    it('was lost by a line at the end of its way', async () => {
      await page.click('[data-mode=dialogue]');
      await press(page, '[aria-label="Move line 2 up"]');
      await eventually(() => focus(page)).toBe('Move line 1 down');
      await page.keyboard.press('Enter');
      await eventually(() => focus(page)).toBe('Move line 2 up');
    });

    it('was lost with a closed book', async () => {
      await page.click('[data-mode=book]');
      await press(page, '#book-from-text');
      await eventually(() => focus(page)).toBe('book-title');
      await press(page, '#book-close', true);
      await eventually(() => focus(page)).toBe('book-from-text');
    });

    it('was lost by Stop', async () => {
      await page.click('[data-mode=text]');
      await page.fill('#input', 'One small step. '.repeat(4000));
      await page.click('#speak');
      await press(page, '#stop');
      await eventually(() => focus(page)).toBe('speak');
    });

    it('was lost by Free memory', async () => {
      const isEnabled = () => page.locator('#unload').isEnabled();
      await eventually(isEnabled).toBe(true);
      await press(page, '#unload');
      await eventually(isEnabled).toBe(false);
      expect(await focus(page)).toBe('unload');
    });
  });

  describe('of hear', () => {
    let page: Page;
    beforeAll(async () => {
      const hear = await startHear({ WARMUP_ON_START: 'false' });
      ({ page } = await open(await browser.newContext(), `${hear.url}/web`));
      await page.context().route('**/v1/audio/transcriptions', () => {});
    });

    const choose = async (...names: string[]) => {
      const files = names.map((name) => ({ name, mimeType: 'audio/wav', buffer: Buffer.from('RIFF') }));
      await page.setInputFiles('#file', files);
      await eventually(() => page.locator('#jobs li').count()).toBe(names.length);
      await eventually(() => focus(page)).toBe('start');
    };
    const clear = async () => {
      await press(page, '#jobs-clear', true);
      await eventually(() => focus(page)).toBe('file');
    };

    it('was lost with a removed recording', async () => {
      await choose('1.wav', '2.wav', '3.wav');
      await press(page, '[aria-label="Remove 2.wav"]', true);
      await eventually(() => focus(page)).toMatch(/^3\.wav/);
      await press(page, '[aria-label="Remove 3.wav"]', true);
      await eventually(() => focus(page)).toMatch(/^1\.wav/);
      await press(page, '[aria-label="Remove 1.wav"]', true);
      await eventually(() => focus(page)).toBe('file');
    });

    it('was lost when all is cleared', async () => {
      await choose('1.wav', '2.wav');
      await clear();
    });

    it('was lost by Transcribe when the shown recording had been removed', async () => {
      await choose('1.wav', '2.wav');
      await press(page, '[aria-label="Remove 1.wav"]', true);
      await eventually(() => focus(page)).toMatch(/^2\.wav/);
      await press(page, '#start');
      await eventually(() => focus(page)).toBe('stop');
      await eventually(() => page.locator('#file-name').textContent()).toBe('2.wav');
      await clear();
    });

    it('was lost by Transcribe when a recording was chosen while all was being cleared', async () => {
      await choose('1.wav');
      await holdStorage(page);
      await clear();
      await page.setInputFiles('#file', { name: '2.wav', mimeType: 'audio/wav', buffer: Buffer.from('RIFF') });
      await page.locator('#jobs li.chosen').waitFor();
      await page.evaluate('window.endHold()');
      for (const table of ['parts', 'transcripts']) expect(await stored(page, table)).toBe('[]');
      await eventually(() => focus(page)).toBe('start');
      await eventually(() => page.locator('#jobs li.chosen').count()).toBe(1);
      await press(page, '#start');
      await eventually(() => focus(page)).toBe('stop');
      await clear();
    });

    it('was taken to Transcribe from where it had gone while the recording was read', async () => {
      await holdStorage(page);
      await page.setInputFiles('#file', { name: '1.wav', mimeType: 'audio/wav', buffer: Buffer.from('RIFF') });
      await page.locator('#jobs li .pick').focus();
      await page.evaluate('window.endHold()');
      await eventually(() => page.locator('#player').isVisible()).toBe(true);
      expect(await focus(page)).toMatch(/^1\.wav/);
      await clear();
    });

    it('was lost by Transcribe when a key was asked for', async () => {
      await page.route('**/v1/models', (route) =>
        route.request().headers().authorization === 'Bearer sesame'
          ? route.fallback()
          : route.fulfill({ status: 401, json: { error: { message: 'No key.' } } }),
      );
      await choose('1.wav');
      // The dialog may open before the next frame.
      await page.evaluate(`{
        const { requestAnimationFrame } = window;
        const held = [];
        window.requestAnimationFrame = (task) => held.push(task);
        window.endHold = () => {
          window.requestAnimationFrame = requestAnimationFrame;
          held.forEach(requestAnimationFrame);
        };
      }`);
      await press(page, '#start');
      await page.locator('#key-dialog[open]').waitFor();
      await page.evaluate('window.endHold()');
      await eventually(() => focus(page)).toBe('key-input');
      await page.fill('#key-input', 'sesame');
      await page.keyboard.press('Enter');
      await eventually(() => focus(page)).toBe('stop');
      await page.unroute('**/v1/models');
      await clear();
    });

    it('was lost with a forgotten key', async () => {
      // Until the service asks for a key again, the page does not offer to enter one.
      await page.reload();
      await press(page, '#key');
      await press(page, '#key-forget');
      await eventually(() => focus(page)).toBe('API');
    });

    it('was lost when another tab transcribed the shown recording', async () => {
      await choose('1.wav');
      await eventually(() => stored(page, 'files')).toContain('RIFF');
      const other = await open(page.context(), page.url());
      await press(other.page, '#start');
      await eventually(() => focus(page)).toBe('file');
      await press(other.page, '#stop');
      await usable(page, '[aria-label="Remove 1.wav"]').focus();
      await press(other.page, '#start');
      await eventually(() => focus(page)).toMatch(/^1\.wav/);
      await press(other.page, '#stop');
      await eventually(() => page.locator('#start').isEnabled()).toBe(true);
      await other.page.close();
      await clear();
    });

    it('was lost by Transcribe and Stop', async () => {
      await choose('1.wav', '2.wav');
      await press(page, '#start');
      await eventually(() => focus(page)).toBe('stop');
      await press(page, '[aria-label="Stop 2.wav"]');
      await eventually(() => focus(page)).toBe('Remove 2.wav');
      await press(page, '#stop');
      await eventually(() => focus(page)).toBe('start');
    });

    it('was lost by the last replacement, and by Undo', async () => {
      const text = 'One small step.';
      const transcript = { task: 'transcribe', language: 'en', duration: 2, text, words: [] };
      const done = { type: 'transcript.text.done', ...transcript, segments: [{ id: 0, start: 0, end: 2, text }] };
      const body = `data: ${JSON.stringify(done)}\n\n`;
      await page.route('**/v1/audio/transcriptions', (route) =>
        route.fulfill({ contentType: 'text/event-stream', body }),
      );
      await page.click('#start');
      await page.locator('#edit').click();
      await page.fill('#search', 'small');
      await page.fill('#replacement', 'giant');
      await press(page, '#replace');
      await eventually(() => page.locator('#transcript p').first().textContent()).toBe('One giant step.');
      await eventually(() => focus(page)).toBe('search');
      await page.locator('#edit').click();
      await press(page, '#undo');
      await eventually(() => focus(page)).toBe('redo');
    });

    it('scrolled a new transcript out of view', async () => {
      const segments = Array.from({ length: 40 }, (_, id) => ({ id, start: 2 * id, end: 2 * id + 2, text: 'A line.' }));
      const text = segments.map((segment) => segment.text).join(' ');
      const done = { type: 'transcript.text.done', task: 'transcribe', language: 'en', duration: 80, text, segments };
      await page.route('**/v1/audio/transcriptions', (route) =>
        route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify(done)}\n\n` }),
      );
      await clear();
      await choose('1.wav');
      await page.evaluate('scrollTo(0, 0)');
      await press(page, '#start');
      await eventually(() => page.locator('#transcript p').count()).toBe(40);
      await eventually(() => focus(page)).toBe('start');
      expect(await page.evaluate('scrollY')).toBe(0);
    });
  });
});
