import * as z from 'zod/mini';
import { type Bill, billStatuses, type MultiBill, type NormalBill } from '../bill/bill.ts';
import type { LineItem } from '../bill/line-items.ts';
import { askable, type BillOptions, locales } from '../bill/options.ts';
import { paymentMethods } from '../bill/payment-method.ts';
import { type BillReference, referenceHash } from '../bill/reference.ts';
import type { ClaimedBill, ClaimKey } from '../bill/ports.ts';
import { billCurrencies } from '../money/money.ts';
import type { BillId, MerchantId, PaymentId, ShopId } from '../ids.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { listed, listShardOfBill } from './list-index.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';

/** Bill: the first item of its partition, followed by its payments. */
export const billPartition = (id: BillId) => `B#${id}` as const;
export const billKey = (id: BillId) => ({ PK: billPartition(id), SK: 'B' }) as const;

/** The key of a claim on a bill: an order reference by shop, an idempotency key by endpoint. */
export const billClaimKey = ({ kind, merchantId, scope, key }: ClaimKey) =>
  kind === 'order'
    ? ({ PK: `O#${merchantId}#${scope}#${referenceHash(key)}`, SK: 'O' } as const)
    : ({ PK: `I#${merchantId}#${scope}#${referenceHash(key)}`, SK: 'I' } as const);

type Order = { readonly merchantId: MerchantId; readonly orderId: string };

/** The newest bill of an order, one item per shop. It is retained as long as its bill. */
export const orderPartition = ({ merchantId, orderId }: Order) =>
  `OL#${merchantId}#${referenceHash(orderId)}` as const;
export const newestOfOrderKey = ({ shopId, ...order }: Order & { readonly shopId: ShopId }) =>
  ({ PK: orderPartition(order), SK: `S#${shopId}` }) as const;

/**
 * One bill of an order. It has the attributes of the pointer at the newest bill, because the version before reads all items of this partition
 * as such pointers.
 */
export const billOfOrderItem = ({
  id,
  createdAt,
  ...order
}: Order & { readonly id: BillId; readonly createdAt: Date }) => ({
  PK: orderPartition(order),
  SK: `B#${id}`,
  billId: id,
  createdAt: createdAt.toISOString(),
});

const lineItem = z.object({
  name: z.string(),
  priceMinor: minor,
  quantity: z.string(),
  category: orAbsent(z.string()),
} satisfies Record<AttributeOf<LineItem>, z.ZodMiniType>);

const options = {
  ttlSeconds: orAbsent(z.number()),
  locale: orAbsent(z.enum(locales)),
  method: orAbsent(z.enum(paymentMethods)),
  successUrl: orAbsent(z.string()),
  failUrl: orAbsent(z.string()),
  returnUrl: orAbsent(z.string()),
  asks: orAbsent(z.array(z.enum(askable))),
} satisfies Record<AttributeOf<BillOptions>, z.ZodMiniType>;

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
  items: orAbsent(z.array(lineItem)),
  options: orAbsent(z.object(options)),
  hasContact: orAbsent(z.boolean()),
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

/** A MULTI bill is stored with the attributes of an unlocked NORMAL one. They are not read. */
const unheld = { fenced: false, failures: 0 };

/** The item of a new bill of a merchant with so many shards. */
export const billItem = (bill: Bill, shards?: number) => ({
  ...billKey(bill.id),
  ...attributesOf(bill),
  ...listed('bill', bill, listShardOfBill(bill.id, shards)),
});

function attributesOf({ amount, ...bill }: Bill): z.input<typeof item> {
  const converted = {
    amountMinor: amount.minor,
    currency: amount.currency,
    hasContact: bill.hasContact || undefined,
    items: bill.items?.map((each) => ({ ...each })),
    options: bill.options && { ...bill.options, asks: bill.options.asks && [...bill.options.asks] },
    createdAt: bill.createdAt.toISOString(),
    expiresAt: bill.expiresAt?.toISOString(),
  };
  return bill.type === 'NORMAL'
    ? { ...bill, ...converted, lockUntil: bill.lockUntil?.toISOString() }
    : { ...bill, ...converted, ...unheld };
}

export function toBill(raw: unknown): Bill {
  const { amountMinor, currency, hasContact = false, ...bill } = item.parse(raw);
  return { ...bill, hasContact, amount: { minor: amountMinor, currency } };
}

const claimed = z.object({ billId: storedId<BillId>(), fingerprint: z.string(), ttl: z.number() });

/** Returns the claim; undefined when it has expired. DynamoDB may delete an expired item days later. */
export function toClaimedBill(raw: unknown, now: Date): ClaimedBill | undefined {
  const { ttl, billId, fingerprint } = claimed.parse(raw);
  return ttl * 1000 > now.getTime() ? { billId, fingerprint } : undefined;
}

const referenceName = {
  O: z.tuple([z.literal('O'), storedId<MerchantId>(), storedId<ShopId>(), z.string()]),
  I: z.tuple([z.literal('I'), storedId<MerchantId>(), z.literal('bill/create'), z.string()]),
  OL: z.tuple([z.literal('OL'), storedId<MerchantId>(), z.string()]),
  S: z.tuple([z.literal('S'), storedId<ShopId>()]),
};
type Key = { readonly PK: string; readonly SK: string };
const expiry = ({ ttl }: z.infer<typeof claimed>): Date => new Date(ttl * 1000);

/** Returns the key of a reference from the parts of its id (lib/operator/audit/rule.ts); undefined when they name none. */
export function billReferenceKey([of, merchantId, ...rest]: readonly string[]): Key | undefined {
  if (of === 'order') return { PK: ['O', merchantId, ...rest].join('#'), SK: 'O' };
  if (of === 'key') return { PK: ['I', merchantId, 'bill/create', ...rest].join('#'), SK: 'I' };
  if (of === 'order_bill') {
    const [hash, billId] = rest;
    return { PK: ['OL', merchantId, hash].join('#'), SK: `B#${billId}` };
  }
  const [shopId, hash] = rest;
  return of === 'newest' ? { PK: ['OL', merchantId, hash].join('#'), SK: `S#${shopId}` } : undefined;
}

/** Parses the claim of an order as what it refers to. */
export function toOrderReference(raw: Key): BillReference {
  const [, merchantId, shopId, hash] = referenceName.O.parse(raw.PK.split('#'));
  const claim = claimed.parse(raw);
  return { of: 'order', merchantId, shopId, hash, billId: claim.billId, expiresAt: expiry(claim) };
}

/** Parses the claim of an `Idempotency-Key` as what it refers to. */
export function toKeyReference(raw: Key): BillReference {
  const [, merchantId, , hash] = referenceName.I.parse(raw.PK.split('#'));
  const claim = claimed.parse(raw);
  return {
    of: 'key',
    merchantId,
    shopId: undefined,
    hash,
    billId: claim.billId,
    expiresAt: expiry(claim),
  };
}

const newest = z.object({ billId: storedId<BillId>() });
/** Parses the pointer at the newest bill of an order. */
export function toNewestReference(raw: Key): BillReference {
  const [, merchantId, hash] = referenceName.OL.parse(raw.PK.split('#'));
  const [, shopId] = referenceName.S.parse(raw.SK.split('#'));
  return { of: 'newest', merchantId, shopId, hash, ...newest.parse(raw), expiresAt: undefined };
}

/** Parses one bill of an order. */
export function toBillOfOrder(raw: Key): BillReference {
  const [, merchantId, hash] = referenceName.OL.parse(raw.PK.split('#'));
  return {
    of: 'order_bill',
    merchantId,
    shopId: undefined,
    hash,
    ...newest.parse(raw),
    expiresAt: undefined,
  };
}
