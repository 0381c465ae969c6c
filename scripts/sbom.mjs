// Prints a CycloneDX list of the packages that are installed or bundled, from the lockfile.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundledPackages } from './bundle-packages.mjs';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
const sbom = JSON.parse(execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 64 << 20 }));

const isDevelopment = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
const nameOf = ({ group, name }) => (group && !name.startsWith('@') ? `${group}/${name}` : name);

sbom.components = sbom.components.filter(
  (component) => !isDevelopment(component) || bundledPackages.includes(nameOf(component)),
);
const known = new Set([sbom.metadata.component['bom-ref'], ...sbom.components.map((each) => each['bom-ref'])]);
sbom.dependencies = sbom.dependencies
  .filter(({ ref }) => known.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) }));
console.log(JSON.stringify(sbom, null, 2));
