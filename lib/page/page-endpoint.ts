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
  /** Unguessable, and another one for each answer. */
  readonly nonce: () => string;
  /** Absent: links lead to the domain and stage that the request came to. */
  readonly publicUrl?: string | undefined;
};

/** One payer's request and what is known of them. */
export type Visit = PageRequest & { readonly reader: Reader; readonly publicUrl: string };

/** A page, or the address where the browser should go on; `cookie` is for this browser to keep. */
export type Answer = (Page | { readonly goTo: string }) & { readonly cookie?: string | undefined };

type PageHandler = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

type Limits = {
  /** Bytes of a body; a larger one is answered 413 before anything parses it. */
  readonly largest: number;
};

/** One payer's page: reads the request leniently, and answers a page even when something of ours breaks. */
export const pageEndpoint =
  (
    name: string,
    deps: PageDeps,
    answer: (visit: Visit) => Promise<Answer>,
    { largest }: Limits = { largest: largestForm },
  ): PageHandler =>
  async (event) => {
    const tooLarge = isTooLarge(event, largest);
    const request = readRequest(tooLarge ? { ...event, body: null } : event);
    const reader = readerOf(request, deps.nonce());
    if (tooLarge) return respond(messagePage(reader, 'too_large'), reader.nonce);
    const visit = { ...request, reader, publicUrl: baseUrlOf(event, deps.publicUrl) };
    const answered: Answer = await answer(visit).catch((error: unknown) => {
      const ids = { requestId: event.requestContext.requestId, ...namedIds(askedFor(request)) };
      deps.log('error', 'page_failed', { page: name, ...kindOf(error), ...ids });
      return messagePage(reader, 'error');
    });
    const plain = 'goTo' in answered ? seeOther(answered.goTo) : respond(answered, reader.nonce);
    const response = withCookie(plain, answered.cookie);
    return event.httpMethod === 'HEAD' ? { ...response, body: '' } : response;
  };

/** A bill or a payment, in the path or as the hand-off to the shop names it. */
const askedFor = ({ id, form, query }: PageRequest): string | undefined =>
  id || form['TrsId'] || query['TrsId'];
