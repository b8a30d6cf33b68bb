import type { Bills } from '../bill/ports.ts';
import { type BillId, billIdOf, readPaymentId } from '../ids.ts';
import { type Caller, whyRefused } from '../merchant/merchant.ts';
import { fail, ok, type Result } from '../result.ts';
import type { Payment } from './payment.ts';
import type { Payments } from './ports.ts';

export type ListPaymentsPorts = { readonly bills: Bills; readonly payments: Payments };

/** With a limit or a cursor the result is paginated. */
type Query = {
  readonly caller: Caller;
  /** Undefined when the text is not a bill id. */
  readonly billId: BillId | undefined;
  readonly limit: number | undefined;
  /** Another name of the limit, which takes precedence: the page then says its size, as those of searches do. */
  readonly perPage: number | undefined;
  readonly cursor: string | undefined;
};

/** `next`: the cursor of the next page, null on the last; absent when the request was not paginated. `perPage`: as it was asked for. */
export type PaymentPage = {
  readonly billId: BillId;
  readonly payments: readonly Payment[];
  readonly next?: string | null;
  readonly perPage?: number;
};

const merchantRefusals = ['merchant_not_found', 'merchant_banned'] as const;
export type ListPaymentsRefusal =
  | (typeof merchantRefusals)[number]
  | 'bill_not_found'
  | 'too_many_payments'
  | 'unknown_cursor';

/** A bill with more payments than this must be read page by page. */
export const mostPaymentsAtOnce = 1000;

/** Lists the payments of one bill, newest first within a page (contract 4.3). */
export async function listPayments(
  { bills, payments }: ListPaymentsPorts,
  { caller, billId, limit: asked, perPage, cursor }: Query,
): Promise<Result<PaymentPage, ListPaymentsRefusal>> {
  const refusal = whyRefused(caller, merchantRefusals);
  if (refusal) return fail(refusal);

  const bill = billId && (await bills.find(billId));
  // Another merchant's bill is indistinguishable from a missing one.
  if (bill?.merchantId !== caller.merchantId) return fail('bill_not_found');
  const from = readPaymentId(cursor);
  if (cursor !== undefined && (from === undefined || billIdOf(from) !== bill.id))
    return fail('unknown_cursor');

  const limit = asked ?? perPage;
  const page = await payments.listOf(bill, { limit: limit ?? mostPaymentsAtOnce, cursor: from });
  if (limit !== undefined || cursor !== undefined)
    return ok({
      billId: bill.id,
      payments: page.payments,
      next: page.next ?? null,
      ...(perPage !== undefined && { perPage: limit ?? perPage }),
    });
  return page.next === undefined
    ? ok({ billId: bill.id, payments: page.payments })
    : fail('too_many_payments');
}
