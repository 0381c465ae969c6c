import { randomUUID } from 'node:crypto';
import { sleep } from '../service.mjs';
import { answer, Moved, Refused } from './requests.mjs';

/** Milliseconds after a refusal; the delay of Retry-After would leave a short test idle. */
const PAUSE_MS = 1000;

/**
 * Clients that send requests one after the other until `stop`.
 * @param target addresses and key
 * @param clients each with its `kind`, and `turns` of `material` and `expected`
 */
export function startLoad(target, clients) {
  const results = [];
  let isEnding = false;
  const running = clients.map(async ({ kind, turns }, client) => {
    for (let turn = client; !isEnding; turn++) {
      const { material, expected } = turns[turn % turns.length];
      const id = randomUUID();
      const started = performance.now();
      const outcome = await answer(kind, { ...target, id }, material).then(
        (text) => (text === expected ? { as: 'answered' } : { as: 'wrong', text }),
        (error) => {
          if (error instanceof Refused) return { as: 'refused', text: error.message };
          return { as: error instanceof Moved ? 'moved' : 'lost', text: error.message };
        },
      );
      results.push({ id, kind, client, started, ended: performance.now(), seconds: material.seconds, ...outcome });
      if (outcome.as === 'refused') await sleep(PAUSE_MS);
    }
  });
  return {
    results,
    async stop() {
      isEnding = true;
      await Promise.all(running);
      return results;
    },
  };
}
