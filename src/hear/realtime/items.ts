/** An item of the conversation, as the API shows it. */
export interface ConversationItem {
  id: string;
  object: 'realtime.item';
  type: 'message';
  status: 'completed';
  role: 'user';
  content: [{ type: 'input_audio'; transcript: string | null }];
}

/** Items that a session remembers; the oldest go first. */
const MAX_ITEMS = 1000;

/** The items of a session. */
export class Items {
  readonly #items = new Map<string, ConversationItem>();

  /** The item committed last; null if there is none. */
  get lastId(): string | null {
    return [...this.#items.keys()].at(-1) ?? null;
  }

  add(id: string): ConversationItem {
    const item: ConversationItem = {
      id,
      object: 'realtime.item',
      type: 'message',
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_audio', transcript: null }],
    };
    this.#items.set(id, item);
    const [oldest] = this.#items.keys();
    if (this.#items.size > MAX_ITEMS) this.#items.delete(oldest!);
    return item;
  }

  get(id: string): ConversationItem | undefined {
    return this.#items.get(id);
  }

  delete(id: string): boolean {
    return this.#items.delete(id);
  }

  complete(id: string, transcript: string): void {
    const item = this.#items.get(id);
    if (item) item.content[0].transcript = transcript;
  }
}
