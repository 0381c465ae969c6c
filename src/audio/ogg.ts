/** A page counts its segments in one byte. */
const MAX_SEGMENTS = 255;
const FIRST_PAGE = 2;
const LAST_PAGE = 4;

/** CRC table of Ogg: polynomial 0x04c11db7, most significant bit first (RFC 3533, section 6). */
const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

/**
 * Packs the packets of one logical stream into Ogg pages (RFC 3533). Pages contain whole packets, so that each can be
 * sent at once.
 */
export class OggStream {
  readonly #serial: number;
  #sequence = 0;

  constructor(serial: number) {
    this.#serial = serial;
  }

  /** Number of leading packets that fit into one page. */
  static countFitting(packets: readonly Uint8Array[]): number {
    let segments = 0;
    let count = 0;
    for (const packet of packets) {
      segments += countSegments(packet);
      if (segments > MAX_SEGMENTS) break;
      count++;
    }
    return count;
  }

  /**
   * Writes one page.
   *
   * @param packets at least one, at most `countFitting`
   * @param granule position of the stream after the last packet, in the codec's unit
   */
  page(packets: readonly Uint8Array[], granule: number, { last = false } = {}): Buffer {
    const lacing: number[] = [];
    for (const { length } of packets) {
      for (let rest = length; rest >= 255; rest -= 255) lacing.push(255);
      lacing.push(length % 255);
    }
    const header = Buffer.alloc(27 + lacing.length);
    header.write('OggS', 0, 'latin1');
    header[5] = (this.#sequence === 0 ? FIRST_PAGE : 0) | (last ? LAST_PAGE : 0);
    header.writeBigInt64LE(BigInt(granule), 6);
    header.writeUInt32LE(this.#serial, 14);
    header.writeUInt32LE(this.#sequence++, 18);
    header[26] = lacing.length;
    header.set(lacing, 27);
    const page = Buffer.concat([header, ...packets]);
    page.writeUInt32LE(checksum(page), 22);
    return page;
  }
}

function countSegments(packet: Uint8Array): number {
  return Math.floor(packet.length / 255) + 1;
}

function checksum(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) value = ((value << 8) ^ crcTable[((value >>> 24) ^ byte) & 0xff]!) >>> 0;
  return value;
}
