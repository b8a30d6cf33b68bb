import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import { balanceCurrencies } from '../money/money.ts';
import type { AuditRecord, AuditSource } from '../operator/audit/records.ts';
import { toAdjustment } from './adjustment-item.ts';
import { toBill, toKeyReference, toNewestReference, toOrderReference } from './bill-item.ts';
import { toChargeback } from './chargeback-item.ts';
import { toClaim } from './claim-item.ts';
import { decisionKeyFrom, toDecision, toProposal } from './decision-item.ts';
import { toEntry } from './entry-item.ts';
import { toEvent } from './event-item.ts';
import { toCaller, toMerchant, tokenHashFrom } from './merchant-item.ts';
import { minor } from './minor.ts';
import { toPayment } from './payment-item.ts';
import { toPayoutAccount } from './payout-account-item.ts';
import { toKnownAccount, toPayoutClaim, toPayoutGroup } from './payout-claims.ts';
import { toPayout } from './payout-item.ts';
import { toPayoutNumber } from './payout-number-item.ts';
import { storedId } from './stored-id.ts';
import { toShop, toShopReference } from './shop-item.ts';
import type { Table } from './table.ts';

/** Reads every item of the table for the audit. An item that does not parse as its key says is reported, not skipped. */
export const dynamoAuditRecords = (table: Table): AuditSource => ({ records: () => records(table) });

async function* records({ client, name: TableName }: Table): AsyncGenerator<AuditRecord> {
  let ExclusiveStartKey: ScanCommandInput['ExclusiveStartKey'];
  do {
    const scan = new ScanCommand({ TableName, ExclusiveStartKey, ConsistentRead: true });
    const { Items = [], LastEvaluatedKey } = await client.send(scan);
    for (const item of Items) yield* recordIn(item);
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

const key = z.looseObject({ PK: z.string(), SK: z.string(), workList: z.optional(z.string()) });
type Item = z.infer<typeof key>;

function* recordIn(raw: unknown): Generator<AuditRecord> {
  const item = key.parse(raw);
  const read = readers.find(({ is }) => is.test(`${item.PK} ${item.SK}`));
  if (!read) return;
  try {
    yield read.as(item);
  } catch (error) {
    const why = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error);
    yield { kind: 'unreadable', key: `${item.PK} ${item.SK}`, why };
  }
}

const minorOrNone = z._default(minor, 0n);
const balance = z.object({
  available: minorOrNone,
  locked: minorOrNone,
  held: minorOrNone,
  reserved: minorOrNone,
});
const balanceName = z.tuple([storedId<MerchantId>(), z.enum(balanceCurrencies)]);

/** Reads `BAL#<merchant>`, `A#<CUR>`. Shards of a busy merchant's balance are summed under the same name. */
function toBalanceRecord(item: Item): AuditRecord {
  const [merchantId, currency] = balanceName.parse([item.PK.split('#')[1], item.SK.split('#')[1]]);
  return { kind: 'balance', merchantId, balance: { currency, ...balance.parse(item) } };
}

const isListed = ({ workList }: Item) => ({ listed: workList !== undefined });

/** Readers by key pattern (lib/store/README.md). Items of other kinds hold neither money nor unfinished work. */
const readers: readonly { readonly is: RegExp; readonly as: (item: Item) => AuditRecord }[] = [
  { is: /^M#\S+ M$/, as: (item) => ({ kind: 'merchant', merchant: toMerchant(item) }) },
  {
    is: /^T#\S+ T$/,
    as: (item) => ({ kind: 'token', tokenHash: tokenHashFrom(item), caller: toCaller(item) }),
  },
  { is: /^M#\S+ SHOP#/, as: (item) => ({ kind: 'shop_reference', ...toShopReference(item) }) },
  { is: /^M#\S+ PA#/, as: (item) => ({ kind: 'payout_account', account: toPayoutAccount(item) }) },
  { is: /^M#\S+ PN#/, as: (item) => ({ kind: 'payout_number', number: toPayoutNumber(item) }) },
  { is: /^O#\S+ O$/, as: (item) => ({ kind: 'bill_reference', reference: toOrderReference(item) }) },
  {
    is: /^I#[^#]+#bill\/create#\S+ I$/,
    as: (item) => ({ kind: 'bill_reference', reference: toKeyReference(item) }),
  },
  { is: /^OL#\S+ S#/, as: (item) => ({ kind: 'bill_reference', reference: toNewestReference(item) }) },
  {
    is: /^I#[^#]+#payout\/create#\S+ I$/,
    as: (item) => ({ kind: 'payout_claim', claim: toPayoutClaim(item) }),
  },
  { is: /^G#\S+ G$/, as: (item) => ({ kind: 'group', group: toPayoutGroup(item) }) },
  { is: /^G#\S+ KNOWN$/, as: (item) => ({ kind: 'known_account', known: toKnownAccount(item) }) },
  {
    is: /^(?:OPERATOR|APPROVER)#/,
    as: (item) => ({ kind: 'decision', key: decisionKeyFrom(item), made: toDecision(item) }),
  },
  {
    is: /^PR#\S+ PR$/,
    as: (item) => ({ kind: 'proposal', proposal: toProposal(item), ...isListed(item) }),
  },
  { is: /^S#\S+ S$/, as: (item) => ({ kind: 'shop', shop: toShop(item) }) },
  { is: /^B#\S+ B$/, as: (item) => ({ kind: 'bill', bill: toBill(item) }) },
  { is: /^B#\S+ P#/, as: (item) => ({ kind: 'payment', payment: toPayment(item), ...isListed(item) }) },
  { is: /^G#\S+ PO#/, as: (item) => ({ kind: 'payout', payout: toPayout(item), ...isListed(item) }) },
  { is: /^E#\S+ E$/, as: (item) => ({ kind: 'event', event: toEvent(item), ...isListed(item) }) },
  {
    is: /^ADJ#\S+ ADJ$/,
    as: (item) => ({ kind: 'adjustment', adjustment: toAdjustment(item), ...isListed(item) }),
  },
  {
    is: /^CB#/,
    as: (item) => ({ kind: 'chargeback', chargeback: toChargeback(item), ...isListed(item) }),
  },
  { is: /^CL#/, as: (item) => ({ kind: 'claim', claim: toClaim(item), ...isListed(item) }) },
  { is: /^J#/, as: (item) => ({ kind: 'entry', entry: toEntry(item) }) },
  { is: /^BAL#/, as: toBalanceRecord },
];
