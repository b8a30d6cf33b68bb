import * as z from 'zod/mini';
import {
  type BillId,
  billIdOf,
  type MerchantId,
  type PaymentId,
  paymentIdOfRefund,
  type RefundId,
  type ShopId,
} from '../ids.ts';
import { balanceCurrencies, billCurrencies } from '../money/money.ts';
import { receiptStates } from '../payment/acquirer.ts';
import { type Refund, refundErrorCodes, refundStatuses } from '../refund/refund.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { billPartition } from './bill-item.ts';
import { listed, listShardOfPayment } from './list-index.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import { callSchema, storedCall } from './payment-item.ts';
import { shardOf } from './shards.ts';
import { storedId } from './stored-id.ts';

/** Refund: in its bill's partition, after the payments; on a work list while it is open, and while its receipt is pending. Never deleted. */
export const refundPrefix = 'R#';
export const refundKey = (id: RefundId) =>
  ({ PK: billPartition(billIdOf(paymentIdOfRefund(id))), SK: `${refundPrefix}${id}` }) as const;

/** The refunds of a payment have the sort keys that begin so. */
export const refundPrefixOf = (id: PaymentId) => `${refundPrefix}${id}` as const;
export const refundIdOfKey = ({ SK }: { readonly SK: string }): RefundId =>
  storedId<RefundId>().parse(SK.slice(refundPrefix.length));

export const refundList = (shard: string) => `W#RF#${shard}` as const;
export const refundListOf = (id: RefundId) => refundList(shardOf(id));

type Stored = Exclude<AttributeOf<Refund>, 'debit'> | 'debitMinor' | 'debitCurrency';

const item = z.object({
  id: storedId<RefundId>(),
  paymentId: storedId<PaymentId>(),
  billId: storedId<BillId>(),
  merchantId: storedId<MerchantId>(),
  shopId: storedId<ShopId>(),
  status: z.enum(refundStatuses),
  amountMinor: minor,
  currency: z.enum(billCurrencies),
  debitMinor: minor,
  debitCurrency: z.enum(balanceCurrencies),
  feeReturnedMinor: minor,
  reason: orAbsent(z.string()),
  requestedBy: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('merchant') }),
    z.object({ kind: z.literal('operator'), by: z.string(), id: z.string() }),
  ]),
  acquirer: orAbsent(z.string()),
  call: orAbsent(callSchema),
  outcome: orAbsent(z.string()),
  errorCode: orAbsent(z.enum(refundErrorCodes)),
  contactUntil: orAbsent(moment),
  receipt: orAbsent(z.enum(receiptStates)),
  createdAt: moment,
  endedAt: orAbsent(moment),
  checks: z.number(),
  nextCheck: orAbsent(moment),
} satisfies Record<Stored, z.ZodMiniType>);

export function toRefund(raw: unknown): Refund {
  const { amountMinor, currency, debitMinor, debitCurrency, ...refund } = item.parse(raw);
  return {
    ...refund,
    amount: { minor: amountMinor, currency },
    debit: { minor: debitMinor, currency: debitCurrency },
  };
}

/** The attributes that list a refund until nothing more is to be checked. */
export const refundListedAt = (id: RefundId, nextCheck: Date) => {
  const at = nextCheck.toISOString();
  return { workList: refundListOf(id), workDue: at, nextCheck: at };
};

export function refundItem({ amount, debit, ...refund }: Refund) {
  return {
    ...refundKey(refund.id),
    ...refund,
    amountMinor: amount.minor,
    currency: amount.currency,
    debitMinor: debit.minor,
    debitCurrency: debit.currency,
    call: refund.call && storedCall(refund.call),
    contactUntil: refund.contactUntil?.toISOString(),
    createdAt: refund.createdAt.toISOString(),
    endedAt: refund.endedAt?.toISOString(),
    nextCheck: undefined,
    ...(refund.nextCheck && refundListedAt(refund.id, refund.nextCheck)),
    ...listed('refund', refund, listShardOfPayment(refund.paymentId)),
  };
}
