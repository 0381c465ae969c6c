import { HearsayError } from '../errors.ts';
import { isObject } from '../files/json.ts';

/** An event of Wyoming, the protocol of Home Assistant's voice services: https://github.com/OHF-Voice/wyoming. */
export interface WyomingEvent {
  type: string;
  data: Record<string, unknown>;
  /** Audio, as a rule. */
  payload: Buffer;
}

/** The line before data and payload. */
const MAX_LINE_BYTES = 64 * 1024;
const MAX_DATA_BYTES = 1024 * 1024;
/** Half a minute of audio at 48 kHz. */
const MAX_PAYLOAD_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Encodes an event: a line of JSON, then its data as JSON, then its payload.
 * @param payload raw bytes
 */
export function encodeEvent(type: string, data: object = {}, payload: Uint8Array = new Uint8Array(0)): Buffer {
  const body = Buffer.from(JSON.stringify(data));
  const head = { type, version: '1.8.0', data_length: body.length, payload_length: payload.length };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body, payload]);
}

/**
 * Reads the events of a connection. Blank lines between them are skipped.
 * @throws HearsayError `invalid_request` for what is not an event, or a larger one than the limits
 */
export async function* readEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<WyomingEvent> {
  const source = new ByteSource(chunks);
  for (let line = await source.line(); line !== undefined; line = await source.line()) {
    if (line.trim() === '') continue;
    const head = parseObject(line);
    const { type, data } = head;
    if (typeof type !== 'string') throw invalid('An event has no type.');
    const dataBytes = await source.bytes(lengthOf(head, 'data_length', MAX_DATA_BYTES));
    const payload = await source.bytes(lengthOf(head, 'payload_length', MAX_PAYLOAD_BYTES));
    if (!dataBytes || !payload) return;
    const more = dataBytes.length > 0 ? parseObject(dataBytes.toString()) : {};
    yield { type, data: { ...(isObject(data) ? data : {}), ...more }, payload };
  }
}

function lengthOf(head: Record<string, unknown>, name: string, max: number): number {
  const value = head[name] ?? 0;
  if (!Number.isInteger(value) || (value as number) < 0) throw invalid(`${name} must be a number of bytes.`);
  if ((value as number) > max) throw invalid(`${name} may be ${max} at most.`);
  return value as number;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    if (isObject(value)) return value;
  } catch {
    // The parser's own message quotes the text.
  }
  throw invalid('An event must be a JSON object in one line.');
}

const invalid = (message: string) => new HearsayError('invalid_request', message);

/** Lines and stretches of bytes from chunks of any size. */
class ByteSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next line without its end; undefined at the end of the stream. */
  async line(): Promise<string | undefined> {
    for (let searched = 0; ; ) {
      const end = this.#buffer.indexOf(NEWLINE, searched);
      if (end >= 0) return this.#take(end + 1).toString('utf8', 0, end);
      searched = this.#buffer.length;
      if (searched > MAX_LINE_BYTES) throw invalid(`The line of an event may have ${MAX_LINE_BYTES} bytes at most.`);
      if (!(await this.#more())) return undefined;
    }
  }

  /** Undefined if the stream ends before. */
  async bytes(count: number): Promise<Buffer | undefined> {
    const parts = [this.#buffer];
    let length = this.#buffer.length;
    while (length < count) {
      const { value, done } = await this.#chunks.next();
      if (done) return undefined;
      parts.push(value);
      length += value.length;
    }
    this.#buffer = parts.length === 1 ? this.#buffer : Buffer.concat(parts);
    return this.#take(count);
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next();
    if (!done) this.#buffer = Buffer.concat([this.#buffer, value]);
    return !done;
  }

  #take(count: number): Buffer {
    const taken = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    return taken;
  }
}
