import { kindOf, type Log } from '../log.ts';
import { type MerchantId, newBillId, type ShopId } from '../ids.ts';
import { type Caller, whyRefused } from '../merchant/merchant.ts';
import type { Merchants, Rates, Sealer, Shops, TermsOf } from '../merchant/ports.ts';
import type { MerchantUrls } from '../merchant/merchant-url.ts';
import type { Shop } from '../merchant/shop.ts';
import { feeOn } from '../money/fee.ts';
import { type BillCurrency, isBalanceCurrency, type Money, parseAmount } from '../money/money.ts';
import { nothingLeft } from '../nothing-left.ts';
import { fail, ok, type Result } from '../result.ts';
import type { Bill, BillType } from './bill.ts';
import { type ChargeLimits, type ChargeNumbers, isWithin, unionOf } from './charge-limits.ts';
import { claimKeys } from './claims.ts';
import {
  type Contact,
  contactEndOf,
  masksOf,
  parseContact,
  sealContact,
  type SealedContact,
} from './contact.ts';
import { createOnce, type OnceCreated } from './create-once.ts';
import { readLineItems } from './line-items.ts';
import {
  type BillOptions,
  type GivenOptions,
  hasOptions,
  honoured,
  leftOutOptions,
  optionFields,
  readOptions,
} from './options.ts';
import type { Bills, Contacts } from './ports.ts';

export type CreateBillPorts = {
  readonly bills: Bills;
  readonly contacts: Contacts;
  readonly contactSealer: Sealer;
  readonly shops: Shops;
  readonly merchants: Merchants;
  readonly rates: Rates;
  readonly terms: Pick<TermsOf, 'find'>;
  readonly chargeLimits: ChargeLimits;
  readonly merchantUrls: MerchantUrls;
  readonly now: () => Date;
  readonly newId: (length: number) => string;
  readonly log: Log;
};

type CreateBill = {
  readonly caller: Caller;
  /** Undefined when the text is not a shop id. */
  readonly shopId: ShopId | undefined;
  /** As the merchant spelled it. */
  readonly amount: string;
  readonly currency: BillCurrency | undefined;
  readonly type: BillType;
  readonly payerPaysCommission: boolean;
  readonly orderId: string | undefined;
  readonly description: string | undefined;
  readonly name: string | undefined;
  /** Null: form fields or JSON that cannot be stored as JSON text, which are left out. */
  readonly custom: string | null | undefined;
  /** JSON text. */
  readonly items: string | undefined;
  /** As the merchant spelled it. */
  readonly payer: Contact;
  readonly options: GivenOptions;
  readonly idempotencyKey: string | undefined;
};

const merchantRefusals = ['merchant_not_found', 'merchant_banned'] as const;
export type CreateBillRefusal =
  | (typeof merchantRefusals)[number]
  | 'shop_not_found'
  | 'access_denied'
  | 'shop_not_enabled'
  | 'invalid_amount'
  | 'no_payout'
  | 'idempotency_key_reused';

/** The fields that never refuse a bill: what cannot be honoured is left out. */
export const ignorable = [
  'custom',
  'payer_email',
  'payer_phone',
  'payer_name',
  'items',
  ...optionFields,
] as const;

export type CreatedBill = OnceCreated & {
  /** The masks of the contact that is stored with the bill. */
  readonly contact: Contact | undefined;
  /** The fields of the request that were left out. */
  readonly ignored: readonly (typeof ignorable)[number][];
};

/** Creates a payment link for one of the caller's shops (contract 4.1). */
export async function createBill(
  ports: CreateBillPorts,
  command: CreateBill,
): Promise<Result<CreatedBill, CreateBillRefusal, ChargeNumbers>> {
  const { caller, shopId } = command;
  const refusal = whyRefused(caller, merchantRefusals);
  if (refusal) return fail(refusal);
  if (shopId === undefined) return fail('shop_not_found');

  const keys = claimKeys({ ...command, shopId, merchantId: caller.merchantId });
  const [shop, seen] = await Promise.all([
    ports.shops.find(shopId),
    keys.length > 0 ? ports.bills.findClaims(keys) : [],
  ]);
  if (!shop) return fail('shop_not_found');
  const options = readOptions(command.options, ports.merchantUrls);
  const bill = await newBill(ports, { ...command, options }, shop);
  if (!bill.ok) return bill;
  const contact = await sealPayer(ports, bill.value, command.payer);
  const made = {
    bill: { ...bill.value, hasContact: contact !== undefined },
    contact,
    shards: caller.shards,
    requested: { ...bill.value, options },
  };
  const created = await createOnce(ports, made, keys, seen);
  if (!created.ok) return created;
  const stored = created.value.replayed ? await storedContact(ports, created.value.bill) : contact;
  return ok({
    ...created.value,
    contact: stored?.masks,
    ignored: leftOut(command, made.bill, { bill: created.value.bill, masks: stored?.masks }),
  });
}

/**
 * Encrypts what of the contact is readable. An optional field must not refuse a bill, so a failure of KMS leaves it out. So it is for a
 * MULTI bill: one contact would get the receipts of all its payers.
 */
async function sealPayer(
  { contactSealer, log }: CreateBillPorts,
  bill: Bill,
  payer: Contact,
): Promise<SealedContact | undefined> {
  const contact = parseContact(payer);
  if (!contact || bill.type === 'MULTI') return undefined;
  return sealContact(contactSealer, contact, { billId: bill.id, until: contactEndOf(bill) }).catch(
    (error: unknown) => {
      log('error', 'contact_not_sealed', { bill: bill.id, ...kindOf(error) });
      return undefined;
    },
  );
}

const storedContact = async (
  { contacts }: CreateBillPorts,
  bill: Bill,
): Promise<SealedContact | undefined> => (bill.hasContact ? contacts.find(bill.id) : undefined);

type Stored = { readonly bill: Bill; readonly masks: Contact | undefined };

/**
 * A repeated request with another contact returns the bill as it is: its contact is not replaced, and the new one is named. `made`: the
 * bill that this request would create now.
 */
function leftOut(
  { payer, items, custom, options }: CreateBill,
  made: Bill,
  { bill, masks }: Stored,
): CreatedBill['ignored'] {
  const readable = parseContact(payer);
  const wanted = readable && masksOf(readable);
  const isLeftOut = {
    custom: custom === null,
    payer_email: payer.email !== undefined && (!wanted?.email || wanted.email !== masks?.email),
    payer_phone: payer.phone !== undefined && (!wanted?.phone || wanted.phone !== masks?.phone),
    payer_name: payer.name !== undefined && (!wanted?.name || wanted.name !== masks?.name),
    items: items !== undefined && bill.items === undefined,
    ...leftOutOptions(options, { able: made.options, stored: bill.options }),
  };
  return ignorable.filter((field) => isLeftOut[field]);
}

type WantedBill = Omit<CreateBill, 'shopId' | 'idempotencyKey' | 'payer' | 'options'> & {
  readonly options: BillOptions;
};

/** Returns the requested bill, or the reason why it is refused for this shop. */
async function newBill(
  ports: CreateBillPorts,
  { caller, amount, currency: requested, type, ...command }: WantedBill,
  shop: Shop,
): Promise<Result<Bill, CreateBillRefusal, ChargeNumbers>> {
  const {
    payerPaysCommission,
    orderId,
    description,
    name,
    custom,
    items,
    options: wanted,
    ...rest
  } = command;
  nothingLeft(rest);
  if (shop.merchantId !== caller.merchantId) return fail('access_denied');
  if (!caller.enabled || !shop.enabled) return fail('shop_not_enabled');
  const minor = parseAmount(amount);
  if (minor === undefined) return fail('invalid_amount');
  const currency = requested ?? shop.defaultCurrency ?? 'RUB';
  const refused = await whyNotCharged(ports, caller.merchantId, { minor, currency }, payerPaysCommission);
  if (refused) return refused;
  if (!(await canBePaidOut(ports, caller.merchantId, currency))) return fail('no_payout');

  const createdAt = ports.now();
  const options = honoured(wanted, { shop, methods: ports.chargeLimits.methodsIn(currency) });
  const bill = {
    id: newBillId(ports.newId),
    merchantId: caller.merchantId,
    shopId: shop.id,
    status: 'NEW' as const,
    active: true,
    amount: { minor, currency },
    payerPaysCommission,
    orderId,
    description,
    name,
    custom: custom ?? undefined,
    items: items === undefined ? undefined : readLineItems(items, minor),
    options: hasOptions(options) ? options : undefined,
    hasContact: false,
    createdAt,
    expiresAt: expiry(shop, options, createdAt),
  };
  return ok(
    type === 'NORMAL'
      ? {
          ...bill,
          type,
          current: undefined,
          lockUntil: undefined,
          fenced: false,
          paidBy: undefined,
          failures: 0,
        }
      : { ...bill, type },
  );
}

/**
 * Returns the refusal of a charge that no provider takes, from the environment's record. The surcharge is that of the merchant's
 * terms now; the payment page compares the charge again.
 */
async function whyNotCharged(
  { terms, chargeLimits }: CreateBillPorts,
  merchantId: MerchantId,
  { minor, currency }: Money,
  payerPaysCommission: boolean,
) {
  const ranges = chargeLimits.rangesIn(currency);
  if (ranges === undefined) return undefined;
  if (ranges.length === 0) return fail('no_payout');
  const surchargeMinor = payerPaysCommission
    ? feeOn(minor, (await terms.find(merchantId, currency)).paymentFee)
    : 0n;
  const chargeMinor = minor + surchargeMinor;
  if (ranges.some((range) => isWithin(chargeMinor, range))) return undefined;
  return fail('invalid_amount', {
    kind: 'charge' as const,
    currency,
    chargeMinor,
    surchargeMinor,
    ranges: unionOf(ranges),
  });
}

/** Whether the merchant can settle this currency: KZT has no balance, so it needs a rate to one that has. */
async function canBePaidOut(
  { merchants, rates }: CreateBillPorts,
  merchantId: MerchantId,
  currency: BillCurrency,
): Promise<boolean> {
  if (isBalanceCurrency(currency)) return true;
  const merchant = await merchants.find(merchantId);
  return merchant !== undefined && (await rates.find(currency, merchant.settlesKztIn)) !== undefined;
}

/** The shorter of the shop's lifetime and the request's. */
function expiry(
  { billLifetimeMinutes: minutes = Infinity }: Shop,
  { ttlSeconds = Infinity }: BillOptions,
  from: Date,
): Date | undefined {
  const seconds = Math.min(minutes * 60, ttlSeconds);
  return seconds === Infinity ? undefined : new Date(from.getTime() + seconds * 1000);
}
