import { availableParallelism, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config/variables.ts';
import { readConfig } from './config.ts';

describe('readConfig', () => {
  it('applies the defaults if no variable is set', () => {
    expect(readConfig({})).toEqual({
      beamSize: 'auto',
      maxUploadBytes: 536870912,
      enableWebPlayer: true,
      warmupOnStart: true,
      dataDir: resolve('data'),
      modelsDir: resolve('data/models'),
      tempDir: resolve(tmpdir()),
      host: '0.0.0.0',
      port: 8000,
      device: 'auto',
      computeType: 'auto',
      threads: availableParallelism(),
      corsOrigins: '*',
      shutdownDelaySeconds: 0,
      shutdownTimeoutSeconds: 30,
      apiLogLevel: 'info',
      serverLogLevel: 'info',
      logFormat: 'pretty',
      maxAudioSeconds: 14400,
      maxRealtimeSessions: 16,
      jobConcurrency: 2,
      maxJobs: 1000,
      jobDiskBytes: 16 * 1024 ** 3,
      jobTtlSeconds: 86_400,
      callbackAllowPrivate: false,
      maxUploads: 128,
      uploadDiskBytes: 8 * 1024 ** 3,
      maxConnections: 1000,
      maxConcurrency: 16,
      queueSize: 32,
      queueTimeoutSeconds: 60,
      engineTimeoutSeconds: 60,
      failureWindowSeconds: 5,
      uploadTimeoutSeconds: 30,
      uploadMinBytesPerSecond: 1000,
      hfEndpoint: 'https://huggingface.co',
      hfHubOffline: false,
    });
  });

  it('derives modelsDir from DATA_DIR unless MODELS_DIR is set', () => {
    expect(readConfig({ DATA_DIR: '/srv/hearsay' }).modelsDir).toBe('/srv/hearsay/models');
    expect(readConfig({ DATA_DIR: '/srv/hearsay', MODELS_DIR: '/models' }).modelsDir).toBe('/models');
  });

  it.each(['nats://host', 'nats://me:p%40ss%25@a:4222,b:4222/', 'tls://token@queue.internal'])('takes %s', (url) => {
    expect(readConfig({ JOBS_URL: url }).jobsUrl).toBe(url);
  });

  it.each(['http://host', 'nats://', 'nats://me:100%@host', 'nats://me:secret@', 'nats://a,,b', 'nats://ho st'])(
    'refuses %s as JOBS_URL, without showing it',
    (url) => {
      expect(() => readConfig({ JOBS_URL: url })).toThrow(
        new ConfigError('JOBS_URL must be a URL such as nats://host:4222 or tls://host:4222 (its value is not shown)'),
      );
    },
  );

  it('has room on disk for the largest upload', () => {
    expect(readConfig({ MAX_UPLOAD_BYTES: String(2 ** 40) }).uploadDiskBytes).toBe(2 ** 40);
    expect(() => readConfig({ UPLOAD_DISK_BYTES: '1000' })).toThrow(
      new ConfigError('UPLOAD_DISK_BYTES must be at least MAX_UPLOAD_BYTES (536870912), not "1000"'),
    );
  });

  it('normalizes DEFAULT_LANGUAGE to its code', () => {
    expect(readConfig({ DEFAULT_LANGUAGE: 'German' }).defaultLanguage).toBe('de');
    expect(readConfig({ DEFAULT_LANGUAGE: 'pt_BR' }).defaultLanguage).toBe('pt');
    expect(() => readConfig({ DEFAULT_LANGUAGE: 'Klingon' })).toThrow(
      new ConfigError(
        'DEFAULT_LANGUAGE must be a language code, tag or English name such as de, de-AT or German, not "Klingon"',
      ),
    );
  });

  it('reads variables without a default', () => {
    const config = readConfig({ API_KEY: 'key', MODEL_SIZE: 'large-v3', HF_TOKEN: 'token', HF_HUB_OFFLINE: '1' });
    expect(config).toMatchObject({ apiKey: 'key', modelSize: 'large-v3', hfToken: 'token', hfHubOffline: true });
  });

  it('reads upper-case log levels and rejects values out of bounds', () => {
    expect(readConfig({ API_LOG_LEVEL: 'WARN' }).apiLogLevel).toBe('warn');
    expect(readConfig({ QUEUE_SIZE: '0' }).queueSize).toBe(0);
    for (const env of [
      { API_LOG_LEVEL: 'loud' },
      { FAILURE_WINDOW_SECONDS: '2' },
      { PORT: '65536' },
      { MAX_CONCURRENCY: '0' },
      { DEVICE: 'tpu' },
      { MAX_UPLOAD_BYTES: '-1' },
    ]) {
      expect(() => readConfig(env)).toThrow(ConfigError);
    }
  });
});
