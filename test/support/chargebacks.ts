import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { confirmChargeback, dismissChargeback } from '../../lib/decision/decide-chargeback.ts';
import { collectClaim, writeOffClaim } from '../../lib/decision/close-claim.ts';
import { enterChargeback } from '../../lib/decision/enter-chargeback.ts';
import type { Bearer, Chargeback, ChargebackDirection } from '../../lib/ledger/chargeback.ts';
import { captureEntry } from '../../lib/payment/payment-postings.ts';
import type { Shop } from '../../lib/merchant/shop.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import { credit, dynamoBalances } from '../../lib/store/balances.ts';
import { billItem } from '../../lib/store/bill-item.ts';
import { dynamoChargebacks, dynamoClaims } from '../../lib/store/chargebacks.ts';
import { putEntry, toEntry } from '../../lib/store/entry-item.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { paymentItem } from '../../lib/store/payment-item.ts';
import { dynamoPayments } from '../../lib/store/payments.ts';
import { dynamoShops } from '../../lib/store/shops.ts';
import type { Table } from '../../lib/store/table.ts';
import { transact } from '../../lib/store/transact.ts';
import { differencesIn } from './audit.ts';
import { aBill, aMerchant, aPayment, aShop, merchantId, paymentId, today } from './builders.ts';
import { freshTable } from './dynamo.ts';
import { itemsOf } from './items-of.ts';

const now = (): Date => today;

/** 100.50 RUB received, of which the merchant got 98.49. */
export const aPaidPayment = (traits: Partial<Payment> = {}): Payment =>
  aPayment({ status: 'SUCCESS', phase: 'DONE', receivedMinor: 10_050n, feeMinor: 201n, ...traits });

/** The same in tenge, at 0.17 RUB: the merchant got 16.74 RUB. */
export const inTenge = {
  amount: { minor: 10_050n, currency: 'KZT' },
  settlement: { currency: 'RUB', numerator: 17n, denominator: 100n },
} as const;

/** A loss of 40.00 of that payment that its acquirer reported. */
export const aChargeback = (traits: Partial<Chargeback> = {}): Chargeback => ({
  id: `${paymentId}.chargeback.1`,
  paymentId,
  number: 1,
  merchantId,
  direction: 'loss',
  amount: { minor: 4_000n, currency: 'RUB' },
  seen: { state: 'captured', heldMinor: 6_050n, refundedMinor: undefined },
  entered: undefined,
  at: today,
  status: 'OPEN',
  decision: undefined,
  ...traits,
});

/** Stores a paid payment with its shop and bill, its CAPTURE entry and what the merchant got of it. */
export async function bookPaid(
  table: Table,
  payment = aPaidPayment(),
  shop: Partial<Shop> = {},
): Promise<void> {
  const { id, amount } = payment;
  const bill = aBill({ status: 'SUCCESS', paidBy: id, current: id, fenced: true, amount });
  await dynamoShops(table).create(aShop(shop));
  for (const Item of [billItem(bill), paymentItem(payment, today)])
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  const entry = captureEntry(payment, payment.receivedMinor ?? 0n, today);
  const minor = entry.lines.find(({ account }) => account === 'available')?.minor ?? 0n;
  const { currency } = payment.settlement;
  await transact(table, [credit(table, payment.merchantId, { currency, minor }), putEntry(table, entry)]);
}

/** A table with a paid payment. */
export async function chargebackHarness({
  payment = aPaidPayment(),
  shop = {},
}: {
  readonly payment?: Payment;
  readonly shop?: Partial<Shop>;
} = {}) {
  const table = await freshTable();
  await dynamoMerchants(table).create(aMerchant());
  await bookPaid(table, payment, shop);
  return chargebacksOn(table, payment);
}

/** The decisions about the payment's chargebacks; their writes go through `own`, which may inject what happens meanwhile. */
export function chargebacksOn(table: Table, payment = aPaidPayment(), own = table) {
  /** The postbacks that were queued. */
  const queued: string[] = [];
  const ports = {
    now,
    payments: dynamoPayments(own),
    balances: dynamoBalances(own),
    chargebacks: dynamoChargebacks(own),
    claims: dynamoClaims(own),
    shops: dynamoShops(own),
    postbackQueue: {
      send: async (eventId: string) => void queued.push(eventId),
      length: async () => queued.length,
    },
  };
  let decisions = 0;
  const newId = () => `decision${(decisions += 1)}`;
  const two = (id = newId()) => ({ id, by: 'olga', approvedBy: 'petr', reason: 'case 4711' });
  return {
    ...ports,
    table,
    queued,
    two,
    enter: (
      amountMinor: bigint,
      {
        direction = 'loss',
        id = newId(),
      }: { readonly direction?: ChargebackDirection; readonly id?: string } = {},
    ) =>
      enterChargeback(ports, {
        id,
        by: 'olga',
        paymentId: payment.id,
        direction,
        amountMinor,
        reason: 'letter',
      }),
    confirm: (chargebackId: string, bearer: Bearer = 'merchant', signed = two()) =>
      confirmChargeback(ports, { ...signed, chargebackId, bearer }),
    dismiss: (chargebackId: string, signed = two()) => dismissChargeback(ports, { ...signed, chargebackId }),
    collect: (claimId: string, id = newId()) => collectClaim(ports, { claimId, id, by: 'olga' }),
    writeOff: (claimId: string, signed = two()) => writeOffClaim(ports, { ...signed, claimId }),
    /** Takes from the balance as a payout would, with an entry; or adds to it. */
    moveBalance: async (minor: bigint, currency: 'RUB' = 'RUB') => {
      const about = newId();
      await transact(table, [
        credit(table, merchantId, { currency, minor }),
        putEntry(table, {
          about,
          kind: 'ADJUST',
          merchantId,
          lines: [
            { account: 'available', currency, minor },
            { account: 'correction', currency, minor: -minor },
          ],
          at: today,
          adjustment: { id: about, reason: 'test', proposedBy: 'olga', approvedBy: 'petr' },
        }),
      ]);
    },
    available: async () =>
      (await dynamoBalances(table).of(merchantId)).find(({ currency }) => currency === 'RUB')?.available,
    entries: async () =>
      (await itemsOf(table))
        .filter(({ PK }) => PK.startsWith('J#'))
        .map(toEntry)
        .filter(({ kind }) => kind !== 'CAPTURE' && kind !== 'ADJUST')
        .map(({ kind, lines }) => [
          kind,
          ...lines.map(({ account, minor, currency }) => `${account} ${minor} ${currency}`),
        ]),
    /** The differences that `audit` finds, apart from the test's own movements of the balance and decisions that it never recorded. */
    differences: async () =>
      (await differencesIn({ table, now })).filter(
        ({ invariant }) => invariant !== 'adjustments_match_entries' && invariant !== 'decisions_were_made',
      ),
  };
}
