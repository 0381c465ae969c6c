/** Network namespaces that end with this process: a bridge, and a host with its own address for each replica. */
import { spawn, spawnSync } from 'node:child_process';

const MARK = 'FLEET_NETWORK';
const gateway = '10.77.0.1';

const ip = (...parameters) => run('ip', parameters);

function run(program, parameters) {
  const { status, stderr } = spawnSync(program, parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')}: ${stderr}`);
}

/** Runs this script again in its own network, and exits with its code; returns within that network. */
export function isolate() {
  if (process.env[MARK]) return;
  const parameters = ['--net', '--map-root-user', process.execPath, ...process.argv.slice(1)];
  const { status } = spawnSync('unshare', parameters, { stdio: 'inherit', env: { ...process.env, [MARK]: '1' } });
  process.exit(status ?? 1);
}

/** @returns the address of this end of the bridge */
export function createBridge() {
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'fleet', 'type', 'bridge');
  ip('addr', 'add', `${gateway}/24`, 'dev', 'fleet');
  ip('link', 'set', 'fleet', 'up');
  return gateway;
}

/**
 * A host on the bridge.
 * @param number from 1 to 200
 * @returns its address, and the command that runs a program there
 */
export function createHost(number) {
  const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' });
  process.once('exit', () => holder.kill('SIGKILL'));
  const inside = ['nsenter', '--target', String(holder.pid), '--net'];
  const [outer, inner] = [`fleet${number}`, `fleet${number}i`];
  const address = `10.77.0.${10 + number}`;
  ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner);
  ip('link', 'set', outer, 'master', 'fleet', 'up');
  moveInto(inner, holder.pid);
  for (const command of [
    ['ip', 'link', 'set', 'lo', 'up'],
    ['ip', 'addr', 'add', `${address}/24`, 'dev', inner],
    ['ip', 'link', 'set', inner, 'up'],
  ]) {
    run(inside[0], [...inside.slice(1), ...command]);
  }
  return { address, inside };
}

/** The namespace of a process that has just been started exists a moment later. */
function moveInto(link, pid) {
  for (let tries = 0; ; tries++) {
    try {
      const own = spawnSync('readlink', ['/proc/self/ns/net']).stdout.toString();
      const theirs = spawnSync('readlink', [`/proc/${pid}/ns/net`]).stdout.toString();
      if (own === theirs) throw new Error('The namespace is not there yet.');
      return ip('link', 'set', link, 'netns', String(pid));
    } catch (error) {
      if (tries === 50) throw error;
      spawnSync('sleep', ['0.05']);
    }
  }
}
