import type { IncomingMessage, ServerResponse } from 'node:http';
import { control } from './control/control.ts';
import { readText } from './http.ts';
import type { Notifier } from './notifications.ts';
import type { PageOrigins } from './pages/addresses.ts';
import type { PageAnswer } from './pages/layout.ts';
import { payerSide } from './pages/payer-side.ts';
import { bankSite, checkoutSite, type PageRequest, type PayerSide } from './pages/site.ts';
import type { World } from './world.ts';

/** Answers the requests to one origin. */
export type Site = (world: World, request: IncomingMessage, response: ServerResponse) => Promise<void>;

type Pages = (payers: PayerSide, origins: PageOrigins) => (request: PageRequest) => PageAnswer;

const pageSite =
  (pages: Pages): Site =>
  async (world, request, response) => {
    const { method = 'GET', headers } = request;
    const form = new URLSearchParams(await readText(request));
    const url = new URL(request.url ?? '/', 'http://pages');
    const {
      status,
      headers: sent,
      body,
    } = pages(payerSide(world), world)({ method, url, form, acceptLanguage: headers['accept-language'] });
    response.writeHead(status, sent).end(body);
  };

/** The hosted page. */
export const checkoutPages = pageSite(checkoutSite);
/** The bank that the hosted page leads to. */
export const bankPages = pageSite(bankSite);

/** Requests below `/control`. */
export const controlSite =
  (notifier: Notifier): Site =>
  async (world, request, response) => {
    const path = (request.url ?? '').replace(/^\/control/, '').replace(/\?.*$/, '');
    const call = { method: request.method ?? 'GET', path, body: await readText(request) };
    const { status, body } = await control(world, notifier)(call);
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(`${JSON.stringify(body, null, 2)}\n`);
  };
