import { describe, expect, it } from 'vitest';
import { encodeEvent, readEvents, type WyomingEvent } from './events.ts';

async function read(bytes: Buffer, size = bytes.length): Promise<WyomingEvent[]> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const events: WyomingEvent[] = [];
  for await (const event of readEvents(chunks())) events.push(event);
  return events;
}

const audio = Buffer.from([0, 10, 13, 255, 123]);
const stream = Buffer.concat([
  encodeEvent('describe'),
  encodeEvent('audio-chunk', { rate: 16_000, text: 'Grüße\n' }, audio),
  encodeEvent('audio-stop', {}),
]);

describe('readEvents', () => {
  it.each([1, 2, 3, 7, 1000])('reads what encodeEvent writes, in chunks of %i bytes', async (size) => {
    expect(await read(stream, size)).toEqual([
      { type: 'describe', data: {}, payload: Buffer.alloc(0) },
      { type: 'audio-chunk', data: { rate: 16_000, text: 'Grüße\n' }, payload: audio },
      { type: 'audio-stop', data: {}, payload: Buffer.alloc(0) },
    ]);
  });

  it('reads data in the line, joined with the data after it', async () => {
    const line =
      '\n{"type":"transcribe","data":{"language":"en","name":"a"},"data_length":12,"payload_length":null}\n{"name":"b"}\n';
    expect(await read(Buffer.from(line))).toEqual([
      { type: 'transcribe', data: { language: 'en', name: 'b' }, payload: Buffer.alloc(0) },
    ]);
  });

  it('ends with a stream that is cut off', async () => {
    for (let length = 0; length < stream.length; length++) {
      const events = await read(stream.subarray(0, length));
      expect(events.length).toBeLessThanOrEqual(2);
    }
  });

  it.each([
    ['no JSON', 'GET / HTTP/1.1\r\n'],
    ['a list', '[]\n'],
    ['no type', '{"data":{}}\n'],
    ['a negative length', '{"type":"a","payload_length":-1}\n'],
    ['a fraction', '{"type":"a","payload_length":1.5}\n'],
    ['too much data', '{"type":"a","data_length":1048577}\n'],
    ['too large a payload', '{"type":"a","payload_length":4194305}\n'],
    ['an endless line', 'x'.repeat(100_000)],
    ['data that is no object', '{"type":"a","data_length":2}\n[]'],
  ])('rejects %s', async (_name, text) => {
    await expect(read(Buffer.from(text), 50_000)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
