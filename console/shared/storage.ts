/** Kinds of records; `files` hold recordings, which are read only when they are needed, `parts` those that still grow. */
const tables = ['jobs', 'files', 'parts', 'transcripts', 'speeches', 'audio', 'settings'] as const;
export type Table = (typeof tables)[number];

export interface StoredRecord {
  id: string;
}

const NAME = 'hearsay';
const VERSION = 2;

/**
 * What a person made, kept in this browser by IndexedDB. Each service has an origin and thus its own database. If
 * the browser refuses (some private windows do), records stay in memory until the page closes.
 */
export class BrowserStorage {
  readonly #database: Promise<IDBDatabase | undefined>;
  #hasUnkept = false;
  readonly #memory = new Map<Table, Map<string, StoredRecord>>(tables.map((table) => [table, new Map()]));

  constructor() {
    this.#database = openDatabase().catch(() => undefined);
  }

  /** Resolves to whether records outlive the page. */
  async isPersistent(): Promise<boolean> {
    return (await this.#database) !== undefined;
  }

  /** Whether something was added that does not outlive the page. */
  get hasUnkept(): boolean {
    return this.#hasUnkept;
  }

  async get<T extends StoredRecord>(table: Table, id: string): Promise<T | undefined> {
    const database = await this.#database;
    if (!database) return this.#memory.get(table)!.get(id) as T | undefined;
    return result(database.transaction(table).objectStore(table).get(id)) as Promise<T | undefined>;
  }

  /** All records of a table, by id. */
  async all<T extends StoredRecord>(table: Table): Promise<T[]> {
    const database = await this.#database;
    if (!database) return [...this.#memory.get(table)!.values()] as T[];
    return result(database.transaction(table).objectStore(table).getAll()) as Promise<T[]>;
  }

  /** The records whose ids begin with a prefix, by id. */
  async withPrefix<T extends StoredRecord>(table: Table, prefix: string): Promise<T[]> {
    const database = await this.#database;
    if (database) {
      return result(database.transaction(table).objectStore(table).getAll(range(prefix))) as Promise<T[]>;
    }
    const found = [...this.#memory.get(table)!.values()].filter(({ id }) => id.startsWith(prefix));
    return found.sort((a, b) => (a.id < b.id ? -1 : 1)) as T[];
  }

  /**
   * Adds or replaces records, all or none.
   * @throws DOMException `QuotaExceededError` if the browser has no room
   */
  async put<T extends StoredRecord>(table: Table, ...records: T[]): Promise<void> {
    try {
      await this.#write(
        table,
        (store) => {
          for (const record of records) store.put(record);
        },
        (kept) => {
          for (const record of records) kept.set(record.id, record);
          this.#hasUnkept = true;
        },
      );
    } catch (error) {
      this.#hasUnkept = true;
      throw error;
    }
  }

  async remove(table: Table, id: string): Promise<void> {
    await this.#write(
      table,
      (store) => store.delete(id),
      (records) => records.delete(id),
    );
  }

  async removeWithPrefix(table: Table, prefix: string): Promise<void> {
    await this.#write(
      table,
      (store) => store.delete(range(prefix)),
      (records) => {
        for (const id of [...records.keys()]) if (id.startsWith(prefix)) records.delete(id);
      },
    );
  }

  async clear(table: Table): Promise<void> {
    await this.#write(
      table,
      (store) => store.clear(),
      (records) => records.clear(),
    );
  }

  async #write(
    table: Table,
    write: (store: IDBObjectStore) => void,
    writeMemory: (records: Map<string, StoredRecord>) => void,
  ): Promise<void> {
    const database = await this.#database;
    if (!database) {
      writeMemory(this.#memory.get(table)!);
      return;
    }
    const transaction = database.transaction(table, 'readwrite');
    write(transaction.objectStore(table));
    // A page that is left aborts what is not committed, and transactions that wait for others of their table.
    transaction.commit();
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      // The quota may be exceeded when the transaction commits, after its requests.
      transaction.onabort = () => reject(transaction.error);
    });
  }
}

const range = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

/** Rejects, rather than throws, where the browser has no IndexedDB. */
async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, VERSION);
  request.onupgradeneeded = () => {
    for (const table of tables) {
      if (!request.result.objectStoreNames.contains(table)) request.result.createObjectStore(table, { keyPath: 'id' });
    }
  };
  const database = await result(request);
  // A newer page in another tab may upgrade.
  database.onversionchange = () => database.close();
  return database;
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** A random id. `crypto.randomUUID` exists only on HTTPS and on this machine. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
