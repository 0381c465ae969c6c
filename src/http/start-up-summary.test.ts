import { describe, expect, it } from 'vitest';
import { version } from '../config/version.ts';
import { accessRows, startUpSummary } from './start-up-summary.ts';

const facts = { endpoint: 'http://0.0.0.0:8880', keyRequired: true, isLocal: false, webPage: true };

describe('the start-up summary', () => {
  it('is a box of both services', () => {
    const text = startUpSummary([
      { title: 'speech to text', rows: [['Endpoint', 'http://0.0.0.0:8000']] },
      { title: 'text to speech', rows: [...accessRows(facts), ['Voice packs', '28']] },
    ]);
    const lines = text.split('\n');
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
    expect(lines.slice(1, -1).map((line) => line.slice(2, -2).trimEnd())).toEqual([
      `Hearsay ${version}: speech to text`,
      '  Endpoint     http://0.0.0.0:8000',
      expect.stringMatching(/^─+$/),
      `Hearsay ${version}: text to speech`,
      '  Endpoint     http://0.0.0.0:8880',
      '  Web console  http://localhost:8880/web',
      '  API key      required',
      '  Voice packs  28',
    ]);
  });

  it('warns if anyone can use a service without a key', () => {
    const keyOf = (isLocal: boolean) =>
      Object.fromEntries(accessRows({ ...facts, keyRequired: false, isLocal }))['API key'];
    expect([keyOf(false), keyOf(true)]).toEqual(['none, open to everyone on the network', 'none']);
  });

  it('names no console that is off', () => {
    expect(accessRows({ ...facts, webPage: false })).toContainEqual(['Web console', 'off']);
  });
});
