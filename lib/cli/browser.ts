import { type HTMLElement, parse } from 'node-html-parser';
import { CommandError } from '../installation/command-error.ts';

/** A page that is open in the browser. */
export type Page = {
  readonly url: URL;
  readonly status: number;
  readonly root: HTMLElement;
  /** The page's automatic refresh: the URL, and the delay in seconds. */
  readonly refresh: { readonly seconds: number; readonly url: URL } | undefined;
};

/** A form's request. */
export type Submission = {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly fields: Readonly<Record<string, string>>;
};

type Request = Submission & { readonly from: URL | undefined };

const maxRedirects = 20;
const timeoutMs = 30_000;

/** Opens a URL as if typed into the address bar. */
export const open = (url: URL): Promise<Page> => follow({ url, method: 'GET', fields: {}, from: undefined });

/** Submits a form of the page. */
export const submit = (submission: Submission, from: Page): Promise<Page> =>
  follow({ ...submission, from: from.url });

/** Sends the request and follows redirects as a browser does: 307 and 308 repeat the form, other redirects become GET. */
async function follow(first: Request): Promise<Page> {
  let request = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await send(request);
    const location =
      response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (location === null) return pageOf(request.url, response);
    await response.body?.cancel();
    request = redirected(request, new URL(location, request.url), response.status);
  }
  throw new CommandError(`${first.url.origin} redirects in a loop: check its configuration.`, 'redirects');
}

async function pageOf(url: URL, response: Response): Promise<Page> {
  const root = parse(await response.text());
  const refresh = response.headers.get('refresh') ?? metaRefresh(root);
  return { url, status: response.status, root, refresh: readRefresh(refresh, url) };
}

function redirected(request: Request, url: URL, status: number): Request {
  if (status === 307 || status === 308) return { ...request, url };
  return { url, method: 'GET', fields: {}, from: request.from };
}

async function send({ url, method, fields, from }: Request): Promise<Response> {
  const target = new URL(url);
  const query = new URLSearchParams(fields);
  if (method === 'GET' && query.size > 0) target.search = query.toString();
  return fetch(target, {
    method,
    redirect: 'manual',
    headers: { ...browserHeaders, ...originHeaders(target, method, from) },
    signal: AbortSignal.timeout(timeoutMs),
    ...(method === 'POST' && { body: query }),
  }).catch((error: unknown) => {
    throw new CommandError(whyNoAnswer(target, error), 'no_answer');
  });
}

/** Explains a failed connection. A link may begin with a host name that only containers resolve. */
const whyNoAnswer = ({ origin, hostname }: URL, error: unknown): string =>
  isUnknownName(error)
    ? `This machine cannot resolve ${hostname}: give the bill’s id and not its link.`
    : `There is no response from ${origin}: start the service with npm start.`;

const isUnknownName = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  (error.cause.code === 'ENOTFOUND' || error.cause.code === 'EAI_AGAIN');

const browserHeaders = {
  accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en',
  'sec-fetch-dest': 'document',
  'upgrade-insecure-requests': '1',
  'user-agent': 'paylink-pay',
};

/** The service's pages send `Referrer-Policy: strict-origin`, so the referrer contains the origin only. */
function originHeaders(to: URL, method: string, from: URL | undefined): Record<string, string> {
  if (!from) return { 'sec-fetch-site': 'none' };
  const site = to.origin === from.origin ? 'same-origin' : isSameSite(to, from) ? 'same-site' : 'cross-site';
  const headers = { 'sec-fetch-site': site, referer: `${from.origin}/` };
  return method === 'POST' ? { ...headers, origin: from.origin } : headers;
}

/** An approximation for IP addresses and one-level domains: same host, any port. */
const isSameSite = (a: URL, b: URL): boolean => a.protocol === b.protocol && a.hostname === b.hostname;

/** Returns the form's request when its first button is pressed, with the fields in `typed` filled in. */
export function submissionOf(
  form: HTMLElement,
  page: Page,
  typed: Readonly<Record<string, string>> = {},
): Submission {
  const fields: Record<string, string> = {};
  for (const input of form.querySelectorAll('input, textarea, select')) {
    const name = input.getAttribute('name');
    if (name && isSent(input)) fields[name] = valueOf(input);
  }
  const button = form.querySelector('button[name]:not([type=button])');
  const name = button?.getAttribute('name');
  if (name) fields[name] = button?.getAttribute('value') ?? '';
  return {
    url: new URL(form.getAttribute('action') ?? '', page.url),
    method: form.getAttribute('method')?.toLowerCase() === 'post' ? 'POST' : 'GET',
    fields: { ...fields, ...typed },
  };
}

function isSent(input: HTMLElement): boolean {
  const type = input.getAttribute('type')?.toLowerCase();
  if (type === 'submit' || type === 'button' || type === 'image') return false;
  return (type !== 'checkbox' && type !== 'radio') || input.hasAttribute('checked');
}

const valueOf = (input: HTMLElement): string =>
  input.tagName === 'TEXTAREA' ? input.textContent : (input.getAttribute('value') ?? '');

const metaRefresh = (root: HTMLElement): string | undefined =>
  root
    .querySelectorAll('meta[content]')
    .find((tag) => tag.getAttribute('http-equiv')?.toLowerCase() === 'refresh')
    ?.getAttribute('content');

/** Parses a refresh header or `<meta>` content, such as `2;url=?check=1`. */
function readRefresh(text: string | undefined, base: URL): Page['refresh'] {
  const [, seconds, target = ''] = /^\s*(\d+)\s*(?:[;,]\s*url\s*=\s*['"]?([^'"]*))?/i.exec(text ?? '') ?? [];
  return seconds === undefined ? undefined : { seconds: Number(seconds), url: new URL(target, base) };
}
