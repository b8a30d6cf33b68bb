import { fail, ok, type Result } from '../result.ts';

/** Which URLs a merchant may set: `loopback` adds http, this machine and its containers, for local development only. */
const merchantUrlPolicies = ['public', 'loopback'] as const;
export type MerchantUrls = (typeof merchantUrlPolicies)[number];

const longestUrl = 2048;
const longestHost = 253;
const publicPorts = ['', '443', '8443'];
/**
 * Names of hosts in the local network, or that AWS resolves to private addresses: metadata services, interface
 * endpoints and internal load balancers. Public AWS names are allowed because shops are hosted there (API Gateway, load
 * balancers). No request is signed for AWS, so its services grant Paylink no more than they grant anyone.
 */
const privateNames = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'home.arpa',
  'vpce.amazonaws.com',
  'vpce.amazonaws.com.cn',
];
const internalBalancer = /^internal-.*\.elb\.amazonaws\.com(?:\.cn)?$/;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** WHATWG drops other characters (space, control) or reads them as `/` (backslash): two parsers may see two hosts. */
const unambiguous = /^[!-[\]-~\u0080-\u{10ffff}]*$/u;

/**
 * Validates a URL that Paylink will call or redirect payers to; the error is the reason, as text for a person.
 * Called when the URL is saved and again before every request, where the resolved addresses are checked too.
 */
export function checkMerchantUrl(text: string, policy: MerchantUrls): Result<URL, string> {
  if (text.length > longestUrl) return fail(`it is longer than ${longestUrl} characters`);
  if (!unambiguous.test(text)) return fail('it contains a space, a control character or a backslash');
  if (!URL.canParse(text)) return fail('it is not a URL');
  const url = new URL(text);
  const reason = whyNotCalled(url, policy);
  return reason === undefined ? ok(url) : fail(reason);
}

function whyNotCalled(url: URL, policy: MerchantUrls): string | undefined {
  const local = policy === 'loopback';
  if (url.protocol !== 'https:' && !(local && url.protocol === 'http:')) return 'it must begin with https://';
  if (url.username !== '' || url.password !== '') return 'it must not contain a user name or password';
  if (!local && !publicPorts.includes(url.port)) return 'its port must be 443 or 8443';
  return local && isNearbyHost(url.hostname) ? undefined : whyNotPublicName(url.hostname);
}

function whyNotPublicName(host: string): string | undefined {
  if (isAddress(host)) return 'its host must be a name, not an address';
  if (host.length > longestHost) return `its host is longer than ${longestHost} characters`;
  const labels = host.split('.');
  if (!labels.every((part) => label.test(part))) return 'its host is not a proper name';
  if (labels.length < 2) return 'its host must be a full name with a dot';
  if (privateNames.some((name) => isUnder(host, name)) || internalBalancer.test(host))
    return 'its host is a private name';
  return undefined;
}

/** Whether a host is an address. The URL parser has normalised every spelling (0x7f.1, 2130706433, ①) to these two. */
export const isAddress = (host: string): boolean => host.startsWith('[') || /^[\d.]+$/.test(host);

/** Whether a parsed host is this machine. */
export const isLoopbackHost = (host: string): boolean =>
  host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host) || isUnder(host, 'localhost');

/**
 * Whether a host is a name that containers and their host use for each other: `host.docker.internal` and its
 * equivalents, or a single label, which names a container. The resolved address is checked as well.
 */
export const isContainerName = (host: string): boolean =>
  !isAddress(host) && (/\.(?:docker|containers|lima)\.internal$/.test(host) || label.test(host));

const isNearbyHost = (host: string): boolean => isLoopbackHost(host) || isContainerName(host);

const isUnder = (host: string, name: string): boolean => host === name || host.endsWith(`.${name}`);
