import { BlockList, isIP } from 'node:net';
import type { MerchantUrls } from '../merchant/merchant-url.ts';

/** IANA's special-purpose blocks and multicast. Lambda's Runtime API listens in 127/8, instance metadata in 169.254/16. */
const forbiddenV4 = blocks('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** Global unicast. All other IPv6 (mapped and translated IPv4, unique local, link local, multicast) is forbidden. */
const globalV6 = blocks('ipv6', ['2000::/3']);
const forbiddenV6 = blocks('ipv6', [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
]);

/** Private networks, where a developer's containers have their addresses; AWS's IPv6 metadata range is excluded. */
const privateV4 = blocks('ipv4', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']);
const privateV6 = blocks('ipv6', ['fc00::/7']);
const metadataV6 = blocks('ipv6', ['fd00:ec2::/32']);

const loopbackV4 = blocks('ipv4', ['127.0.0.0/8']);

/** Whether a socket may be opened to this address. False for anything but a canonical IP address. */
export function mayConnect(address: string, policy: MerchantUrls): boolean {
  if (policy === 'loopback' && isLoopback(address)) return true;
  switch (isIP(address)) {
    case 4:
      return !forbiddenV4.check(address, 'ipv4');
    case 6:
      return isPublicV6(address);
    default:
      return false;
  }
}

/** Whether local development may reach this address under a container's name. */
export function isContainerAddress(address: string): boolean {
  if (isIP(address) === 4) return privateV4.check(address, 'ipv4');
  return isPlainV6(address) && privateV6.check(address, 'ipv6') && !metadataV6.check(address, 'ipv6');
}

const isLoopback = (address: string): boolean =>
  address === '::1' || (isIP(address) === 4 && loopbackV4.check(address, 'ipv4'));

/** An address with a zone (`fe80::1%eth0`) names a local interface. */
const isPlainV6 = (address: string): boolean => isIP(address) === 6 && !address.includes('%');

const isPublicV6 = (address: string): boolean =>
  isPlainV6(address) && globalV6.check(address, 'ipv6') && !forbiddenV6.check(address, 'ipv6');

function blocks(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = '', prefix] = subnet.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}
