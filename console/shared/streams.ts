/** Splits text that arrives in chunks into lines, without their breaks. */
export class LineReader {
  #pending: string[] = [];

  /** The lines that the chunk completes. */
  push(chunk: string): string[] {
    const lines = chunk.split('\n');
    if (lines.length === 1) {
      this.#pending.push(chunk);
      return [];
    }
    lines[0] = this.#pending.join('') + lines[0];
    this.#pending = [lines.pop()!];
    return lines.map(withoutReturn);
  }

  /** The text after the last line break; empty if the text ends with one. */
  rest(): string {
    return withoutReturn(this.#pending.join(''));
  }
}

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** An event of a text/event-stream. */
export interface ServerSentEvent {
  /** `message` if the event names none. */
  event: string;
  data: string;
}

/**
 * Reads server-sent events from text that arrives in chunks. Ignores ids and retry times.
 * Format: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventReader {
  readonly #lines = new LineReader();
  #event = '';
  #data: string[] = [];

  /** The events that the chunk completes. */
  push(chunk: string): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    for (const line of this.#lines.push(chunk)) {
      if (line === '') {
        if (this.#data.length > 0) events.push({ event: this.#event || 'message', data: this.#data.join('\n') });
        this.#event = '';
        this.#data = [];
        continue;
      }
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'data') this.#data.push(value);
      else if (field === 'event') this.#event = value;
    }
    return events;
  }
}
