import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import {
  boolean,
  ConfigError,
  configurationTable,
  directory,
  headerText,
  host,
  hostNames,
  httpUrl,
  integer,
  model,
  oneOf,
  origins,
  readConfiguration,
  variable,
} from './variables.ts';

const variables = {
  API_KEY: variable(headerText(), { description: 'Key.', secret: true }),
  MAX_UPLOAD_BYTES: variable(integer({ min: 1, max: 1000 }), { default: '100', description: 'Limit | in bytes.' }),
  WARMUP_ON_START: variable(boolean(), { default: 'true', description: 'Warm.' }),
  LOG_FORMAT: variable(oneOf(['pretty', 'json']), { default: 'pretty', description: 'Format.' }),
  DATA_DIR: variable(directory(), { default: './data', defaultText: 'a directory', description: 'Data.' }),
  HF_ENDPOINT: variable(httpUrl(), { default: 'https://hub.test', description: 'Hub.' }),
  CORS_ORIGINS: variable(origins(), { default: '*', description: 'Origins.' }),
  ALLOWED_HOSTS: variable(hostNames(), { description: 'Hosts.' }),
};

const read = (env: NodeJS.ProcessEnv) => readConfiguration(variables, env);

describe('readConfiguration', () => {
  it('applies the defaults if no variable is set', () => {
    const configuration = read({});
    expect(configuration).toEqual({
      maxUploadBytes: 100,
      warmupOnStart: true,
      logFormat: 'pretty',
      dataDir: resolve('data'),
      hfEndpoint: 'https://hub.test',
      corsOrigins: '*',
    });
    expectTypeOf(configuration.maxUploadBytes).toEqualTypeOf<number>();
    expectTypeOf(configuration.apiKey).toEqualTypeOf<string | undefined>();
    expectTypeOf(configuration.logFormat).toEqualTypeOf<'pretty' | 'json'>();
    expectTypeOf(configuration.corsOrigins).toEqualTypeOf<string[] | '*'>();
  });

  describe('of a path', () => {
    afterEach(() => vi.unstubAllEnvs());

    it('takes ~ for the home directory, which no shell has expanded in quotes or in a file', () => {
      const path = (value: string) => read({ DATA_DIR: value }).dataDir;
      expect(path('~/hearsay data')).toBe(join(homedir(), 'hearsay data'));
      expect(path('~')).toBe(homedir());
      expect(path('~other/x')).toBe(resolve('~other/x'));
      expect(path('./~/x')).toBe(resolve('~/x'));
      const named = { MODEL_SIZE: variable(model('a preset or a directory'), { description: 'Model.' }) };
      expect(readConfiguration(named, { MODEL_SIZE: '~/whisper' }).modelSize).toBe(join(homedir(), 'whisper'));
      expect(readConfiguration(named, { MODEL_SIZE: 'org/name~1' }).modelSize).toBe('org/name~1');
    });

    it('rejects ~ for a user without a home directory', () => {
      vi.stubEnv('HOME', '');
      expect(() => read({ DATA_DIR: '~/data' })).toThrow(new ConfigError('DATA_DIR must be a directory, not "~/data"'));
    });
  });

  it('treats an empty value as not given', () => {
    expect(read({ API_KEY: '', MAX_UPLOAD_BYTES: ' ', WARMUP_ON_START: '' })).toEqual(read({}));
  });

  it.each([
    ['true', true],
    ['YES', true],
    ['On', true],
    ['1', true],
    ['False', false],
    ['no', false],
    ['OFF', false],
    ['0', false],
  ])('parses the boolean %s', (value, expected) => {
    expect(read({ WARMUP_ON_START: value }).warmupOnStart).toBe(expected);
  });

  it('parses upper-case words, numbers, URLs and lists of origins', () => {
    const configuration = read({
      LOG_FORMAT: 'JSON',
      MAX_UPLOAD_BYTES: ' 1000 ',
      HF_ENDPOINT: 'http://mirror.test/hub/',
      CORS_ORIGINS: 'https://a.test, http://b.test:8080/',
    });
    expect(configuration.logFormat).toBe('json');
    expect(configuration.maxUploadBytes).toBe(1000);
    expect(configuration.hfEndpoint).toBe('http://mirror.test/hub');
    expect(configuration.corsOrigins).toEqual(['https://a.test', 'http://b.test:8080']);
  });

  it('removes the brackets of an IPv6 address to listen on', () => {
    const hostOf = (HOST: string) =>
      readConfiguration({ HOST: variable(host(), { description: 'Host.' }) }, { HOST }).host;
    expect(['[::1]', '::', '127.0.0.1', 'localhost'].map(hostOf)).toEqual(['::1', '::', '127.0.0.1', 'localhost']);
  });

  it('parses lists of host names', () => {
    expect(read({ ALLOWED_HOSTS: 'A.test, *.b.test,hear' }).allowedHosts).toEqual(['a.test', '*.b.test', 'hear']);
    expect(read({ ALLOWED_HOSTS: '*' }).allowedHosts).toBe('*');
    for (const wrong of ['https://a.test', 'a.test:8000', 'a..test', '*a.test', 'a.test,', '-a', 'a b']) {
      expect(() => read({ ALLOWED_HOSTS: wrong }), wrong).toThrow(
        /^ALLOWED_HOSTS must be \* or a comma-separated list/,
      );
    }
  });

  it.each([
    ['MAX_UPLOAD_BYTES', '0', 'MAX_UPLOAD_BYTES must be an integer from 1 to 1000, not "0"'],
    ['MAX_UPLOAD_BYTES', '1001', 'MAX_UPLOAD_BYTES must be an integer from 1 to 1000, not "1001"'],
    ['MAX_UPLOAD_BYTES', '1e2', 'MAX_UPLOAD_BYTES must be an integer from 1 to 1000, not "1e2"'],
    ['MAX_UPLOAD_BYTES', '12.5', 'MAX_UPLOAD_BYTES must be an integer from 1 to 1000, not "12.5"'],
    ['WARMUP_ON_START', 'maybe', 'WARMUP_ON_START must be true, 1, yes, on, false, 0, no or off, not "maybe"'],
    ['LOG_FORMAT', 'x\ny', 'LOG_FORMAT must be pretty or json, not "x\\ny"'],
    ['HF_ENDPOINT', 'ftp://hub.test', 'HF_ENDPOINT must be an http or https URL, not "ftp://hub.test"'],
    [
      'CORS_ORIGINS',
      'https://a.test/path',
      'CORS_ORIGINS must be * or a comma-separated list of origins such as https://example.org, not "https://a.test/path"',
    ],
  ])('rejects %s=%j', (name, value, message) => {
    expect(() => read({ [name]: value })).toThrow(new ConfigError(message));
  });

  it('rejects a list of origins that contains * or an empty entry', () => {
    expect(() => read({ CORS_ORIGINS: 'https://a.test,*' })).toThrow(ConfigError);
    expect(() => read({ CORS_ORIGINS: 'https://a.test,,https://b.test' })).toThrow(ConfigError);
  });

  it('rejects a key that no header can carry, without showing it', () => {
    expect(read({ API_KEY: ' sesame öffne \n' }).apiKey).toBe('sesame öffne');
    for (const key of ['two\nlines', 'a\rb', 'a\0b']) {
      const message = 'API_KEY must be text on one line (its value is not shown)';
      expect(() => read({ API_KEY: key })).toThrow(new ConfigError(message));
    }
  });

  it('never shows the value of a secret', () => {
    const secret = { TOKEN_COUNT: variable(integer({ min: 1, max: 9 }), { description: 'Secret.', secret: true }) };
    expect(() => readConfiguration(secret, { TOKEN_COUNT: 'hunter2' })).toThrow(
      new ConfigError('TOKEN_COUNT must be an integer from 1 to 9 (its value is not shown)'),
    );
  });
});

describe('configurationTable', () => {
  it('has one row per variable', () => {
    expect(configurationTable(variables).split('\n').slice(0, 4)).toEqual([
      '| Variable | Default | Allowed | Meaning |',
      '| --- | --- | --- | --- |',
      '| `API_KEY` |  | text on one line | Key. |',
      '| `MAX_UPLOAD_BYTES` | `100` | an integer from 1 to 1000 | Limit \\| in bytes. |',
    ]);
    expect(configurationTable(variables)).toContain('| `DATA_DIR` | a directory | a directory | Data. |');
  });
});
