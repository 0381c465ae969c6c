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
    error: state === 'failed' ? 'no weights' : undefined,
  };
  healthRoutes(app, source, { isDraining: draining });
  const health = await app.inject('/health');
  const ready = await app.inject('/ready');
  await app.close();
  expect(health.headers['retry-after']).toBeUndefined();
  return {
    health: [health.statusCode, health.json()],
    ready: [ready.statusCode, ready.json(), ready.headers['retry-after']],
  };
}

describe('health and readiness', () => {
  it('while warming', async () => {
    expect(await probe('warming')).toEqual({
      health: [200, { status: 'warming', model_loaded: false }],
      ready: [503, { status: 'warming' }, '10'],
    });
  });

  it('when ready', async () => {
    expect(await probe('ready')).toEqual({
      health: [200, { status: 'healthy', model_loaded: true, ...info }],
      ready: [200, { status: 'ready' }, undefined],
    });
  });

  it('when failed', async () => {
    expect(await probe('failed')).toEqual({
      health: [503, { status: 'failed', error: 'no weights' }],
      ready: [503, { status: 'failed' }, '10'],
    });
  });

  it('while nothing is loaded yet', async () => {
    expect(await probe('uninitialized')).toEqual({
      health: [200, { status: 'healthy', model_loaded: false }],
      ready: [503, { status: 'uninitialized' }, '10'],
    });
  });

  it('while draining', async () => {
    const { health, ready } = await probe('ready', true);
    expect(health[0]).toBe(200);
    expect(ready).toEqual([503, { status: 'draining' }, '10']);
  });
});
