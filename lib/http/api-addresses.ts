import { BlockList, isIP, SocketAddress } from 'node:net';

/**
 * The most entries of one merchant. The authorizer returns the list with every request: 32 IPv6 ranges are 1.4 KB, and API
 * Gateway has documented a limit of 8 KB for an authorizer's answer.
 */
export const mostApiAddresses = 32;

const written = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/;
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;
const bitsBeforeMapped = 96;

/**
 * Returns an address (`203.0.113.7`, `2001:db8::7`) or a CIDR range (`203.0.113.0/24`) in its shortest form; undefined for
 * other text and for a prefix of 0, which is every address. IPv6 notation of IPv4 addresses becomes IPv4.
 */
export function readAddressRange(text: string): string | undefined {
  const [, address = '', prefix] = written.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  if (version === 4) return rangeOf(address, prefix, 32);
  const shortest = new SocketAddress({ address, family: 'ipv6' }).address;
  const [, inside] = mapped.exec(shortest) ?? [];
  return inside === undefined
    ? rangeOf(shortest, prefix, 128)
    : rangeOf(inside, prefix && String(Number(prefix) - bitsBeforeMapped), 32);
}

function rangeOf(address: string, prefix: string | undefined, bits: number): string | undefined {
  const length = Number(prefix ?? bits);
  if (length < 1 || length > bits) return undefined;
  return length === bits ? address : `${address}/${length}`;
}

/**
 * Whether a merchant's token may be used from this address: it is among the ranges, or there are none. Text that is not
 * an address is in no range, and a stored range that cannot be read has no address.
 */
export function mayCallFrom(ranges: readonly string[] | undefined, source: string): boolean {
  if (ranges === undefined || ranges.length === 0) return true;
  const address = readAddressRange(source);
  if (address === undefined || address.includes('/')) return false;
  const allowed = new BlockList();
  for (const range of ranges) add(allowed, range);
  return allowed.check(address, familyOf(address));
}

function add(list: BlockList, range: string): void {
  const [address = '', prefix] = readAddressRange(range)?.split('/') ?? [];
  if (address === '') return;
  if (prefix === undefined) list.addAddress(address, familyOf(address));
  else list.addSubnet(address, Number(prefix), familyOf(address));
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
