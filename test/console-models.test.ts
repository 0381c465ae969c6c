import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browsers, open } from './fixtures/browser.ts';
import { accessibilityViolations, eventually, text } from './fixtures/console-page.ts';
import { type LocalHub, startLocalHub } from './fixtures/local-hub.ts';
import { endAll, type Hear, startHear } from './fixtures/service.ts';
import { microFiles } from './fixtures/whisper-micro.ts';

describe.each(browsers)('the models of the console of hear ($name)', ({ launch }) => {
  let browser: Browser;
  let directory: string;
  let hub: LocalHub;
  let hear: Hear;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hearsay-models-'));
    hub = await startLocalHub();
    for (const size of ['small', 'base', 'tiny']) hub.put(`openai/whisper-${size}`, microFiles());
    browser = await launch();
    hear = await startHear({ HF_ENDPOINT: hub.endpoint, MODELS_DIR: join(directory, 'models') });
    await hear.ready();
    ({ page, problems } = await open(browser, `${hear.url}/web`));
    await row('Small').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
    await hub.close();
    await rm(directory, { recursive: true, force: true });
  });
  /** The second file of the next download stalls. */
  beforeEach(() => {
    hub.faults = [{ kind: 'none' }, { kind: 'stall', after: 50 }];
  });

  const row = (label: string) => page.locator('#models li', { has: page.getByText(label, { exact: true }) });
  const badges = (label: string) => row(label).locator('.badge').allTextContents();
  const activate = (label: string) => page.getByRole('button', { name: `Activate ${label}`, exact: true });
  const cancel = (label: string) =>
    page.getByRole('button', { name: `Cancel the activation of ${label}`, exact: true });
  const remove = (label: string) => page.getByRole('button', { name: `Remove ${label} from the disk`, exact: true });
  const downloading = (label: string) =>
    eventually(() => row(label).textContent()).toMatch(/Downloading: \d.* of 2\.7 MB/);
  const status = () => text(page, '#model-status');

  it('lists the active model first, and says how large each download is', async () => {
    await eventually(() => text(page, '#models li b')).toBe('Moonshine Tiny');
    await eventually(() => badges('Moonshine Tiny')).toEqual(['active', 'built in']);
    await eventually(() => badges('Small')).toEqual([]);
    await eventually(() => row('Small').textContent()).toContain('244M parameters · 1 GB to download');
    const described = (await activate('Small').getAttribute('aria-describedby'))!;
    await eventually(() => page.locator(`[id="${described}"]`).textContent()).toContain('1 GB to download');
  });

  it('shows the progress of a download, and cancels it by keyboard', async () => {
    await activate('Small').focus();
    await page.keyboard.press('Enter');
    await downloading('Small');
    await eventually(() => row('Small').locator('progress').getAttribute('aria-label')).toBe('Activation of Small');
    await eventually(() => activate('Base').isDisabled()).toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);
    // The focus has gone to where the button was.
    await page.keyboard.press('Enter');
    await activate('Small').waitFor();
    await eventually(() => status()).toBe('The activation of Small was cancelled.');
    await eventually(() => page.locator('.failure').count()).toBe(0);
    await eventually(() => row('Small').textContent()).toMatch(/\d B of 1 GB on disk|\d kB of 1 GB on disk/);
    await eventually(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Activate Small');
    await eventually(() => text(page, '#models li b')).toBe('Moonshine Tiny');
  });

  it('stays where the reader has scrolled to when an activation ends', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await activate('Small').click();
    await downloading('Small');
    await page.evaluate('scrollTo(0, 0)');
    await hear.cancel('small');
    await activate('Small').waitFor();
    await eventually(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Activate Small');
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('shows what others activate, and cancels that', async () => {
    const theirs = hear.activate('base');
    await downloading('Base');
    await cancel('Base').click();
    expect((await theirs).status).toBe(409);
    await activate('Base').waitFor();
    await eventually(() => status()).toBe('The activation of Base was cancelled.');
  });

  it('says that others have cancelled what it activates', async () => {
    await activate('Base').click();
    await downloading('Base');
    expect((await hear.cancel('base')).status).toBe(200);
    await activate('Base').waitFor();
    await eventually(() => status()).toBe('The activation of Base was cancelled.');
    await eventually(() => page.locator('.failure').count()).toBe(0);
  });

  it('resumes the download, and marks what is on disk', async () => {
    hub.faults = [];
    await activate('Small').click();
    await eventually(status).toBe('Small is active.');
    expect(hub.requests.some(({ headers }) => headers.range !== undefined)).toBe(true);
    // An answer to an earlier question showed the old model for a moment.
    await eventually(() => text(page, '#models li b')).toBe('Small');
    await eventually(() => badges('Small')).toEqual(['active', 'on disk']);
    await eventually(() => row('Small').textContent()).toContain('244M parameters · 2.7 MB');
    // Those on disk come next.
    await eventually(async () => (await page.locator('#models li b').allTextContents()).slice(0, 2)).toEqual([
      'Small',
      'Moonshine Tiny',
    ]);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('fits a phone while it downloads', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await activate('Tiny').click();
    await downloading('Tiny');
    const widths = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
    expect(widths[0]).toBeLessThanOrEqual(widths[1]!);
    const box = (await cancel('Tiny').boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(360);
    await cancel('Tiny').click();
    await activate('Tiny').waitFor();
  });

  it('removes a model from the disk, after a question', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await eventually(() => remove('Small').count()).toBe(0);
    await eventually(() => remove('Moonshine Tiny').count()).toBe(0);
    await activate('Moonshine Tiny').click();
    await eventually(status).toBe('Moonshine Tiny is active.');
    await remove('Small').click();
    await eventually(() => text(page, '#confirm-question')).toBe(
      'Remove Small from the disk of the service (2.7 MB)? Activating it downloads it again.',
    );
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('#confirm-dialog').waitFor({ state: 'hidden' });
    await eventually(() => badges('Small')).toEqual(['on disk']);
    await remove('Small').press('Enter');
    await page.click('#confirm-yes');
    await eventually(status).toBe('Small was removed.');
    await eventually(() => badges('Small')).toEqual([]);
    await eventually(() => row('Small').textContent()).toContain('1 GB to download');
    await eventually(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Activate Small');
    // What is left of a cancelled download can be removed, too.
    await remove('Tiny').click();
    await page.click('#confirm-yes');
    await eventually(status).toBe('Tiny was removed.');
    await eventually(() => row('Tiny').textContent()).not.toContain('on disk');
  });

  it('lets another model take the place of one that downloads at the start', async () => {
    const starting = await startHear({ HF_ENDPOINT: hub.endpoint, MODEL_SIZE: 'small' });
    const opened = await open(browser, `${starting.url}/web`);
    ({ page } = opened);
    await downloading('Small');
    await eventually(() => badges('Small')).toEqual(['active']);
    await eventually(() => cancel('Small').count()).toBe(0);
    await activate('Moonshine Tiny').click();
    await eventually(() => text(page, '#models li b')).toBe('Moonshine Tiny');
    await activate('Small').waitFor();
    expect(opened.problems).toEqual([]);
    await starting.stop();
  });

  it('logs no errors and sends no request elsewhere', () => {
    expect(problems).toEqual([]);
  });
});
