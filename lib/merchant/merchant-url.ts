import { fail, ok, type Result } from '../result.ts';

/** Which URLs a merchant may give: `loopback` adds http, this machine and its containers, for local development only. */
const merchantUrlPolicies = ['public', 'loopback'] as const;
export type MerchantUrls = (typeof merchantUrlPolicies)[number];

const longestUrl = 2048;
const longestHost = 253;
const publicPorts = ['', '443', '8443'];
/**
 * Names that mean a machine near us, or that the cloud resolves to its own inside: metadata services, interface endpoints
 * and internal load balancers. AWS's public names may be called, for shops live there: API Gateway, load balancers. Nothing
 * that we send is signed for AWS, so its own services are no more open to us than to anybody.
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
/** Anything else (space, control character, backslash) WHATWG drops or reads as `/`, so two parsers see two hosts. */
const unambiguous = /^[!-[\]-~\u0080-\u{10ffff}]*$/u;

/**
 * Reads a URL that a merchant gave us to call or to send payers to; the error is the reason, for a person.
 * Asked when it is saved and again at every call, where the addresses behind the name are checked too.
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

/** The URL parser has already turned every spelling of an address (0x7f.1, 2130706433, ①) into one of these two. */
export const isAddress = (host: string): boolean => host.startsWith('[') || /^[\d.]+$/.test(host);

/** This machine itself, spelled as the URL parser leaves it. */
export const isLoopbackHost = (host: string): boolean =>
  host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host) || isUnder(host, 'localhost');

/**
 * A name by which containers and the machine that runs them know each other: `host.docker.internal` and its like, and of
 * one label that of a container. What it resolves to is checked as well.
 */
export const isContainerName = (host: string): boolean =>
  !isAddress(host) && (/\.(?:docker|containers|lima)\.internal$/.test(host) || label.test(host));

const isNearbyHost = (host: string): boolean => isLoopbackHost(host) || isContainerName(host);

const isUnder = (host: string, name: string): boolean => host === name || host.endsWith(`.${name}`);
