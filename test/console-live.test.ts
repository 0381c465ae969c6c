import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { wavHeader } from '../src/audio/wav.ts';
import type { Word } from '../src/contracts/transcription.ts';
import { browsers, open } from './fixtures/browser.ts';
import { accessibilityViolations, download, eventually, holdStorage, stored, text } from './fixtures/console-page.ts';
import { speakTo } from './fixtures/firefox.ts';
import { connect, spokenPcm } from './fixtures/realtime.ts';
import { endAll, type Hear, startHear } from './fixtures/service.ts';
import { hasSpeech, spokenWords } from './fixtures/speech.ts';

/** Its microphone hears "It was the best of times, it was the worst of times, it was the age of wisdom …". */
const title = 'live transcription in the console of hear ($name)';
describe.skipIf(!hasSpeech).each(browsers)(title, { timeout: 120_000 }, ({ name, launch }) => {
  let browser: Browser;
  let directory: string;
  let speech: string;
  let hear: Hear;
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hearsay-live-'));
    const pcm = await spokenPcm('two_cities.wav');
    speech = join(directory, 'speech.wav');
    await writeFile(speech, Buffer.concat([wavHeader(24_000, pcm.length), pcm]));
    browser = await launch(speech);
    hear = await startHear({ MAX_REALTIME_SESSIONS: '1' });
    await hear.ready();
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    await eventually(() => hear.metric('hearsay_realtime_sessions')).toBe(0);
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
    await rm(directory, { recursive: true, force: true });
  });

  async function openConsole(url = hear.url): Promise<Page> {
    const context = await browser.newContext();
    contexts.push(context);
    if (name === 'Firefox') await speakTo(context, speech);
    const opened = await open(context, `${url}/web`);
    opened.page.on('close', () => problems.push(...opened.problems));
    return opened.page;
  }

  const lines = (page: Page) => page.locator('#transcript p').allTextContents();
  const words = async (page: Page) => spokenWords((await lines(page)).join(' ')).join(' ');
  const status = (page: Page) => text(page, '#record-status');
  const seconds = async (page: Page) => Number((await text(page, '#record-time'))!.split(':')[1]);
  const row = (page: Page) => text(page, '#jobs li');
  const ended = (page: Page) => page.locator('#recording').waitFor({ state: 'hidden' });

  it('shows words while they are spoken, and keeps them with their recording', async () => {
    const page = await openConsole();
    await page.click('#record');
    const seen: string[] = [];
    await eventually(async () => {
      seen.push((await lines(page))[0] ?? '');
      return seen.at(-1)!.toLowerCase();
    }).toContain('worst of times');
    // What has appeared stays, and more follows it.
    for (const [index, shown] of seen.entries())
      expect(seen.at(-1)!.startsWith(shown), `${index}: ${shown}`).toBe(true);
    expect(seen.filter((shown, index) => shown !== seen[index - 1]).length).toBeGreaterThan(2);
    await eventually(() => status(page)).toBe('Listening.');
    await eventually(() => page.locator('#transcript p').count()).toBe(1);
    expect(await accessibilityViolations(page)).toEqual([]);
    await eventually(() => words(page)).toMatch(/epoch of/);
    await page.click('#record-stop');
    await ended(page);
    await eventually(() => row(page)).toMatch(/wav\d.* (k|M)B.*English, [\d.]+ s\./);
    const text = await words(page);
    expect(text).toMatch(/^it was the best of times it was the worst of times it was the age of wisdom/);
    // The text and the sound survive a reload, and are edited and saved as any other.
    await page.reload();
    await eventually(() => words(page)).toBe(text);
    await eventually(() => page.evaluate('audio.duration')).toBeGreaterThan(6);
    const duration = await page.evaluate<number>('audio.duration');
    const { segments, language, ...json } = JSON.parse((await download(page, '[data-save=verbose_json]')).toString());
    expect([language, json.duration]).toEqual(['en', expect.closeTo(duration, 1)]);
    expect(segments.length).toBeGreaterThan(1);
    // Words can be clicked: each has the time at which it is heard, which hearing it again shows.
    expect(spokenWords(json.words.map(({ word }: Word) => word).join(' ')).join(' ')).toBe(text);
    await page.click('#start');
    await eventually(() => page.locator('#jobs li', { hasText: 'words' }).count()).toBe(2);
    const again = JSON.parse((await download(page, '[data-save=verbose_json]')).toString()).words as Word[];
    // A word or two may be heard otherwise when the recording is transcribed in one go.
    const apart = again.slice(0, 12).flatMap(({ word, start }) => {
      const distances = json.words
        .filter((live: Word) => spokenWords(live.word).join() === spokenWords(word).join())
        .map((live: Word) => Math.abs(start - live.start));
      return distances.length === 0 ? [] : [Math.min(...distances)];
    });
    expect(apart.length).toBeGreaterThanOrEqual(10);
    expect(Math.max(...apart)).toBeLessThan(1);
    expect(apart.sort((a, b) => a - b)[6]).toBeLessThan(0.2);
  });

  it('pauses, resumes, and is used by keyboard on a phone', async () => {
    const page = await openConsole();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('#record').press('Enter');
    await page.locator('#recording').waitFor();
    await eventually(() => page.evaluate('document.activeElement.id')).toBe('record-pause');
    await eventually(() => page.evaluate('transcript.getBoundingClientRect().top')).toBeLessThan(600);
    await eventually(() => words(page)).toContain('best of times');
    await page.keyboard.press('Enter');
    await eventually(() => status(page)).toBe('Paused.');
    const paused = await seconds(page);
    await page.waitForTimeout(1500);
    expect(await seconds(page)).toBe(paused);
    await eventually(() => page.locator('#recording').boundingBox()).toMatchObject({ x: 0, y: 0, width: 390 });
    expect(await accessibilityViolations(page)).toEqual([]);
    await eventually(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.keyboard.press('Enter');
    await eventually(() => seconds(page)).toBeGreaterThan(paused + 2);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await ended(page);
    await eventually(() => page.evaluate('Math.round(audio.duration)')).toBeGreaterThan(paused);
  });

  it('loses at most two seconds when the page is closed while one speaks', async () => {
    const page = await openConsole();
    await page.click('#record');
    await eventually(() => words(page)).toContain('worst of times');
    await eventually(() => seconds(page)).toBeGreaterThan(7);
    const recorded = await seconds(page);
    const again = await contexts[0]!.newPage();
    // Another tab leaves the recording alone.
    await again.goto(`${hear.url}/web`);
    await eventually(() => row(again)).toContain('Being recorded in another tab.');
    await page.close();
    await again.reload();
    await eventually(() => row(again)).toContain('Stopped when the page was closed.');
    await eventually(() => words(again)).toContain('best of times');
    await eventually(() => again.evaluate('audio.duration')).toBeGreaterThan(recorded - 3);
    await again.click('#start');
    await again.locator('.word').nth(5).waitFor();
  });

  it('reports that all sessions are in use, and transcribes what was said meanwhile once one is free', async () => {
    const other = await connect(hear.url);
    const page = await openConsole();
    await page.click('#record');
    await eventually(() => status(page)).toBe(
      'The maximum of 1 live sessions is reached. Try again in a moment. Recording continues, and the page retries…',
    );
    await eventually(() => seconds(page)).toBeGreaterThan(3);
    other.socket.close();
    // From its first words on. On a busy machine a word may be heard in the silence before them.
    await eventually(() => words(page)).toContain('it was the best of times it was the worst');
    await eventually(() => status(page)).toBe('Listening.');
  });

  it('connects again when the connection is lost, and loses no word', async () => {
    const connections = new Set<Socket>();
    const proxy = createServer((client) => {
      const service = connectSocket(Number(new URL(hear.url).port), '127.0.0.1');
      client.pipe(service).pipe(client);
      for (const socket of [client, service]) {
        connections.add(socket.on('error', () => socket.destroy()).on('close', () => connections.delete(socket)));
      }
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const page = await openConsole(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    await page.click('#record');
    await eventually(() => words(page)).toContain('best of times');
    for (const socket of connections) socket.destroy();
    await eventually(() => status(page)).toContain('the page retries');
    await eventually(() => words(page)).toContain('epoch of');
    await page.click('#record-stop');
    await ended(page);
    await eventually(() => words(page)).toMatch(
      /^it was the best of times it was the worst of times it was the age of wisdom/,
    );
    await eventually(() => row(page)).toContain('English');
    proxy.close();
  });

  it('keeps what was said when the service ends, and offers to transcribe the recording', async () => {
    const second = await startHear();
    await second.ready();
    const page = await openConsole(second.url);
    await page.click('#record');
    await eventually(() => words(page)).toContain('best of times');
    await second.stop();
    await eventually(() => status(page)).toContain('cannot be reached. Recording continues');
    await page.click('#record-stop');
    await ended(page);
    await eventually(() => text(page, '#notice:not([hidden]) #notice-text')).toContain(
      'Part of the recording was not transcribed',
    );
    await eventually(() => row(page)).toContain('Not all of it was transcribed.');
    await eventually(() => words(page)).toContain('best of times');
    await eventually(() => text(page, '#start')).toBe('Transcribe again');
    await eventually(() => page.locator('#start').isEnabled()).toBe(true);
  });

  it('asks for the key, and says why a language is refused', async () => {
    const second = await startHear({ API_KEY: 'sesame & co' });
    await second.ready();
    const page = await openConsole(second.url);
    await page.fill('#key-input', 'sesame & co');
    await page.keyboard.press('Enter');
    await page.locator('#models b').first().waitFor();
    await page.fill('#names', 'Dickens, Zoë');
    await page.click('#record');
    await eventually(() => words(page)).toContain('best of');
    await page.selectOption('#language', 'de');
    await eventually(() => status(page)).toMatch(/^Unsupported language: de.*transcribe it when you are done\.$/);
    await page.click('#record-stop');
    await ended(page);
    await eventually(() => words(page)).toContain('best of');
    await second.stop();
  });

  it('records first if one wants that, and transcribes then', async () => {
    const page = await openConsole();
    await page.uncheck('#live');
    await page.click('#record');
    await eventually(() => status(page)).toBe('Recording.');
    await eventually(() => seconds(page)).toBeGreaterThan(3);
    await eventually(() => hear.metric('hearsay_realtime_sessions')).toBe(0);
    await page.click('#record-stop');
    await ended(page);
    await page.click('#start');
    await eventually(() => words(page)).toContain('best of times');
  });

  it('stayed silent when a call interrupts the microphone, and records on after it', async () => {
    const page = await openConsole();
    await page.evaluate(`window.AudioContext = class extends AudioContext {
      constructor() {
        super();
        window.device = this;
      }
    }`);
    await page.click('#record');
    await eventually(() => words(page)).toContain('best of');
    // What Safari does in a call: it refuses to resume until the call is over.
    await page.evaluate(`{
      const { device } = window;
      let isOver = false;
      window.endCall = () => (isOver = true);
      device.suspend();
      Object.defineProperty(device, 'state', { get: () => isOver ? 'suspended' : 'interrupted', configurable: true });
      device.resume = () => {
        if (!isOver) return Promise.reject(new DOMException('', 'InvalidStateError'));
        delete device.state;
        delete device.resume;
        return device.resume();
      };
    }`);
    await eventually(() => status(page)).toMatch(
      /silent, for example during a call\. Recording continues when it is back\.$/,
    );
    const interrupted = await seconds(page);
    await page.evaluate(`{
      window.endCall();
      document.dispatchEvent(new Event('visibilitychange'));
    }`);
    await eventually(() => status(page)).toBe('Listening.');
    await eventually(() => seconds(page)).toBeGreaterThan(interrupted + 1);
  });

  it.each(['while one speaks', 'after Stop'])('waited for text when all is cleared %s', async (when) => {
    const page = await openConsole();
    // A service that hears speech, and sends no text.
    const heard = { type: 'input_audio_buffer.speech_started', item_id: 'item', audio_start_ms: 0 };
    await page.routeWebSocket('**/v1/realtime*', (socket) =>
      socket.onMessage(() => socket.send(JSON.stringify(heard))),
    );
    await page.click('#record');
    await eventually(() => seconds(page)).toBeGreaterThan(1);
    if (when === 'after Stop') {
      await page.click('#record-stop');
      await eventually(() => status(page)).toBe('Finishing…');
    }
    await page.click('#jobs-clear');
    await page.click('#confirm-yes');
    await eventually(() => page.locator('#recording').isVisible()).toBe(false);
    await eventually(() => page.locator('#jobs li').count()).toBe(0);
    await eventually(() => page.locator('#notice').isVisible()).toBe(false);
    for (const table of ['jobs', 'files', 'parts']) await eventually(() => stored(page, table)).toBe('[]');
  });

  it('removed a file that was added while a recording was cleared', async () => {
    const page = await openConsole();
    await page.uncheck('#live');
    await page.click('#record');
    await eventually(() => seconds(page)).toBeGreaterThan(1);
    await holdStorage(page);
    await page.click('#jobs-clear');
    await page.click('#confirm-yes');
    // The answer is heard a moment after the click.
    await eventually(() => page.locator('#recording').isVisible()).toBe(false);
    await page.setInputFiles('#file', { name: 'added.wav', mimeType: 'audio/wav', buffer: Buffer.from('RIFF') });
    await page.locator('#jobs li', { hasText: 'added.wav' }).waitFor();
    await page.evaluate('window.endHold()');
    await eventually(async () => (await stored(page, 'files')).length).toBeGreaterThan(2);
    expect(await page.locator('#jobs li .pick').allTextContents()).toEqual([expect.stringMatching(/^added\.wav/)]);
    expect(await stored(page, 'parts')).toBe('[]');
  });

  it('lost the focus of Pause when the microphone was unplugged', async () => {
    const page = await openConsole();
    // A service that sends no text, so that the page waits for it.
    await page.routeWebSocket('**/v1/realtime*', () => {});
    await page.evaluate(`{
      const devices = navigator.mediaDevices;
      const open = devices.getUserMedia.bind(devices);
      devices.getUserMedia = async (constraints) => (window.stream = await open(constraints));
    }`);
    await page.click('#record');
    await eventually(() => seconds(page)).toBeGreaterThan(1);
    expect(await page.evaluate('document.activeElement.id')).toBe('record-pause');
    await page.evaluate("window.stream.getAudioTracks()[0].dispatchEvent(new Event('ended'))");
    await eventually(() => status(page)).toBe('Finishing…');
    expect(await page.evaluate('document.activeElement.id')).toBe('record-stop');
    await page.click('#record-stop');
    await ended(page);
  });

  it('says why there is no microphone', async () => {
    const page = await openConsole();
    await page.evaluate(
      "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotAllowedError'); }",
    );
    await page.click('#record');
    await eventually(() => text(page, '#notice-text')).toContain('no permission');
    await page.evaluate("Object.defineProperty(navigator, 'mediaDevices', { value: undefined })");
    await page.click('#record');
    await eventually(() => text(page, '#notice-text')).toContain('only on pages from HTTPS or this machine');
    await eventually(() => page.locator('#jobs li').count()).toBe(0);
  });

  it('offers no live words if the service does not transcribe live', async () => {
    const second = await startHear({ MAX_REALTIME_SESSIONS: '0', WARMUP_ON_START: 'false' });
    const page = await openConsole(second.url);
    await page.locator('#live').waitFor({ state: 'hidden' });
    await second.stop();
  });

  it('logs no errors and sends no request elsewhere', () => {
    const isRefusal = (problem: string) => /WebSocket connection to|a connection to the server at ws:/.test(problem);
    expect(problems.filter((problem) => !isRefusal(problem))).toEqual([]);
  });
});
