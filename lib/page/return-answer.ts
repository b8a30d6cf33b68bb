import type { ReturnOfPayer } from '../payment/return-of-payer.ts';
import { handOffPage } from './hand-off-page.ts';
import { messagePage } from './message-page.ts';
import type { Visit } from './page-endpoint.ts';
import type { Page } from './page.ts';
import { waitingPage } from './waiting-page.ts';

type Returned = {
  readonly back: ReturnOfPayer;
  /** Merchants' URLs may be plain http: where the environment says so. */
  readonly plainHttp: boolean;
};

/** The payer came back from the acquirer: their browser is handed to the shop, or told to wait. */
export function returnAnswer({ reader, query, publicUrl }: Visit, { back, plainHttp }: Returned): Page {
  if (back.kind === 'not_found') return messagePage(reader, 'not_found');
  if (back.kind === 'paid') return messagePage(reader, 'paid');
  if (back.kind === 'waiting')
    return waitingPage(reader, { checks: Number(query['check'] ?? 0) || 0, key: query['key'] ?? '' });
  const { shopPage, outcome, payment } = back;
  // Our own page is told the payment alone; a shop's gets the contract's fields and nothing else.
  const own = { url: `${publicUrl}/redirect/payment/${outcome}`, fields: { TrsId: payment.id } };
  return handOffPage(reader, { ...(shopPage ?? own), isShops: shopPage !== undefined, outcome, plainHttp });
}
