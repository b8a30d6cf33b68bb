import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { gatewayAnswers } from '../contract/gateway-answers.ts';
import { safetyHeaders } from '../contract/safety-headers.ts';
import { json } from '../http/answers.ts';
import { baseUrlOf } from '../http/base-url.ts';
import { mayHaveBody } from '../http/gateway-event.ts';
import { aboutPage } from './about-page.ts';
import { icon } from './icon.ts';
import { messagePage } from './message-page.ts';
import type { PageDeps } from './page-endpoint.ts';
import type { Page } from './page.ts';
import { readerOf, readRequest } from './request.ts';
import { permanentRedirect, respond } from './respond.ts';

export type FallbackDeps = Pick<PageDeps, 'nonce' | 'publicUrl'>;

/**
 * Answers requests without a route, from the request alone: redirects a path with empty segments to the path without them,
 * gives browsers a page and other clients the JSON of an unknown route. The body is not read.
 */
export function fallbackAnswer(deps: FallbackDeps, event: APIGatewayProxyEvent): APIGatewayProxyResult {
  if (event.requestContext.path.includes('//')) return permanentRedirect(straightUrl(event));
  if (mayHaveBody(event)) return json(404, gatewayAnswers.notFound);
  return files[event.path] ?? pageOrJson(deps, event);
}

const oneDay = 'public, max-age=86400';
const file = (type: string, body: string): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: { ...safetyHeaders, 'Content-Type': type, 'Cache-Control': oneDay },
  body,
});

/** Search engines index nothing here: links are between a shop and its payer. */
const files: Readonly<Record<string, APIGatewayProxyResult>> = {
  '/favicon.ico': file('image/svg+xml', icon),
  '/robots.txt': file('text/plain; charset=utf-8', 'User-agent: *\nDisallow: /\n'),
};

function pageOrJson(deps: FallbackDeps, event: APIGatewayProxyEvent): APIGatewayProxyResult {
  const request = readRequest(event);
  if (isOfApi(event.path) || !takesHtml(request.headers['accept'])) return json(404, gatewayAnswers.notFound);
  const reader = readerOf(request, deps.nonce());
  const openApiUrl = `${baseUrlOf(event, deps.publicUrl)}/openapi.json`;
  const page: Page = event.path === '/' ? aboutPage(reader, { openApiUrl }) : messagePage(reader, 'no_page');
  return respond(page, reader.nonce);
}

const isOfApi = (path: string): boolean => /^\/api(?:\/|$)/i.test(path);

const takesHtml = (accept = ''): boolean =>
  accept.split(',').some((range) => range.trim().toLowerCase().startsWith('text/html'));

/**
 * The path without empty segments. It begins with a slash and a segment, and characters not allowed in a segment are
 * escaped, the backslash included, so that no browser reads it as the URL of another host.
 */
function straightUrl({ requestContext, multiValueQueryStringParameters }: APIGatewayProxyEvent): string {
  const segments = requestContext.path.split('/').filter(Boolean).map(escaped);
  const query = Object.entries(multiValueQueryStringParameters ?? {}).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const search = new URLSearchParams(query).toString();
  return `/${segments.join('/')}${search && `?${search}`}`;
}

const escaped = (segment: string): string =>
  segment.toWellFormed().replaceAll(/[^\w.~!$&'()*+,;=:@%-]/gu, encodeURIComponent);
