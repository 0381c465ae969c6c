import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { port } from '../src/config/service-variables.ts';
import { readConfiguration, type Variables } from '../src/config/variables.ts';
import { version } from '../src/config/version.ts';
import { hearVariables } from '../src/hear/config.ts';
import { MAX_SESSION_SECONDS } from '../src/hear/realtime/sessions.ts';
import { sayVariables } from '../src/say/config.ts';
import { synthesisApp } from './fixtures/synthesis-app.ts';
import { transcriptionApp } from './fixtures/transcription-app.ts';

const read = (name: string) => readFileSync(fileURLToPath(new URL(`../deploy/${name}`, import.meta.url)), 'utf8');
/** Variables of the process that runs both services. */
const startVariables: Variables = { HEAR_PORT: hearVariables.PORT, SAY_PORT: sayVariables.PORT };

interface ComposeService {
  command?: string[];
  environment: Record<string, string>;
  stop_grace_period?: string;
  healthcheck?: { test: string[]; start_period: string };
}

describe('the image', () => {
  const file = read('Containerfile');

  it('has the version of the package', () => {
    expect(/^ARG VERSION=(.+)$/m.exec(file)?.[1]).toBe(version);
  });

  it('sets and exposes what docs/configuration.md says', () => {
    const settings = Object.fromEntries(
      [.../^ENV (.+)$/m.exec(file)![1]!.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    const { NODE_ENV, ...ours } = settings;
    expect(Object.keys(ours)).toEqual(['DATA_DIR', 'MODELS_DIR', 'TEMP_DIR']);
    expect(NODE_ENV).toBe('production');
    for (const variables of [hearVariables, sayVariables]) {
      expect(readConfiguration(variables, ours)).toMatchObject({
        dataDir: '/data',
        modelsDir: '/models',
        tempDir: '/tmp',
      });
    }
    expect(/^EXPOSE (.+)$/m.exec(file)?.[1]).toBe(`${hearVariables.PORT.default} ${sayVariables.PORT.default}`);
  });

  describe('health check', () => {
    const check = fileURLToPath(new URL('../deploy/health-check.mjs', import.meta.url));
    const servers: Server[] = [];
    afterEach(() => {
      for (const server of servers.splice(0)) server.close();
    });
    /** A service that answers with a status, or takes no connection. */
    async function service(status: number | undefined, host = '127.0.0.1'): Promise<number> {
      const server = createServer((_request, response) => response.writeHead(status ?? 500).end());
      await new Promise<void>((resolve) => server.listen(0, host, resolve));
      const { port: at } = server.address() as AddressInfo;
      if (status === undefined) server.close();
      else servers.push(server);
      return at;
    }

    it.each([
      [200, 200, 0],
      [200, undefined, 0],
      [undefined, 200, 0],
      [200, 503, 1],
      [503, undefined, 1],
      [undefined, undefined, 1],
    ])('with hear at %s and say at %s exits with %i', async (hear, say, expected) => {
      const env = { PATH: process.env.PATH, HEAR_PORT: `${await service(hear)}`, SAY_PORT: `${await service(say)}` };
      const child = spawn(process.execPath, [check], { env });
      expect(await new Promise((resolve) => child.once('close', resolve))).toBe(expected);
    });

    it.each([
      ['127.0.0.2', '127.0.0.2'],
      ['::1', '::1'],
      ['[::1]', '::1'],
      ['localhost', 'localhost'],
      ['0.0.0.0', '0.0.0.0'],
      ['::', '::'],
      [' ', '127.0.0.1'],
    ])('asks the address that HOST names: "%s"', async (host, listening) => {
      const env = { PATH: process.env.PATH, HOST: host, PORT: `${await service(200, listening)}` };
      const child = spawn(process.execPath, [check], { env });
      expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    });

    it('asks a host name that is not in ALLOWED_HOSTS by a name that always is', async () => {
      let asked: string | undefined;
      const server = createServer(({ headers }, response) => {
        asked = headers.host;
        response.end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      servers.push(server);
      const { port: at } = server.address() as AddressInfo;
      const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: `${at}` };
      const child = spawn(process.execPath, [check], { env });
      expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
      expect(asked).toBe('localhost');
    });

    it('takes an empty variable for none', async () => {
      const env = { PATH: process.env.PATH, PORT: `${await service(200)}`, HEAR_PORT: '', SAY_PORT: '' };
      const child = spawn(process.execPath, [check], { env });
      expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    });
  });

  it('runs as a user without rights, in a group of its own', () => {
    expect(file.match(/^USER .*$/gm)).toEqual(['USER 10001:10001']);
    expect(file).toContain('groupadd --gid 10001 hearsay');
    expect(file).toContain('useradd --uid 10001 --gid hearsay');
  });
});

describe('deploy/compose.yaml', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, ComposeService> };
  /** What Compose substitutes for `${NAME:-default}` and `${NAME:?message}`. */
  const substitute = (value: string) => value.replace(/\$\{\w+:(?:-([^}]*)|\?[^}]*)\}/g, (_, text) => text ?? 'given');

  it.each([
    ['hear', hearVariables],
    ['say', sayVariables],
  ] as const)('gives %s valid settings', (name, variables) => {
    const { command, environment, healthcheck, stop_grace_period: grace } = services[name]!;
    expect(command).toEqual([name]);
    const known = { ...startVariables, ...variables } as Variables;
    expect(Object.keys(environment).filter((each) => !(each in known))).toEqual([]);
    const env = Object.fromEntries(Object.entries(environment).map(([each, value]) => [each, substitute(value)]));
    const config = readConfiguration(variables, env);
    expect(config.port).toBe(Number(variables.PORT.default));
    expect(config.allowedHosts).toEqual([`${name}.localhost`]);
    expect(Number.parseInt(grace!, 10)).toBeGreaterThan(config.shutdownTimeoutSeconds);
    // What the contracts of both services suggest.
    expect(healthcheck!.start_period).toBe('300s');
    expect(healthcheck!.test).toContain('/opt/hearsay/deploy/health-check.mjs');
  });

  it('lets Caddy, which stops first, send running answers to their end', () => {
    const graces = ['hear', 'say', 'caddy'].map((name) => services[name]!.stop_grace_period);
    expect(new Set(graces).size).toBe(1);
  });

  it('lets Caddy keep /metrics from the public', () => {
    const sites = read('Caddyfile').match(/^\w+\.\{\$DOMAIN.*\{\n(?:\t.*\n)+\}/gm)!;
    expect(sites.map((site) => site.includes('\trespond /metrics* 404\n'))).toEqual([true, true]);
  });

  it('leads Caddy to the services', () => {
    const caddyfile = read('Caddyfile');
    const targets = [...caddyfile.matchAll(/reverse_proxy (\w+):(\d+)/g)].map(([, name, at]) => [name, Number(at)]);
    expect(targets).toEqual(
      ['hear', 'say'].map((name) => [name, port().schema.parse(services[name]!.environment.PORT!)]),
    );
  });
});

describe('deploy/haproxy.cfg', () => {
  const file = read('haproxy.cfg');
  const number = (pattern: RegExp) => Number(pattern.exec(file)?.[1]);
  const section = (name: string) => new RegExp(`^${name}\\n((?:\\t.*\\n|\\n(?=\\t))*)`, 'm').exec(file)![1]!;
  const limits = (name: string) => [...section(name).matchAll(/maxconn (\d+)/g)].map(([, limit]) => Number(limit));

  it.each([
    ['hear', hearVariables],
    ['say', sayVariables],
  ] as const)('sends %s as many requests as it admits, and no more', (name, variables) => {
    const { port: at, maxConcurrency, queueSize, queueTimeoutSeconds } = readConfiguration(variables, {});
    expect(section(`frontend ${name}`)).toContain(`bind :${at}\n`);
    expect(limits(`backend ${name}`)).toEqual(Array(3).fill(maxConcurrency + queueSize));
    expect(number(/timeout queue (\d+)s/)).toBe(queueTimeoutSeconds);
  });

  it('opens as many live sessions as hear takes, for as long as they last', () => {
    const { maxRealtimeSessions } = readConfiguration(hearVariables, {});
    expect(limits('backend hear_live')).toEqual(Array(3).fill(maxRealtimeSessions));
    expect(number(/timeout tunnel (\d+)m/) * 60).toBeGreaterThan(MAX_SESSION_SECONDS);
    expect(section('frontend hear')).toContain('use_backend hear_live if { path /v1/realtime }');
  });

  it('finds out that a replica shuts down before that refuses requests', () => {
    expect(file).toContain('http-check send meth GET uri /ready');
    const noticed = number(/ fall (\d+)/) * number(/ inter (\d+)s/) + number(/timeout check (\d+)s/);
    const given = number(/(?:SHUTDOWN_DELAY_SECONDS)=(\d+)/);
    expect(noticed).toBeLessThan(given);
    const settings = readConfiguration(hearVariables, { SHUTDOWN_DELAY_SECONDS: String(given) });
    expect(settings.shutdownDelaySeconds).toBe(given);
  });

  it('keeps /metrics from the public', () => {
    for (const name of ['hear', 'say']) {
      expect(section(`frontend ${name}`)).toContain(
        'http-request deny deny_status 404 if { path,url_dec -m beg /metrics }',
      );
    }
  });

  const haproxy = spawnSync('haproxy', ['-v']).status === 0;
  it.skipIf(!haproxy)('is valid', () => {
    const path = fileURLToPath(new URL('../deploy/haproxy.cfg', import.meta.url));
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', path], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.not.stringMatching(/WARNING|ALERT/)]);
  });
});

describe('dashboard and alerts', () => {
  const apps: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
  });

  /** Series names and their labels, as the services report them after a request. */
  async function reported(): Promise<Map<string, Set<string>>> {
    const series = new Map<string, Set<string>>();
    for (const service of [await transcriptionApp(), await synthesisApp()]) {
      apps.push(service);
      const { app } = service;
      if ('startJobs' in service) await service.startJobs();
      await app.inject('/health');
      const { body } = await app.inject('/metrics');
      for (const [, name, labels = ''] of body.matchAll(/^([a-z]\w*)(?:\{([^}]*)\})? /gm)) {
        const known = series.get(name!) ?? new Set(['job', 'instance']);
        for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label!);
        series.set(name!, known);
      }
    }
    return series;
  }

  const dashboard = JSON.parse(read('grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  const alerts = parse(read('alerts.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] };
  const expressions = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ];

  it('ask for series and labels that /metrics has', async () => {
    const series = await reported();
    // Prometheus makes it for each target.
    series.set('up', new Set(['job', 'instance']));
    expect(expressions.length).toBeGreaterThan(15);
    for (const expression of expressions) {
      const selectors = [...expression.matchAll(/\b((?:hearsay|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g)];
      expect([expression, selectors.length]).not.toEqual([expression, 0]);
      for (const [, name, labels = ''] of selectors) {
        const known = series.get(name!);
        expect([expression, name, known !== undefined]).toEqual([expression, name, true]);
        const unknown = [...labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].filter(([, label]) => !known!.has(label!));
        expect([expression, unknown.map(([, label]) => label)]).toEqual([expression, []]);
      }
    }
  });
});
