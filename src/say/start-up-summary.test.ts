import { expect, it } from 'vitest';
import { startUpSummary } from './start-up-summary.ts';

const facts = {
  version: '1.2.3',
  endpoint: 'http://0.0.0.0:8880',
  keyRequired: true,
  isLocal: false,
  device: 'cuda',
  gpu: { name: 'NVIDIA H100', memory_used_bytes: 2 * 1024 ** 3, memory_total_bytes: 80 * 1024 ** 3 },
  model: 'kokoro',
  backend: 'kokoro_onnx',
  voicePacks: 54,
  webPage: true,
};

it('shows every item in a box', () => {
  const text = startUpSummary(facts);
  for (const item of [
    'Hearsay 1.2.3',
    'http://0.0.0.0:8880',
    'required',
    'cuda',
    'NVIDIA H100, 2.0 GB of 80.0 GB VRAM',
    'kokoro (kokoro_onnx)',
    '54',
    'http://localhost:8880/web',
  ]) {
    expect(text).toContain(item);
  }
  const lines = text.split('\n');
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  expect([lines[0]?.[0], lines.at(-1)?.[0]]).toEqual(['┌', '└']);
});

it('shows missing items as none or off', () => {
  const text = startUpSummary({ ...facts, keyRequired: false, gpu: null, webPage: false });
  expect(text).toMatch(/API key +none, open to everyone on the network/);
  expect(startUpSummary({ ...facts, keyRequired: false, isLocal: true })).toMatch(/API key +none +│/);
  expect(text).toMatch(/GPU +none/);
  expect(text).toMatch(/Web console +off/);
});
