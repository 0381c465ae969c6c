import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeMedia } from './fixtures/media.ts';
import { endAll, startHear, until } from './fixtures/service.ts';

const folder = await mkdtemp(join(tmpdir(), 'slow-senders-'));
afterAll(async () => {
  await endAll();
  await rm(folder, { recursive: true, force: true });
});

const formStart = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';

/** An upload of `length` bytes that sends `bytesPerSecond`. */
function slowUpload(url: string, bytesPerSecond: number, length = 100_000_000) {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  let received = '';
  socket.on('error', () => {});
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  socket.write(
    'POST /v1/audio/transcriptions HTTP/1.1\r\nHost: localhost\r\n' +
      `Content-Length: ${length}\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n${formStart}`,
  );
  const drip = setInterval(() => socket.write('y'.repeat(bytesPerSecond / 10)), 100);
  socket.once('close', () => clearInterval(drip));
  return { socket, answer: () => received };
}

async function goodFile(): Promise<Buffer<ArrayBuffer>> {
  const path = join(folder, 'good.wav');
  await writeMedia(path, 'wav s16', { samples: new Float32Array(32_000), sampleRate: 16_000 });
  return readFile(path);
}

it('slow uploads hold no place in the queue, and make room for others when there are too many', async () => {
  const hear = await startHear({ MAX_CONCURRENCY: '1', QUEUE_SIZE: '0', MAX_UPLOADS: '6' });
  await hear.ready();
  const file = await goodFile();
  const [slowest, ...others] = [1000, 5000, 5000, 5000, 5000, 5000].map((rate) => slowUpload(hear.url, rate));
  const sockets = [slowest!, ...others].map(({ socket }) => socket);
  try {
    await until(async () => (await hear.metric('hearsay_uploads')) === 6, 'all upload');
    expect([await hear.metric('hearsay_queue_active'), await hear.metric('hearsay_queue_waiting')]).toEqual([0, 0]);
    // An upload is judged after two seconds.
    await until(async () => (await hear.post({ file })).status === 200, 'a good upload is transcribed');
    await until(() => slowest!.answer().includes('\r\n\r\n'), 'the slowest upload has its answer');
    expect(slowest!.answer()).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 10\r\n[\s\S]*"queue_full"/);
    expect(others.map(({ answer }) => answer())).toEqual(['', '', '', '', '']);
    // One has left: the next cut nobody.
    expect((await hear.post({ file })).status).toBe(200);
    expect(await hear.metric('hearsay_uploads')).toBe(5);
    expect(await hear.metric('hearsay_upload_disk_bytes')).toBeGreaterThan(1000);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  await until(async () => (await hear.metric('hearsay_uploads')) === 0, 'no upload is left');
  expect(await hear.metric('hearsay_upload_disk_bytes')).toBe(0);
  expect(await hear.tempFiles()).toEqual([]);
  await hear.stop();
});

it('uploads that fill the disk bound make room for others', async () => {
  const hear = await startHear({ MAX_UPLOAD_BYTES: '200000', UPLOAD_DISK_BYTES: '200000' });
  await hear.ready();
  const file = await goodFile();
  const hoarders = [5000, 5000].map((rate) => slowUpload(hear.url, rate, 190_000));
  for (const { socket } of hoarders) socket.write('y'.repeat(70_000));
  try {
    await until(async () => (await hear.metric('hearsay_upload_disk_bytes')) > 140_000, 'the bound is near');
    await until(async () => (await hear.post({ file })).status === 200, 'a good upload is transcribed');
  } finally {
    for (const { socket } of hoarders) socket.destroy();
  }
  await hear.stop();
});
