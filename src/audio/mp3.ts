/** Bytes per frame of our encoder: 576 samples at 24 kHz and 96 kbit/s, without padding. */
const FRAME_BYTES = 288;
const HEADER_BYTES = 4;
/** Side information of one MPEG-2 channel, between a frame's header and the tag. */
const SIDE_INFO_BYTES = 9;
const HAS_FRAMES_AND_BYTES = 3;

/** Whether bytes begin with a frame header. */
export function isMp3Frame(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && (bytes[1]! & 0xe0) === 0xe0;
}

/**
 * A silent frame that states the length of the file after it: LAME's Info tag, the form of Xing's tag for constant bit
 * rates (http://gabriel.mp3-tech.org/mp3infotag.html). Only a complete file can have one.
 *
 * @param frameHeader the first four bytes of any frame of the file
 * @param bytes size of the file without this frame
 */
export function mp3InfoFrame(frameHeader: Uint8Array, bytes: number): Buffer {
  const frame = Buffer.alloc(FRAME_BYTES);
  frame.set(frameHeader.subarray(0, HEADER_BYTES));
  let at = HEADER_BYTES + SIDE_INFO_BYTES;
  at += frame.write('Info', at, 'latin1');
  at = frame.writeUInt32BE(HAS_FRAMES_AND_BYTES, at);
  at = frame.writeUInt32BE(Math.floor(bytes / FRAME_BYTES), at);
  frame.writeUInt32BE(bytes + FRAME_BYTES, at);
  return frame;
}
