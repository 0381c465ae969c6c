import { describe, expect, it } from 'vitest';
import { StreamEncoder } from './encode.ts';
import { isMp3Frame, mp3InfoFrame } from './mp3.ts';

function encode(seconds: number): Buffer {
  const encoder = new StreamEncoder('mp3', { sampleRate: 24_000 });
  const tone = Float32Array.from({ length: seconds * 24_000 }, (_, index) => 0.3 * Math.sin(index / 10));
  const bytes = Buffer.concat([...encoder.write(tone), ...encoder.finish()]);
  encoder.close();
  return bytes;
}

describe('mp3InfoFrame', () => {
  it('has the length of an encoded frame and counts the frames', () => {
    const stream = encode(2);
    expect(stream.length % 288).toBe(0);
    for (let at = 0; at < stream.length; at += 288) expect(isMp3Frame(stream.subarray(at))).toBe(true);

    const frame = mp3InfoFrame(stream, stream.length);
    expect(frame).toHaveLength(288);
    expect(isMp3Frame(frame)).toBe(true);
    expect(frame.toString('latin1', 13, 17)).toBe('Info');
    expect(frame.readUInt32BE(17)).toBe(3);
    expect(frame.readUInt32BE(21)).toBe(stream.length / 288);
    expect(frame.readUInt32BE(25)).toBe(stream.length + 288);
  });

  it('recognizes frame headers', () => {
    expect(isMp3Frame(Buffer.from('ID3'))).toBe(false);
    expect(isMp3Frame(Buffer.alloc(0))).toBe(false);
  });
});
