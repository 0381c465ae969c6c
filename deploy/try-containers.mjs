import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers } from './try-answers.mjs';

const SIGNED_BY = '/data/caddy/pki/authorities/local/root.crt';
const key = 'a-key-for-a-try';
/** Names that keep the volumes of this machine's user untouched. */
const project = 'hearsay-try';

const podman = (...args) => execFileSync('podman', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const succeeds = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** Runs a command until it ends. @returns its exit status */
function started(command, cwd, env = {}) {
  const child = spawn('sh', ['-c', `exec ${command}`], { cwd, env: { ...process.env, ...env }, stdio: 'inherit' });
  return new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
}

/** The first of these images that is not here and cannot be had; undefined if there is none. */
const missing = (images) =>
  images.find((image) => !succeeds('podman', 'image', 'exists', image) && !succeeds('podman', 'pull', '-q', image));

/** Builds the image, runs it, and stops it when both services have answered and its health check has passed. */
export async function tryImage(commands, checkout, urls) {
  const file = readFileSync(join(checkout, 'deploy/Containerfile'), 'utf8');
  const image = missing([...file.matchAll(/^ARG \w+_IMAGE=(\S+)$/gm)].map(([, name]) => name));
  if (image) return `not run: ${image} is not here and cannot be pulled`;

  const [build, run] = commands.trim().split('\n');
  execFileSync('sh', ['-c', build], { cwd: checkout, stdio: 'inherit' });
  const id = join(checkout, '..', 'container');
  const volumes = ['data', 'models'].map((name) => `${project}-${name}`);
  const own = run.replace('podman run', `podman run --rm --cidfile ${id}`).replace(/-v (\w+):/g, `-v ${project}-$1:`);
  try {
    const ended = started(own, checkout);
    await Promise.race([answers(urls), ended.then((status) => assert.fail(`the container exited with ${status}`))]);
    const container = readFileSync(id, 'utf8');
    podman('healthcheck', 'run', container);
    podman('stop', '--time', '60', container);
    assert.equal(await ended, 0);
  } finally {
    podman('volume', 'rm', '--force', ...volumes);
  }
  return 'ran, answered, was healthy and stopped with 0';
}

/** Starts the services behind Caddy at hear.localhost and say.localhost, and stops them when they have answered. */
export async function tryCompose(commands, checkout) {
  const provider = ['podman compose', 'podman-compose'].find((each) => succeeds(...each.split(' '), 'version'));
  if (!provider) return 'not run: no podman compose, which Podman has since 4.7, and no podman-compose';
  if (!succeeds('podman', 'image', 'exists', 'hearsay')) return 'not run: there is no image of hearsay';
  const [, image] = /image: (\S*caddy\S*)/.exec(readFileSync(join(checkout, 'deploy/compose.yaml'), 'utf8'));
  if (missing([image])) return `not run: ${image} is not here and cannot be pulled`;

  const [, compose] = /(podman compose .*) up$/.exec(commands.trim());
  const command = compose.replace('podman compose', provider);
  const env = { API_KEY: key, COMPOSE_PROJECT_NAME: project };
  const ca = () => {
    const caddy = podman('ps', '--quiet', '--filter', `ancestor=${image}`).trim();
    return podman('exec', caddy, 'cat', SIGNED_BY);
  };
  const ended = started(`${command} up`, checkout, env);
  try {
    const urls = { hear: 'https://hear.localhost', say: 'https://say.localhost' };
    await Promise.race([
      answers({ ...urls, key, ca }),
      ended.then((status) => assert.fail(`${provider} up exited with ${status}`)),
    ]);
  } finally {
    await started(`${command} down --volumes`, checkout, env);
    await ended;
  }
  return `ran by ${provider}, answered over HTTPS, and refused a request without the key`;
}
