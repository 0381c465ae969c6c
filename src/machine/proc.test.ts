import { expect, it } from 'vitest';
import { load, parseCpuModel, parseCpuTimes, parseMemory, parseMounts, parseNetwork } from './proc.ts';

it('reads the load of each core between two moments', () => {
  const before = parseCpuTimes(
    'cpu  100 0 0 900 0 0 0 0 50 0\ncpu0 50 0 0 450 0 0 0 0 25 0\ncpu1 50 0 0 450 0 0 0 0 25 0\nintr 9\n',
  );
  const now = parseCpuTimes(
    'cpu  150 0 0 1050 0 0 0 0 0 0\ncpu0 100 0 0 500 0 0 0 0 0 0\ncpu1 50 0 0 540 10 0 0 0 0 0\nctxt 1\n',
  );
  expect(load(before.all, now.all)).toBe(25);
  expect(now.cores.map((core, index) => load(before.cores[index], core))).toEqual([50, 0]);
  expect(load(now.all, now.all)).toBe(0);
  expect(load(now.all, before.all)).toBe(0);
  expect(load(undefined, before.all)).toBe(10);
});

it('reads the model of the CPU', () => {
  expect(parseCpuModel('processor\t: 0\nmodel name\t: AMD EPYC 7763\nmodel name\t: other\n')).toBe('AMD EPYC 7763');
  expect(parseCpuModel('processor\t: 0\n')).toBe('');
});

it('reads memory in bytes', () => {
  const memory = parseMemory('MemTotal:       16384 kB\nMemAvailable:    1024 kB\nHugePages_Total:       0\n');
  expect([...memory]).toEqual([
    ['MemTotal', 16_777_216],
    ['MemAvailable', 1_048_576],
  ]);
});

it('reads the traffic of each interface', () => {
  const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 1000 10 0 0 0 0 0 0 2000 10 0 0 0 0 0 0
  eth0:123456789 10 0 0 0 0 0 0 42 10 0 0 0 0 0 0
`;
  expect(parseNetwork(text)).toEqual([
    { name: 'lo', received_bytes: 1000, sent_bytes: 2000 },
    { name: 'eth0', received_bytes: 123_456_789, sent_bytes: 42 },
  ]);
});

it('lists local file systems once, and none that may hang', () => {
  const text = `/dev/sda1 / ext4 rw 0 0
tmpfs /tmp tmpfs rw 0 0
/dev/sda1 /etc/hosts ext4 rw 0 0
tmpfs /a\\040folder tmpfs rw 0 0
server:/export /data nfs4 rw 0 0
//nas/share /nas cifs rw 0 0
sshfs#x /ssh fuse.sshfs rw 0 0
`;
  expect(parseMounts(text)).toEqual([
    { device: '/dev/sda1', mountpoint: '/', fstype: 'ext4' },
    { device: 'tmpfs', mountpoint: '/tmp', fstype: 'tmpfs' },
    { device: 'tmpfs', mountpoint: '/a folder', fstype: 'tmpfs' },
  ]);
});
