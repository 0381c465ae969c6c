/** Cuts text that arrives in pieces into lines, without their ends. */
export class LineReader {
  #pending: string[] = [];

  /** The lines that the piece completes. */
  push(piece: string): string[] {
    const parts = piece.split('\n');
    if (parts.length === 1) {
      this.#pending.push(piece);
      return [];
    }
    parts[0] = this.#pending.join('') + parts[0];
    this.#pending = [parts.pop()!];
    return parts.map(withoutReturn);
  }

  /** What stands after the last line end; empty where the text ends with one. */
  rest(): string {
    return withoutReturn(this.#pending.join(''));
  }
}

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** An event of a text/event-stream. */
export interface ServerSentEvent {
  /** `message` where the event names none. */
  event: string;
  data: string;
}

/**
 * Reads server-sent events from text that arrives in pieces. Ids and retry times are not kept.
 * Format: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventReader {
  readonly #lines = new LineReader();
  #event = '';
  #data: string[] = [];

  /** The events that the piece completes. */
  push(piece: string): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    for (const line of this.#lines.push(piece)) {
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
