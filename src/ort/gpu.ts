import { execFile } from 'node:child_process';
import { access, constants, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where Vulkan's loader looks for drivers: https://github.com/KhronosGroup/Vulkan-Loader/blob/main/docs/LoaderDriverInterface.md */
const MANIFEST_FOLDERS = ['etc/vulkan/icd.d', 'usr/local/share/vulkan/icd.d', 'usr/share/vulkan/icd.d'];
/** A model, its keys and values and its activations need this much at least. */
const MIN_MEMORY = 2 * 2 ** 30;
/** A driver that hangs must not hold up the start. */
const PROBE_TIMEOUT_MS = 30_000;

/** A GPU that `DEVICE=auto` may use, or why there is none. */
export type GpuSearch = { drivers: readonly string[] } | { reason: string; hasGpu: boolean };

/**
 * Looks for a GPU of its own memory without loading a driver: NVIDIA's, or AMD's with at least 2 GiB. Software devices such as
 * llvmpipe are no GPUs, and integrated ones may be slower than the CPU.
 * @param root for tests, in place of /
 * @returns the manifests of its Vulkan drivers, for the variable VK_DRIVER_FILES
 */
export async function findGpu(root = '/', env: NodeJS.ProcessEnv = process.env): Promise<GpuSearch> {
  const vendor = (await hasNvidia(root)) ? 'nvidia' : (await hasAmd(root)) ? 'amd' : undefined;
  if (!vendor) return { reason: 'there is none of its own memory', hasGpu: false };
  const names = vendor === 'nvidia' ? /nvidia/i : /radeon|amd/i;
  const drivers = (await manifests(root, env)).filter((path) => names.test(path));
  if (drivers.length > 0) return { drivers };
  return { reason: `no Vulkan driver of ${vendor === 'nvidia' ? 'NVIDIA' : 'AMD'} is installed`, hasGpu: true };
}

async function hasNvidia(root: string): Promise<boolean> {
  const devices = await names(join(root, 'dev'));
  for (const name of devices) {
    if (/^nvidia\d+$/.test(name) && (await isUsable(join(root, 'dev', name)))) return true;
  }
  return false;
}

/** Render nodes of amdgpu tell the memory of the card. */
async function hasAmd(root: string): Promise<boolean> {
  for (const name of await names(join(root, 'sys/class/drm'))) {
    if (!/^renderD\d+$/.test(name) || !(await isUsable(join(root, 'dev/dri', name)))) continue;
    const memory = await readFile(join(root, 'sys/class/drm', name, 'device/mem_info_vram_total'), 'utf8').catch(
      () => '',
    );
    if (Number(memory) >= MIN_MEMORY) return true;
  }
  return false;
}

async function manifests(root: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const named = env.VK_DRIVER_FILES || env.VK_ICD_FILENAMES;
  if (named) return named.split(':').filter((path) => path !== '');
  const found: string[] = [];
  for (const folder of MANIFEST_FOLDERS) {
    for (const name of await names(join(root, folder)))
      if (name.endsWith('.json')) found.push(join(root, folder, name));
  }
  return found;
}

function names(folder: string): Promise<string[]> {
  return readdir(folder).then(
    (found) => found.sort(),
    () => [],
  );
}

function isUsable(path: string): Promise<boolean> {
  return access(path, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** The environment in which Vulkan's loader, of any version, finds no other drivers than these. */
export function driverEnvironment(drivers: readonly string[]): Record<string, string> {
  return { VK_DRIVER_FILES: drivers.join(':'), VK_ICD_FILENAMES: drivers.join(':') };
}

/**
 * Runs a small graph on the GPU in a process of its own, which may crash or hang.
 * @param env variables beside this process's own
 * @returns why it cannot be used; undefined if it can
 */
export function probeGpu(
  env: Record<string, string> = {},
  { entry = new URL(import.meta.url.replace(/gpu(\.\w+)$/, 'gpu-probe$1')), timeoutMs = PROBE_TIMEOUT_MS } = {},
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: timeoutMs, killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, [fileURLToPath(entry)], options, (error, stdout) => {
      if (stdout === 'ok') return resolve(undefined);
      if (stdout !== '') return resolve(stdout);
      if (error?.killed) return resolve(`its driver does not answer within ${timeoutMs / 1000} s`);
      resolve(`its driver ended the process by ${error?.signal ?? `code ${error?.code}`}`);
    });
  });
}
