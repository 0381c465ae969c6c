// Runs the commands of docs/deploy.md as they stand there, in a clone of HEAD, on the ports 8000, 8880, 18000 and 18880, and 80
// and 443 for Caddy. A command whose program or base image is missing is named as not run; one that this file does not know is
// an error. Takes some minutes.
//   node deploy/try.mjs
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answers } from './try-answers.mjs';
import { tryCompose, tryImage } from './try-containers.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'hearsay-deploy-'));
const checkout = join(work, 'checkout');
const replicas = { HEAR_PORT: '18000', SAY_PORT: '18880' };
const replicaUrls = { hear: 'http://127.0.0.1:18000', say: 'http://127.0.0.1:18880' };
const defaultUrls = { hear: 'http://127.0.0.1:8000', say: 'http://127.0.0.1:8880' };
const children = [];

/** The environment of a user: without what npm sets for scripts of this repository. */
const plain = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry$)/i.test(name)),
);

/** Each block of commands in the page, by a part of it. */
const runners = [
  ['npm pack', (commands) => run(commands, checkout)],
  ['npm install ./hearsay', (commands) => run(commands, packageDirectory())],
  ['npm ci --omit=dev', startCheckout],
  ['podman build', (commands) => ifThere('podman', () => tryImage(commands, checkout, defaultUrls))],
  ['podman compose', (commands) => ifThere('podman', () => tryCompose(commands, checkout))],
  ['helm install', installChart],
  ['haproxy -f', balance],
];

function run(commands, cwd, env = {}) {
  execFileSync('sh', ['-e'], {
    cwd,
    env: { ...plain, ...env },
    input: commands,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  return 'ran';
}

function ifThere(program, work) {
  return spawnSync('which', [program]).status === 0 ? work() : `not run: no ${program}`;
}

function start(commands, cwd, env) {
  children.push(
    spawn('sh', ['-e', '-c', commands], { cwd, env: { ...plain, ...env }, stdio: 'ignore', detached: true }),
  );
}

function packageDirectory() {
  const directory = join(work, 'package');
  mkdirSync(directory);
  const tarball = readdirSync(checkout).find((name) => /^hearsay-.*\.tgz$/.test(name));
  execFileSync('cp', [join(checkout, tarball), directory]);
  return directory;
}

/** The last command runs until it is stopped. */
async function startCheckout(commands) {
  const lines = commands.trim().split('\n');
  const last = lines.pop().replace(/DATA_DIR=\S+/, `DATA_DIR=${join(work, 'data')}`);
  run(lines.join('\n'), checkout);
  start(last, checkout, replicas);
  await answers(replicaUrls);
  return 'ran, and answered';
}

async function balance(commands) {
  if (spawnSync('which', ['haproxy']).status !== 0) return 'not run: no haproxy';
  const local = commands
    .replace(/(HEAR_\d)=\S+/g, `$1=127.0.0.1:${replicas.HEAR_PORT}`)
    .replace(/(SAY_\d)=\S+/g, `$1=127.0.0.1:${replicas.SAY_PORT}`);
  start(local, root, {});
  await answers(defaultUrls);
  return 'ran, and answered';
}

/** There is no cluster: the chart is checked, and its objects are posted to an API server if CHART_TOOLS has one. */
function installChart() {
  return ifThere('go', () => {
    run('npm run -s chart && node deploy/chart/ci/api-server.mjs', root);
    return 'not run as it stands; deploy/chart/ci/check and api-server.mjs ran';
  });
}

try {
  execFileSync('git', ['clone', '-q', root, checkout]);
  const page = readFileSync(join(root, 'docs/deploy.md'), 'utf8');
  const outcomes = [];
  for (const [, commands] of page.matchAll(/```sh\n([^`]+)```/g)) {
    const runner = runners.find(([part]) => commands.includes(part))?.[1];
    if (!runner) throw new Error(`${basename(import.meta.url)} does not know how to run:\n${commands}`);
    outcomes.push(`${commands.trim().split('\n')[0]} …: ${await runner(commands)}`);
  }
  console.log(`\n${outcomes.join('\n')}`);
} finally {
  for (const { pid } of children) process.kill(-pid, 'SIGTERM');
  rmSync(work, { recursive: true, force: true, maxRetries: 10 });
}
