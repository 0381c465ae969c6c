import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browsers, open } from './fixtures/browser.ts';
import {
  accessibilityViolations,
  download,
  eventually,
  recordJson,
  recordValues,
  stored,
  text,
} from './fixtures/console-page.ts';
import { endAll, type Say, startSay } from './fixtures/service.ts';

describe.each(browsers)('the studio of say ($name)', ({ name, launch }) => {
  let browser: Browser;
  let say: Say;
  let page: Page;
  let problems: string[];
  /** Bodies of the requests for speech. */
  let bodies: { input: string; voice: string; lexicon?: Record<string, string> }[];
  beforeAll(async () => {
    browser = await launch();
    say = await startSay();
    await say.ready();
    ({ page, problems } = await open(browser, `${say.url}/web`));
    bodies = await recordJson(page, '/captioned_speech');
    await page.locator('#voices li').nth(3).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
  });

  const ids = () =>
    page.evaluate<string[]>("[...document.querySelectorAll('#voices li')].map((row) => row.dataset.voice)");

  it('plays a sample of a voice at a click, and asks for it once', async () => {
    const [, second] = await ids();
    const sample = page.locator(`[data-voice=${second}] .sample`);
    const icon = `document.querySelector('[data-voice=${second}] .sample')?.dataset.icon`;
    const icons = await recordValues<string>(page, icon);
    await sample.click();
    await eventually(icons).toEqual(['play', 'stop', 'play']);
    expect(bodies.map(({ voice }) => voice)).toEqual([second]);
    // At once, before it has ended.
    await sample.dblclick();
    await eventually(icons).toEqual(['play', 'stop', 'play', 'stop', 'play']);
    expect(bodies.length).toBe(1);
    await eventually(() => page.locator('#history li').count()).toBe(0);
  });

  it('compares two voices on one sentence, and uses the better one', async () => {
    await page.click('.compare summary');
    const [first, second] = await ids();
    expect([await page.inputValue('#compare-a'), await page.inputValue('#compare-b')]).toEqual([first, second]);
    await page.fill('#compare-text', 'Which of us is better?');
    const icon = (which: string) => `document.getElementById('compare-${which}-play').dataset.icon`;
    const icons = await recordValues<string>(page, `${icon('a')} + ' ' + ${icon('b')}`);
    await page.click('#compare-a-play');
    await eventually(icons).toContain('stop play');
    await page.click('#compare-b-play');
    await eventually(icons).toContain('play stop');
    await eventually(async () => (await icons()).at(-1)).toBe('play play');
    expect(bodies.slice(-2)).toMatchObject([
      { input: 'Which of us is better?', voice: first },
      { input: 'Which of us is better?', voice: second },
    ]);
    await page.click('#compare-b-use');
    await eventually(() => text(page, '#blend-text')).toBe(second);
  });

  it('sends the pronunciations of the list, which can be heard and edited', async () => {
    await page.fill('#lexicon-word', 'Hearsay');
    // Pressed twice, it is added once.
    await page.evaluate("for (let i = 0; i < 2; i++) document.querySelector('#lexicon-form').requestSubmit()");
    await page.locator('#lexicon li').first().waitFor();
    await eventually(() => page.locator('#lexicon input').inputValue()).toMatch(/^h/);
    await page.locator('#lexicon input').fill('hˈɛlO');
    await page.click('[aria-label="Hear Hearsay"]');
    await eventually(async () => bodies.at(-1)?.input).toBe('Hearsay');
    expect(bodies.at(-1)!.lexicon).toEqual({ Hearsay: 'hˈɛlO' });
    await page.fill('#input', 'Hearsay speaks, and [pause:0.2s] is heard.');
    await page.click('#speak');
    await eventually(() => page.locator('#history li').count()).toBe(1);
    expect(bodies.at(-1)).toMatchObject({ input: expect.stringContaining('speaks'), lexicon: { Hearsay: 'hˈɛlO' } });
    await eventually(() => text(page, '#code')).toContain('"lexicon":{"Hearsay":"hˈɛlO"}');
  });

  it('saves the times of the words as srt, vtt and json', async () => {
    expect((await download(page, '[data-captions=srt]')).toString()).toMatch(
      /^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\nHearsay speaks, and is heard\.\n$/,
    );
    expect((await download(page, '[data-captions=vtt]')).toString()).toMatch(/^WEBVTT\n\n/);
    const { words, duration } = JSON.parse((await download(page, '[data-captions=json]')).toString());
    expect(words.map(({ word }: { word: string }) => word)).toEqual(['Hearsay', 'speaks,', 'and', 'is', 'heard.']);
    expect(words[4].end).toBeLessThanOrEqual(duration);
  });

  it('says why a text cannot be spoken, and which letters of another text are skipped', async () => {
    await page.fill('#input', '你好');
    await page.click('#speak');
    await eventually(() => page.locator('#notice').isVisible()).toBe(true);
    await eventually(() => text(page, '#notice-text')).toMatch(/letters|language|spoken/);
    // The reason is gone with another speech.
    await page.click('#history .entry');
    await page.click('#confirm-yes');
    await eventually(() => page.inputValue('#input')).toContain('Hearsay speaks');
    await eventually(() => page.locator('#notice').isVisible()).toBe(false);
    await page.fill('#input', 'Hello 你好.');
    await page.click('#speak');
    await eventually(() => text(page, '#progress')).toContain('2 letters were skipped');
  });

  it('keeps favorites, text, voice, settings, pronunciations and history when the page is loaded again', async () => {
    const last = (await ids()).at(-1)!;
    await page.click(`[data-voice=${last}] .favorite`);
    await eventually(async () => (await ids())[0]).toBe(last);
    await page.click(`[data-voice=${last}] .pick`);
    await page.fill('#input', 'Not spoken yet.');
    await page.locator('#speed').fill('1.5');
    await page.selectOption('#format', 'flac');
    await page.reload();
    await eventually(() => page.inputValue('#input')).toBe('Not spoken yet.');
    await eventually(() => text(page, '#blend-text')).toBe(last);
    await eventually(() => text(page, '#speed-value')).toBe('1.5×');
    await eventually(() => page.inputValue('#format')).toBe('flac');
    await eventually(async () => (await ids())[0]).toBe(last);
    await eventually(() => page.locator('#lexicon input').inputValue()).toBe('hˈɛlO');
    await eventually(() => page.locator('#history li').count()).toBe(2);
  });

  it('saves fields in one transaction when the page is left: those that wait for another would be lost', async () => {
    const transactions = await page.evaluate<number>(`(async () => {
      const { transaction } = IDBDatabase.prototype;
      let count = 0;
      IDBDatabase.prototype.transaction = function (...of) {
        count += 1;
        return transaction.apply(this, of);
      };
      for (const id of ['input', 'speed', 'format']) document.getElementById(id).dispatchEvent(new Event('input'));
      window.dispatchEvent(new Event('pagehide'));
      await new Promise((resolve) => setTimeout(resolve));
      IDBDatabase.prototype.transaction = transaction;
      return count;
    })()`);
    expect(transactions).toBe(1);
  });

  it('asks before a speech of the history replaces a text that was not spoken, and plays what was kept', async () => {
    const count = bodies.length;
    await page.click('#history li:last-child .entry');
    await page.click('#confirm-no');
    await eventually(() => page.inputValue('#input')).toBe('Not spoken yet.');
    await page.click('#history li:last-child .entry');
    await page.click('#confirm-yes');
    await eventually(() => page.inputValue('#input')).toContain('Hearsay speaks');
    const position = async () => Number(await page.locator('#waveform').getAttribute('aria-valuenow'));
    await eventually(position).toBeGreaterThan(0.3);
    await page.selectOption('#download-format', 'wav');
    expect((await download(page, '#download')).length).toBeGreaterThan(20_000);
    expect((await download(page, '[data-captions=srt]')).toString()).toContain('Hearsay speaks');
    expect(bodies.length).toBe(count);
  });

  it('plays the speech that was chosen last, even if the one before is read later', async () => {
    await page.reload();
    await page.locator('#history li').nth(1).waitFor();
    await page.evaluate(`{
      const read = Blob.prototype.arrayBuffer;
      Blob.prototype.arrayBuffer = async function () {
        Blob.prototype.arrayBuffer = read;
        await new Promise((resolve) => setTimeout(resolve, 500));
        window.isRead = true;
        return read.call(this);
      };
    }`);
    await page.locator('#history .entry').first().click();
    await page.locator('#history .entry').last().click();
    await eventually(() => page.evaluate('window.isRead')).toBe(true);
    await page.waitForTimeout(200);
    expect(await page.inputValue('#input')).toContain('Hearsay speaks');
  });

  describe('a speech that is chosen again', () => {
    let other: Page;
    let files: string[];
    const duration = async () => Number(await other.locator('#waveform').getAttribute('aria-valuemax'));
    beforeAll(async () => {
      ({ page: other } = await open(browser, `${say.url}/web`));
      files = [];
      other.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (/^\/v1\/(download|audio\/speech)/.test(pathname)) files.push(pathname);
      });
      await other.locator('#voices li').nth(3).waitFor();
      await speak('One', 1);
    });
    const speak = async (number: string, count: number) => {
      await other.fill('#input', `${number} small step for the lighthouse keeper, and one giant leap.`);
      await other.click('#speak');
      await other
        .locator('#history li')
        .nth(count - 1)
        .waitFor();
      await other.locator('#play[aria-label=Play]').waitFor();
    };

    // Chromium alone tells what is in memory.
    it.skipIf(name !== 'Chromium')('kept all of its samples in memory', async () => {
      const session = await other.context().newCDPSession(other);
      const bytes = async () => {
        await session.send('HeapProfiler.collectGarbage');
        return (await session.send('Runtime.getHeapUsage')).backingStorageSize;
      };
      const before = await bytes();
      const ofOne = 2 * 24_000 * (await duration());
      for (const count of [2, 3]) await speak('Two', count);
      await eventually(bytes).toBeLessThan(before + ofOne / 2);
      await other.locator('#history .entry').nth(2).click();
      await eventually(() => text(other, '#spoken')).toContain('One');
      await other.locator('#play[aria-label=Play]').waitFor();
      await eventually(bytes).toBeLessThan(before + ofOne / 2);
    });

    it('plays, seeks, and is saved from the file that the service has made', async () => {
      await other.locator('#history .entry').last().click();
      await eventually(() => text(other, '#spoken')).toContain('One');
      await other.locator('#play[aria-label=Play]').waitFor();
      expect(await duration()).toBeGreaterThan(1);
      await other.press('#waveform', 'Home');
      await other.press('#waveform', 'ArrowRight');
      expect(Number(await other.locator('#waveform').getAttribute('aria-valuenow'))).toBe(2);
      files.length = 0;
      expect((await download(other, '#download')).length).toBeGreaterThan(5000);
      await other.reload();
      await other.locator('#history .entry').last().click();
      await other.locator('#download:enabled').waitFor();
      expect((await download(other, '#download')).length).toBeGreaterThan(5000);
      expect(files).toEqual([expect.stringMatching(/download/), expect.stringMatching(/download/)]);
    });
  });

  it('scrolled its player away on a phone', async () => {
    await page.fill('#input', 'One small step.');
    await page.click('#speak');
    await page.locator('#play:enabled').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const box = async (selector: string) => (await page.locator(selector).boundingBox())!;
    await page.evaluate('scrollTo(0, 0)');
    const atTop = await box('.player');
    expect(atTop).toMatchObject({ x: 0, width: 390 });
    expect(atTop.y + atTop.height).toBe(844);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect(await box('.player')).toEqual(atTop);
    // It covers neither the end of the page nor what is focused.
    const facts = await box('#facts');
    expect(facts.y + facts.height).toBeLessThan(atTop.y);
    await page.evaluate('scrollTo(0, 0)');
    await page.locator('#unload').focus();
    await eventually(async () => (await box('#unload')).y).toBeLessThan(atTop.y - 20);
    await page.setViewportSize({ width: 1280, height: 900 });
    await eventually(async () => (await box('.player')).width).toBeLessThan(1000);
  });

  it('has no serious accessibility violations', async () => {
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('removes all speeches when it is told to', async () => {
    await page.click('#history-clear');
    await page.click('#confirm-yes');
    await eventually(() => page.locator('#history li').count()).toBe(0);
    await eventually(() => stored(page, 'speeches')).toBe('[]');
    await page.reload();
    await page.locator('#voices li').nth(3).waitFor();
    await eventually(() => page.locator('#history li').count()).toBe(0);
  });

  it('logs no errors and sends no request elsewhere', () => {
    expect(problems).toEqual([]);
  });
});
