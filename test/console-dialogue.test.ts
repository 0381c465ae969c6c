import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browsers, open } from './fixtures/browser.ts';
import {
  accessibilityViolations,
  download,
  eventually,
  recordJson,
  recordValues,
  text,
} from './fixtures/console-page.ts';
import { endAll, type Say, startSay } from './fixtures/service.ts';

interface Body {
  input?: string;
  input_type?: string;
  lang_code?: string;
  lines?: { input: string; voice: string; speed?: number; pause_after?: number; lang_code?: string }[];
}

describe.each(browsers)('dialogues, SSML and search in the studio of say ($name)', ({ launch }) => {
  let browser: Browser;
  let say: Say;
  let page: Page;
  let problems: string[];
  /** Bodies of the requests for speech. */
  let bodies: Body[];
  beforeAll(async () => {
    browser = await launch();
    say = await startSay();
    await say.ready();
    ({ page, problems } = await open(browser, `${say.url}/web`));
    bodies = await recordJson(page, /captioned_|v1\/audio\/(speech|dialogue)/);
    await page.locator('#voices li').nth(3).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
  });

  const said = () =>
    page
      .locator('#lines textarea')
      .evaluateAll((areas) => areas.map((area) => (area as unknown as { value: string }).value));

  describe('dialogue', () => {
    it('makes lines of a script that is pasted, with a voice for each name', async () => {
      await page.fill('#input', 'Ann: Have you seen my glasses?\n**Bob**: You are wearing\nthem.\nAnn: Oh.');
      await page.press('#input', 'Control+a');
      await page.press('#input', 'Control+c');
      await page.click('[data-mode=dialogue]');
      await page.locator('#lines textarea').first().press('Control+v');
      await eventually(said).toEqual(['Have you seen my glasses?', 'You are wearing them.', 'Oh.']);
      const [ann, bob, again] = await Promise.all(
        [1, 2, 3].map((n) => page.inputValue(`[aria-label="Voice of line ${n}"]`)),
      );
      expect(ann).not.toBe(bob);
      expect(again).toBe(ann);
      await page.selectOption('[aria-label="Voice of Ann"]', 'bf_emma');
      await eventually(() => page.inputValue('[aria-label="Voice of line 3"]')).toBe('bf_emma');
      await eventually(() => page.inputValue('[aria-label="Voice of line 2"]')).toBe(bob);
    });

    it('moves, adds and removes lines by keyboard, and drags them', async () => {
      await page.focus('[aria-label="Text of line 3"]');
      await page.keyboard.press('Enter');
      await page.keyboard.type('So I am.');
      await eventually(() => said()).toEqual(['Have you seen my glasses?', 'You are wearing them.', 'Oh.', 'So I am.']);
      await page.focus('[aria-label="Move line 4 up"]');
      await page.keyboard.press('Enter');
      await eventually(async () => (await said())[2]).toBe('So I am.');
      const [from, to] = await Promise.all([3, 2].map((n) => page.locator('#lines li .handle').nth(n).boundingBox()));
      await page.mouse.move(from!.x + 5, from!.y + 8);
      await page.mouse.down();
      await page.mouse.move(to!.x + 5, to!.y + 8, { steps: 5 });
      await page.mouse.up();
      await eventually(async () => (await said())[2]).toBe('Oh.');
      await page.click('[aria-label="Remove line 4"]');
      await page.click('#confirm-yes');
      await eventually(async () => (await said()).length).toBe(3);
    });

    it('plays it, marks the line that is heard, and keeps it in the history', async () => {
      // Firefox does not select a number to be filled in.
      for (const label of ['Seconds of pause after line 2', 'Speed of line 3']) {
        await page.press(`[aria-label="${label}"]`, 'Control+a');
        await page.keyboard.type('0.5');
        await page.keyboard.press('Tab');
      }
      const marked = await recordValues<string>(
        page,
        "[...document.querySelectorAll('#lines li.now textarea')].map(({ value }) => value).join()",
      );
      await page.click('#speak');
      await eventually(marked).toEqual(expect.arrayContaining(['Have you seen my glasses?', 'You are wearing them.']));
      await eventually(() => page.locator('#history li').count()).toBe(1);
      expect(bodies.at(-1)!.lines).toMatchObject([
        { input: 'Have you seen my glasses?', voice: 'bf_emma' },
        { input: 'You are wearing them.', pause_after: 0.5 },
        { input: 'Oh.', voice: 'bf_emma', speed: 0.5 },
      ]);
      await eventually(() => text(page, '#spoken')).toBe(
        'Ann: Have you seen my glasses?\nBob: You are wearing them.\nAnn: Oh.',
      );
      await eventually(() => text(page, '#history')).toContain('Dialogue of 3 lines, 2 voices');
      await eventually(() => text(page, '#code')).toContain('/v1/audio/dialogue');
    });

    it('saves it in every format as one file, and its captions with a cue for each line', async () => {
      for (const [format, start] of [
        ['flac', 'fLaC'],
        ['opus', 'OggS'],
        ['wav', 'RIFF'],
      ] as const) {
        await page.selectOption('#download-format', format);
        expect((await download(page, '#download')).subarray(0, 4).toString()).toBe(start);
      }
      for (const format of ['mp3', 'aac', 'pcm']) {
        await page.selectOption('#download-format', format);
        expect((await download(page, '#download')).length).toBeGreaterThan(5000);
      }
      const cues = (await download(page, '[data-captions=srt]')).toString().trim().split('\n\n');
      expect(cues.map((cue) => cue.split('\n').slice(2).join(' '))).toEqual([
        'Have you seen my glasses?',
        'You are wearing them.',
        'Oh.',
      ]);
      const { words } = JSON.parse((await download(page, '[data-captions=json]')).toString());
      expect(words.at(-1)).toMatchObject({ word: 'Oh.', line: 2 });
    });

    it('is there again after a reload, and again from the history', async () => {
      await page.reload();
      await eventually(said).toEqual(['Have you seen my glasses?', 'You are wearing them.', 'Oh.']);
      await eventually(() => page.inputValue('[aria-label="Voice of line 1"]')).toBe('bf_emma');
      await eventually(() => page.inputValue('[aria-label="Speed of line 3"]')).toBe('0.5');
      await eventually(() => page.inputValue('[aria-label="Name of line 2"]')).toBe('Bob');
      await page.fill('[aria-label="Text of line 1"]', 'Changed.');
      await page.click('[data-mode=text]');
      await page.click('#history .entry');
      await page.click('#confirm-yes');
      await eventually(said).toEqual(['Have you seen my glasses?', 'You are wearing them.', 'Oh.']);
      await eventually(() => page.inputValue('[aria-label="Seconds of pause after line 2"]')).toBe('0.5');
      await page.click('#play');
    });

    it('says which line is wrong', async () => {
      await page.fill('[aria-label="Text of line 2"]', 'Wait [pause:99999s] for me.');
      await page.click('#speak');
      await eventually(() => page.locator('#notice').isVisible()).toBe(true);
      await eventually(() => text(page, '#notice-text')).toMatch(/pause/i);
      await page.click('#notice-close');
      await page.fill('[aria-label="Text of line 2"]', 'You are wearing them.');
    });

    it('is spoken with a pause between the steps of its field, which blocks no text either', async () => {
      await page.press('[aria-label="Seconds of pause after line 2"]', 'Control+a');
      await page.keyboard.type('0.25');
      await page.keyboard.press('Control+Enter');
      await eventually(async () => bodies.at(-1)!.lines?.[1]?.pause_after).toBe(0.25);
      await page.click('[data-mode=text]');
      await page.fill('#input', 'Hello.');
      await page.click('#speak');
      await eventually(async () => bodies.at(-1)!.input).toBe('Hello.');
      await eventually(() => text(page, '#progress')).toContain('of speech');
      await page.click('[data-mode=dialogue]');
    });

    it('has no serious accessibility violations', async () => {
      expect(await accessibilityViolations(page)).toEqual([]);
    });
  });

  describe('SSML', () => {
    it('shows where a document is wrong, and selects the tag', async () => {
      await page.click('[data-mode=text]');
      await page.check('#ssml');
      await page.fill('#input', '<speak>Hello.\n  <brake/> there.</speak>');
      await page.click('#speak');
      await eventually(() => text(page, '#notice-text')).toContain('line 2');
      const selection = 'input.value.slice(input.selectionStart, input.selectionEnd)';
      await eventually(() => page.evaluate(selection)).toMatch(/^<brake/);
      await page.click('#notice-close');
    });

    it('speaks it, marks its words, and saves its marks', async () => {
      await page.fill('#input', '<speak>Salt &amp; pepper <mark name="here"/> on the table.</speak>');
      await page.click('#speak');
      await eventually(() => text(page, '#progress')).toContain('of speech');
      expect(bodies.at(-1)).toMatchObject({ input_type: 'ssml' });
      const { words, marks } = JSON.parse((await download(page, '[data-captions=json]')).toString());
      expect(words.map(({ word }: { word: string }) => word)).toEqual(['Salt', '&', 'pepper', 'on', 'the', 'table.']);
      expect(marks).toEqual([{ name: 'here', time: expect.any(Number) }]);
      expect((await download(page, '[data-captions=srt]')).toString()).toContain('Salt & pepper on the table.');
      await page.uncheck('#ssml');
    });
  });

  it('reads a text in another language than that of the voice', async () => {
    await page.fill('#input', 'Colour.');
    await page.selectOption('#language', 'b');
    await page.click('#speak');
    await eventually(() => text(page, '#progress')).toContain('of speech');
    expect(bodies.at(-1)).toMatchObject({ lang_code: 'b' });
    await page.selectOption('#language', '');
  });

  describe('search', () => {
    it('finds and replaces in the text, with the matches marked', async () => {
      await page.fill('#input', 'A cat, a Cat and a dog.\n'.repeat(40));
      await page.click('#search-open');
      await page.fill('#search', 'cat');
      await eventually(() => text(page, '#search-count')).toBe('1 of 80');
      await eventually(() =>
        page.evaluate("[CSS.highlights.get('found').size, CSS.highlights.get('match').size]"),
      ).toEqual([79, 1]);
      await page.press('#search', 'Shift+Enter');
      await eventually(() => text(page, '#search-count')).toBe('80 of 80');
      await eventually(() => page.evaluate('input.scrollTop')).toBeGreaterThan(100);
      await page.fill('#replacement', 'catfish');
      await page.press('#replacement', 'Enter');
      await eventually(() => page.inputValue('#input')).toMatch(/a catfish and a dog\.\n$/);
      await page.click('#replace-all');
      await eventually(() => text(page, '#search-count')).toBe('80 replaced');
      await eventually(() => page.inputValue('#input')).toContain('A catfish, a catfish and a dog.');
      await page.focus('#input');
      await page.keyboard.press('Control+z');
      await eventually(() => page.inputValue('#input')).toContain('A cat, a Cat and a dog.');
      await page.fill('#input', 'A dog.');
      await eventually(() => text(page, '#search-count')).toBe('Not found');
    });

    it('searches all lines of a dialogue', async () => {
      await page.click('[data-mode=dialogue]');
      await page.fill('#search', 'are');
      await eventually(() => text(page, '#search-count')).toBe('1 of 1');
      await page.fill('#replacement', 'were');
      await page.click('#replace');
      await eventually(async () => (await said())[1]).toBe('You were wearing them.');
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.press('#search', 'Escape');
      await eventually(() => page.locator('#search-bar').isVisible()).toBe(false);
      await page.click('[data-mode=text]');
    });

    it('searches all chapters of a book', async () => {
      await page.setInputFiles('#open-file', {
        name: 'a.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from('# One\nA cat.\n# Two\nTwo cats.'),
      });
      await eventually(() => page.locator('#chapters li').count()).toBe(2);
      await page.click('#search-open');
      await page.fill('#search', 'cat');
      await page.press('#search', 'Enter');
      await eventually(() => page.inputValue('#chapter-title')).toBe('Two');
      await page.fill('#replacement', 'dog');
      await page.click('#replace-all');
      await eventually(() => page.inputValue('#chapter-text')).toContain('Two dogs.');
      await page.locator('#chapters .pick').first().click();
      await eventually(() => page.inputValue('#chapter-text')).toContain('A dog.');
    });
  });

  it('logs no errors and sends no request elsewhere', () => {
    expect(problems).toEqual([]);
  });
});
