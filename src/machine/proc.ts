/** Parsers of the files of Linux below /proc. Each takes the content of one file. */

/** Time of a core, or of all, in ticks since the system started. */
export interface CpuTime {
  busy: number;
  total: number;
}

/** From /proc/stat. */
export interface CpuTimes {
  all: CpuTime;
  cores: CpuTime[];
}

/** Parses /proc/stat. */
export function parseCpuTimes(text: string): CpuTimes {
  const times: CpuTimes = { all: { busy: 0, total: 0 }, cores: [] };
  for (const [, core, numbers] of text.matchAll(/^cpu(\d*) +(.+)$/gm)) {
    // user, nice, system, idle, iowait, irq, softirq, steal; guest time is in user.
    const ticks = numbers!.split(' ').slice(0, 8).map(Number);
    const total = ticks.reduce((sum, each) => sum + each, 0);
    const time = { busy: total - (ticks[3] ?? 0) - (ticks[4] ?? 0), total };
    if (core === '') times.all = time;
    else times.cores.push(time);
  }
  return times;
}

/** Percent of the time between two moments that a core was busy. */
export function load(before: CpuTime | undefined, now: CpuTime): number {
  const total = now.total - (before?.total ?? 0);
  // Idle time may step back.
  return total > 0 ? Math.min(100, Math.max(0, (100 * (now.busy - (before?.busy ?? 0))) / total)) : 0;
}

/** Name of the first core, from /proc/cpuinfo; other architectures than x86 give none. */
export function parseCpuModel(text: string): string {
  return /^model name\s*: (.+)$/m.exec(text)?.[1] ?? '';
}

/** Bytes by name, from /proc/meminfo. */
export function parseMemory(text: string): Map<string, number> {
  return new Map(Array.from(text.matchAll(/^(\w+): +(\d+) kB$/gm), ([, name, kib]) => [name!, 1024 * Number(kib)]));
}

/** Bytes received and sent by interface, from /proc/net/dev. */
export function parseNetwork(text: string): { name: string; received_bytes: number; sent_bytes: number }[] {
  return Array.from(text.matchAll(/^ *([^\s:]+): *(.+)$/gm), ([, name, numbers]) => {
    const counts = numbers!.trim().split(/ +/).map(Number);
    return { name: name!, received_bytes: counts[0] ?? 0, sent_bytes: counts[8] ?? 0 };
  });
}

export interface Mount {
  device: string;
  mountpoint: string;
  fstype: string;
}

/** File systems of other machines and programs: asking one that hangs would take a thread for good. */
const REMOTE = /^(?:nfs|cifs|smb|9p|afs|ceph|gluster|lustre|fuse|autofs|davfs|virtiofs)/;

/** Local file systems, each device once, from /proc/self/mounts. */
export function parseMounts(text: string): Mount[] {
  const mounts = new Map<string, Mount>();
  const decoded = (field: string) => field.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8)));
  for (const line of text.split('\n')) {
    const [device = '', mountpoint = '', fstype = ''] = line.split(' ').map(decoded);
    if (mountpoint === '' || REMOTE.test(fstype)) continue;
    const key = device.startsWith('/') ? device : mountpoint;
    if (!mounts.has(key)) mounts.set(key, { device, mountpoint, fstype });
  }
  return [...mounts.values()];
}
