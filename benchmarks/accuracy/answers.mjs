import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './speech.mjs';

/** Answers of a system to the files of all sets, kept in a folder. */
export class Answers {
  #path;
  #sets;

  constructor(folder, system) {
    mkdirSync(join(folder, 'answers'), { recursive: true });
    this.#path = join(folder, 'answers', `${system.replace(/[^\p{L}\p{N}.]+/gu, '-')}.json`);
    this.#sets = existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, 'utf8')) : {};
  }

  /** By file name; only answers to the files as they are now. */
  of({ name, files }) {
    const kept = this.#sets[name] ?? {};
    return Object.fromEntries(
      files.filter((file) => kept[file.name]?.key === keyOf(file)).map((file) => [file.name, kept[file.name]]),
    );
  }

  /** Forgets a set, to ask again. */
  forget({ name }) {
    delete this.#sets[name];
  }

  /** Requests the files of sets that a system has not answered yet. */
  async complete(sets, system) {
    const open = sets.flatMap((set) => {
      const known = this.of(set);
      return set.files.filter(({ name }) => !known[name]).map((file) => [set.name, file]);
    });
    if (open.length === 0) return;
    const started = performance.now();
    const running = await system.start();
    const work = async () => {
      for (let next = open.shift(); next; next = open.shift()) {
        const [set, file] = next;
        this.#sets[set] ??= {};
        this.#sets[set][file.name] = { key: keyOf(file), ...(await running.answer(file)) };
        this.#save();
      }
    };
    try {
      await Promise.all(Array.from({ length: system.parallel }, work));
    } finally {
      await running.stop();
    }
    console.log(`${system.name}: took ${Math.round((performance.now() - started) / 1000)} s`);
  }

  #save() {
    writeWhole(this.#path, JSON.stringify(this.#sets, null, 1));
  }
}

const keys = new Map();

/** Changes with the audio and the task. */
function keyOf({ path, task }) {
  if (!keys.has(path)) keys.set(path, createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16));
  return `${keys.get(path)} ${task}`;
}
