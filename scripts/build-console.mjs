// Copies the pages and the stylesheet of the consoles to dist/console and adds a preload link for each module to the pages.
// Without these links a browser learns of a module only from the one that imports it.
// Run by `npm run build`, after tsc.
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

for (const service of ['hear', 'say']) {
  const links = modulesFrom(`console/${service}/main.js`).map(
    (name) => `<link rel="modulepreload" href="/web/${name}">\n`,
  );
  const page = readFileSync(join(root, `console/${service}.html`), 'utf8');
  writeFileSync(join(dist, `console/${service}.html`), page.replace('</head>', `${links.join('')}</head>`));
}
copyFileSync(join(root, 'console/console.css'), join(dist, 'console/console.css'));
