import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dictionary, FormatContext } from 'node-av/lib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeMedia } from '../../test/fixtures/media.ts';
import { decodeAudio } from './decode.ts';

// Every upload here names another file or URL. Each test has a counterpart that opens the upload with FFmpeg's defaults
// and does reach the target, to prove that the trap works.

let directory: string;
let trap: Server;
let origin: string;
let connections = 0;
const sockets = new Set<Socket>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostile-'));
  trap = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  const address = trap.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  origin = `http://127.0.0.1:${address.port}`;

  const clip = { samples: new Float32Array(16_000).map((_, i) => Math.sin(i / 10)), sampleRate: 16_000 };
  await writeMedia(join(directory, 'canary.m4s'), 'm4a moov first', clip);
  await writeMedia(join(directory, 'canary.mov'), 'mov pcm', clip);
});
beforeEach(() => {
  connections = 0;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => trap.close(resolve));
  await rm(directory, { recursive: true });
});

const manifests = {
  DASH: {
    name: 'upload.mpd',
    text: (target: string) => `<?xml version="1.0" encoding="UTF-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static" mediaPresentationDuration="PT10.0S" minBufferTime="PT2.0S">
<Period id="0" start="PT0.0S"><AdaptationSet id="0" contentType="audio" segmentAlignment="true"><Representation id="0" mimeType="audio/mp4" codecs="mp4a.40.2" bandwidth="64000" audioSamplingRate="16000"><SegmentTemplate timescale="1000" duration="10000" initialization="${target}" media="${target}" startNumber="1"/></Representation></AdaptationSet></Period></MPD>`,
  },
  HLS: {
    name: 'upload.m3u8',
    text: (target: string) =>
      `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10,\n${target}\n#EXT-X-ENDLIST\n`,
  },
  'HLS master': {
    name: 'upload.m3u8',
    text: (target: string) => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\n${target}\n`,
  },
  ffconcat: { name: 'upload', text: (target: string) => `ffconcat version 1.0\nfile '${target}'\n` },
  SDP: {
    name: 'upload.sdp',
    text: (target: string) =>
      `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\na=control:${target}\nm=audio 5004 RTP/AVP 0\n`,
  },
};
type Manifest = keyof typeof manifests;

async function upload(kind: Manifest, target: string, name = manifests[kind].name): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, manifests[kind].text(target));
  return path;
}

async function expectRefused(path: string): Promise<void> {
  let samples = 0;
  const run = async () => {
    for await (const chunk of decodeAudio(path, { maxSeconds: 600 })) samples += chunk.length;
  };
  await expect(run()).rejects.toMatchObject({ name: 'HearsayError', code: 'invalid_audio', param: 'file' });
  expect(samples).toBe(0);
}

/** Opens a file without our restrictions. @returns the number of tracks, -1 if it cannot be opened */
async function openCarelessly(path: string, more: Record<string, string | number> = {}): Promise<number> {
  const context = new FormatContext();
  const options = Dictionary.fromObject({ protocol_whitelist: 'file,http,tcp,crypto,data', ...more });
  try {
    if ((await context.openInput(path, null, options)) < 0) return -1;
    await context.findStreamInfo(null);
    return context.nbStreams;
  } finally {
    options.free();
    await context.closeInput();
  }
}

describe('an upload that names a URL', () => {
  it.each(Object.keys(manifests) as Manifest[])('makes no connection for %s', async (kind) => {
    for (const target of [`${origin}/canary.m4s`, `${origin}/canary.ts`]) {
      await expectRefused(await upload(kind, target));
      await expectRefused(await upload(kind, target, 'bare'));
    }
    expect(connections).toBe(0);
  });

  it.each(['DASH', 'HLS', 'HLS master'] as const)('would make one for %s with the defaults of FFmpeg', async (kind) => {
    await openCarelessly(await upload(kind, `${origin}/canary.ts`));
    expect(connections).toBeGreaterThan(0);
  });
});

describe('an upload that names a local file', () => {
  it.each(Object.keys(manifests) as Manifest[])('returns no samples of it for %s', async (kind) => {
    const file = join(directory, 'canary.m4s');
    for (const target of ['canary.m4s', file, `file:${file}`, `file://${file}`]) {
      await expectRefused(await upload(kind, target));
    }
  });

  it.each(['DASH', 'HLS', 'ffconcat'] as const)('would read it for %s with the defaults of FFmpeg', async (kind) => {
    expect(await openCarelessly(await upload(kind, 'canary.m4s'))).toBe(1);
  });

  // Reading empties a pipe, so a full one was not read.
  it.skipIf(process.platform === 'win32')('does not even open it', async () => {
    const path = join(directory, 'pipe.m4s');
    execFileSync('mkfifo', [path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      const content = (await readFile(join(directory, 'canary.m4s'))).subarray(0, 4_096);
      writeSync(pipe, content);
      for (const kind of Object.keys(manifests) as Manifest[]) await expectRefused(await upload(kind, 'pipe.m4s'));
      expect(readSync(pipe, Buffer.alloc(65_536))).toBe(content.length);
    } finally {
      closeSync(pipe);
    }
  });
});

describe('a movie with its samples in another file', () => {
  it('returns no samples of it', async () => {
    const path = join(directory, 'reference.mov');
    await writeFile(path, refer(await readFile(join(directory, 'canary.mov')), 'canary.mov'));
    expect(await openCarelessly(path, { enable_drefs: 1 })).toBe(1);
    await expectRefused(path);
  });
});

/** Points a QuickTime file's media to another file: an alias record instead of "self-contained". */
function refer(movie: Buffer, target: string): Buffer {
  const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf']);
  const atom = (type: string, body: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + body.length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, body]);
  };
  const rewrite = (atoms: Buffer): Buffer => {
    const out: Buffer[] = [];
    for (let offset = 0; offset < atoms.length; ) {
      const size = atoms.readUInt32BE(offset);
      const type = atoms.toString('latin1', offset + 4, offset + 8);
      const body = atoms.subarray(offset + 8, offset + size);
      // Drop the samples: any audio can only come from the other file.
      if (type === 'mdat') out.push(atom(type, Buffer.alloc(body.length)));
      else if (type === 'dref') out.push(atom(type, Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), alias])));
      else out.push(containers.has(type) ? atom(type, rewrite(body)) : atoms.subarray(offset, offset + size));
      offset += size;
    }
    return Buffer.concat(out);
  };
  // Offsets as in FFmpeg's mov_read_dref: after version and flags, levels up and down, then (type 2) the path.
  const record = Buffer.alloc(4 + 150);
  record.writeUInt16BE(1, 4 + 130);
  record.writeUInt16BE(1, 4 + 132);
  const name = Buffer.from(target.length % 2 ? `/${target}` : target);
  const path = Buffer.concat([Buffer.from([0, 2, 0, name.length]), name, Buffer.from([255, 255, 0, 0])]);
  const alias = atom('alis', Buffer.concat([record, path]));
  return rewrite(movie);
}
