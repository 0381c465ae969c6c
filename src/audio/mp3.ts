/** Bytes of every frame that our encoder makes: 576 samples at 24 kHz and 96 kbit/s, without padding. */
const FRAME_BYTES = 288;
const HEADER_BYTES = 4;
/** Side information of one channel in MPEG-2, which stands between a frame's header and the tag. */
const SIDE_INFO_BYTES = 9;
const HAS_FRAMES_AND_BYTES = 3;

/** Whether bytes begin with the header of a frame. */
export function isMp3Frame(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && (bytes[1]! & 0xe0) === 0xe0;
}

/**
 * A silent frame that says how long the file behind it is: LAME's Info tag, the constant bit rate's form of Xing's
 * (http://gabriel.mp3-tech.org/mp3infotag.html). A stream cannot have one, a complete file should.
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
