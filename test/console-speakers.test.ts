import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavHeader } from '../src/audio/wav.ts';
import { browsers, open } from './fixtures/browser.ts';
import { accessibilityViolations, download, eventually, stored, text } from './fixtures/console-page.ts';
import { endAll, startHear } from './fixtures/service.ts';

const said = [
  { start: 0, end: 1, speaker: 'A', text: ' Who is it?' },
  { start: 1, end: 2, speaker: 'B', text: ' It is me.' },
  { start: 3, end: 4, speaker: 'A', text: ' Come in.' },
  { start: 4, end: 5, speaker: 'A', text: ' Sit down.' },
];

/** A streamed response with speakers. */
function response(): string {
  const deltas = [' Who is it? It is me.', ' Come in. Sit down.'].map((delta, index) => ({
    type: 'transcript.text.delta',
    delta,
    start: 3 * index,
    end: 3 * index + 2,
  }));
  const segments = said.map(({ text, ...rest }, id) => ({
    type: 'transcript.text.segment',
    id: `seg_${id}`,
    ...rest,
    text,
  }));
  const whole = {
    task: 'transcribe',
    language: 'en',
    duration: 6,
    text: said
      .map((each) => each.text)
      .join('')
      .trim(),
    segments: said.map((each, id) => ({ id, ...each })),
    words: said.flatMap(({ start, text }) =>
      text
        .trim()
        .split(' ')
        .map((word, i) => ({ word, start: start + i / 4, end: start + (i + 1) / 4, probability: 0.9 })),
    ),
  };
  return [...deltas, ...segments, { type: 'transcript.text.done', ...whole }]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join('');
}

const recording = (name: string) => ({
  name,
  mimeType: 'audio/wav',
  buffer: Buffer.concat([wavHeader(8000, 6 * 16_000), Buffer.alloc(6 * 16_000)]),
});

describe.each(browsers)('speakers in the console of hear ($name)', ({ launch }) => {
  let browser: Browser;
  let directory: string;
  let page: Page;
  let problems: string[];
  /** Whether each request asked for speakers. */
  const asked: boolean[] = [];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hearsay-speakers-'));
    browser = await launch();
    const hear = await startHear({ WARMUP_ON_START: 'false', SPEAKER_MODEL: directory });
    ({ page, problems } = await open(browser, `${hear.url}/web`));
    await page.exposeFunction('recordSpeakers', (isAsked: boolean) => void asked.push(isAsked));
    const script = `{
      const { send } = XMLHttpRequest.prototype;
      XMLHttpRequest.prototype.send = function (body) {
        if (body instanceof FormData) window.recordSpeakers(body.get('speakers') === 'true');
        return send.call(this, body);
      };
    }`;
    await page.evaluate(script);
    await page.addInitScript(script);
    // As proxies that keep it from the public.
    await page.route('**/metrics', (route) => route.fulfill({ status: 404 }));
    await page.route('**/v1/audio/transcriptions', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: response() }),
    );
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
    await rm(directory, { recursive: true, force: true });
  });

  const headings = () => page.locator('.speaker:not(.unnamed)').allTextContents();
  const lines = () => page.locator('#transcript p').allTextContents();

  it('are found if the tick is set, which is kept', async () => {
    await eventually(() => page.locator('#speakers').isVisible()).toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.check('#speakers');
    await eventually(() => stored(page, 'settings')).toContain('"id":"speakers","value":true');
    await page.reload();
    await eventually(() => page.locator('#speakers').isVisible()).toBe(true);
    await eventually(() => page.isChecked('#speakers')).toBe(true);
    await eventually(() => text(page, '#code')).toContain('diarized_json');
    await page.setInputFiles('#file', recording('talk.wav'));
    await page.click('#start');
    await eventually(lines).toEqual(said.map((each) => each.text.trim()));
    await eventually(headings).toEqual(['A', 'B', 'A']);
    expect(asked).toEqual([true]);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('are renamed everywhere, and are in every export and after a reload', async () => {
    await page.click('#edit');
    await page.locator('.speaker').first().click();
    await page.fill('#line-speaker', 'Ann');
    await page.check('#line-everywhere');
    await page.press('#line-speaker', 'Enter');
    await eventually(headings).toEqual(['Ann', 'B', 'Ann']);
    expect((await download(page, '[data-save=text]')).toString()).toBe(
      'Ann: Who is it?\n\nB: It is me.\n\nAnn: Come in. Sit down.\n',
    );
    expect((await download(page, '[data-save=srt]')).toString()).toContain('\nB: It is me.\n');
    expect((await download(page, '[data-save=vtt]')).toString()).toContain('\n<v Ann>Who is it?\n');
    expect((await download(page, '[data-save=markdown]')).toString()).toContain('Ann: Come in.');
    const { segments } = JSON.parse((await download(page, '[data-save=verbose_json]')).toString());
    expect(segments.map(({ speaker }: { speaker: string }) => speaker)).toEqual(['Ann', 'B', 'Ann', 'Ann']);
    await eventually(() => stored(page, 'transcripts')).toContain('\\"speaker\\":\\"Ann\\"');
    await page.reload();
    await eventually(headings).toEqual(['Ann', 'B', 'Ann']);
  });

  it('are not asked for without the tick', async () => {
    await page.uncheck('#speakers');
    await page.click('#start');
    await eventually(async () => asked).toEqual([true, false]);
    await eventually(() => page.locator('#jobs li').count()).toBe(2);
    expect(await text(page, '#code')).not.toContain('diarized_json');
  });

  it('cannot be asked for where no model finds them', async () => {
    const hear = await startHear({ WARMUP_ON_START: 'false' });
    const other = await open(browser, `${hear.url}/web`);
    await eventually(() => text(other.page, '#facts')).toContain('Active');
    expect(await other.page.locator('#speakers').isVisible()).toBe(false);
    expect(other.problems).toEqual([]);
    await other.page.close();
  });

  it('cause no error in the page', () => {
    expect(problems).toEqual([]);
  });
});
