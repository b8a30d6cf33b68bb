import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Defect } from '../defect.ts';
import { isAddress, isContainerName, isLoopbackHost, type MerchantUrls } from '../merchant/merchant-url.ts';
import { isContainerAddress, mayConnect } from './address-check.ts';

/** Returns all A and AAAA records of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/**
 * Returns the address to connect to; undefined when any address of the host is forbidden, because a name that resolves to both
 * public and internal addresses is an attack. The name must not be resolved again after this check.
 */
export async function merchantAddress(
  host: string,
  policy: MerchantUrls,
  resolve: Resolve,
): Promise<string | undefined> {
  const addresses = await addressesOf(host, policy, resolve);
  const isContainer = policy === 'loopback' && isContainerName(host);
  const isOpen = (address: string) =>
    mayConnect(address, policy) || (isContainer && isContainerAddress(address));
  if (!addresses.every(isOpen)) return undefined;
  // A function without a VPC has no IPv6 connectivity, so IPv4 is preferred.
  return addresses.find((address) => isIP(address) === 4) ?? addresses[0];
}

async function addressesOf(host: string, policy: MerchantUrls, resolve: Resolve): Promise<readonly string[]> {
  if (isAddress(host)) return [host.replace(/^\[|\]$/g, '')];
  // Names under localhost are never resolved by DNS (RFC 6761).
  if (policy === 'loopback' && isLoopbackHost(host)) return ['127.0.0.1'];
  return resolve(host);
}

/** Resolves by DNS. Unlike getaddrinfo this blocks no thread, so a slow name server does not delay other lookups. */
export const resolveByDns: Resolve = async (name) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  return someOf(name, addresses);
};

/** Resolves with getaddrinfo, which also reads the hosts file, where containers' names are. */
export const resolveBySystem: Resolve = async (name) => {
  const found = await lookup(name, { all: true }).catch(() => []);
  return someOf(
    name,
    found.map(({ address }) => address),
  );
};

function someOf(name: string, addresses: readonly string[]): readonly string[] {
  if (addresses.length === 0) throw new Defect('HOST_WITHOUT_ADDRESS', `${name} has no address.`);
  return addresses;
}
