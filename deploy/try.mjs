// Runs the commands of docs/deploy.md as they stand there, in a clone of HEAD, on the ports 8000, 8880, 18000 and 18880. A command
// whose program is missing is named as not run; one that this file does not know is an error. Takes some minutes.
//   node deploy/try.mjs
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'hearsay-deploy-'));
const checkout = join(work, 'checkout');
const replicas = { HEAR_PORT: '18000', SAY_PORT: '18880' };
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
  ['podman build', (commands) => ifThere('podman', () => run(commands.split('\n')[0], checkout))],
  ['podman compose', (commands) => ifThere('podman', () => run(commands.replace(/ up\n/, ' config\n'), checkout))],
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
  await answers(replicas.HEAR_PORT, replicas.SAY_PORT);
  return 'ran, and answered';
}

async function balance(commands) {
  if (spawnSync('which', ['haproxy']).status !== 0) return 'not run: no haproxy';
  const local = commands
    .replace(/(HEAR_\d)=\S+/g, `$1=127.0.0.1:${replicas.HEAR_PORT}`)
    .replace(/(SAY_\d)=\S+/g, `$1=127.0.0.1:${replicas.SAY_PORT}`);
  start(local, root, {});
  await answers(8000, 8880);
  return 'ran, and answered';
}

/** There is no cluster: the chart is checked, and its objects are posted to an API server if CHART_TOOLS has one. */
function installChart() {
  return ifThere('go', () => {
    run('npm run -s chart && node deploy/chart/ci/api-server.mjs', root);
    return 'not run as it stands; deploy/chart/ci/check and api-server.mjs ran';
  });
}

/** Speaks with the one port and transcribes with the other. */
async function answers(hear, say) {
  const sentence = 'My voice stays at home.';
  for (let tries = 60; ; tries--) {
    try {
      const body = JSON.stringify({ input: sentence, voice: 'alloy', response_format: 'wav' });
      const headers = { 'content-type': 'application/json' };
      const speech = await fetch(`http://127.0.0.1:${say}/v1/audio/speech`, { method: 'POST', headers, body });
      const form = new FormData();
      form.set('file', await speech.blob(), 'speech.wav');
      const response = await fetch(`http://127.0.0.1:${hear}/v1/audio/transcriptions`, { method: 'POST', body: form });
      const { text } = await response.json();
      if (text?.replace(/\W/g, '').toLowerCase() !== sentence.replace(/\W/g, '').toLowerCase()) throw new Error(text);
      return;
    } catch (error) {
      if (tries === 0) throw error;
      await sleep(1000);
    }
  }
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
