import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browsers, open } from './fixtures/browser.ts';
import { download, eventually, recordValues, text } from './fixtures/console-page.ts';
import { endAll, type Hear, type Say, startHear, startSay } from './fixtures/service.ts';

/** As in private windows of some browsers. */
const refused = `Object.defineProperty(IDBFactory.prototype, 'open', {
  value: () => { throw new DOMException('Denied.', 'SecurityError'); },
})`;
const full = `Object.defineProperty(IDBObjectStore.prototype, 'put', {
  value: () => { throw new DOMException('Full.', 'QuotaExceededError'); },
})`;

/** Closes a page. Resolves to whether it asks before. */
async function asksToClose(page: Page): Promise<boolean> {
  let hasAsked = false;
  page.on('dialog', (dialog) => {
    hasAsked = true;
    void dialog.accept();
  });
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
  return hasAsked;
}

describe.each(browsers)('what a browser does not keep ($name)', ({ launch }) => {
  let browser: Browser;
  let hear: Hear;
  let say: Say;
  beforeAll(async () => {
    browser = await launch();
    [hear, say] = await Promise.all([startHear({ WARMUP_ON_START: 'false' }), startSay({ WARMUP_ON_START: 'false' })]);
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
  });

  async function opened(url: string, script: string): Promise<Page> {
    const context = await browser.newContext();
    if (script !== '') await context.addInitScript(script);
    const { page } = await open(context, `${url}/web`);
    return page;
  }
  const recording = { name: 'a.wav', mimeType: 'audio/wav', buffer: Buffer.from('RIFF') };

  it.each(['hear', 'say'] as const)('the console of %s was silent if the browser stored nothing', async (name) => {
    const page = await opened((name === 'hear' ? hear : say).url, refused);
    await eventually(() => text(page, '#notice-text')).toContain('keeps nothing of this page');
    if (name === 'hear') await page.setInputFiles('#file', recording);
    else await page.fill('#input', 'What I wrote.');
    await page.click('body');
    // Stores what was typed at once.
    await page.evaluate(`dispatchEvent(new Event('pagehide'))`);
    expect(await asksToClose(page)).toBe(true);
  });

  it('closed without a question, and lost the recording that it could not store or save', async () => {
    const page = await opened(hear.url, full);
    await page.setInputFiles('#file', recording);
    await eventually(() => text(page, '#notice-text')).toContain('Save it before you close the page.');
    expect((await download(page, '#save-recording')).toString()).toBe('RIFF');
    expect(await asksToClose(page)).toBe(true);
  });

  it('asks no question if all is stored', async () => {
    const page = await opened(hear.url, '');
    await page.setInputFiles('#file', recording);
    await eventually(() => text(page, '#jobs')).toContain('Not transcribed yet.');
    const shown = await recordValues<string>(page, `document.getElementById('notice-text').textContent`);
    await page.click('#code-copy');
    await eventually(shown).toContain('Copied.');
    expect(await asksToClose(page)).toBe(false);
  });

  it.each(['hear', 'say'] as const)('the console of %s lost what was typed or chosen while it loaded', async (name) => {
    const page = await browser.newPage();
    let load = () => {};
    const loading = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route(`**/${name}/main.js`, async (route) => {
      await loading;
      await route.continue();
    });
    await page.goto(`${(name === 'hear' ? hear : say).url}/web`, { waitUntil: 'commit' });
    const field = name === 'hear' ? 'names' : 'input';
    await page.locator(`#${field}`).waitFor();
    const takesFocus = () => page.evaluate(`${field}.focus(), document.activeElement.id === '${field}'`);
    expect(await takesFocus()).toBe(false);
    // In case a script never comes.
    await page.evaluate(`document.getAnimations().forEach((animation) => animation.finish())`);
    await page.getByText('Reload it.').waitFor();
    load();
    await eventually(takesFocus).toBe(true);
    expect(await page.getByText('Reload it.').isVisible()).toBe(false);
    await page.close();
  });
});
