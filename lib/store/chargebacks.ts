import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { MerchantId, PaymentId } from '../ids.ts';
import type { Chargeback, Chargebacks, RefundsRead } from '../ledger/chargeback.ts';
import type { Claim, Claims } from '../ledger/claim.ts';
import type { Entry } from '../ledger/entry.ts';
import { isBalanceCurrency } from '../money/money.ts';
import { debit } from './balances.ts';
import { batchGet } from './batch-get.ts';
import {
  chargebackItem,
  chargebackKeyOf,
  chargebackList,
  chargebackPartition,
  chargebackTimeline,
  toChargeback,
} from './chargeback-item.ts';
import { claimItem, claimKeyOf, claimList, claimPartition, toClaim } from './claim-item.ts';
import { putEntry } from './entry-item.ts';
import { putEvent } from './event-item.ts';
import { getItem } from './get-item.ts';
import { paymentKey } from './payment-item.ts';
import { queryAll } from './query-all.ts';
import { type Table, tableSchema } from './table.ts';
import { type TransactionStep, transact } from './transact.ts';
import { everythingOn } from './work-list.ts';

/** Chargebacks. A confirmation, its claim and its money movement are one transaction (lib/ledger/README.md). */
export const dynamoChargebacks = (table: Table): Chargebacks => ({
  ofPayment: async (paymentId) => (await partition(table, chargebackPartition(paymentId))).map(toChargeback),
  async find(id) {
    const key = chargebackKeyOf(id);
    return key && getItem(table, key, toChargeback);
  },
  create: (chargeback, refunds) =>
    transact<'chargeback_exists' | 'refunds_changed'>(table, [
      putChargeback(table, chargeback),
      refundsAsRead(table, chargeback.paymentId, refunds),
    ]),
  confirm: (after, { entry, claim, event }) =>
    transact<'chargeback_already_decided' | 'balance_not_enough'>(table, [
      decideStep(table, after),
      ...debitSteps(table, entry),
      ...(claim ? [putClaim(table, claim)] : []),
      putEntry(table, entry),
      ...(event ? [putEvent(table, event)] : []),
    ]),
  dismiss: (after) => transact(table, [decideStep(table, after)]),
  listOpen: () => listOpen(table),
  listOf: (merchantId, limit) => listOf(table, merchantId, limit),
});

/** Claims on merchants. A collection and its money movement are one transaction. */
export const dynamoClaims = (table: Table): Claims => ({
  async find(id) {
    const key = claimKeyOf(id);
    return key && getItem(table, key, toClaim);
  },
  ofPayment: async (paymentId) => (await partition(table, claimPartition(paymentId))).map(toClaim),
  move: (before, after, entry) =>
    transact<'claim_changed' | 'balance_not_enough'>(table, [
      moveStep(table, before, after),
      ...debitSteps(table, entry),
      putEntry(table, entry),
    ]),
  async listOpen() {
    const claims = (await batchGet(table, await everythingOn(table, [claimList]))).map(toClaim);
    return claims.filter(({ openMinor }) => openMinor > 0n).toSorted(byTime);
  },
});

const partition = (table: Table, PK: string): Promise<readonly unknown[]> =>
  queryAll(table, {
    KeyConditionExpression: 'PK = :payment',
    ExpressionAttributeValues: { ':payment': PK },
    ConsistentRead: true,
  });

const putChargeback = (
  { name: TableName }: Table,
  chargeback: Chargeback,
): TransactionStep<'chargeback_exists'> => ({
  write: {
    Put: { TableName, Item: chargebackItem(chargeback), ConditionExpression: 'attribute_not_exists(PK)' },
  },
  onConditionFailed: 'chargeback_exists',
});

/** A refund writes the payment, so one that began or ended since is noticed. */
const refundsAsRead = (
  { name: TableName }: Table,
  paymentId: PaymentId,
  refunds: RefundsRead,
): TransactionStep<'refunds_changed'> => ({
  write: {
    ConditionCheck: {
      TableName,
      Key: paymentKey(paymentId),
      ...(refunds
        ? {
            ConditionExpression: 'refunds.reservedMinor = :reserved AND refunds.refundedMinor = :refunded',
            ExpressionAttributeValues: {
              ':reserved': refunds.reservedMinor,
              ':refunded': refunds.refundedMinor,
            },
          }
        : { ConditionExpression: 'attribute_exists(PK) AND attribute_not_exists(refunds)' }),
    },
  },
  onConditionFailed: 'refunds_changed',
});

/** Records a decision, on condition that the item is still OPEN. */
const decideStep = (
  { name: TableName }: Table,
  after: Chargeback,
): TransactionStep<'chargeback_already_decided'> => ({
  write: {
    Put: {
      TableName,
      Item: chargebackItem(after),
      ConditionExpression: '#status = :open',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':open': 'OPEN' },
    },
  },
  onConditionFailed: 'chargeback_already_decided',
});

const putClaim = ({ name: TableName }: Table, claim: Claim): TransactionStep => ({
  write: { Put: { TableName, Item: claimItem(claim), ConditionExpression: 'attribute_not_exists(PK)' } },
});

/** What is owed only falls, so it tells whether the claim is as it was read. */
const moveStep = (
  { name: TableName }: Table,
  before: Claim,
  after: Claim,
): TransactionStep<'claim_changed'> => ({
  write: {
    Put: {
      TableName,
      Item: claimItem(after),
      ConditionExpression: 'openMinor = :seen',
      ExpressionAttributeValues: { ':seen': before.openMinor },
    },
  },
  onConditionFailed: 'claim_changed',
});

/** The steps for the entry's lines on `available`, of which none is a credit. */
const debitSteps = (table: Table, { merchantId, lines }: Entry): TransactionStep<'balance_not_enough'>[] =>
  lines.flatMap(({ account, currency, minor }) =>
    account === 'available' && isBalanceCurrency(currency)
      ? [debit(table, merchantId, { currency, minor: -minor })]
      : [],
  );

/** The index is eventually consistent, so each item is read from the table. */
async function listOpen(table: Table): Promise<readonly Chargeback[]> {
  const found = (await batchGet(table, await everythingOn(table, [chargebackList]))).map(toChargeback);
  return found.filter(({ status }) => status === 'OPEN').toSorted(byTime);
}

async function listOf(table: Table, merchantId: MerchantId, limit: number): Promise<readonly Chargeback[]> {
  const query = new QueryCommand({
    TableName: table.name,
    IndexName: tableSchema.timeline.name,
    KeyConditionExpression: 'timeline = :merchant',
    ExpressionAttributeValues: { ':merchant': chargebackTimeline(merchantId) },
    ScanIndexForward: false,
    Limit: limit,
  });
  const { Items = [] } = await table.client.send(query);
  const keys = z.array(z.looseObject({ PK: z.string(), SK: z.string() })).parse(Items);
  // Items that operators may write could carry this timeline attribute too.
  const own = keys.filter(({ PK }) => PK.startsWith(chargebackPartition('')));
  return (await batchGet(table, own)).map(toChargeback).toSorted((one, other) => byTime(other, one));
}

type Timed = { readonly at: Date; readonly id: string };
const byTime = (one: Timed, other: Timed): number =>
  one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1);
