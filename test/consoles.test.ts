import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browsers, open } from './fixtures/browser.ts';
import {
  accessibilityViolations,
  download,
  dropFiles,
  eventually,
  faintFields,
  recordValues,
  stored,
  text,
} from './fixtures/console-page.ts';
import { endAll, type Hear, type Say, startHear, startSay } from './fixtures/service.ts';

/** The waveform's position, in seconds. */
const position = async (page: Page) => Number(await page.locator('#waveform').getAttribute('aria-valuenow'));

const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)> \u202eevil "'&`;

describe.each(browsers)('consoles in a browser ($name)', ({ launch }) => {
  let browser: Browser;
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hearsay-consoles-'));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
    await rm(directory, { recursive: true, force: true });
  });

  describe('say', () => {
    let say: Say;
    let page: Page;
    let problems: string[];
    beforeAll(async () => {
      say = await startSay();
      await say.ready();
      ({ page, problems } = await open(browser, `${say.url}/web`));
    });

    it('plays streamed speech, marks its words, and seeks', async () => {
      await page.locator('#voices li').nth(3).waitFor();
      await page.fill('#input', 'One small step for the lighthouse keeper, and [pause:0.2s] one giant leap.');
      const marked = await recordValues<string>(page, "[...CSS.highlights.get('spoken') ?? []].map(String).join()");
      const positions = await recordValues<number>(page, "Number(waveform.getAttribute('aria-valuenow'))");
      await page.click('#speak');
      await eventually(() => position(page)).toBeGreaterThan(0.3);
      await eventually(marked).toEqual(expect.arrayContaining(['lighthouse', 'keeper,']));
      await page.press('#waveform', 'Home');
      await eventually(async () => (await positions()).some((at, i, all) => at < 0.5 && all[i - 1]! > 0.5)).toBe(true);
      await page.locator('#play[aria-label=Play]').waitFor();
      await eventually(() => text(page, '#history')).toContain('lighthouse');
      await eventually(() => text(page, '#code')).toContain('/v1/audio/speech');
    });

    it('saves the speech in the requested format and in others', async () => {
      expect((await download(page, '#download')).length).toBeGreaterThan(10_000);
      await page.selectOption('#download-format', 'wav');
      expect((await download(page, '#download')).subarray(0, 4).toString()).toBe('RIFF');
      await page.selectOption('#download-format', 'flac');
      expect((await download(page, '#download')).subarray(0, 4).toString()).toBe('fLaC');
    });

    it('blends voices', async () => {
      await page.click('[data-voice=bm_george] .add');
      await page.locator('#blend input').first().fill('3');
      const blend = await text(page, '#blend-text');
      expect(blend).toMatch(/^[a-z_]+\(3\)\+bm_george\(1\)$/);
      await page.click('#speak');
      await eventually(() => page.locator('#history li').count()).toBe(2);
      await eventually(() => text(page, '#code')).toContain(blend);
      await eventually(() => text(page, '#history li')).toContain(blend);
    });

    it('renders hostile text as text', async () => {
      await page.fill('#input', hostile);
      await page.click('#speak');
      await eventually(() => page.locator('#history li').count()).toBe(3);
      await eventually(() => text(page, '#spoken')).toBe(hostile);
      await eventually(() => page.locator('main script, img').count()).toBe(0);
      await eventually(() => text(page, '#code')).toContain('\\u202e');
    });

    it('keeps a stopped speech as such, and makes files of what was received alone', async () => {
      const formats = () =>
        page.evaluate("[...document.querySelectorAll('#download-format option:enabled')].map(({ value }) => value)");
      // More than the page receives ahead.
      await page.fill('#input', 'One small step. '.repeat(4000));
      await page.selectOption('#format', 'flac');
      await page.click('#speak');
      await eventually(() => position(page)).toBeGreaterThan(0);
      await page.click('#stop');
      await eventually(() => text(page, '#history li')).toContain(', not all of the text');
      expect(await formats()).toEqual(['wav', 'pcm']);
      await page.reload();
      await page.locator('#history .entry').first().click();
      await eventually(() => text(page, '#progress')).toContain('Not all of the text was spoken.');
      expect(await formats()).toEqual(['wav', 'pcm']);
      expect((await download(page, '#download')).subarray(0, 4).toString()).toBe('RIFF');
      await page.locator('#history .entry').nth(1).click();
      await eventually(formats).toHaveLength(6);
      expect(await page.inputValue('#download-format')).toBe('mp3');
    });

    it('left files that are dropped beside the form to the browser, which opened them', async () => {
      expect(await dropFiles(page, '#voices', { 'note.txt': 'Dropped on the voices.' })).toBe(true);
      await eventually(() => page.inputValue('#input')).toBe('Dropped on the voices.');
    });

    it('opened the first of several dropped files, and did not mention the others', async () => {
      await dropFiles(page, '#input', { 'a.txt': 'First.', 'b.txt': 'Second.' });
      await eventually(() => text(page, '#notice')).toContain('one file at a time');
      expect(await page.inputValue('#input')).toBe('Dropped on the voices.');
    });

    it('kept a message that only a button after all others could dismiss by keyboard', async () => {
      await page.locator('#notice').waitFor();
      await page.press('#input', 'Escape');
      await eventually(() => page.locator('#notice').isVisible()).toBe(false);
    });

    it('unloads the model, and loads it again to speak', async () => {
      await page.click('#unload');
      await eventually(() => text(page, '#state')).toBe('Unloaded');
      await page.click('#speak');
      await eventually(() => text(page, '#state')).toBe('Ready');
    });

    it('has no serious accessibility violations', async () => {
      expect(await accessibilityViolations(page)).toEqual([]);
    });

    it('had fields with faint edges', async () => {
      expect(await faintFields(page)).toEqual([]);
    });

    it('logs no errors and sends no request elsewhere', () => {
      expect(problems).toEqual([]);
    });
  });

  it('asks for the key until it is right, and stores it', async () => {
    const say = await startSay({ API_KEY: 'sesame', WARMUP_ON_START: 'false' });
    const { page, problems } = await open(browser, `${say.url}/web`);
    await page.locator('#key-dialog[open]').waitFor();
    await eventually(() => text(page, '#state')).toBe('Not loaded yet');
    await page.fill('#key-input', 'wrong');
    await page.keyboard.press('Enter');
    await eventually(() => text(page, '#key-reason')).toContain('not accept');
    // A rejected key is forgotten, but can be corrected.
    await eventually(() => page.evaluate('JSON.stringify(localStorage)')).toBe('{}');
    await eventually(() => page.inputValue('#key-input')).toBe('wrong');
    await page.fill('#key-input', 'sesame');
    await page.keyboard.press('Enter');
    await page.locator('#voices li').nth(3).waitFor();
    await eventually(() => page.evaluate('JSON.stringify(localStorage)')).toBe('{"hearsay.key":"sesame"}');
    await page.click('#speak');
    await eventually(() => position(page)).toBeGreaterThan(0.2);
    await eventually(() => text(page, '#code')).toContain('$API_KEY');
    await eventually(() => text(page, '#code')).not.toContain('sesame');
    expect(problems).toEqual([]);
  });

  it('takes a key in any letters, and then shows models and code, whoever asked for it', async () => {
    const hear = await startHear({ API_KEY: 'сезам' });
    const { page, problems } = await open(browser, `${hear.url}/web`);
    await page.locator('#key-dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    await page.setInputFiles('#file', { name: 'a.wav', mimeType: 'audio/wav', buffer: Buffer.from('RIFF') });
    await page.click('#start');
    await page.locator('#key-dialog[open]').waitFor();
    await eventually(() => text(page, '#code')).not.toContain('$API_KEY');
    await page.fill('#key-input', 'ключ');
    await page.keyboard.press('Enter');
    await eventually(() => text(page, '#key-reason')).toContain('not accept');
    await page.locator('#key-dialog[open]').waitFor();
    await page.fill('#key-input', 'сезам');
    await page.keyboard.press('Enter');
    await eventually(() => text(page, '#models')).toContain('Moonshine');
    await eventually(() => text(page, '#code')).toContain('$API_KEY');
    await page.click('#key');
    await page.click('#key-forget');
    await eventually(() => text(page, '#code')).not.toContain('$API_KEY');
    expect(problems).toEqual([]);
  });

  it('had no button for a key that was not given at first, and called it invalid', async () => {
    const hear = await startHear({ API_KEY: 'sesame', WARMUP_ON_START: 'false' });
    const profile = await browser.newContext();
    const { page, problems } = await open(profile, `${hear.url}/web`);
    await page.locator('#key-dialog[open]').waitFor();
    // Nothing to use.
    await page.keyboard.press('Enter');
    await page.locator('#key-dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => text(page, '#notice')).toContain('This service requires an API key.');
    await eventually(() => text(page, '#models')).toContain('This service requires an API key.');
    await page.click('#key');
    await eventually(() => text(page, '#key-reason')).toBe('This service requires an API key.');
    await page.keyboard.press('Escape');
    // Another tab shares the key.
    const other = await open(profile, `${hear.url}/web`);
    await other.page.fill('#key-input', 'sesame');
    await other.page.keyboard.press('Enter');
    await eventually(() => text(page, '#models')).toContain('Moonshine');
    await eventually(() => text(page, '#code')).toContain('$API_KEY');
    expect([...problems, ...other.problems]).toEqual([]);
    await profile.close();
  });

  it('shows that the model warms up, and speaks when it is ready', async () => {
    const say = await startSay();
    await say.ready();
    const { page, problems } = await open(browser, `${say.url}/web`);
    await eventually(() => text(page, '#blend-text')).not.toBe('');
    let warming = true;
    const system = { ...((await (await say.get('/system')).json()) as object), status: 'warming', model: null };
    const refusal = { error: { message: 'The model is still warming up.' }, detail: { error: 'model_warming' } };
    await page.route('**/system', (route) => (warming ? route.fulfill({ json: system }) : route.continue()));
    await page.route('**/captioned_speech', (route) =>
      warming ? route.fulfill({ status: 503, json: refusal }) : route.continue(),
    );
    await eventually(() => text(page, '#state')).toBe('Warming up');
    await page.click('#speak');
    await eventually(() => text(page, '#progress')).toContain('warm up');
    warming = false;
    await eventually(() => position(page)).toBeGreaterThan(0.2);
    await eventually(() => text(page, '#state')).toBe('Ready');
    expect(problems).toEqual([]);
  });

  it('shows why a model failed to load', async () => {
    const say = await startSay({ DEFAULT_VOICE: 'jf_alpha', FAILURE_WINDOW_SECONDS: '600' });
    const { page, problems } = await open(browser, `${say.url}/web`);
    await eventually(() => text(page, '#state')).toBe('Failed');
    await eventually(() => text(page, '#state-detail')).toContain('jf_alpha');
    expect(problems).toEqual([]);
  });

  it('/docs runs requests and shows descriptions as text, under the policy of /web', async () => {
    const say = await startSay();
    await say.ready();
    const { page, problems } = await open(browser, `${say.url}/docs`);
    await page.locator('#operations-audio-createSpeech .opblock-summary-control').click();
    await eventually(() => text(page, '#operations-audio-createSpeech code')).toBe('X-Skipped-Text');
    await page.locator('#operations-health-getHealth .opblock-summary-control').click();
    await page.locator('#operations-health-getHealth .try-out__btn').click();
    await page.locator('#operations-health-getHealth .execute').click();
    await eventually(() => text(page, '.live-responses-table .microlight')).toContain('"healthy"');
    const speak = page.locator('#operations-audio-createSpeech');
    await speak.locator('.try-out__btn').click();
    await speak.locator('.execute').click();
    await eventually(() => speak.locator('.live-responses-table .response-col_status').last().textContent()).toBe(
      '200',
    );
    expect(problems).toEqual([]);
    const policies = ['/docs', '/web'].map(async (path) => {
      const policy = (await say.get(path)).headers.get('content-security-policy')!;
      return policy.split('; ').filter((directive) => !directive.startsWith('trusted-types'));
    });
    const [docs, web] = await Promise.all(policies);
    expect(docs).toEqual(web);
    await say.stop();
  });

  describe('hear', () => {
    let hear: Hear;
    let page: Page;
    let problems: string[];
    let recording: string;
    beforeAll(async () => {
      const say = await startSay();
      await say.ready();
      const input = 'The quick brown fox jumps over the lazy dog. [pause:1s] Then it sleeps under the old tree.';
      const speech = await say.post('/v1/audio/speech', { input, response_format: 'wav', stream: false });
      recording = join(directory, 'fox & <b>dog\u202egpj.wav');
      await writeFile(recording, Buffer.from(await speech.arrayBuffer()));
      await say.stop();
      hear = await startHear();
      await hear.ready();
      ({ page, problems } = await open(browser, `${hear.url}/web`));
    });

    it('transcribes a recording, and plays from a clicked word', async () => {
      await page.setInputFiles('#file', recording);
      await page.click('#start');
      await page.locator('.word').nth(10).waitFor();
      await eventually(async () => (await text(page, '#transcript'))?.toLowerCase()).toContain('quick brown fox');
      await eventually(() => text(page, '#file-name')).toContain('<b>dog\\u202egpj.wav');
      await eventually(() => text(page, '#jobs li')).toContain('<b>dog\\u202egpj.wav');
      await eventually(() => text(page, '#code')).toContain('<b>dog\\342\\200\\256gpj.wav');
      await eventually(() => text(page, '#model-hint')).toContain('moonshine-tiny supports English only');
      const seventh = page.locator('.word').nth(6);
      const start = Number(await seventh.getAttribute('data-start'));
      expect(start).toBeGreaterThan(0.5);
      // Slowly: the recording does not end meanwhile.
      await page.evaluate('audio.playbackRate = 0.1');
      await seventh.click();
      await eventually(() => page.evaluate(`!audio.paused && audio.currentTime >= ${start - 0.01}`)).toBe(true);
      await eventually(() => page.evaluate('audio.currentTime')).toBeLessThan(start + 3);
      await page.locator('.word.now').waitFor();
      await page.evaluate('audio.pause()');
    });

    it('searches the transcript and saves subtitles', async () => {
      await page.fill('#search', 'lazy');
      await eventually(() => text(page, '#search-count')).toBe('1 of 1');
      const srt = await download(page, '[data-save=srt]');
      expect(srt.toString()).toMatch(/^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\n/);
    });

    it('shows why an activation failed, and which model stays active', async () => {
      await page.click('[aria-label="Activate Tiny"]');
      await eventually(() => text(page, '.failure')).toMatch(/HF_HUB_OFFLINE.*moonshine-tiny stays active/);
    });

    it('does not say that a file can be transcribed that could not', async () => {
      await page.setInputFiles('#file', { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') });
      await eventually(() => text(page, '#audio-note')).toContain('can still be transcribed');
      await page.click('#start');
      const note = 'This browser cannot play the file.';
      await eventually(() => text(page, '#audio-note')).toBe(note);
      await page.locator('#jobs .pick').nth(1).click();
      await eventually(() => text(page, '#audio-note')).toBe('');
      await page.locator('#jobs .pick').first().click();
      await eventually(() => text(page, '#audio-note')).toBe(note);
    });

    it('does not wait for the service because of a file that has gone from the disk', async () => {
      const gone = join(directory, 'gone.wav');
      await writeFile(gone, 'RIFF that has gone');
      await page.setInputFiles('#file', gone);
      await eventually(() => stored(page, 'files')).toContain('that has gone');
      await rm(gone);
      await page.click('#start');
      // The browser has a copy, which is not audio, except in private windows such as this one.
      await eventually(() => text(page, '#jobs li')).toMatch(
        /Failed. The (browser can no longer read|file is not audio)/,
      );
      await page.locator('#jobs .pick').last().click();
      await page.locator('.word').nth(10).waitFor();
    });

    it('keeps the text of a transcription that fails midway', async () => {
      const delta = { type: 'transcript.text.delta', delta: ' Half a loaf', start: 0, end: 1.5 };
      const failure = {
        type: 'error',
        error: { message: 'The engine died.', type: 'server_error', code: 500, param: null },
      };
      const body = `data: ${JSON.stringify(delta)}\n\nevent: error\ndata: ${JSON.stringify(failure)}\n\n`;
      await page.route('**/v1/audio/*', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
      await page.click('#start');
      await eventually(() => text(page, '#notice-text')).toContain('The engine died.');
      await eventually(() => text(page, '#transcript p')).toBe('Half a loaf');
      await eventually(() => page.locator('#transcript-empty').isVisible()).toBe(false);
      expect((await download(page, '[data-save=text]')).toString()).toBe('Half a loaf\n');
      await page.unroute('**/v1/audio/*');
    });

    it('renders a hostile transcript as text', async () => {
      const segment = { id: 0, start: 0, end: 1, text: ` ${hostile}` };
      const done = { type: 'transcript.text.done', task: 'transcribe', language: hostile, duration: 1, text: hostile };
      const body = `data: ${JSON.stringify({ ...done, segments: [segment], words: [] })}\n\n`;
      await page.route('**/v1/audio/*', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
      await page.click('#start');
      await eventually(() => text(page, '#transcript p')).toBe(hostile);
      await eventually(() => page.locator('main script, img').count()).toBe(0);
    });

    it('leaves the dragging of text to the browser', async () => {
      const isTaken = (add: string) =>
        page.evaluate<boolean>(`(() => {
          const dataTransfer = new DataTransfer();
          dataTransfer.${add};
          const event = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true });
          document.getElementById('names').dispatchEvent(event);
          return event.defaultPrevented;
        })()`);
      expect(await isTaken(`setData('text/plain', 'Zoë')`)).toBe(false);
      expect(await isTaken(`items.add(new File(['RIFF'], 'a.wav'))`)).toBe(true);
      await page.evaluate(`document.getElementById('drop').classList.remove('over')`);
    });

    it('listed a folder that is dropped as a recording, which could not be read', async () => {
      // Scripts cannot make a folder.
      await page.evaluate(`{
        const { prototype } = DataTransferItem;
        prototype.webkitGetAsEntry = function () {
          return { isDirectory: this.getAsFile().name === 'folder' };
        };
      }`);
      const names = () => page.locator('#jobs .pick > :first-child').allTextContents();
      const before = await names();
      await dropFiles(page, '#models', { folder: '', 'b.wav': 'RIFF' });
      await eventually(names).toEqual(['b.wav', ...before]);
      expect(await text(page, '#notice')).toContain('folder cannot be opened');
      await page.click('[aria-label="Remove b.wav"]');
      await page.click('#confirm-yes');
      await eventually(names).toEqual(before);
    });

    it('shows a list once a frame, however many files are started', async () => {
      await page.evaluate(`{
        window.rowsShown = 0;
        const { setAttribute } = Element.prototype;
        Element.prototype.setAttribute = function (name, value) {
          if (name === 'aria-current') window.rowsShown++;
          return setAttribute.call(this, name, value);
        };
      }`);
      const files = Array.from({ length: 40 }, (_, index) => ({ name: `${index}.wav`, mimeType: 'audio/wav' }));
      await page.setInputFiles(
        '#file',
        files.map((file) => ({ ...file, buffer: Buffer.from('RIFF') })),
      );
      const list = page.locator('#jobs');
      await eventually(() => text(page, '#start')).toBe('Transcribe 40 files');
      const shown = await page.evaluate<number>(`(() => {
        window.rowsShown = 0;
        document.getElementById('start').click();
        return window.rowsShown;
      })()`);
      expect(shown).toBeLessThan(5 * 40);
      await eventually(() => list.textContent()).not.toMatch(/Not transcribed|Waits|…/);
    });

    it('has no serious accessibility violations', async () => {
      expect(await accessibilityViolations(page)).toEqual([]);
    });

    it('had fields with faint edges', async () => {
      expect(await faintFields(page)).toEqual([]);
    });

    it('logs no errors and sends no request elsewhere', () => {
      expect(problems).toEqual([]);
    });
  });
});
