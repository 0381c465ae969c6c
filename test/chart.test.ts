import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { version } from '../src/config/version.ts';
import { readConfig as readHearConfig } from '../src/hear/config.ts';
import { readConfig as readSayConfig } from '../src/say/config.ts';
import { synthesisApp } from './fixtures/synthesis-app.ts';
import { transcriptionApp } from './fixtures/transcription-app.ts';

const deploy = new URL('../deploy/', import.meta.url);
const chart = new URL('chart/', deploy);
const read = (path: string) => readFileSync(new URL(path, chart), 'utf8');
const names = ['hear', 'say'] as const;
type Name = (typeof names)[number];
type Labels = Record<string, string>;

// biome-ignore lint/suspicious/noExplicitAny: schemas of Kubernetes hold these objects, see ci/check
type Manifest = any;

/** The objects of each ci/*.values.yaml, as Helm has rendered them. */
const sets = readdirSync(new URL('ci/', chart))
  .filter((file) => file.endsWith('.values.yaml'))
  .map((file) => file.replace('.values.yaml', ''))
  .map((name) => ({
    name,
    objects: parseAllDocuments(read(`ci/rendered/${name}.yaml`)).map((each) => each.toJS() as Manifest),
  }));

/** Objects of a kind that belong to one service. */
function of(objects: Manifest[], kind: string, name: Name): Manifest[] {
  return objects.filter((each) => each.kind === kind && each.metadata.labels['app.kubernetes.io/component'] === name);
}

/** Each service of each set, with its pods. */
const workloads = sets.flatMap(({ name: set, objects }) =>
  names.flatMap((name) =>
    of(objects, 'Deployment', name).map((deployment) => {
      const { spec: pod, metadata } = deployment.spec.template;
      return { set, name, objects, deployment, pod, labels: metadata.labels as Labels, container: pod.containers[0] };
    }),
  ),
);

/** The settings of a container, as the service reads them. */
function configuration(name: Name, env: Manifest[]) {
  const given = Object.fromEntries(
    env.map(({ name: key, value, valueFrom }) => [key, value ?? (valueFrom.resourceFieldRef ? '2' : 'a secret')]),
  );
  return name === 'hear' ? readHearConfig(given) : readSayConfig(given);
}

/** Bytes of a quantity as the chart writes them: digits, or digits with Gi. */
function bytes(quantity: string): number {
  const [, digits, unit] = /^(\d+)(Gi)?$/.exec(quantity)!;
  return Number(digits) * (unit ? 1024 ** 3 : 1);
}

const isBelow = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
const isMatch = (selector: Labels, labels: Labels) =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

const apps: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

async function service(name: Name) {
  const made = name === 'hear' ? await transcriptionApp() : await synthesisApp();
  apps.push(made);
  return made;
}

describe('deploy/chart', () => {
  it('was rendered as it is', () => {
    const listed = Object.fromEntries(
      read('ci/rendered/sources.sha256')
        .trim()
        .split('\n')
        .map((line) => line.split('  ').reverse()),
    );
    const files = (readdirSync(chart, { recursive: true }) as string[]).filter((path) =>
      /^(?:Chart\.yaml|values\.yaml|templates\/.*|ci\/[^/]*\.values\.yaml)$/.test(path),
    );
    const hashes = files.map((path) => [path, createHash('sha256').update(read(path)).digest('hex')]);
    expect(Object.fromEntries(hashes), 'run deploy/chart/ci/check --update, which needs Go').toEqual(listed);
  });

  it('has the version of the package', () => {
    expect(parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  it('has seven sets of values, and each service in most of them', () => {
    expect(sets.length).toBe(7);
    expect(workloads.length).toBe(12);
  });

  describe.each(workloads)('$set: $name', ({ name, objects, deployment, pod, labels, container }) => {
    const config = configuration(name, container.env);
    const port = container.ports[0];

    it('gives the service settings that it knows and accepts', () => {
      const known = readFileSync(new URL('../docs/configuration.md', deploy), 'utf8').split('\n## ')[
        1 + names.indexOf(name)
      ]!;
      // NODE_EXTRA_CA_CERTS is of Node.js.
      const variables = container.env.map((each: Manifest) => each.name);
      expect(new Set(variables).size).toBe(variables.length);
      const unknown = variables.filter((each: string) => !known.includes(`| \`${each}\` |`));
      expect(unknown.filter((each: string) => each !== 'NODE_EXTRA_CA_CERTS')).toEqual([]);
      expect(pod.enableServiceLinks).toBe(false);
    });

    it('takes secrets from Secrets only', () => {
      const secrets = container.env.filter((each: Manifest) => ['API_KEY', 'HF_TOKEN'].includes(each.name));
      for (const each of secrets) expect(each.valueFrom.secretKeyRef).toBeDefined();
    });

    it('leads the Service to the port that the service listens on', () => {
      expect(container.args).toEqual([name]);
      expect(port.containerPort).toBe(config.port);
      const [service] = of(objects, 'Service', name);
      expect(service.spec.ports).toMatchObject([{ port: config.port, targetPort: port.name }]);
    });

    it('selects its own pods everywhere', () => {
      const one = (kind: string) => of(objects, kind, name).map((each) => each.spec);
      const selectors: Labels[] = [
        deployment.spec.selector.matchLabels,
        ...one('Service').map(({ selector }) => selector),
        ...one('PodDisruptionBudget').map(({ selector }) => selector.matchLabels),
        ...one('NetworkPolicy').map(({ podSelector }) => podSelector.matchLabels),
        ...(pod.topologySpreadConstraints ?? []).map((each: Manifest) => each.labelSelector.matchLabels),
      ];
      for (const selector of selectors) expect([selector, isMatch(selector, labels)]).toEqual([selector, true]);
      const others = workloads.filter((each) => each.objects === objects && each.name !== name);
      for (const other of others) for (const selector of selectors) expect(isMatch(selector, other.labels)).toBe(false);
    });

    it('answers to every name that leads to it', () => {
      const metadata = of(objects, 'Service', name)[0].metadata.name;
      const routed = [
        ...of(objects, 'Ingress', name).flatMap(({ spec }) => spec.rules.map(({ host }: Manifest) => host)),
        ...of(objects, 'HTTPRoute', name).flatMap(({ spec }) => spec.hostnames),
      ];
      const inside = ['voice', 'voice.svc', 'voice.svc.cluster.local'].map((each) => `${metadata}.${each}`);
      expect(config.allowedHosts).toEqual(expect.arrayContaining([...routed, ...inside]));
    });

    it('is given time to start and to end', () => {
      const { startupProbe, lifecycle } = container;
      // What the contracts of both services suggest.
      expect(startupProbe.periodSeconds).toBe(5);
      expect(startupProbe.failureThreshold).toBeGreaterThanOrEqual(60);
      const pause = Number(lifecycle?.preStop.exec.command[1] ?? 0);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
        pause + config.shutdownDelaySeconds + config.shutdownTimeoutSeconds,
      );
    });

    it('runs as the user of the image, with nothing but its volumes to write to', () => {
      const image = readFileSync(new URL('Containerfile', deploy), 'utf8');
      const [user, group] = /^USER (\d+):(\d+)$/m.exec(image)!.slice(1).map(Number);
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: user,
        runAsGroup: group,
        fsGroup: group,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(pod.automountServiceAccountToken).toBe(false);
      const volumes = JSON.parse(/^VOLUME (.+)$/m.exec(image)![1]!) as string[];
      const temporary = /TEMP_DIR=(\S+)/.exec(image)![1]!;
      const mounted = container.volumeMounts.map((each: Manifest) => each.mountPath);
      for (const path of [...volumes, temporary]) {
        expect([path, mounted.some((each: string) => isBelow(each, path))]).toEqual([path, true]);
      }
    });

    it('has room in /tmp for what the settings allow there', () => {
      const { sizeLimit } = pod.volumes.find((each: Manifest) => each.name === 'tmp').emptyDir;
      // The locked-down set gives say less than its largest answers take together.
      const least = 'uploadDiskBytes' in config ? config.uploadDiskBytes : config.downloadMaxBytes;
      expect(bytes(sizeLimit)).toBeGreaterThan(least);
    });

    it('has room in /data for what the settings allow there', () => {
      const claims = of(objects, 'PersistentVolumeClaim', name).filter((each) => each.metadata.name.endsWith('-data'));
      const kept = 'jobDiskBytes' in config ? config.jobDiskBytes : config.downloadMaxBytes;
      for (const { spec } of claims) expect(bytes(spec.resources.requests.storage)).toBeGreaterThan(kept);
    });

    it('probes what tells a loading service from a dead one', async () => {
      const { app, models } = await service(name);
      const status = async (path: string) => (await app.inject(path)).statusCode;
      const { startupProbe, readinessProbe, livenessProbe } = container;
      for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) expect(httpGet.port).toBe(port.name);
      for (const [state, live, ready] of [
        ['warming', 200, 503],
        ['restarting', 200, 503],
        ['ready', 200, 200],
        ['failed', 503, 503],
      ] as const) {
        models.state = state;
        expect([state, await status(livenessProbe.httpGet.path)]).toEqual([state, live]);
        for (const probe of [startupProbe, readinessProbe]) expect(await status(probe.httpGet.path)).toBe(ready);
      }
    });

    it('scales by series that /metrics has, never by the CPU', async () => {
      const { app } = await service(name);
      const { body } = await app.inject('/metrics');
      const hpa = of(objects, 'HorizontalPodAutoscaler', name).flatMap(({ spec }) => spec.metrics);
      const keda = of(objects, 'ScaledObject', name).flatMap(({ spec }) => spec.triggers);
      const targets = Object.fromEntries([
        ...hpa.map(({ pods: { metric, target } }) => [metric.name, Number.parseInt(target.averageValue, 10) / 1000]),
        ...keda.map(({ metadata }) => [/^sum\((\w+)\{/.exec(metadata.query)?.[1], Number(metadata.threshold)]),
      ]);
      const isScaled = hpa.length + keda.length > 0;
      expect(deployment.spec.replicas === undefined).toBe(isScaled);
      if (!isScaled) return;
      const expected = name === 'hear' ? ['hearsay_queue_load', 'hearsay_realtime_sessions'] : ['hearsay_queue_load'];
      expect(Object.keys(targets)).toEqual(expected);
      for (const series of expected) expect(body).toMatch(new RegExp(`^${series} `, 'm'));
      if (!('maxRealtimeSessions' in config)) return;
      expect(targets.hearsay_realtime_sessions).toBe(targets.hearsay_queue_load! * config.maxRealtimeSessions);
    });

    it('is scraped where its metrics are, as the job of the alerts', async () => {
      for (const { spec } of of(objects, 'ServiceMonitor', name)) {
        const { metadata, spec: serviceSpec } = of(objects, 'Service', name)[0];
        expect(isMatch(spec.selector.matchLabels, metadata.labels)).toBe(true);
        expect(metadata.labels[spec.jobLabel]).toBe(name);
        expect(serviceSpec.ports.map((each: Manifest) => each.name)).toContain(spec.endpoints[0].port);
        const { app } = await service(name);
        expect((await app.inject(spec.endpoints[0].path)).body).toContain('hearsay_model_state');
      }
    });
  });

  it.each(names)('opens every route of %s to the world but /metrics', async (name) => {
    const { app } = await service(name);
    const { paths } = (await app.inject('/openapi.json')).json() as { paths: Record<string, unknown> };
    const all = [...Object.keys(paths), '/web', '/docs', '/openapi.json'];
    const open = (parse(read('values.yaml')) as Record<Name, { paths: string[] }>)[name].paths;
    const closed = all.filter((path) => !open.some((prefix) => isBelow(path, prefix)));
    expect(closed).toEqual(['/metrics']);
    for (const prefix of open) expect([prefix, all.some((path) => isBelow(path, prefix))]).toEqual([prefix, true]);
  });
});
