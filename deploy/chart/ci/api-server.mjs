// Installs the chart with each ci/*.values.yaml on an API server of Kubernetes, and upgrades from one to the next, in a namespace
// that enforces the restricted Pod Security Standard. Then it posts each object, and a pod of each Deployment, with strict
// validation of fields. Nothing runs: there is no kubelet. Needs openssl and Go, which builds etcd and kube-apiserver in a
// quarter of an hour the first time, and the Helm that ci/check has built.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { kubernetes, moduleDirectory, resources } from './versions.mjs';

const etcd = 'go.etcd.io/etcd/server/v3@v3.6.5';
const etcdPort = 23790;
const port = 16443;
const token = 'chart';

const chart = fileURLToPath(new URL('..', import.meta.url));
const cache = process.env.CHART_TOOLS ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'hearsay-chart');
const helm = readdirSync(cache)
  .map((each) => join(cache, each, 'helm'))
  .find((each) => existsSync(each));
const work = mkdtempSync(join(tmpdir(), 'api-server-'));
const children = [];

/** Builds a program of a module whose go.mod replaces others by folders that the module proxy does not have. */
function build(name, module, path, change, flags) {
  const target = join(cache, `${name}-${module.split('@')[1]}`);
  if (existsSync(target)) return target;
  const source = join(work, name);
  cpSync(moduleDirectory(module), source, { recursive: true });
  execFileSync('chmod', ['-R', 'u+w', source]);
  rmSync(join(source, 'vendor'), { recursive: true, force: true });
  writeFileSync(join(source, 'go.mod'), change(readFileSync(join(source, 'go.mod'), 'utf8')));
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' };
  execFileSync('go', ['build', ...flags, '-o', target, path], { cwd: source, env, stdio: 'inherit' });
  return target;
}

const logs = join(work, 'log');

function run(program, options) {
  const log = openSync(logs, 'a');
  children.push(spawn(program, options, { cwd: work, stdio: ['ignore', log, log] }));
}

async function request(path, body, type = 'application/json') {
  const response = await fetch(`https://127.0.0.1:${port}${path}`, {
    ...(body && { method: 'POST', body: type.endsWith('json') ? JSON.stringify(body) : body }),
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
  });
  const text = await response.text();
  return { ok: response.ok, text, warning: response.headers.get('warning') };
}

async function start() {
  const etcdProgram = build('etcd', etcd, '.', (mod) => mod.replace(/^replace \([^)]*\)/m, ''), []);
  const [version] = /[\d.]+$/.exec(kubernetes);
  const apiServer = build(
    'kube-apiserver',
    kubernetes,
    './cmd/kube-apiserver',
    (mod) => mod.replace(/=> \.\/staging\/src\/(k8s\.io\/\S+)/g, `=> $1 v0${version.slice(1)}`),
    ['-ldflags', `-X k8s.io/component-base/version.gitVersion=v${version}`],
  );
  execFileSync('openssl', ['genrsa', '-out', join(work, 'account.key'), '2048'], { stdio: 'ignore' });
  writeFileSync(join(work, 'tokens.csv'), `${token},admin,1,system:masters\n`);
  const peers = `http://127.0.0.1:${etcdPort + 1}`;
  const clients = `http://127.0.0.1:${etcdPort}`;
  run(etcdProgram, [
    ...['--data-dir', 'etcd-data', '--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`],
  ]);
  run(apiServer, [
    ...[
      '--etcd-servers',
      clients,
      '--bind-address',
      '127.0.0.1',
      '--secure-port',
      `${port}`,
      '--cert-dir',
      'certificates',
    ],
    ...['--service-account-issuer', 'https://kubernetes.default.svc', '--service-account-key-file', 'account.key'],
    ...['--service-account-signing-key-file', 'account.key', '--token-auth-file', 'tokens.csv'],
    ...['--authorization-mode', 'RBAC', '--service-cluster-ip-range', '10.0.0.0/24'],
  ]);
  // The certificate is made at start, by the server itself.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  for (let tries = 0; tries < 60; tries++) {
    if ((await request('/readyz').catch(() => ({}))).ok) return;
    await sleep(1000);
  }
  throw new Error(`the API server does not answer:\n${readFileSync(logs, 'utf8').slice(-2000)}`);
}

function expect(what, { ok, text, warning }) {
  if (ok && !warning) return;
  throw new Error(`${what}: ${warning ?? JSON.parse(text).message}`);
}

async function prepare() {
  for (const { text } of resources())
    expect(
      'custom resource',
      await request('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', text, 'application/yaml'),
    );
  const labels = Object.fromEntries(
    ['enforce', 'warn'].map((each) => [`pod-security.kubernetes.io/${each}`, 'restricted']),
  );
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'voice', labels } };
  expect('namespace', await request('/api/v1/namespaces', namespace));
  // That of the locked-down set, which the chart does not make.
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'speech' } };
  expect('account', await request('/api/v1/namespaces/voice/serviceaccounts', account));
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'it', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'it', user: { token } }],
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
    'current-context': 'it',
  };
  writeFileSync(join(work, 'kubeconfig'), JSON.stringify(kubeconfig));
  chmodSync(join(work, 'kubeconfig'), 0o600);
}

/** Posts an object without keeping it; unknown and repeated fields are errors. */
async function dryRun(object) {
  const group = object.apiVersion.includes('/') ? `/apis/${object.apiVersion}` : '/api/v1';
  const plural = object.kind.toLowerCase().replace(/y$/, 'ie').replace(/ss$/, 'sse');
  const path = `${group}/namespaces/voice/${plural}s?dryRun=All&fieldValidation=Strict`;
  return request(path, { ...object, metadata: { ...object.metadata, name: `${object.metadata.name}-again` } });
}

async function install(values) {
  const options = [
    'upgrade',
    '--install',
    'speech',
    chart,
    '--namespace',
    'voice',
    '--values',
    join(chart, 'ci', values),
  ];
  execFileSync(helm, options, { env: { ...process.env, KUBECONFIG: join(work, 'kubeconfig') } });
  let count = 0;
  const rendered = readFileSync(join(chart, 'ci/rendered', values.replace('.values', '')), 'utf8');
  for (const object of parseAllDocuments(rendered).map((each) => each.toJS())) {
    expect(`${values}, ${object.kind}`, await dryRun(object));
    count++;
    if (object.kind !== 'Deployment') continue;
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: object.metadata, spec: object.spec.template.spec };
    expect(`${values}, pod`, await dryRun(pod));
    // Without what the standard asks for it must be refused, or nothing here shows anything.
    const { securityContext, ...bare } = pod.spec;
    if ((await dryRun({ ...pod, spec: bare })).ok) throw new Error('the standard is not enforced');
  }
  process.stdout.write(`${values}: installed, ${count} objects and their pods taken\n`);
}

try {
  await start();
  await prepare();
  for (const values of readdirSync(join(chart, 'ci')).filter((name) => name.endsWith('.values.yaml')))
    await install(values);
} finally {
  // After SIGTERM the API server waits for an etcd that has gone.
  for (const child of children) child.kill('SIGKILL');
  rmSync(work, { recursive: true, force: true });
}
