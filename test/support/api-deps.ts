import type { ChargeLimits } from '../../lib/bill/charge-limits.ts';
import type { Bill } from '../../lib/bill/bill.ts';
import type { PaymentId, RefundId } from '../../lib/ids.ts';
import type { Merchant } from '../../lib/merchant/merchant.ts';
import type { Shop } from '../../lib/merchant/shop.ts';
import type { Log } from '../../lib/log.ts';
import { environments } from '../../lib/installation/environments.ts';
import type { BillCurrency } from '../../lib/money/money.ts';
import { chargeMinor, type Payment, statusOfReceipt } from '../../lib/payment/payment.ts';
import { captureEntry, paymentFee, reserveOf } from '../../lib/payment/payment-postings.ts';
import { termsFrom } from '../../lib/runtime/settings.ts';
import { dynamoBalances } from '../../lib/store/balances.ts';
import { dynamoBills } from '../../lib/store/bills.ts';
import { dynamoContacts } from '../../lib/store/contacts.ts';
import { dynamoKeyedListings } from '../../lib/store/keyed-listings.ts';
import { dynamoListHistory } from '../../lib/store/list-history.ts';
import { dynamoListings } from '../../lib/store/listings.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { dynamoPayments } from '../../lib/store/payments.ts';
import { dynamoChargebacks } from '../../lib/store/chargebacks.ts';
import { dynamoRefunds } from '../../lib/store/refunds.ts';
import { dynamoRates } from '../../lib/store/rates.ts';
import { dynamoShops } from '../../lib/store/shops.ts';
import type { Table } from '../../lib/store/table.ts';
import { dynamoTerms } from '../../lib/store/terms.ts';
import { aCall, aMerchant, aShop, today } from './builders.ts';
import { contactSealer } from './contacts.ts';
import { freshTable } from './dynamo.ts';

type Given = {
  readonly merchants?: readonly Merchant[];
  readonly shops?: readonly Shop[];
  readonly bills?: readonly Bill[];
  /** Their bills must be given too. */
  readonly payments?: readonly Payment[];
  /** Default: a record that names no provider for payments. */
  readonly chargeLimits?: ChargeLimits;
};

const defaults = (currency: BillCurrency) => termsFrom(environments.local.terms, currency);

/** As with a record that names no provider for payments. */
export const unchecked: ChargeLimits = { rangesIn: () => undefined, methodsIn: () => undefined };

/** The real store on a fresh table, with a fixed clock and sequential ids. */
export async function apiDeps({
  merchants = [aMerchant()],
  shops = [aShop()],
  bills = [],
  payments = [],
  chargeLimits = unchecked,
}: Given = {}) {
  const table = await freshTable();
  const logged: Parameters<Log>[] = [];
  const queued: RefundId[] = [];
  let ids = 0;
  const deps = {
    merchants: dynamoMerchants(table),
    shops: dynamoShops(table),
    bills: dynamoBills(table, () => today),
    contacts: dynamoContacts(table, () => today),
    contactSealer,
    payments: dynamoPayments(table),
    ...listsOn(table),
    balances: dynamoBalances(table),
    refunds: dynamoRefunds(table, () => today),
    chargebacks: dynamoChargebacks(table),
    isAcquirerDeployed: () => true,
    refundQueue: { send: async (id: RefundId) => void queued.push(id) },
    queued,
    rates: dynamoRates(table),
    terms: dynamoTerms(table, defaults),
    chargeLimits,
    merchantUrls: 'public' as const,
    now: () => today,
    newId: (length: number) => `${(ids += 1)}`.padStart(length, '0'),
    log: (...line: Parameters<Log>) => void logged.push(line),
    timeZone: 'UTC',
    publicUrl: 'https://pay.example.test',
  };
  for (const merchant of merchants) await deps.merchants.create(merchant);
  for (const shop of shops) await deps.shops.create(shop);
  for (const bill of bills) await deps.bills.create(bill, [], []);
  for (const payment of payments) await start(deps, payment);
  return { ...deps, table, logged };
}

export type ApiDeps = Awaited<ReturnType<typeof apiDeps>>;

/** What searches read. */
export const listsOn = (table: Table) => {
  const listings = dynamoListings(table);
  return {
    listings,
    keyedListings: dynamoKeyedListings(table, listings),
    listHistory: dynamoListHistory(table),
  };
};

/** Starts a payment as the payment page does. */
export async function start(
  { bills, payments }: Pick<ApiDeps, 'bills' | 'payments'>,
  payment: Payment,
): Promise<void> {
  const bill = await bills.find(payment.billId);
  if (!bill) throw new Error('The payment needs its bill');
  const lockUntil = new Date(today.getTime() + 15 * 60_000);
  const started = await payments.start(payment, { bill, now: today, lockUntil });
  if (!started.ok) throw new Error(started.error);
}

/** Completes the payment: fence, capture, settlement. */
export async function paid(
  { payments }: Pick<ApiDeps, 'payments'>,
  id: PaymentId,
  { receivedMinor }: { readonly receivedMinor?: bigint } = {},
): Promise<void> {
  const found = await payments.findWithBill(id);
  if (!found) throw new Error('There is no such payment');
  const { payment: started, bill } = found;
  await payments.fence(started, aCall());
  const fenced: Payment = { ...started, phase: 'CAPTURING' };
  const received = receivedMinor ?? chargeMinor(started);
  const entry = captureEntry(fenced, received, today);
  const after: Payment = {
    ...fenced,
    phase: 'DONE',
    status: statusOfReceipt(received, chargeMinor(started)),
    receivedMinor: received,
    feeMinor: paymentFee(fenced, received),
    reserve: reserveOf(fenced, entry),
    fromCard: '411111******1111',
  };
  const settled = await payments.settle({ payment: fenced, bill }, after, [entry], undefined);
  if (!settled.ok) throw new Error(settled.error);
}
