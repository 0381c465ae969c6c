import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavHeader } from '../src/audio/wav.ts';
import { browsers, open } from './fixtures/browser.ts';
import { accessibilityViolations, download, eventually, stored, text } from './fixtures/console-page.ts';
import { endAll, type Hear, startHear } from './fixtures/service.ts';

/** A WAV file of silence. */
function silence(name: string, seconds = 20) {
  const samples = Buffer.alloc(seconds * 16_000);
  const buffer = Buffer.concat([wavHeader(8000, samples.length), samples]);
  return { name, mimeType: 'audio/wav', buffer };
}

/** A streamed response: sentences of one second, whose words take equal parts of it, three seconds apart. */
function response(sentences: readonly string[], probability = 0.9): string {
  const segments = sentences.map((sentence, id) => ({ id, start: 3 * id, end: 3 * id + 1, text: ` ${sentence}` }));
  const words = sentences.flatMap((sentence, id) =>
    sentence.split(' ').map((word, i, all) => ({
      word,
      start: 3 * id + i / all.length,
      end: 3 * id + (i + 1) / all.length,
      probability: word.startsWith('perhaps') ? 0.2 : probability,
    })),
  );
  const whole = { task: 'transcribe', language: 'en', duration: 20, text: sentences.join(' '), segments, words };
  const deltas = segments.map(({ text: delta, start, end }) => ({ type: 'transcript.text.delta', delta, start, end }));
  return [...deltas, { type: 'transcript.text.done', ...whole }]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join('');
}

const answer = (body: string) => (route: Route) => route.fulfill({ contentType: 'text/event-stream', body });
const audioRoute = '**/v1/audio/*';
const sentences = ['One small step.', 'Two perhaps giant leaps.', 'Three more.', 'Four is the end.'];

describe.each(browsers)('the editor of hear ($name)', ({ launch }) => {
  let browser: Browser;
  let hear: Hear;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    browser = await launch();
    hear = await startHear({ WARMUP_ON_START: 'false' });
    ({ page, problems } = await open(browser, `${hear.url}/web`));
    await page.route(audioRoute, answer(response(sentences)));
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
  });

  /** Puts the cursor at an offset of a line. */
  async function putCursor(line: number, offset: number): Promise<void> {
    const paragraph = page.locator('#transcript p').nth(line);
    await paragraph.click();
    await paragraph.press('Home');
    for (let i = 0; i < offset; i++) await page.keyboard.press('ArrowRight');
  }

  const lines = () => page.locator('#transcript p').allTextContents();
  const json = async () => JSON.parse((await download(page, '[data-save=verbose_json]')).toString());

  it('lists the models before one is loaded', async () => {
    await eventually(() => page.locator('#models b').count()).toBeGreaterThan(5);
  });

  it('transcribes all files that are chosen together, one after the other', async () => {
    await page.setInputFiles('#file', [silence('first.wav'), silence('second.wav')]);
    await eventually(() => text(page, '#start')).toBe('Transcribe 2 files');
    await page.click('#start');
    await eventually(() => page.locator('#jobs li', { hasText: '13 words' }).count()).toBe(2);
    await eventually(() => text(page, '#jobs li.chosen')).toContain('first.wav');
    await eventually(lines).toEqual(sentences);
  });

  it('puts the finished transcript before the form, and the player beside it', async () => {
    const { y: transcript } = (await page.locator('#transcript').boundingBox())!;
    const { y: form } = (await page.locator('#transcription').boundingBox())!;
    expect(transcript).toBeLessThan(form);
    await page.setViewportSize({ width: 390, height: 844 });
    const { y: player, height } = (await page.locator('#player').boundingBox())!;
    expect(player + height).toBeLessThanOrEqual(845);
    expect(player).toBeGreaterThan(500);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('skips five seconds, and plays at another rate', async () => {
    await page.click('#forward');
    await page.click('#forward');
    await page.click('#back');
    await eventually(() => page.evaluate('audio.currentTime')).toBeCloseTo(5, 1);
    await page.selectOption('#rate', '1.5');
    await eventually(() => page.evaluate('audio.playbackRate')).toBe(1.5);
    await page.selectOption('#rate', '1');
  });

  it('goes to the next word that the model was unsure of', async () => {
    await eventually(() => text(page, '#unsure')).toBe('Next unsure word (1)');
    await eventually(() => page.locator('.word.unsure').allTextContents()).toEqual(['perhaps']);
    await page.click('#unsure');
    await eventually(() => page.evaluate('getSelection().toString()')).toBe('perhaps');
    await eventually(() => page.evaluate('audio.currentTime')).toBeCloseTo(3.25, 1);
  });

  it('says that a transcript is edited, until all of it is undone', async () => {
    await page.click('#edit');
    await putCursor(0, 0);
    await page.keyboard.type('X');
    await eventually(() => text(page, '#jobs li.chosen')).toContain('Edited.');
    await page.click('#undo');
    await eventually(lines).toEqual(sentences);
    await eventually(() => text(page, '#jobs li.chosen')).not.toContain('Edited.');
    await page.click('#edit');
  });

  it('keeps the times of words in an edited line, and exports what is edited', async () => {
    await page.click('#edit');
    await putCursor(1, 4);
    for (let i = 0; i < 'perhaps'.length; i++) await page.keyboard.press('Delete');
    await page.keyboard.type('really quite');
    await eventually(() => page.locator('#unsure').isVisible()).toBe(false);
    const { segments, words } = await json();
    expect(segments[1].text).toBe(' Two really quite giant leaps.');
    const changed = words.slice(3, 8).map(({ word, start }: { word: string; start: number }) => [word, start]);
    expect(changed).toEqual([
      ['Two', 3],
      ['really', 3.25],
      ['quite', 3.386],
      ['giant', 3.5],
      ['leaps.', 3.75],
    ]);
    expect((await download(page, '[data-save=srt]')).toString()).toContain('Two really quite giant leaps.');
    expect((await download(page, '[data-save=text]')).toString()).toContain('One small step.\n\nTwo really');
    const document = (await download(page, '[data-save=docx]')).toString();
    expect(document).toMatch(/^PK.*<w:t xml:space="preserve"> Two really quite giant leaps\.<\/w:t>/s);
  });

  it('splits a line with Enter, joins lines with Backspace, and undoes both', async () => {
    await putCursor(0, 'One small '.length);
    await page.keyboard.press('Enter');
    await eventually(async () => (await lines()).slice(0, 2)).toEqual(['One small', 'step.']);
    await page.keyboard.type('Mis');
    await eventually(async () => (await lines())[1]).toBe('Misstep.');
    await page.keyboard.press('Control+z');
    await eventually(async () => (await lines())[1]).toBe('step.');
    await putCursor(1, 0);
    await page.keyboard.press('Backspace');
    await eventually(async () => (await lines())[0]).toBe('One small step.');
    await page.keyboard.type('! ');
    await page.click('#undo');
    await page.click('#undo');
    await eventually(async () => (await lines()).slice(0, 2)).toEqual(['One small', 'step.']);
    await page.click('#undo');
    await eventually(async () => (await lines())[0]).toBe('One small step.');
    await page.click('#redo');
    await eventually(async () => (await lines())[0]).toBe('One small');
    await page.click('#undo');
  });

  it('keeps what was just typed when another field is chosen, and leaves the focus there', async () => {
    await putCursor(2, 0);
    await page.keyboard.type('And t');
    await page.keyboard.press('Delete');
    await page.click('#search');
    await page.keyboard.type('an');
    await eventually(() => page.inputValue('#search')).toBe('an');
    await eventually(async () => (await lines())[2]).toBe('And three more.');
    await page.fill('#search', '');
    await page.click('#undo');
    await eventually(async () => (await lines())[2]).toBe('Three more.');
  });

  it('shows what was just typed when the same recording is opened', async () => {
    await putCursor(2, 0);
    await page.keyboard.type('Just ');
    await page.click('#jobs li.chosen .pick');
    // Undo begins anew.
    await page.locator('#undo:disabled').waitFor();
    await eventually(async () => (await lines())[2]).toBe('Just Three more.');
    await putCursor(2, 0);
    for (let i = 0; i < 'Just '.length; i++) await page.keyboard.press('Delete');
    await eventually(async () => (await lines())[2]).toBe('Three more.');
  });

  it('replaces all matches at once, and takes them back at once', async () => {
    await page.fill('#search', 'o');
    await eventually(() => text(page, '#search-count')).toBe('1 of 4');
    await page.fill('#replacement', '$&0');
    await page.click('#replace-all');
    await eventually(async () => (await lines())[0]).toBe('$&0ne small step.');
    await eventually(async () => (await lines())[2]).toBe('Three m$&0re.');
    await page.click('#undo');
    await eventually(async () => (await lines())[2]).toBe('Three more.');
    await page.fill('#search', '');
  });

  it('names speakers line by line, renames them everywhere, and exports the names', async () => {
    const name = async (button: string, answer: string) => {
      await page.click(button);
      await page.fill('#line-speaker', answer);
      await page.press('#line-speaker', 'Enter');
      await page.locator('#line-dialog').waitFor({ state: 'hidden' });
    };
    await name('[aria-label="Details at 0:00"]', 'Ann');
    await eventually(() => page.evaluate('document.activeElement.textContent')).toBe('Ann');
    await name('[aria-label="Details at 0:06"]', 'Bo & <b>');
    await page.click('[aria-label="Details at 0:09"]');
    await page.click('#line-known button:has-text("Ann")');
    const headings = () => page.locator('.speaker:not(.unnamed)').allTextContents();
    await eventually(headings).toEqual(['Ann', 'Bo & <b>', 'Ann']);
    await page.click('[aria-label="Speaker: Ann"] >> nth=0');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.fill('#line-speaker', 'Anna');
    await page.check('#line-everywhere');
    await page.click('#line-form .primary');
    await eventually(headings).toEqual(['Anna', 'Bo & <b>', 'Anna']);
    const vtt = (await download(page, '[data-save=vtt]')).toString();
    expect(vtt).toContain('<v Anna>One small step.');
    expect(vtt).toContain('<v Bo &amp; &lt;b&gt;>Three more.');
    expect((await download(page, '[data-save=text]')).toString()).toContain('\n\nBo & <b>: Three more.\n\nAnna: Four');
    expect((await json()).segments[3].speaker).toBe('Anna');
    await page.click('#undo');
    await eventually(headings).toEqual(['Ann', 'Bo & <b>', 'Ann']);
  });

  it('moves the start and end of a line, with its words, and keeps lines in order', async () => {
    await page.click('[aria-label="Details at 0:03"]');
    await page.fill('#line-start', '0:07');
    await page.click('#line-form .primary');
    expect(await page.evaluate("document.getElementById('line-start').validationMessage")).toBe(
      'Lines stay in order: from 0:00.000 to 0:06.000.',
    );
    await page.fill('#line-start', '0:03,5');
    await page.fill('#line-end', '5.5');
    await page.click('#line-form .primary');
    await page.locator('#line-dialog').waitFor({ state: 'hidden' });
    await eventually(async () => (await json()).segments[1]).toMatchObject({ start: 3.5, end: 5.5, speaker: 'Ann' });
    const { words } = await json();
    expect(words.slice(3, 5)).toMatchObject([
      { word: 'Two', start: 3.5 },
      { word: 'really', start: 4 },
    ]);
    await page.click('#undo');
    expect((await json()).segments[1]).toMatchObject({ start: 3, end: 4 });
  });

  it('keeps recordings, transcripts, edits and settings when the page is loaded again', async () => {
    await page.selectOption('#language', 'de');
    await page.fill('#names', 'Zoë');
    await eventually(() => stored(page, 'transcripts')).toContain('Two really quite giant leaps.');
    await eventually(() => stored(page, 'settings')).toContain('Zoë');
    await page.reload();
    await eventually(lines).toContain('Two really quite giant leaps.');
    await eventually(() => page.locator('#jobs li').count()).toBe(2);
    await eventually(() => text(page, '#jobs li.chosen')).toContain('Edited.');
    await eventually(() => page.evaluate('Math.round(audio.duration)')).toBe(20);
    await eventually(() => page.inputValue('#language')).toBe('de');
    await eventually(() => page.inputValue('#names')).toBe('Zoë');
    await eventually(() => page.locator('.speaker').allTextContents()).toEqual(['Ann', 'Bo & <b>', 'Ann']);
    await page.click('#jobs li:nth-child(2) .pick');
    await eventually(lines).toContain('Two perhaps giant leaps.');
  });

  it('keeps the transcript when the recording is transcribed again', async () => {
    await page.route(audioRoute, answer(response(['Another hearing.'])));
    await page.click('#start');
    await eventually(lines).toEqual(['Another hearing.']);
    await eventually(() => page.locator('#jobs li').count()).toBe(3);
    await page.click('#jobs li:nth-child(3) .pick');
    await eventually(lines).toContain('Two perhaps giant leaps.');
  });

  it('follows the playback until the reader scrolls, and again on demand', async () => {
    await page.route(audioRoute, answer(response(Array.from({ length: 300 }, (_, i) => `Line number ${i}.`))));
    await page.setInputFiles('#file', silence('long.wav', 900));
    await page.click('#start');
    await eventually(() => page.locator('#transcript p').count()).toBe(300);
    await page.evaluate('audio.currentTime = 600; audio.play()');
    await page.locator('.word.now').waitFor();
    await eventually(() => page.evaluate('transcript.scrollTop')).toBeGreaterThan(3000);
    await page.locator('#transcript').hover();
    await page.mouse.wheel(0, -100_000);
    await page.locator('#follow').waitFor();
    const now = () => page.evaluate<number>('audio.currentTime');
    const later = (await now()) + 3.5;
    await eventually(now).toBeGreaterThan(later);
    await eventually(() => page.evaluate('transcript.scrollTop')).toBe(0);
    await page.click('#follow');
    await eventually(() => page.evaluate('transcript.scrollTop')).toBeGreaterThan(3000);
    await page.evaluate('audio.pause()');
  });

  it('stays at the edited line while the playback is paused at another', async () => {
    await page.click('#edit');
    await page.locator('#transcript .segment').nth(100).scrollIntoViewIfNeeded();
    const edited = page.locator('#transcript .segment:nth-child(101) [contenteditable]');
    await edited.pressSequentially('More. ');
    await eventually(() => page.locator('#undo').isEnabled()).toBe(true);
    const [line, box] = [await edited.boundingBox(), await page.locator('#transcript').boundingBox()];
    expect(line!.y).toBeGreaterThan(box!.y);
    expect(line!.y + line!.height).toBeLessThan(box!.y + box!.height);
    await page.click('#edit');
  });

  it('shows a played word and an undone change above the player of a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate("document.getElementById('transcript-card').scrollIntoView()");
    const { y: player } = (await page.locator('#player').boundingBox())!;
    const bottomOf = async (part: string) =>
      (await page.evaluate<{ bottom: number }>(`${part}.getBoundingClientRect().toJSON()`)).bottom;
    const covered = `[...transcript.querySelectorAll('.segment')].findLast(
      (segment) => segment.getBoundingClientRect().bottom < transcript.getBoundingClientRect().bottom)`;
    expect(await bottomOf(covered)).toBeGreaterThan(player);
    await page.evaluate(`audio.currentTime = ${covered}.querySelector('.word').dataset.start`);
    await page.locator('.word.now').waitFor();
    await eventually(() => bottomOf("document.querySelector('.word.now')")).toBeLessThan(player);
    await page.click('#edit');
    await page.evaluate("transcript.scrollTop = 0; document.getElementById('transcript-card').scrollIntoView()");
    await page.click('#undo');
    const edited = page.locator('#transcript .segment:nth-child(101) p');
    await eventually(() => edited.textContent()).toBe('Line number 100.');
    await eventually(() => bottomOf('document.activeElement')).toBeLessThan(player);
    await page.click('#edit');
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('shows a transcript that is chosen in the list, below it on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('#jobs .pick').nth(1).click();
    await eventually(async () => Math.round((await page.locator('#transcript-card').boundingBox())!.y)).toBe(0);
    await page.locator('#jobs .pick').first().click();
    await eventually(() => text(page, '#file-name')).toBe('long.wav');
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('says that there is no speech in silence', async () => {
    await page.route(audioRoute, answer(response([])));
    await page.setInputFiles('#file', silence('quiet.wav'));
    await page.click('#start');
    await eventually(() => text(page, '#transcript-empty')).toBe('No speech found in this recording.');
    await eventually(() => page.locator('#transcript-empty').isVisible()).toBe(true);
    await eventually(() => text(page, '#jobs li.chosen')).toContain('No speech found in 20 s.');
    await eventually(() => page.locator('#copy').isDisabled()).toBe(true);
  });

  it('stops a recording that waits or runs, without losing the others', async () => {
    const held: Route[] = [];
    await page.route(audioRoute, (route) => void held.push(route));
    await page.setInputFiles('#file', [silence('held.wav'), silence('next.wav')]);
    await page.click('#start');
    await eventually(async () => held.length).toBe(1);
    await eventually(() => text(page, '#jobs li:nth-child(2)')).toContain('Waits for its turn.');
    await page.click('[aria-label="Stop next.wav"]');
    await eventually(() => text(page, '#jobs li:nth-child(2)')).toContain('Not transcribed yet.');
    await page.click('#stop');
    await eventually(() => text(page, '#jobs li:nth-child(1)')).toContain('Not transcribed yet.');
    await eventually(() => text(page, '#transcript-empty')).toBe('Your transcript will appear here.');
  });

  it('shows all formats of a long transcript', async () => {
    await page.click('#jobs li:has-text("long.wav") .pick');
    await eventually(() => page.locator('#transcript p').count()).toBe(300);
    for (const [format, ending] of [
      ['verbose_json', '}\n\n'],
      ['srt', 'Line number 299.\n\n'],
      ['text', 'Line number 299.\n\n'],
    ] as const) {
      await page.selectOption('#format', format);
      await eventually(async () => (await text(page, '#plain'))?.endsWith(ending)).toBe(true);
    }
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.selectOption('#format', 'words');
    await page.click('#edit');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('asks before it removes recordings', async () => {
    const count = await page.locator('#jobs li').count();
    await page.click('[aria-label="Remove quiet.wav"]');
    await page.keyboard.press('Enter');
    await page.locator('#confirm-dialog').waitFor({ state: 'hidden' });
    await eventually(() => page.locator('#jobs li').count()).toBe(count);
    await page.click('[aria-label="Remove quiet.wav"]');
    await page.click('#confirm-yes');
    await eventually(() => page.locator('#jobs li').count()).toBe(count - 1);
    await page.click('#jobs li .pick');
    await page.click('#play');
    await eventually(() => page.evaluate('audio.currentTime')).toBeGreaterThan(0);
    await page.click('#jobs-clear');
    await page.click('#confirm-yes');
    await eventually(() => page.locator('#jobs li').count()).toBe(0);
    await eventually(() => stored(page, 'jobs')).toBe('[]');
    expect(await page.evaluate('audio.paused')).toBe(true);
    await page.reload();
    await page.locator('#jobs-none').waitFor();
    await eventually(() => page.locator('#jobs li').count()).toBe(0);
  });

  it('logs no errors and sends no request elsewhere', () => {
    expect(problems).toEqual([]);
  });
});
