import type { Acquirers } from './acquirer.ts';
import type { Payment } from './payment.ts';
import { type OrderPorts, type OrderStart, startOrder, startOrderAgain, storedPage } from './start-order.ts';

export type CardPagePorts = OrderPorts & { readonly acquirers: Acquirers };

/** The acquirer's page of a payment. */
export type CardPage =
  | { readonly kind: 'open'; readonly pageUrl: string }
  /** The acquirer definitely refused to open the order. */
  | { readonly kind: 'refused' }
  /** The order exists, but its page is over. */
  | { readonly kind: 'over' }
  /** The acquirer cannot be reached, or does not answer. */
  | { readonly kind: 'unavailable' };

/**
 * Returns the stored page of a payment, otherwise the acquirer's: the same call under the same key returns the same page, so a
 * crash or a second click is harmless. `isNew`: the payment was stored just now, together with its first call.
 */
export async function cardPageOf(
  ports: CardPagePorts,
  payment: Payment,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<CardPage> {
  const stored = storedPage(payment, await ports.pageSecrets());
  if (stored !== undefined) return { kind: 'open', pageUrl: stored };
  const acquirer = ports.acquirers.named(payment.acquirer);
  if (!acquirer) return { kind: 'unavailable' };
  const start = isNew ? startOrder : startOrderAgain;
  return pageOf(await start(ports, acquirer, payment).catch((): OrderStart => ({ kind: 'not_sent' })));
}

function pageOf(started: OrderStart): CardPage {
  if (started.kind === 'refused') return started;
  if (started.kind === 'not_sent') return { kind: 'unavailable' };
  return started.pageUrl === undefined ? { kind: 'over' } : { kind: 'open', pageUrl: started.pageUrl };
}
