// Copies the pages and the stylesheets of the consoles to dist/console. Adds to the pages a preload link for each module,
// since a browser otherwise finds a module only in the one that imports it. Adds the presets to hear's page, since the
// registry's models cannot be compiled for a browser. Run by `npm run build`, after tsc.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

/** The module and everything it imports, as paths below dist/. */
function modulesFrom(entry) {
  const modules = new Set();
  const visit = (name) => {
    if (modules.has(name)) return;
    modules.add(name);
    const text = readFileSync(join(dist, name), 'utf8');
    for (const [, target] of text.matchAll(/\b(?:from|import)\s*['"](\.{1,2}\/[^'"\n]+)['"]/g)) {
      visit(join(dirname(name), target));
    }
  };
  visit(entry);
  return [...modules];
}

/** The presets of the registry, for console/hear/preset-facts.ts. A meta element, since the pages allow no inline scripts. */
async function presetsElement() {
  const { recognizers } = await import('../dist/models/registry.js');
  const presets = recognizers
    .flatMap((model) => model.presets)
    .map(({ size, download, capabilities: { languages, translates } }) => {
      return { size, languages: languages.length, translates, download };
    });
  const content = JSON.stringify(presets).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<meta name="presets" content="${content}">\n`;
}

/** The worklet of the microphone is loaded by its address, not imported. */
const entries = { hear: ['main', 'microphone-worklet'], say: ['main'] };

for (const [service, names] of Object.entries(entries)) {
  const modules = new Set(names.flatMap((name) => modulesFrom(`console/${service}/${name}.js`)));
  const links = [...modules].map((name) => `<link rel="modulepreload" href="/web/${name}">\n`);
  const head = service === 'hear' ? [await presetsElement(), ...links] : links;
  const page = readFileSync(join(root, `console/${service}.html`), 'utf8');
  writeFileSync(
    join(dist, `console/${service}.html`),
    page.replace('</head>', () => `${head.join('')}</head>`),
  );
}
for (const path of ['shared/base.css', 'hear/hear.css', 'say/say.css']) {
  copyFileSync(join(root, 'console', path), join(dist, 'console', path));
}
