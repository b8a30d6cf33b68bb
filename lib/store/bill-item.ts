import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type Bill, billStatuses, type MultiBill, type NormalBill } from '../bill/bill.ts';
import type { ClaimedBill, ClaimKey } from '../bill/ports.ts';
import { billCurrencies } from '../money/money.ts';
import type { BillId, MerchantId, PaymentId, ShopId } from '../ids.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';

/** Bill: the first item of its partition; its payments follow. */
export const billPartition = (id: BillId) => `B#${id}` as const;
export const billKey = (id: BillId) => ({ PK: billPartition(id), SK: 'B' }) as const;

/** Order ids and idempotency keys enter keys only as hashes. */
const hashed = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** Where a claim on a bill lies: an order's reference under its shop, an idempotency key under its endpoint. */
export const billClaimKey = ({ kind, merchantId, scope, key }: ClaimKey) =>
  kind === 'order'
    ? ({ PK: `O#${merchantId}#${scope}#${hashed(key)}`, SK: 'O' } as const)
    : ({ PK: `I#${merchantId}#${scope}#${hashed(key)}`, SK: 'I' } as const);

type Order = { readonly merchantId: MerchantId; readonly orderId: string };

/** Which bill of an order is the newest, one item for each shop: it lives as long as its bill. */
export const orderPartition = ({ merchantId, orderId }: Order) =>
  `OL#${merchantId}#${hashed(orderId)}` as const;
export const newestOfOrderKey = ({ shopId, ...order }: Order & { readonly shopId: ShopId }) =>
  ({ PK: orderPartition(order), SK: `S#${shopId}` }) as const;

const anyBill = {
  id: storedId<BillId>(),
  merchantId: storedId<MerchantId>(),
  shopId: storedId<ShopId>(),
  status: z.enum(billStatuses),
  active: z.boolean(),
  amountMinor: minor,
  currency: z.enum(billCurrencies),
  payerPaysCommission: z.boolean(),
  orderId: orAbsent(z.string()),
  description: orAbsent(z.string()),
  name: orAbsent(z.string()),
  custom: orAbsent(z.string()),
  createdAt: moment,
  expiresAt: orAbsent(moment),
} satisfies Record<Exclude<AttributeOf<MultiBill>, 'type'>, z.ZodMiniType>;

const item = z.discriminatedUnion('type', [
  z.object({
    ...anyBill,
    type: z.literal('NORMAL'),
    current: orAbsent(storedId<PaymentId>()),
    lockUntil: orAbsent(moment),
    fenced: z.boolean(),
    paidBy: orAbsent(storedId<PaymentId>()),
    failures: z.number(),
  } satisfies Record<AttributeOf<NormalBill>, z.ZodMiniType>),
  z.object({ ...anyBill, type: z.literal('MULTI') }),
]);

/** The item of a MULTI bill has the attributes of one that nobody holds. They are not read. */
const unheld = { fenced: false, failures: 0 };

export const billItem = (bill: Bill) => ({ ...billKey(bill.id), ...attributesOf(bill) });

function attributesOf({ amount, ...bill }: Bill): z.input<typeof item> {
  const converted = {
    amountMinor: amount.minor,
    currency: amount.currency,
    createdAt: bill.createdAt.toISOString(),
    expiresAt: bill.expiresAt?.toISOString(),
  };
  return bill.type === 'NORMAL'
    ? { ...bill, ...converted, lockUntil: bill.lockUntil?.toISOString() }
    : { ...bill, ...converted, ...unheld };
}

export function toBill(raw: unknown): Bill {
  const { amountMinor, currency, ...bill } = item.parse(raw);
  return { ...bill, amount: { minor: amountMinor, currency } };
}

const claimed = z.object({ billId: storedId<BillId>(), fingerprint: z.string(), ttl: z.number() });

/** A claim whose time is over counts as absent: the table removes it some days late. */
export function toClaimedBill(raw: unknown, now: Date): ClaimedBill | undefined {
  const { ttl, billId, fingerprint } = claimed.parse(raw);
  return ttl * 1000 > now.getTime() ? { billId, fingerprint } : undefined;
}
