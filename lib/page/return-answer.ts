import type { ReturnOfPayer } from '../payment/return-of-payer.ts';
import { payUrl } from './bill-answer.ts';
import { handOffPage } from './hand-off-page.ts';
import { messagePage } from './message-page.ts';
import type { Visit } from './page-endpoint.ts';
import { type Page, readerWith } from './page.ts';
import { checksIn } from './reloads.ts';
import { unpaidPage } from './unpaid-page.ts';
import { waitingPage } from './waiting-page.ts';

type Returned = {
  readonly back: ReturnOfPayer;
  /** Whether merchants' URLs may be plain http, by the environment's record. */
  readonly plainHttp: boolean;
  readonly now: Date;
};

/** Answers a payer who returns from the acquirer: the redirect to the shop, the waiting page, or the way back to pay. */
export function returnAnswer(visit: Visit, { back, plainHttp, now }: Returned): Page {
  if (back.kind === 'not_found') return messagePage(visit.reader, 'not_found');
  const { query, publicUrl } = visit;
  const reader = readerWith(visit.reader, back.view);
  if (back.kind === 'paid') return messagePage(reader, 'paid');
  const waiting = { checks: checksIn({ query }), key: query['key'] ?? '' };
  if (back.kind === 'unpaid')
    return unpaidPage(reader, { ...waiting, unpaid: back, payUrl: payUrl(publicUrl, back.billId), now });
  if (back.kind === 'waiting' || back.kind === 'displaced')
    return waitingPage(reader, { ...waiting, displaced: back.kind === 'displaced' ? back : undefined });
  const { shopPage, outcome, payment } = back;
  // Our own page gets only the payment's id; a shop's URL gets exactly the contract's fields.
  const own = { url: `${publicUrl}/redirect/payment/${outcome}`, fields: { TrsId: payment.id } };
  // This page itself leads to the shop.
  const { backTo: _, ...handedOff } = reader;
  return handOffPage(handedOff, {
    ...(shopPage ?? own),
    isShops: shopPage !== undefined,
    outcome,
    plainHttp,
  });
}
