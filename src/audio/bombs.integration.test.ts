import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  box,
  id3Tag,
  inflatingTag,
  repeatedEdits,
  replaceBoxes,
  uint32s,
  withChunk,
} from '../../test/fixtures/hostile-media.ts';
import { type MediaKind, writeMedia } from '../../test/fixtures/media.ts';
import { decodeAudio } from './decode.ts';
import { FileReader } from './file-reader.ts';
import { checkMp4Index } from './mp4-index.ts';
import { withoutTags } from './tags.ts';

// Small files that cost FFmpeg minutes or gigabytes.

const RATE = 16_000;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bombs-'));
});
afterAll(() => rm(directory, { recursive: true }));

const tone = new Float32Array(3 * RATE).map((_, index) => 0.4 * Math.sin(index / 5));

async function media(kind: MediaKind, samples = tone): Promise<Buffer> {
  const path = join(directory, 'original');
  await writeMedia(path, kind, { samples, sampleRate: RATE });
  return readFile(path);
}

async function file(content: Buffer): Promise<string> {
  const path = join(directory, "it's, a: \\file");
  await writeFile(path, content);
  return path;
}

async function decode(content: Buffer): Promise<Float32Array> {
  const samples: number[] = [];
  for await (const chunk of decodeAudio(await file(content), { maxSeconds: 14_400 })) samples.push(...chunk);
  return Float32Array.from(samples);
}

async function read<T>(content: Buffer, use: (file: FileReader) => T): Promise<T> {
  const reader = new FileReader(await file(content));
  try {
    return use(reader);
  } finally {
    reader.close();
  }
}

describe('a tag that inflates to gigabytes', () => {
  // FFmpeg takes more than a minute for it.
  const bomb = inflatingTag(40_000_000);

  it.each(['mp3', 'aac', 'flac', 'wav s16'] as const)('in front of %s is skipped', async (kind) => {
    const plain = await media(kind);
    expect(await decode(Buffer.concat([bomb, id3Tag(Buffer.alloc(100)), plain]))).toEqual(await decode(plain));
  });

  it.each([
    ['wav s16', 'id3 ', 'front'],
    ['wav s16', 'ID3 ', 'back'],
    ['aiff', 'ID3 ', 'front'],
    ['aiff', 'id3 ', 'back'],
  ] as const)('in a chunk of %s is skipped: %s at the %s', async (kind, id, place) => {
    const plain = await media(kind);
    expect(await decode(withChunk(plain, id, bomb, place))).toEqual(await decode(plain));
  });

  it('in several chunks is skipped', async () => {
    const plain = await media('wav s16');
    const once = withChunk(plain, 'id3 ', bomb, 'front');
    expect(await decode(withChunk(once, 'id3 ', bomb, 'back'))).toEqual(await decode(plain));
  });
});

describe('withoutTags', () => {
  const sound = Buffer.alloc(1000, 1);

  it('keeps a file without tags whole', async () => {
    expect(await read(sound, withoutTags)).toEqual([{ start: 0, end: 1000 }]);
    expect(await read(await media('wav s16'), withoutTags)).toHaveLength(1);
  });

  it('skips tags in front, their footers too', async () => {
    const tag = id3Tag(Buffer.alloc(300));
    const withFooter = Buffer.concat([tag, Buffer.alloc(10)]).fill(0x10, 5, 6);
    const content = Buffer.concat([tag, withFooter, sound]);
    expect(await read(content, withoutTags)).toEqual([{ start: 630, end: 1630 }]);
  });

  it('finds nothing in a tag alone, whole or cut off', async () => {
    const tag = id3Tag(Buffer.alloc(300));
    expect(await read(tag, withoutTags)).toEqual([]);
    expect(await read(tag.subarray(0, 100), withoutTags)).toEqual([]);
  });

  it('keeps bytes that only look like a tag', async () => {
    for (const head of ['ID3\xff\0\0\0\0\0\0', 'ID3\x04\0\0\x80\0\0\0', 'ID3', 'ID']) {
      expect((await read(Buffer.from(head, 'latin1'), withoutTags))[0]).toMatchObject({ start: 0 });
    }
  });

  it('reads no chunks after data of unknown length', async () => {
    const wav = await media('wav s16');
    const at = wav.indexOf('data') + 4;
    const tagged = withChunk(wav, 'id3 ', Buffer.alloc(100), 'back');
    for (const size of [0, 0xffffffff]) {
      tagged.writeUInt32LE(size, at);
      expect(await read(tagged, withoutTags)).toEqual([{ start: 0, end: tagged.length }]);
    }
  });

  it('rejects a file of countless chunks or tags with invalid_audio', async () => {
    const wav = await media('wav s16', tone.subarray(0, 100));
    const rejected = expect.objectContaining({ code: 'invalid_audio', param: 'file' });
    const empty = Buffer.from('list\0\0\0\0', 'latin1');
    const chunks = Buffer.concat([wav.subarray(0, 12), ...Array.from({ length: 20_000 }, () => empty)]);
    await expect(read(chunks, withoutTags)).rejects.toEqual(rejected);
    const tag = Buffer.from('id3 \0\0\0\0LIST\0\0\0\0', 'latin1');
    const tags = Buffer.concat([wav.subarray(0, 12), ...Array.from({ length: 20 }, () => tag), wav.subarray(12)]);
    await expect(read(tags, withoutTags)).rejects.toEqual(rejected);
  });
});

describe('an MP4 index', () => {
  const claims: [string, MediaKind, string, Buffer][] = [
    ['30 million samples of a byte', 'm4a moov last', 'stsz', uint32s(0, 1, 30_000_000)],
    ['30 million samples without their sizes', 'm4a moov last', 'stsz', uint32s(0, 0, 30_000_000)],
    ['more times than its box has', 'm4a moov last', 'stts', uint32s(0, 100_000_000, 1, 1024)],
    ['more chunks than its box has', 'm4a moov last', 'stco', uint32s(0, 100_000_000, 0)],
    ['more runs than its box has', 'm4a moov last', 'stsc', uint32s(0, 100_000_000, 1, 1, 1)],
    ['two billion samples in a chunk', 'mov pcm', 'stsc', uint32s(0, 1, 1, 0x7fffffff, 1)],
    ['30 million samples in a fragment', 'm4a in fragments', 'trun', uint32s(0, 30_000_000)],
    ['more samples in a fragment than its box has', 'm4a in fragments', 'trun', uint32s(0x300, 1000, 1, 1)],
  ];

  it.each(claims)('that claims %s is rejected', async (_, kind, type, content) => {
    const original = await media(kind);
    const hostile = replaceBoxes(original, (found) => (found === type ? content : undefined));
    expect(hostile.equals(original)).toBe(false);
    await expect(decode(hostile)).rejects.toMatchObject({ code: 'invalid_audio', message: /index/ });
  });

  it('that is compressed is rejected', async () => {
    const movie = Buffer.concat([box('ftyp', Buffer.from('qt  \0\0\0\0')), box('moov', box('cmov', Buffer.alloc(20)))]);
    await expect(decode(movie)).rejects.toMatchObject({ code: 'invalid_audio', message: /compressed/ });
  });

  it.each([
    ['a million edits', repeatedEdits(1_000_000, 10)],
    ['edits that repeat it 1000 times', repeatedEdits(1000, 3 * RATE)],
    ['endless edits', repeatedEdits(300, 0)],
  ])('with %s gives the speech once', async (_, edits) => {
    const original = await media('m4a moov last');
    const hostile = replaceBoxes(original, (type) => (type === 'elst' ? edits : undefined));
    expect(Math.abs((await decode(hostile)).length / RATE - 3)).toBeLessThan(0.15);
  });

  it('does not count times after the end of a table, which would allow repeated edits', async () => {
    const original = await media('m4a moov last');
    const hostile = replaceBoxes(original, (type, content) => {
      if (type === 'elst') return repeatedEdits(1000, 3 * RATE);
      return type === 'stts' ? Buffer.concat([content, uint32s(0xffffffff, 0xffffffff)]) : undefined;
    });
    expect(Math.abs((await decode(hostile)).length / RATE - 3)).toBeLessThan(0.15);
  });

  it('keeps ordinary edits', async () => {
    const original = await media('m4a moov last');
    // A pause of a second, then from 1 s on to 2 s.
    const edits = Buffer.concat([uint32s(0, 2, RATE, 0xffffffff, 0x10000), uint32s(RATE, RATE, 0x10000)]);
    const samples = await decode(replaceBoxes(original, (type) => (type === 'elst' ? edits : undefined)));
    expect(Math.abs(samples.length / RATE - 2)).toBeLessThan(0.1);
    expect(Math.max(...samples.subarray(0, 0.9 * RATE))).toBe(0);
    expect(Math.max(...samples.subarray(1.1 * RATE))).toBeGreaterThan(0.3);
  });

  it('of countless or endlessly nested boxes ends', async () => {
    const tiny = Buffer.concat(Array.from({ length: 2_100_000 }, () => Buffer.from('\0\0\0\x08free', 'latin1')));
    await expect(read(tiny, (reader) => checkMp4Index(reader, { start: 0, end: tiny.length }))).rejects.toThrow(
      'index',
    );
    let nested: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth < 100; depth++) nested = box('moov', nested);
    await expect(read(nested, (reader) => checkMp4Index(reader, { start: 0, end: nested.length }))).rejects.toThrow(
      'index',
    );
  });

  it('of random damage is read or rejected, and never runs beyond the file', async () => {
    const originals = [await media('m4a moov last'), await media('m4a in fragments'), await media('mov pcm')];
    let seed = 7;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    for (let round = 0; round < 300; round++) {
      const bytes = Buffer.from(originals[round % 3]!);
      for (let index = 0; index < 30; index++) {
        bytes[Math.floor(random() * bytes.length)] = [0, 1, 0x7f, 0xff][Math.floor(random() * 4)]!;
      }
      const end = Math.floor(random() * bytes.length);
      const result = await read(bytes.subarray(0, end), (reader) => checkMp4Index(reader, { start: 0, end })).catch(
        (error: unknown) => error,
      );
      if (result instanceof Error) expect(result).toMatchObject({ code: 'invalid_audio' });
    }
  });
});

describe('a chained Ogg file', () => {
  const beep = (seconds: number) => new Float32Array(seconds * RATE).map((_, index) => 0.4 * Math.sin(index / 6));

  it('is decoded to its end, whatever the codecs of its links', async () => {
    const links = [
      await media('ogg vorbis', beep(2)),
      await media('ogg opus', beep(3)),
      await media('ogg vorbis 22 kHz', beep(4)),
      await media('ogg vorbis', beep(1)),
      await media('ogg opus', beep(2)),
      await media('ogg opus', beep(2)),
    ];
    const samples = await decode(Buffer.concat(links));
    expect(Math.abs(samples.length / RATE - 14)).toBeLessThan(0.2);
    for (let second = 0; second < 14; second++) {
      const [start, end] = [(second + 0.3) * RATE, (second + 0.7) * RATE];
      expect(Math.max(...samples.subarray(start, end)), `second ${second}`).toBeGreaterThan(0.3);
    }
  });

  it('with a link that cannot be decoded is rejected', async () => {
    const unknown = Buffer.from(await media('ogg opus', beep(1)));
    unknown.write('NotOpus!', unknown.indexOf('OpusHead'), 'latin1');
    const chain = Buffer.concat([await media('ogg vorbis', beep(2)), unknown]);
    await expect(decode(chain)).rejects.toMatchObject({ code: 'invalid_audio' });
  });
});
