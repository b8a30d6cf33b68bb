import type { ReturnOfPayer } from '../payment/return-of-payer.ts';
import { handOffPage } from './hand-off-page.ts';
import { messagePage } from './message-page.ts';
import type { Visit } from './page-endpoint.ts';
import type { Page } from './page.ts';
import { waitingPage } from './waiting-page.ts';

type Returned = {
  readonly back: ReturnOfPayer;
  /** Whether merchants' URLs may be plain http, by the environment's record. */
  readonly plainHttp: boolean;
};

/** Answers a payer who returns from the acquirer: the redirect to the shop, or the waiting page. */
export function returnAnswer({ reader, query, publicUrl }: Visit, { back, plainHttp }: Returned): Page {
  if (back.kind === 'not_found') return messagePage(reader, 'not_found');
  if (back.kind === 'paid') return messagePage(reader, 'paid');
  if (back.kind === 'waiting' || back.kind === 'displaced')
    return waitingPage(reader, {
      checks: Number(query['check'] ?? 0) || 0,
      key: query['key'] ?? '',
      displaced: back.kind === 'displaced' ? back : undefined,
    });
  const { shopPage, outcome, payment } = back;
  // Our own page gets only the payment's id; a shop's URL gets exactly the contract's fields.
  const own = { url: `${publicUrl}/redirect/payment/${outcome}`, fields: { TrsId: payment.id } };
  return handOffPage(reader, { ...(shopPage ?? own), isShops: shopPage !== undefined, outcome, plainHttp });
}
