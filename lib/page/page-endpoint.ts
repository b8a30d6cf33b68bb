import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { largestForm } from '../contract/body-limits.ts';
import { baseUrlOf } from '../http/base-url.ts';
import { isTooLarge } from '../http/gateway-event.ts';
import { namedIds } from '../http/named-ids.ts';
import { kindOf, type Log } from '../log.ts';
import { messagePage } from './message-page.ts';
import type { Page, Reader } from './page.ts';
import { type PageRequest, readerOf, readRequest } from './request.ts';
import { respond, seeOther, withCookie } from './respond.ts';

/** What every page needs besides the ports of its use case. */
export type PageDeps = {
  readonly log: Log;
  /** Unguessable, and new for each response. */
  readonly nonce: () => string;
  /** Absent: links use the request's domain and stage. */
  readonly publicUrl: string | undefined;
};

/** A payer's request with its reader and base URL. */
export type Visit = PageRequest & { readonly reader: Reader; readonly publicUrl: string };

/** A page, or a redirect; `cookie` is set in this browser. */
export type PageAnswer = (Page | { readonly goTo: string }) & { readonly cookie?: string };

type PageHandler = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

type Limits = {
  /** Largest body in bytes. A larger one is answered with 413 before it is parsed. */
  readonly largest: number;
};

/** The endpoint of a payer's page: reads the request leniently, and answers with a page even after a defect. */
export const pageEndpoint =
  (
    name: string,
    deps: PageDeps,
    answer: (visit: Visit) => Promise<PageAnswer>,
    { largest }: Limits = { largest: largestForm },
  ): PageHandler =>
  async (event) => {
    const tooLarge = isTooLarge(event, largest);
    const request = readRequest(tooLarge ? { ...event, body: null } : event);
    const reader = readerOf(request, deps.nonce());
    if (tooLarge) return respond(messagePage(reader, 'too_large'), reader.nonce);
    const visit = { ...request, reader, publicUrl: baseUrlOf(event, deps.publicUrl) };
    const answered: PageAnswer = await answer(visit).catch((error: unknown) => {
      const ids = { requestId: event.requestContext.requestId, ...namedIds(askedFor(request)) };
      deps.log('error', 'page_failed', { page: name, ...kindOf(error), ...ids });
      return messagePage(reader, 'error');
    });
    const plain = 'goTo' in answered ? seeOther(answered.goTo) : respond(answered, reader.nonce);
    const response = withCookie(plain, answered.cookie);
    return event.httpMethod === 'HEAD' ? { ...response, body: '' } : response;
  };

/** The id of the bill or payment, from the path or from the fields of the redirect to the shop. */
const askedFor = ({ id, form, query }: PageRequest): string | undefined =>
  id || form['TrsId'] || query['TrsId'];
