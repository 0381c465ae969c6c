import { expect, it } from 'vitest';
import { readPlacement } from './node-placement.ts';

const line = (text: string) =>
  `2026-11-23 07:52:11 [V:onnxruntime:, session_state.cc:1383 VerifyEachNodeIsAssignedToAnEp] ${text}`;

it('reads where onnxruntime runs nodes', () => {
  const log = [
    line('Node placements'),
    line(' Node(s) placed on [CPUExecutionProvider]. Number of nodes: 2'),
    line('  Concat (Concat_23)'),
    line('  Gather ()'),
    line(' Node(s) placed on [WebGpuExecutionProvider]. Number of nodes: 1'),
    line('  MatMul (MatMul_1)'),
    'another line (of another kind)',
  ].join('\n');
  expect(readPlacement(log)).toEqual(
    new Map([
      ['CPUExecutionProvider', ['Concat', 'Gather']],
      ['WebGpuExecutionProvider', ['MatMul']],
    ]),
  );
});

it('reads that all are in one place', () => {
  const log = line(' All nodes placed on [WebGpuExecutionProvider]. Number of nodes: 715');
  expect(readPlacement(log)).toEqual(new Map([['WebGpuExecutionProvider', []]]));
});

it('rejects a log without places', () => {
  expect(() => readPlacement('nothing')).toThrow('does not say');
});
