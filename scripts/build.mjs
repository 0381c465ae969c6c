// Builds dist/: the compiled services and consoles, and the packages that they bundle. With --if-changed it builds only if
// the sources differ from those that dist/ was built from; an installed package has no sources and is never built.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePackages } from './bundle-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const packages = join(dist, 'node_modules');
/** Hash of the sources; written last, so that an interrupted build does not count. */
const stamp = join(dist, '.sources');
const inputs = [
  'src',
  'console',
  'scripts/build.mjs',
  'scripts/build-console.mjs',
  'scripts/bundle-packages.mjs',
  'scripts/licences',
  'tsconfig.json',
  'tsconfig.build.json',
  'package.json',
];
/** Files that the compiler leaves where they are. */
const data = ['text/english/g2p/letter-to-sound.model.br'];

if (process.argv.includes('--if-changed') && !isNeeded()) process.exit();
build();

function isNeeded() {
  if (!existsSync(join(root, 'src'))) return false;
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== sourceHash();
}

function build() {
  const compiler = findCompiler();
  // Hashed first: a source that is edited meanwhile is built next time.
  const hash = sourceHash();
  const started = now();
  run([compiler, '-p', 'tsconfig.build.json']);
  run([compiler, '-p', 'console/tsconfig.build.json']);
  for (const file of data) writeFileSync(join(dist, file), readFileSync(join(root, 'src', file)));
  bundlePackages(packages);
  run(['scripts/build-console.mjs']);
  removeOutdated(started);
  writeFileSync(stamp, hash);
}

/** The file system's clock, which times of files are compared with. */
function now() {
  mkdirSync(dist, { recursive: true });
  writeFileSync(stamp, '');
  return statSync(stamp).mtimeMs;
}

function findCompiler() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  } catch {
    const state = existsSync(stamp) ? 'The sources have changed since the last build' : 'dist/ has not been built';
    console.error(`${state}, and TypeScript is not installed: run \`npm ci\`, then \`npm run build\`.`);
    process.exit(1);
  }
}

function run(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** A build rewrites every file: older ones come from deleted sources, and must not be published. */
function removeOutdated(started) {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.startsWith(packages + sep)) continue;
    if (statSync(path).mtimeMs < started) rmSync(path);
  }
}

function sourceHash() {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap(filesOf).sort()) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}:${content.length}:`).update(content);
  }
  return hash.digest('hex');
}

/** Paths from the root of the files in a directory, without tests, or of a single file. */
function filesOf(path) {
  if (statSync(join(root, path)).isFile()) return [path];
  const names = readdirSync(join(root, path), { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
