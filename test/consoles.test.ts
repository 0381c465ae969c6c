import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, findChromium, type Page } from './fixtures/browser.ts';
import { endAll, type Hear, type Say, startHear, startSay } from './fixtures/service.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds on a page that somebody may stumble over, in light and in dark. */
async function barriers(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.value(`${axe}; undefined`);
  for (const value of ['light', 'dark']) {
    await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
    const { violations } = await page.value<{
      violations: { id: string; impact: string; nodes: { html: string }[] }[];
    }>('axe.run().then(({ violations }) => ({ violations }))');
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    found.push(...serious.map(({ id, nodes }) => `${value}: ${id} ${nodes[0]?.html}`));
  }
  return found;
}

const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)> \u202eevil "'&`;

describe('in a browser', () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hearsay-consoles-'));
    browser = await Browser.launch(await findChromium(folder));
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
    await rm(folder, { recursive: true, force: true });
  });

  const position = "Number(document.querySelector('#waveform').getAttribute('aria-valuenow'))";
  const marked = "[...CSS.highlights.get('spoken') ?? []].map(String).join()";

  describe("say's console", () => {
    let say: Say;
    let page: Page;
    beforeAll(async () => {
      say = await startSay();
      await say.ready();
      page = await browser.open(`${say.url}/web`);
    });

    it('plays a sentence as it comes, its words marked, and seeks in it', async () => {
      await page.until("document.querySelectorAll('#voices li').length > 3");
      await page.fill('#input', 'One small step for the lighthouse keeper, and [pause:0.2s] one giant leap.');
      await page.click('#speak');
      await page.until(`${position} > 0.3`);
      const first = await page.value<number>(position);
      await page.until(`${position} > ${first + 0.5}`);
      await page.until(`${marked} === 'lighthouse' || ${marked} === 'keeper,'`);
      await page.value("document.querySelector('#waveform').focus()");
      await page.press('Home');
      await page.until(`${position} < 0.5`);
      await page.until("document.querySelector('#play').ariaLabel === 'Play'");
      expect(await page.text('#history')).toContain('lighthouse');
      expect(await page.text('#code')).toContain('/v1/audio/speech');
    });

    it('saves it as the format that was asked for, and as any other', async () => {
      const mp3 = await page.download(() => page.click('#download'));
      expect(mp3.length).toBeGreaterThan(10_000);
      await page.value("document.querySelector('#download-format').value = 'wav'");
      expect((await page.download(() => page.click('#download'))).subarray(0, 4).toString()).toBe('RIFF');
      await page.value("document.querySelector('#download-format').value = 'flac'");
      expect((await page.download(() => page.click('#download'))).subarray(0, 4).toString()).toBe('fLaC');
    });

    it('blends voices', async () => {
      await page.click('[data-voice=bm_george] .add');
      await page.value(`(() => {
        const slider = document.querySelector('#blend input');
        slider.value = '3';
        slider.dispatchEvent(new Event('input'));
      })()`);
      const blend = await page.text('#blend-text');
      expect(blend).toMatch(/^[a-z_]+\(3\)\+bm_george\(1\)$/);
      await page.click('#speak');
      await page.until("document.querySelectorAll('#history li').length === 2");
      expect(await page.text('#code')).toContain(blend);
      expect(await page.text('#history li')).toContain(blend);
    });

    it('makes no markup of a hostile text', async () => {
      await page.fill('#input', hostile);
      await page.click('#speak');
      await page.until("document.querySelectorAll('#history li').length === 3");
      expect(await page.text('#spoken')).toBe(hostile);
      expect(await page.value("document.querySelectorAll('main script, img').length")).toBe(0);
      expect(await page.text('#code')).toContain('\\u202e');
    });

    it('shows that the model was unloaded, and speaks again', async () => {
      await page.click('#unload');
      await page.until("document.querySelector('#state').textContent === 'Unloaded'");
      await page.click('#speak');
      await page.until("document.querySelector('#state').textContent === 'Ready'");
    });

    it('puts up no barriers', async () => {
      expect(await barriers(page)).toEqual([]);
    });

    it('has no problems and asks nobody else', () => {
      expect(page.problems).toEqual([]);
    });
  });

  it('asks for the key until it is the right one, and keeps it', async () => {
    const say = await startSay({ API_KEY: 'sesame', WARMUP_ON_START: 'false' });
    const page = await browser.open(`${say.url}/web`);
    await page.until("document.querySelector('#key-dialog').open");
    expect(await page.text('#state')).toBe('Not loaded yet');
    await page.fill('#key-input', 'wrong');
    await page.press('Enter');
    await page.until("document.querySelector('#key-reason').textContent.includes('not accept')");
    await page.fill('#key-input', 'sesame');
    await page.press('Enter');
    await page.until("document.querySelectorAll('#voices li').length > 3");
    expect(await page.value('JSON.stringify(localStorage)')).toBe('{"hearsay.key":"sesame"}');
    await page.click('#speak');
    await page.until(`${position} > 0.2`);
    expect(await page.text('#code')).toContain('$API_KEY');
    expect(await page.text('#code')).not.toContain('sesame');
    expect(page.problems).toEqual([]);
  });

  it('shows that the model warms up, and speaks as soon as it may', async () => {
    const say = await startSay();
    await say.ready();
    const page = await browser.open(`${say.url}/web`);
    await page.until("document.querySelector('#blend-text').textContent !== ''");
    let warming = true;
    const system = { ...((await (await say.get('/system')).json()) as object), status: 'warming', model: null };
    const refusal = { error: { message: 'The model is still warming up.' }, detail: { error: 'model_warming' } };
    page.onRequestPaused = (requestId, url) => {
      if (!warming) return page.send('Fetch.continueRequest', { requestId });
      const isSystem = url.endsWith('/system');
      const body = Buffer.from(JSON.stringify(isSystem ? system : refusal)).toString('base64');
      return page.send('Fetch.fulfillRequest', { requestId, responseCode: isSystem ? 200 : 503, body });
    };
    await page.send('Fetch.enable', { patterns: [{ urlPattern: '*/system' }, { urlPattern: '*/captioned_speech' }] });
    await page.until("document.querySelector('#state').textContent === 'Warming up'");
    await page.click('#speak');
    await page.until("document.querySelector('#progress').textContent.includes('warm up')");
    warming = false;
    await page.until(`${position} > 0.2`);
    await page.until("document.querySelector('#state').textContent === 'Ready'");
    expect(page.problems).toEqual([]);
  });

  it('shows why a model failed', async () => {
    const say = await startSay({ DEFAULT_VOICE: 'jf_alpha', FAILURE_WINDOW_SECONDS: '600' });
    const page = await browser.open(`${say.url}/web`);
    await page.until("document.querySelector('#state').textContent === 'Failed'");
    expect(await page.text('#state-detail')).toContain('jf_alpha');
    expect(page.problems).toEqual([]);
  });

  describe("hear's console", () => {
    let hear: Hear;
    let page: Page;
    let recording: string;
    beforeAll(async () => {
      const say = await startSay();
      await say.ready();
      const input = 'The quick brown fox jumps over the lazy dog. [pause:1s] Then it sleeps under the old tree.';
      const speech = await say.post('/v1/audio/speech', { input, response_format: 'wav', stream: false });
      recording = join(folder, 'fox & <b>dog.wav');
      await writeFile(recording, Buffer.from(await speech.arrayBuffer()));
      await say.stop();
      hear = await startHear();
      await hear.ready();
      page = await browser.open(`${hear.url}/web`);
    });

    it('transcribes a recording, and a click on a word plays from there', async () => {
      await page.chooseFile('#file', recording);
      await page.click('#start');
      await page.until("document.querySelectorAll('.word').length > 10");
      expect((await page.text('#transcript')).toLowerCase()).toContain('quick brown fox');
      expect(await page.text('#file-name')).toContain('<b>dog.wav');
      const start = Number(await page.value("document.querySelectorAll('.word')[6].dataset.start"));
      expect(start).toBeGreaterThan(0.5);
      await page.value("document.querySelectorAll('.word')[6].id = 'seventh'");
      await page.click('#seventh');
      await page.until(`!audio.paused && audio.currentTime >= ${start - 0.01}`);
      expect(await page.value('audio.currentTime')).toBeLessThan(start + 3);
      await page.until("document.querySelector('.word.now')");
      await page.value('audio.pause()');
    });

    it('finds text in it, and saves subtitles', async () => {
      await page.fill('#search', 'lazy');
      await page.until("document.querySelector('#search-count').textContent === '1 of 1'");
      const srt = await page.download(() => page.click('[data-save=srt]'));
      expect(srt.toString()).toMatch(/^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\n/);
    });

    it('says why a model cannot be activated, and what stays', async () => {
      await page.click('[aria-label="Activate Tiny"]');
      await page.until("document.querySelector('.failure')");
      expect(await page.text('.failure')).toMatch(/HF_HUB_OFFLINE.*moonshine-tiny stays active/);
    });

    it('makes no markup of a hostile transcript', async () => {
      const segment = { id: 0, start: 0, end: 1, text: ` ${hostile}` };
      const done = { type: 'transcript.text.done', task: 'transcribe', language: hostile, duration: 1, text: hostile };
      const body = `data: ${JSON.stringify({ ...done, segments: [segment], words: [] })}\n\n`;
      await page.send('Fetch.enable', { patterns: [{ urlPattern: '*/v1/audio/*' }] });
      page.onRequestPaused = (requestId) =>
        page.send('Fetch.fulfillRequest', {
          requestId,
          responseCode: 200,
          responseHeaders: [{ name: 'content-type', value: 'text/event-stream' }],
          body: Buffer.from(body).toString('base64'),
        });
      await page.click('#start');
      await page.until(`document.querySelector('#transcript p')?.textContent === ${JSON.stringify(hostile)}`);
      expect(await page.value("document.querySelectorAll('main script, img').length")).toBe(0);
    });

    it('puts up no barriers', async () => {
      expect(await barriers(page)).toEqual([]);
    });

    it('has no problems and asks nobody else', () => {
      expect(page.problems).toEqual([]);
    });
  });
});
