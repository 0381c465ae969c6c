import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Answers that took long, by question, kept in a file of JSON lines: a run that was interrupted goes on with them. */
export class KeptAnswers {
  #file;
  #answers = new Map();

  /** @param file where they are kept; in memory only if omitted */
  constructor(file) {
    this.#file = file;
    if (!file) return;
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
      const [key, answer] = JSON.parse(line);
      this.#answers.set(key, answer);
    }
  }

  /** The answer to a question of strings and bytes, kept or made now. */
  async get(question, make) {
    const hash = createHash('sha256');
    for (const part of question) hash.update(part).update('\0');
    const key = hash.digest('base64url');
    if (!this.#answers.has(key)) {
      const answer = await make();
      this.#answers.set(key, answer);
      if (this.#file) appendFileSync(this.#file, `${JSON.stringify([key, answer])}\n`);
    }
    return this.#answers.get(key);
  }
}
