import { BlockList, isIP, isIPv6 } from 'node:net';

/** Networks that are not the public internet (IANA's registries of special-purpose addresses). */
const special = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  special.addSubnet(network, prefix, 'ipv4');
}

/** The only addresses in use on the public internet. */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');
/** Parts of them that are not, or that lead to addresses of IPv4: Teredo and other protocols, documentation, 6to4. */
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special.addSubnet(network, prefix, 'ipv6');
}

/** Whether an address is on the public internet: neither private, loopback, link-local nor reserved. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (!isIPv6(address)) return !special.check(address, 'ipv4');
  return global6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
