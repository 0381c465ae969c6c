import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { type HealthSource, healthRoutes } from './health.ts';

const info = { device: 'cpu', compute_type: 'int8', model: 'small' };

async function probe(state: HealthSource['state'], draining = false) {
  const app = fastify();
  app.setSerializerCompiler(() => JSON.stringify);
  const source = {
    state,
    info: state === 'ready' ? info : undefined,
    error: { failed: 'no weights', restarting: 'The engine was killed.' }[state as string],
  };
  healthRoutes(app, source, { isAnnounced: draining });
  const health = await app.inject('/health');
  const ready = await app.inject('/ready');
  await app.close();
  expect(health.headers['retry-after']).toBeUndefined();
  return {
    health: [health.statusCode, health.json()],
    ready: [ready.statusCode, ready.json(), ready.headers['retry-after']],
  };
}

describe('GET /health and GET /ready', () => {
  it('report a warming model', async () => {
    expect(await probe('warming')).toEqual({
      health: [200, { status: 'warming', model_loaded: false }],
      ready: [503, { status: 'warming' }, '10'],
    });
  });

  it('report a model that is loaded again as warming, with the reason', async () => {
    expect(await probe('restarting')).toEqual({
      health: [200, { status: 'warming', model_loaded: false, error: 'The engine was killed.' }],
      ready: [503, { status: 'warming' }, '10'],
    });
  });

  it('report a ready model', async () => {
    expect(await probe('ready')).toEqual({
      health: [200, { status: 'healthy', model_loaded: true, ...info }],
      ready: [200, { status: 'ready' }, undefined],
    });
  });

  it('report a failed model', async () => {
    expect(await probe('failed')).toEqual({
      health: [503, { status: 'failed', error: 'no weights' }],
      ready: [503, { status: 'failed' }, '10'],
    });
  });

  it('report an uninitialized model', async () => {
    expect(await probe('uninitialized')).toEqual({
      health: [200, { status: 'healthy', model_loaded: false }],
      ready: [503, { status: 'uninitialized' }, '10'],
    });
  });

  it('report a draining service', async () => {
    const { health, ready } = await probe('ready', true);
    expect(health[0]).toBe(200);
    expect(ready).toEqual([503, { status: 'draining' }, '10']);
  });
});
