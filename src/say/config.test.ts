import { availableParallelism, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ConfigError } from '../config/variables.ts';
import { readConfig } from './config.ts';

it('applies the defaults if no variable is set', () => {
  expect(readConfig({})).toEqual({
    defaultVoice: 'af_heart',
    misakiEndpoint: 'https://raw.githubusercontent.com',
    maxInputCharacters: 1_000_000,
    maxBookCharacters: 5_000_000,
    maxAnswerBytes: 2_000_000_000,
    maxConnections: 1000,
    maxConcurrency: 16,
    queueSize: 32,
    queueTimeoutSeconds: 60,
    allowLocalVoiceSaving: false,
    enableWebPlayer: true,
    downloadTtlSeconds: 3600,
    downloadMaxBytes: 2147483648,
    workers: 1,
    warmupOnStart: true,
    dataDir: resolve('data'),
    modelsDir: resolve('data/models'),
    tempDir: resolve(tmpdir()),
    host: '0.0.0.0',
    port: 8880,
    device: 'auto',
    computeType: 'auto',
    threads: availableParallelism(),
    corsOrigins: '*',
    shutdownDelaySeconds: 0,
    shutdownTimeoutSeconds: 30,
    apiLogLevel: 'info',
    serverLogLevel: 'info',
    logFormat: 'pretty',
    engineTimeoutSeconds: 60,
    failureWindowSeconds: 5,
    hfEndpoint: 'https://huggingface.co',
    hfHubOffline: false,
  });
});

it('reads variables without a default and rejects values out of bounds', () => {
  expect(readConfig({ TTS_MODEL: 'kokoro', API_KEY: 'key', ALLOW_LOCAL_VOICE_SAVING: 'TRUE' })).toMatchObject({
    ttsModel: 'kokoro',
    apiKey: 'key',
    allowLocalVoiceSaving: true,
  });
  for (const env of [
    { MAX_INPUT_CHARACTERS: '0' },
    { MAX_INPUT_CHARACTERS: '10000001' },
    { DOWNLOAD_TTL_SECONDS: '0' },
    { DOWNLOAD_MAX_BYTES: '-1' },
    { ENABLE_WEB_PLAYER: 'maybe' },
  ]) {
    expect(() => readConfig(env)).toThrow(ConfigError);
  }
});
