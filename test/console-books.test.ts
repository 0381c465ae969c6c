import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZipArchive } from '../console/shared/unzip.ts';
import { browsers, open } from './fixtures/browser.ts';
import {
  accessibilityViolations,
  download,
  dropFiles,
  eventually,
  recordJson,
  recordValues,
  text,
} from './fixtures/console-page.ts';
import { bookFiles, epub, pixel, page as xhtml } from './fixtures/epub.ts';
import { inspectM4b } from './fixtures/m4b.ts';
import { endAll, type Say, startSay } from './fixtures/service.ts';

describe.each(browsers)('books in the studio of say ($name)', ({ launch }) => {
  let browser: Browser;
  let directory: string;
  let say: Say;
  let page: Page;
  let problems: string[];
  /** Bodies of the requests for speech. */
  let bodies: { input?: string; chapters?: object[] }[];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hearsay-books-'));
    browser = await launch();
    say = await startSay();
    await say.ready();
    ({ page, problems } = await open(browser, `${say.url}/web`));
    bodies = await recordJson(page, /\/captioned_speech$|\/v1\/audio\//);
    await page.locator('#voices li').nth(3).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
    await rm(directory, { recursive: true, force: true });
  });

  const give = (name: string, content: Buffer | string) =>
    page.setInputFiles('#open-file', { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
  const titles = () => page.locator('#chapters bdi').allTextContents();
  const chapter = (index: number) => page.locator('#chapters li').nth(index);
  const status = (index: number) => chapter(index).locator('small').textContent();
  const replace = () => page.click('#confirm-yes');

  it('opens a text as it is', async () => {
    await give('letter.txt', Buffer.from('\ufeffDear Zoë,\r\nhello.', 'utf16le'));
    await eventually(() => page.inputValue('#input')).toBe('Dear Zoë,\nhello.');
    await give('old.txt', Buffer.from([0x5a, 0x6f, 0xeb]));
    await page.click('#confirm-yes');
    await eventually(() => page.inputValue('#input')).toBe('Zoë');
  });

  it('opens a book that is dropped: title, authors, cover and chapters, as text only', async () => {
    await dropFiles(page, '#speech', { 'tales.epub': await epub() });
    await eventually(titles).toEqual(['The Lighthouse', 'The Harbor', 'The Night']);
    await eventually(() => page.inputValue('#book-title')).toBe('Two & a Half Tales');
    await eventually(() => page.inputValue('#book-author')).toBe('Ann Author, Bo Writer');
    await eventually(() => page.locator('#book-cover img').getAttribute('src')).toBe(
      `data:image/png;base64,${pixel.toString('base64')}`,
    );
    await eventually(() => page.inputValue('#chapter-text')).toBe(
      'The Lighthouse\n\nThe keeper counted the waves.\n\nHe slept.',
    );
    await chapter(1).locator('.pick').click();
    await eventually(() => page.inputValue('#chapter-text')).toBe('The Harbor\n\nBoats came <in>.');
    await chapter(2).locator('.pick').click();
    await eventually(() => page.inputValue('#chapter-text')).toBe('The Night\n\nIt was dark.\n\nThen it was light.');
    await eventually(() => page.locator('main script, main img:not(#book-cover img)').count()).toBe(0);
  });

  it('speaks at Ctrl+Enter, and not at an Enter that ends a title', async () => {
    await page.evaluate(`{
      window.submitted = 0;
      const count = (event) => { event.preventDefault(); event.stopImmediatePropagation(); window.submitted++; };
      document.addEventListener('submit', count, { capture: true });
      window.stopCounting = () => document.removeEventListener('submit', count, { capture: true });
    }`);
    for (const field of ['#book-title', '#book-author', '#chapter-title']) await page.press(field, 'Enter');
    expect(await page.evaluate('window.submitted')).toBe(0);
    await page.press('#book-title', 'Control+Enter');
    expect(await page.evaluate('window.submitted')).toBe(1);
    await page.evaluate('window.stopCounting()');
  });

  it('edits, leaves out and reorders chapters, by buttons and by dragging, and keeps that', async () => {
    await chapter(2).locator('.pick').click();
    await page.fill('#chapter-title', 'Night <i>');
    await page.fill('#chapter-text', 'It was very dark.');
    await page.click('[aria-label="Move Night <i> up"]');
    await eventually(() => titles()).toEqual(['The Lighthouse', 'Night <i>', 'The Harbor']);
    await eventually(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Move Night <i> up',
    );
    const box = (await chapter(0).locator('input').boundingBox())!;
    // Smaller ones are hard to hit (WCAG 2.5.8).
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24);
    const [from, to] = await Promise.all([0, 2].map((index) => chapter(index).locator('.handle').boundingBox()));
    await page.mouse.move(from!.x + 5, from!.y + 5);
    await page.mouse.down();
    await page.mouse.move(from!.x + 5, to!.y + to!.height - 2, { steps: 6 });
    await page.mouse.up();
    await eventually(() => titles()).toEqual(['Night <i>', 'The Harbor', 'The Lighthouse']);
    await page.uncheck('[aria-label="Speak The Harbor"]');
    await eventually(() => status(1)).toContain('left out');
    await eventually(() => text(page, '#book-sum')).toMatch(/^2 chapters, about/);
    await page.reload();
    await eventually(titles).toEqual(['Night <i>', 'The Harbor', 'The Lighthouse']);
    await eventually(() => page.locator('[aria-label="Speak The Harbor"]').isChecked()).toBe(false);
    await eventually(() => page.inputValue('#chapter-text')).toBe('It was very dark.');
  });

  it('resumes after a stop with the remaining chapters, also after a reload', async () => {
    await page.locator('#voices li').nth(3).waitFor();
    await page.check('[aria-label="Speak The Harbor"]');
    // The first chapter is spoken, the second is held.
    let [isHeld, asked] = [true, 0];
    await page.route('**/captioned_speech', async (route) => {
      asked++;
      while (isHeld && asked > 1) await sleep(50);
      await route.continue().catch(() => {});
    });
    await page.click('#speak');
    await eventually(() => status(0)).toContain('spoken by');
    await eventually(() => text(page, '#progress')).toContain('chapter 2 of 3');
    await eventually(() => page.locator('#chapters progress:visible').count()).toBe(1);
    // The first chapter is complete and still in the player.
    await eventually(() => page.locator('#download').isEnabled()).toBe(true);
    await page.click('#stop');
    await eventually(() => text(page, '#progress')).toContain('1 chapter is kept');
    isHeld = false;
    await page.reload();
    await eventually(() => text(page, '#speak')).toBe('Continue');
    await page.locator('#voices li').nth(3).waitFor();
    const before = bodies.length;
    await page.click('#speak');
    await eventually(() => text(page, '#progress')).toContain('All chapters are spoken.');
    expect(bodies.slice(before).map(({ input }) => input?.slice(0, 10))).toEqual(['The Harbor', 'The Lighth']);
    await page.unroute('**/captioned_speech');
  });

  it('retries when the service cannot be reached', async () => {
    await chapter(1).locator('.pick').click();
    await page.fill('#chapter-text', 'Changed.');
    await eventually(() => status(1)).toContain('edited');
    let failures = 1;
    await page.route('**/captioned_speech', (route) => (failures-- > 0 ? route.abort() : route.continue()));
    const told = await recordValues<string>(page, 'progress.textContent');
    await page.click('#speak');
    await eventually(told).toContainEqual(expect.stringContaining('Trying again'));
    await eventually(() => text(page, '#progress')).toContain('All chapters are spoken.');
    await page.unroute('**/captioned_speech');
  });

  it('plays a chapter that was cut off from its start when it is spoken again', async () => {
    await chapter(1).locator('.pick').click();
    await page.fill('#chapter-text', 'Changed. This sentence arrives with the second attempt.');
    await page.evaluate(`{
      const service = window.fetch;
      window.fetch = async (path, init) => {
        if (!path.endsWith('/captioned_speech')) return service(path, init);
        window.fetch = service;
        const response = await service(path, init);
        const { value } = await response.body.getReader().read();
        const source = { start: (body) => body.enqueue(value), pull: (body) => body.error(new TypeError('cut')) };
        return new Response(new ReadableStream(source, { highWaterMark: 0 }), { headers: response.headers });
      };
    }`);
    const button = chapter(1).locator('.hear-button');
    await eventually(() => button.getAttribute('data-icon')).toBe('play');
    const icon = "document.querySelector('#chapters li:nth-child(2) .hear-button')?.dataset.icon";
    const icons = await recordValues<string>(page, icon);
    const told = await recordValues<string>(page, 'progress.textContent');
    await button.click();
    await eventually(told).toContainEqual(expect.stringContaining('Trying again'));
    await eventually(async () => (await icons()).slice(0, 4)).toEqual(['play', 'stop', 'play', 'stop']);
    await eventually(() => text(page, '#progress')).toContain('The chapter is spoken.');
    await button.click();
  });

  it('says which chapter cannot be spoken, and speaks the others', async () => {
    await chapter(0).locator('.pick').click();
    await page.fill('#chapter-text', '* * *');
    await chapter(1).locator('.pick').click();
    await page.fill('#chapter-text', 'Changed again.');
    await page.click('#speak');
    await eventually(() => text(page, '#progress')).toContain('1 chapter could not be spoken.');
    await eventually(() => status(0)).toContain('nothing to speak');
    await eventually(() => status(1)).toContain('spoken by');
    await page.uncheck('[aria-label="Speak Night <i>"]');
  });

  it('plays a kept chapter with its words, and the next one after it', async () => {
    const count = bodies.length;
    const spoken = await recordValues<string>(page, "document.getElementById('spoken').textContent");
    const last = await recordValues<string>(
      page,
      "document.querySelector('#chapters li:nth-child(3) .hear-button')?.getAttribute('aria-label')",
    );
    await page.click('[aria-label="Hear The Harbor"]');
    await eventually(spoken).toContain('Changed again.');
    await page.evaluate("spoken.scrollIntoView({ block: 'start' })");
    const place = await page.evaluate<number>('scrollY');
    await eventually(() => text(page, '#spoken')).toContain('The keeper counted');
    await eventually(async () => Number(await page.locator('#waveform').getAttribute('aria-valuenow'))).toBeGreaterThan(
      0.3,
    );
    await eventually(last).toContain('Stop The Lighthouse');
    expect(await page.evaluate('scrollY')).toBe(place);
    expect(bodies.length).toBe(count);
    expect((await download(page, '[data-captions=srt]')).toString()).toContain('counted the waves');
  });

  it('saves the spoken chapters as files', async () => {
    const count = bodies.length;
    const archive = await ZipArchive.open(new Blob([new Uint8Array(await download(page, '#save-chapters'))]));
    const mp3 = await archive.read('2 The Lighthouse.mp3');
    expect(mp3!.length).toBeGreaterThan(5000);
    expect([0x49, 0xff]).toContain(mp3![0]);
    await page.selectOption('#format', 'wav');
    const waves = await ZipArchive.open(new Blob([new Uint8Array(await download(page, '#save-chapters'))]));
    expect(Buffer.from((await waves.read('1 The Harbor.wav'))!.subarray(0, 4)).toString()).toBe('RIFF');
    expect(bodies.length).toBe(count);
  });

  it('saves an audiobook with its chapters, tags and cover', async () => {
    const content = await download(page, '#save-book');
    expect(bodies.at(-1)).toMatchObject({
      title: 'Two & a Half Tales',
      author: 'Ann Author, Bo Writer',
      cover: `data:image/png;base64,${pixel.toString('base64')}`,
      response_format: 'm4b',
      chapters: [
        { title: 'The Harbor', input: 'Changed again.' },
        { title: 'The Lighthouse', input: expect.stringContaining('He slept.') },
      ],
    });
    const file = join(directory, 'book.m4b');
    await writeFile(file, content);
    const { chapters, rate, tags } = await inspectM4b(file);
    expect(tags).toMatchObject({ title: 'Two & a Half Tales', artist: 'Ann Author, Bo Writer', major_brand: 'M4B ' });
    expect(chapters.map(({ title }) => title)).toEqual(['The Harbor', 'The Lighthouse']);
    expect(chapters[0]!.start).toBe(0);
    for (const { duration } of chapters) expect(duration / rate).toBeGreaterThan(0.3);
    expect(content.includes(pixel)).toBe(true);
    await eventually(() => text(page, '#progress')).toBe('Saved.');
  });

  it('notices an audiobook that is cut off', async () => {
    const events = [
      { type: 'speech.chapter', chapter: 0, start: 0 },
      { type: 'speech.audio.delta', audio: Buffer.from('one').toString('base64') },
    ];
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    await page.route('**/v1/audio/book', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
    await page.click('#save-book');
    await eventually(() => text(page, '#notice-text')).toContain('cut off');
    await page.click('#notice-close');
    await page.unroute('**/v1/audio/book');
  });

  it('has no serious accessibility violations', async () => {
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('makes chapters of Markdown, and asks before the open book is lost', async () => {
    await give('notes.md', '---\ntitle: "My notes"\nauthor: Me\n---\n# One\nFirst.\n```\n# no\n```\n# Two\nSecond.');
    await eventually(() => text(page, '#confirm-question')).toContain('3 spoken chapters');
    await page.click('#confirm-no');
    await eventually(async () => (await titles()).length).toBe(3);
    await give('notes.md', '---\ntitle: "My notes"\nauthor: Me\n---\n# One\nFirst.\n```\n# no\n```\n# Two\nSecond.');
    await replace();
    await eventually(titles).toEqual(['One', 'Two']);
    await eventually(() => page.inputValue('#book-title')).toBe('My notes');
    await eventually(() => page.inputValue('#book-author')).toBe('Me');
  });

  const { mimetype: _, ...rest } = bookFiles;
  const broken = { 'OPS/text/one.xhtml': xhtml('<p>Not <b>closed<p>&nbsp;but &hellip; read</p>', '<script src="x"/>') };
  const utf16 = Buffer.from(`\ufeff${xhtml('<p>Größe</p>').replace('utf-8', 'utf-16')}`, 'utf16le');
  it.each([
    ['broken XML', { ...rest, ...broken }, 'Not closed'],
    ['UTF-16', { ...rest, 'OPS/text/one.xhtml': new Uint8Array(utf16) }, 'Größe'],
    ['no table of contents', { ...rest, 'OPS/nav.xhtml': '<html' }, 'The Lighthouse\n\nThe keeper counted the waves.'],
    [
      'entities that grow without end',
      {
        ...rest,
        'OPS/text/one.xhtml': `<!DOCTYPE html [<!ENTITY a "${'lol'.repeat(100)}">${[...'bcdefgh'].map((name, i) => `<!ENTITY ${name} "${`&${'abcdefg'[i]};`.repeat(100)}">`).join('')}]><html xmlns="http://www.w3.org/1999/xhtml"><body><p>A &h; bomb</p></body></html>`,
      },
      'A',
    ],
    [
      'a page nested without end',
      { ...rest, 'OPS/text/one.xhtml': xhtml(`${'<div>'.repeat(20_000)}Deep${'</div>'.repeat(20_000)}`) },
      'Deep',
    ],
  ])('opens an epub with %s', async (_, files, expected) => {
    await page.fill('#chapter-text', 'x');
    await give('book.epub', await epub(files));
    await replace();
    await eventually(() => page.inputValue('#chapter-text')).toContain(expected);
  });

  const encryption = (algorithm: string) =>
    `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#"><EncryptionMethod Algorithm="${algorithm}"/></EncryptedData></encryption>`;
  it.each([
    ['no container', { a: 'b' }, 'no container'],
    ['no package document', { 'META-INF/container.xml': bookFiles['META-INF/container.xml']! }, 'package document'],
    ['no pages', { ...rest, 'OPS/package.opf': '<package/>' }, 'no pages'],
    [
      'pictures only',
      { ...rest, 'OPS/text/one.xhtml': xhtml('<img/>'), 'OPS/text/two.xhtml': '', 'OPS/text/rest.xhtml': '' },
      'no text',
    ],
    ['DRM', { ...rest, 'META-INF/encryption.xml': encryption('http://www.w3.org/2001/04/xmlenc#aes128-cbc') }, 'DRM'],
    ['Adobe’s DRM', { ...rest, 'META-INF/rights.xml': '<rights/>' }, 'DRM'],
  ])('says what is wrong with an epub with %s', async (_, files, expected) => {
    await give('book.epub', await epub(files));
    await eventually(() => text(page, '#notice-text')).toContain(expected);
    await page.click('#notice-close');
  });

  it('says what is wrong with files that are no books', async () => {
    for (const [name, content, expected] of [
      ['cut.epub', (await epub()).subarray(0, 900), 'damaged'],
      ['noise.epub', Buffer.from('not a zip'), 'damaged'],
      ['picture.txt', pixel, 'not a text'],
      ['empty.md', Buffer.from(' \n'), 'empty'],
    ] as const) {
      await give(name, Buffer.from(content));
      await eventually(() => text(page, '#notice-text')).toContain(expected);
      await page.click('#notice-close');
    }
  });

  it('opens an epub whose fonts are obfuscated', async () => {
    await give(
      'fonts.epub',
      await epub({ ...rest, 'META-INF/encryption.xml': encryption('http://www.idpf.org/2008/embedding') }),
    );
    await replace();
    await eventually(() => page.inputValue('#chapter-text')).toContain('The keeper');
  });

  it('closes the book when it is told to, and forgets its sound', async () => {
    await page.click('#book-close');
    await page.click('#confirm-yes');
    await page.locator('#book-none').waitFor();
    const records = `new Promise((resolve) => {
      const opening = indexedDB.open('hearsay');
      opening.onsuccess = () => {
        const database = opening.result;
        const count = database.transaction('files').objectStore('files').count();
        count.onsuccess = () => { database.close(); resolve(count.result); };
      };
    })`;
    await eventually(() => page.evaluate<number>(records)).toBe(0);
    await eventually(() => page.locator('#chapters li').count()).toBe(0);
  });

  it('logs no errors and sends no request elsewhere', () => {
    expect(problems).toEqual([]);
  });
});
