/**
 * Three replicas of each service behind HAProxy with deploy/haproxy.cfg, each on its own host (network namespaces):
 * mixed requests during a rolling restart, while one replica of each is killed (SIGKILL), and while one is stopped
 * (SIGSTOP) and later continued. Every answer is compared with the answer of a single replica to the same request.
 *
 * Needs haproxy, unshare, nsenter and ip. `--seconds 30` is the length of the steady phases, `--clients 12` their number;
 * `--folder` keeps logs and shared files.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startLoad } from './fleet/load.mjs';
import { createBridge, createHost, isolate } from './fleet/network.mjs';
import { Replica } from './fleet/replica.mjs';
import { answer, exchange, kindNames } from './fleet/requests.mjs';
import { percentile, round, save } from './measure.mjs';
import { sleep } from './service.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    clients: { type: 'string', default: '12' },
    folder: { type: 'string' },
  },
});
isolate();

const REPLICAS = 3;
const DELAY_SECONDS = 5;
const PAUSED_SECONDS = 15;
const WAV_HEADER_BYTES = 44;
const key = 'a-key-for-the-fleet';
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'fleet-'));
const gateway = createBridge();
const env = {
  API_KEY: key,
  DATA_DIR: join(folder, 'data'),
  DOWNLOAD_DIR: join(folder, 'downloads'),
  SHUTDOWN_DELAY_SECONDS: String(DELAY_SECONDS),
  THREADS: '1',
};
const replicas = { hear: [], say: [] };
for (let number = 1; number <= REPLICAS; number++) {
  for (const [offset, service] of ['hear', 'say'].entries()) {
    const host = createHost(2 * number + offset);
    replicas[service].push(new Replica(service, host, join(folder, `${service}-${number}`), env));
  }
}
const all = [...replicas.hear, ...replicas.say];
process.once('exit', () => {
  for (const replica of all) replica.signal('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

for (const replica of all) replica.start();
await Promise.all(all.map((replica) => replica.ready()));
const balancer = startBalancer();
const behind = { bases: { hear: `http://${gateway}:8000`, say: `http://${gateway}:8880` }, key };
const alone = { bases: { hear: replicas.hear[0].base, say: replicas.say[0].base }, key };
const clients = await prepareClients(Number(values.clients));

const rows = [
  [
    'balancer',
    `${execFileSync('haproxy', ['-v'], { encoding: 'utf8' }).split('\n')[0].split(' -')[0]} with deploy/haproxy.cfg`,
  ],
  ['clients', `${clients.length}, each with one request at a time: ${kindNames.join(', ')}`],
];
let isHealthy = true;

await steady('one replica of each, without the balancer', alone);
await steady('three replicas of each, all on the same cores', behind);
await disturbed('rolling restart of all six', async () => {
  for (const service of ['hear', 'say']) {
    for (const replica of replicas[service]) {
      const code = await replica.stop();
      if (code !== 0) throw new Error(`${replica.address} exited with ${code}`);
      replica.start();
      await replica.ready();
      // The balancer asks twice.
      await sleep(3000);
    }
  }
});
await disturbed('one replica of each killed (SIGKILL)', async () => {
  const killed = [replicas.hear[1], replicas.say[1]];
  await sleep(3000);
  await Promise.all(killed.map((replica) => replica.kill()));
  const at = performance.now();
  await sleep(5000);
  const restarted = performance.now();
  for (const replica of killed) replica.start();
  await Promise.all(killed.map((replica) => replica.ready()));
  const readyMs = performance.now() - restarted;
  await sleep(5000);
  return { at, readyMs };
});
await disturbed(`one replica of each paused for ${PAUSED_SECONDS} s (SIGSTOP, SIGCONT)`, async () => {
  const paused = [replicas.hear[2], replicas.say[2]];
  await sleep(3000);
  for (const replica of paused) replica.signal('SIGSTOP');
  await sleep(PAUSED_SECONDS * 1000);
  for (const replica of paused) replica.signal('SIGCONT');
  await sleep(5000);
});

save(import.meta.url, rows);
for (const replica of all) await replica.kill();
balancer.kill('SIGKILL');
if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
process.exit(isHealthy ? 0 : 1);

function startBalancer() {
  const addresses = Object.entries(replicas).flatMap(([service, list]) =>
    list.map(({ address }, index) => [`${service.toUpperCase()}_${index + 1}`, address]),
  );
  const path = fileURLToPath(new URL('../deploy/haproxy.cfg', import.meta.url));
  const log = openSync(join(folder, 'haproxy.log'), 'w');
  const child = spawn('haproxy', ['-db', '-f', path], {
    env: { PATH: process.env.PATH, ...Object.fromEntries(addresses) },
    stdio: ['ignore', log, log],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

/** Clients of all kinds in turn: their own short and long sentences, and the answers to these alone. */
async function prepareClients(count) {
  const sentences = readFileSync(new URL('./sentences.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const made = [];
  for (let client = 0; client < count; client++) {
    const own = sentences.slice(4 * client, 4 * client + 4);
    const kind = kindNames[client % kindNames.length];
    const turns = [];
    for (const text of [own[0], own.slice(1).join(' '), own.concat(own, own).join(' ')]) {
      const material = { text, ...(await recordings(text)) };
      turns.push({ material, expected: await answer(kind, { ...alone, id: randomUUID() }, material) });
    }
    made.push({ kind, turns });
  }
  return made;
}

async function recordings(input) {
  const body = JSON.stringify({ input, response_format: 'wav', stream: false });
  const options = { method: 'POST', body, type: 'application/json' };
  const { bytes: wav } = await exchange(key, `${alone.bases.say}/v1/audio/speech`, options);
  const pcm = wav.subarray(WAV_HEADER_BYTES);
  return { wav, pcm, seconds: pcm.length / 48_000 };
}

async function steady(title, target) {
  const load = startLoad(target, clients);
  const started = performance.now();
  await sleep(1000 * Number(values.seconds));
  const results = await load.stop();
  report(title, results, (performance.now() - started) / 1000);
}

async function disturbed(title, disturb) {
  for (const replica of all) replica.served.length = 0;
  const load = startLoad(behind, clients);
  const started = performance.now();
  const { at, readyMs } = (await disturb()) ?? {};
  const results = await load.stop();
  report(title, results, (performance.now() - started) / 1000);
  // Only a request that was begun before its death may have been inside the killed process.
  const inside = results.filter(({ as, started: begun }) => as === 'lost' && at !== undefined && begun <= at);
  const lost = results.filter(({ as }) => as === 'lost').length - inside.length;
  const wrong = results.filter(({ as }) => as === 'wrong' || as === 'refused');
  const ids = all.flatMap(({ served }) => served);
  const twice = ids.length - new Set(ids).size;
  rows.push([
    `${title}: lost`,
    `${lost}${at === undefined ? '' : `, plus ${inside.length} in the killed processes`}; ` +
      `${results.filter(({ as }) => as === 'wrong').length} wrong, ${twice} answered twice`,
  ]);
  if (at !== undefined) {
    const after = results.filter(({ as, started: begun }) => as !== 'answered' && begun > at);
    const last = after.length === 0 ? 0 : Math.max(...after.map(({ ended }) => ended)) - at;
    rows.push([
      `${title}: recovery`,
      `${after.length} later requests failed${last > 0 ? `, the last after ${round(last / 1000)} s` : ''}; ` +
        `the replica was ready ${round(readyMs / 1000)} s after its restart`,
    ]);
  }
  if (lost > 0 || wrong.length > 0) isHealthy = false;
}

function report(title, results, seconds) {
  const count = (as) => results.filter((result) => result.as === as).length;
  const answered = results.filter(({ as }) => as === 'answered');
  const latency = (kind) => {
    const times = answered.filter((result) => result.kind === kind).map(({ started, ended }) => ended - started);
    return `${kind} ${round(percentile(times, 0.5) / 1000)}/${round(percentile(times, 1) / 1000)}`;
  };
  const audio = answered.reduce((sum, result) => sum + result.seconds, 0);
  rows.push([
    title,
    `${results.length} requests in ${round(seconds)} s: ${count('answered')} answered, ${count('refused')} refused, ` +
      `${count('moved')} live sessions told to reconnect; ${round(audio / seconds)} s of speech per second`,
  ]);
  rows.push([`${title}: seconds, median/worst`, kindNames.map(latency).join(', ')]);
  for (const { kind, as, text, started, ended } of results) {
    if (as === 'answered' || as === 'moved') continue;
    console.error(`${title}: ${kind} ${as} after ${round((ended - started) / 1000)} s: ${text}`);
  }
}
