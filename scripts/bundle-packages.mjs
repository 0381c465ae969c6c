// Copies into dist/node_modules what the services need of packages that users should not have to install whole: see
// docs/decisions/0025-package.md.
import { copyFileSync, linkSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The platforms that the package is for, and the one that it is built on. */
const platforms = new Set(['linux/x64', 'linux/arm64', `${process.platform}/${process.arch}`]);

/** Licences of packages that come without their text. */
const licences = {
  'onnxruntime-common': 'onnxruntime-node.txt',
  'onnxruntime-node': 'onnxruntime-node.txt',
  '@ricky0123/vad-web': 'vad-web.txt',
};

/** Packages and their files to copy, besides package.json. */
const bundled = {
  // Half of it is other platforms, and its install script downloads GPU libraries.
  'onnxruntime-node': [/^dist\/.*\.js$/, ...[...platforms].map((platform) => new RegExp(`^bin/napi-v6/${platform}/`))],
  // The half for browsers, types and source maps are left out.
  'onnxruntime-common': [/^dist\/cjs\/(?:.*\.js|package\.json)$/],
  // The rules of the languages that are spoken, of a hundred.
  'cldr-rbnf': [/^LICENSE$/, /^rbnf\/(?:en|es|fr|hi|it|pt)\.json$/],
  // Its install script downloads the ffmpeg program, and it depends on WebRTC.
  'node-av': [/^LICENSE\.md$/, /^dist\/(?:lib|constants)\/.*\.js$/, /^dist\/utils\/electron\.js$/],
  // Three of its four copies are for browsers and bundlers.
  'jieba-wasm': [/^LICENSE$/, /^pkg\/nodejs\/.*\.(?:js|wasm)$/],
  // Other packages depend on transformers.js and onnxruntime-web, which would add half a gigabyte.
  '@moonshine-ai/moonshine-js': [/^LICENSE$/, /^dist\/model\/tiny\/quantized\/.*\.onnx$/],
  '@ricky0123/vad-web': [/^dist\/silero_vad_v6\.onnx$/],
  'kokoro-js': [/^LICENSE$/, /^voices\/\w+\.bin$/],
  // Loaded if traces are sent. Each is there three times, with source maps and types: 25 MB.
  '@opentelemetry/semantic-conventions': [
    /^LICENSE$/,
    /^dist\/(?:index|stable_\w+|internal\/utils|\w+\/Semantic\w+)\.cjs$/,
  ],
  ...Object.fromEntries(
    [
      'api-logs',
      'core',
      'exporter-trace-otlp-http',
      'otlp-exporter-base',
      'otlp-transformer',
      'resources',
      'sdk-metrics',
      'sdk-trace',
      'sdk-trace-base',
    ].map((name) => [`@opentelemetry/${name}`, [/^LICENSE$/, /^build\/src\/(?!.*\/browser\/).*\.js$/]]),
  ),
};

/** Names of the packages that are bundled. */
export const bundledPackages = Object.keys(bundled);

/**
 * Fills a node_modules directory: Node.js finds the packages there when compiled code imports them.
 * @param target emptied first
 */
export function bundlePackages(target) {
  rmSync(target, { recursive: true, force: true });
  for (const [name, patterns] of Object.entries(bundled)) {
    const source = join(root, 'node_modules', name);
    const paths = readdirSync(source, { recursive: true }).filter((path) => statSync(join(source, path)).isFile());
    for (const pattern of [/^package\.json$/, ...patterns]) {
      const matching = paths.filter((path) => pattern.test(path));
      if (matching.length === 0) throw new Error(`${name} has no file like ${pattern}.`);
      for (const path of matching) copy(join(source, path), join(target, name, path));
    }
    const licence = licences[name];
    if (licence) copyFileSync(join(root, 'scripts/licences', licence), join(target, name, 'LICENSE'));
  }
}

/** Links if it can: these are 150 MB, and nobody writes to them. */
function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch (error) {
    // Another build may run; writing over its link would write over the original.
    if (error.code !== 'EEXIST') copyFileSync(from, to);
  }
}
