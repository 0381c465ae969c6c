const CUSTOM_SECTION = 0;
const EXPORT_SECTION = 7;
const FUNCTION_NAMES = 1;
const FUNCTION_EXPORT = 0;

/**
 * Exports inner functions of a WebAssembly binary under the names in its `name` section, and drops its custom sections
 * (names, debug information).
 * Format: https://webassembly.github.io/spec/core/binary/modules.html
 * @throws Error if the binary has no function with one of these names
 */
export function exportFunctions(binary: Uint8Array, names: readonly string[]): Uint8Array {
  const sections = readSections(binary);
  const indices = functionIndices(sections);
  const additions = names.flatMap((name) => {
    const index = indices.get(name);
    if (index === undefined) throw new Error(`The WebAssembly binary has no function ${name}.`);
    const encoded = new TextEncoder().encode(name);
    return [...unsigned(encoded.length), ...encoded, FUNCTION_EXPORT, ...unsigned(index)];
  });
  const bytes = [binary.subarray(0, 8)];
  for (const { id, body } of sections) {
    if (id === CUSTOM_SECTION) continue;
    if (id !== EXPORT_SECTION) {
      bytes.push(Uint8Array.of(id, ...unsigned(body.length)), body);
      continue;
    }
    const exports = new Reader(body);
    const count = unsigned(exports.unsigned() + names.length);
    const present = exports.rest();
    const size = unsigned(count.length + present.length + additions.length);
    bytes.push(Uint8Array.of(id, ...size, ...count), present, Uint8Array.from(additions));
  }
  return Buffer.concat(bytes);
}

interface Section {
  id: number;
  body: Uint8Array;
}

function readSections(binary: Uint8Array): Section[] {
  const reader = new Reader(binary.subarray(8));
  const sections: Section[] = [];
  while (!reader.done) {
    const id = reader.byte();
    sections.push({ id, body: reader.bytes(reader.unsigned()) });
  }
  return sections;
}

function functionIndices(sections: readonly Section[]): Map<string, number> {
  const indices = new Map<string, number>();
  for (const { id, body } of sections) {
    if (id !== CUSTOM_SECTION) continue;
    const custom = new Reader(body);
    if (custom.name() !== 'name') continue;
    while (!custom.done) {
      const kind = custom.byte();
      const map = new Reader(custom.bytes(custom.unsigned()));
      if (kind !== FUNCTION_NAMES) continue;
      for (let left = map.unsigned(); left > 0; left--) {
        const index = map.unsigned();
        indices.set(map.name(), index);
      }
    }
  }
  return indices;
}

class Reader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#offset++];
    if (byte === undefined) throw new Error('The WebAssembly binary is truncated.');
    return byte;
  }

  /** Unsigned LEB128, up to 32 bits. */
  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  bytes(length: number): Uint8Array {
    const end = this.#offset + length;
    if (end > this.#bytes.length) throw new Error('The WebAssembly binary is truncated.');
    const bytes = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return bytes;
  }

  name(): string {
    return new TextDecoder().decode(this.bytes(this.unsigned()));
  }

  rest(): Uint8Array {
    return this.bytes(this.#bytes.length - this.#offset);
  }
}

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left >>>= 7) bytes.push((left & 0x7f) | 0x80);
  bytes.push(left);
  return bytes;
}
