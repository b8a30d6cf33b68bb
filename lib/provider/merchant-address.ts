import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Defect } from '../defect.ts';
import { isAddress, isContainerName, isLoopbackHost, type MerchantUrls } from '../merchant/merchant-url.ts';
import { isContainerAddress, mayConnect } from './address-check.ts';

/** Every A and AAAA answer for a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/**
 * The one address to connect to; undefined when any of the host's addresses is forbidden, because a name that points
 * both outside and inside is an attack. Nobody may look the name up again after this.
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
  // A function outside a network of ours reaches IPv4 only.
  return addresses.find((address) => isIP(address) === 4) ?? addresses[0];
}

async function addressesOf(host: string, policy: MerchantUrls, resolve: Resolve): Promise<readonly string[]> {
  if (isAddress(host)) return [host.replace(/^\[|\]$/g, '')];
  // Names under localhost are never looked up (RFC 6761).
  if (policy === 'loopback' && isLoopbackHost(host)) return ['127.0.0.1'];
  return resolve(host);
}

/** The network's own resolver. Unlike getaddrinfo it blocks no thread, so a slow name server delays nobody else. */
export const resolveByDns: Resolve = async (name) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  return someOf(name, addresses);
};

/** As every other program here resolves names, from the machine's own file of hosts too: containers stand in it. */
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
