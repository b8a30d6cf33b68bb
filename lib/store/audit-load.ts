import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  type AccountId,
  type BillId,
  billIdOf,
  type GroupId,
  type MerchantId,
  type PaymentId,
  type PayoutId,
  type RefundId,
  type ShopId,
} from '../ids.ts';
import { balanceCurrencies } from '../money/money.ts';
import {
  type Found,
  isRead,
  type ListKind,
  listedTogether,
  mostRefundsListed,
  type ReadRecord,
  type RecordKind,
  type RecordOf,
  type Ref,
  refText,
} from '../operator/audit/rule.ts';
import type { AuditItem } from '../operator/audit/source.ts';
import { inBatches, inParallel } from '../reconciliation/in-parallel.ts';
import { adjustmentKey } from './adjustment-item.ts';
import { auditItem, type Key, keyText } from './audit-items.ts';
import { balanceKey } from './balance-item.ts';
import { batchGet } from './batch-get.ts';
import { billKey, billPartition, billReferenceKey } from './bill-item.ts';
import { chargebackKeyOf } from './chargeback-item.ts';
import { claimKeyOf } from './claim-item.ts';
import { decisionKey, proposalKey } from './decision-item.ts';
import { entryPartition } from './entry-item.ts';
import { eventKey } from './event-item.ts';
import { merchantKey, tokenKey } from './merchant-item.ts';
import { paymentKey, paymentPrefix } from './payment-item.ts';
import { payoutAccountKey } from './payout-account-item.ts';
import { groupKey, knownAccountKey, payoutClaimKey } from './payout-claims.ts';
import { payoutNumberKey } from './payout-number-item.ts';
import { groupPartition, payoutKey } from './payout-item.ts';
import { refundKey, refundPrefixOf } from './refund-item.ts';
import { shopKey, shopReferenceKey } from './shop-item.ts';
import { storedId } from './stored-id.ts';
import type { Table } from './table.ts';

/** Requests at a time: a page depends on some dozens of batches. */
const requestsAtOnce = 8;
const keysPerBatch = 100;

/** What a page of the scan holds: items by key, and the partitions that are whole in it. */
export type Loaded = {
  readonly items: ReadonlyMap<string, AuditItem>;
  readonly partitions: ReadonlyMap<string, readonly AuditItem[]>;
};
export const nothingLoaded: Loaded = { items: new Map(), partitions: new Map() };

/** Returns the records that these refs name: those that are loaded, the others by reads. */
export async function loadRecords(
  table: Table,
  refs: readonly Ref[],
  { loaded, ConsistentRead }: { readonly loaded: Loaded; readonly ConsistentRead: boolean },
): Promise<Found> {
  const ones = new Map<string, { readonly kind: RecordKind; readonly key: Key }>();
  const lists = new Map<string, { readonly kind: ListKind; readonly id: string }>();
  for (const { kind, id } of refs) {
    if (isList(kind)) lists.set(refText({ kind, id }), { kind, id });
    else {
      const key = keyOrNone(kind, id);
      if (key) ones.set(refText({ kind, id }), { kind, key });
    }
  }
  const items = new Map<string, AuditItem>();
  const missing = new Map<string, Key>();
  for (const { key } of ones.values()) {
    const name = keyText(key);
    const there = loaded.items.get(name);
    if (there) items.set(name, there);
    else missing.set(name, key);
  }
  const listed = new Map<string, readonly ReadRecord[]>();
  await inParallel(
    [
      ...inBatches([...missing.values()], keysPerBatch).map((keys) => async () => {
        for (const raw of await batchGet(table, keys, { ConsistentRead })) {
          const item = auditItem(raw);
          items.set(item.key, item);
        }
      }),
      ...[...lists].map(([name, { kind, id }]) => async () => {
        const partition = loaded.partitions.get(partitionOf(kind, id));
        const found = partition ?? (await readList(table, kind, id, ConsistentRead));
        listed.set(
          name,
          found.flatMap(readIn).filter((record) => record.kind === listedTogether[kind]),
        );
      }),
    ],
    requestsAtOnce,
    (read) => read(),
  );
  return foundAs(
    (ref) => {
      const one = ones.get(ref);
      const item = one && items.get(keyText(one.key));
      return item?.records.find(isRead);
    },
    (list) => listed.get(list) ?? [],
  );
}

const readIn = ({ records }: AuditItem): readonly ReadRecord[] => records.filter(isRead);

const foundAs = (
  one: (ref: string) => ReadRecord | undefined,
  all: (list: string) => readonly ReadRecord[],
): Found => ({
  one<K extends RecordKind>(kind: K, id: string) {
    const record = one(refText({ kind, id }));
    const isOf = (each: ReadRecord): each is RecordOf<K> => each.kind === kind;
    return record && isOf(record) ? record : undefined;
  },
  all<L extends ListKind>(list: L, id: string) {
    const isOf = (each: ReadRecord): each is RecordOf<(typeof listedTogether)[L]> =>
      each.kind === listedTogether[list];
    return all(refText({ kind: list, id })).filter(isOf);
  },
});

const isList = (kind: Ref['kind']): kind is ListKind => Object.hasOwn(listedTogether, kind);

/** Returns the key under which a record with this id is; undefined for text that can be no id of the kind. */
function keyOrNone(kind: RecordKind, id: string): Key | undefined {
  try {
    return keysByKind[kind](id);
  } catch {
    return undefined;
  }
}

const ids = {
  merchant: storedId<MerchantId>(),
  shop: storedId<ShopId>(),
  bill: storedId<BillId>(),
  payment: storedId<PaymentId>(),
  refund: storedId<RefundId>(),
  payout: storedId<PayoutId>(),
  group: storedId<GroupId>(),
  account: storedId<AccountId>(),
};
/** Builds a key from an id of two parts. */
function pair(text: string, keyOfBoth: (one: string, other: string) => Key): Key | undefined {
  const [one, other] = text.split(' ');
  return one === undefined || other === undefined ? undefined : keyOfBoth(one, other);
}

const balanceName = z.tuple([z.string(), z.enum(balanceCurrencies)]);

const keysByKind: { readonly [K in RecordKind]: (id: string) => Key | undefined } = {
  merchant: (text) => merchantKey(ids.merchant.parse(text)),
  shop: (text) => shopKey(ids.shop.parse(text)),
  bill: (text) => billKey(ids.bill.parse(text)),
  payment: (text) => paymentKey(ids.payment.parse(text)),
  refund: (text) => refundKey(ids.refund.parse(text)),
  payout: (text) => payoutKey(ids.payout.parse(text)),
  event: eventKey,
  adjustment: adjustmentKey,
  chargeback: chargebackKeyOf,
  claim: claimKeyOf,
  token: tokenKey,
  shop_reference: (text) =>
    pair(text, (merchantId, shopId) =>
      shopReferenceKey(ids.merchant.parse(merchantId), ids.shop.parse(shopId)),
    ),
  payout_account: (text) =>
    pair(text, (merchantId, account) =>
      payoutAccountKey(ids.merchant.parse(merchantId), ids.account.parse(account)),
    ),
  payout_number: (text) =>
    pair(text, (merchantId, hash) => payoutNumberKey(ids.merchant.parse(merchantId), hash)),
  known_account: (text) =>
    pair(text, (merchantId, hash) => knownAccountKey(ids.merchant.parse(merchantId), hash)),
  bill_reference: (text) => billReferenceKey(text.split(' ')),
  payout_claim: (text) =>
    pair(text, (merchantId, hash) => payoutClaimKey(ids.merchant.parse(merchantId), hash)),
  group: (text) => groupKey(ids.group.parse(text)),
  proposal: proposalKey,
  /** Of `operator <name> <id>`. The name may contain spaces, the id does not. */
  decision(text) {
    const [role, by, last] = [
      text.slice(0, text.indexOf(' ')),
      text.slice(text.indexOf(' ') + 1, text.lastIndexOf(' ')),
      text.slice(text.lastIndexOf(' ') + 1),
    ];
    return role === 'operator' || role === 'approver' ? decisionKey({ role, by, id: last }) : undefined;
  },
  balance(text) {
    const [merchantId, currency] = balanceName.parse(text.split(' '));
    return balanceKey(ids.merchant.parse(merchantId), currency);
  },
  /** Of `<about> CAPTURE`. */
  entry(text) {
    const space = text.lastIndexOf(' ');
    const [about, SK] = [text.slice(0, space), text.slice(space + 1)];
    return space < 0 || SK === '' ? undefined : { PK: entryPartition(about), SK };
  },
};

const partitions: { readonly [L in ListKind]: (id: string) => string } = {
  payments_of: (text) => billPartition(ids.bill.parse(text)),
  refunds_of: (text) => billPartition(billIdOf(ids.payment.parse(text))),
  payouts_of: (text) => groupPartition(ids.group.parse(text)),
};
const partitionOf = (kind: ListKind, id: string): string => partitions[kind](id);
const prefixes: { readonly [L in ListKind]: (id: string) => string } = {
  payments_of: () => paymentPrefix,
  refunds_of: (text) => refundPrefixOf(ids.payment.parse(text)),
  payouts_of: () => 'PO#',
};

/** The most records of a list that are held: a MULTI bill may have any number of payments. Refunds are added up, so all are needed. */
const mostOf: { readonly [L in ListKind]: number } = {
  payments_of: 1_000,
  refunds_of: mostRefundsListed,
  payouts_of: 1_000,
};

/** Reads a list: at most so many, and of what is beyond them one paid payment, if there is one. */
async function readList(
  { client, name: TableName }: Table,
  kind: ListKind,
  id: string,
  ConsistentRead: boolean,
): Promise<readonly AuditItem[]> {
  const items: AuditItem[] = [];
  const mostListed = mostOf[kind];
  let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey'];
  do {
    const isFull = items.length >= mostListed;
    const page = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'PK = :partition AND begins_with(SK, :prefix)',
        ExpressionAttributeValues: {
          ':partition': partitionOf(kind, id),
          ':prefix': prefixes[kind](id),
          ...(isFull && { ':process': 'PROCESS', ':fail': 'FAIL' }),
        },
        ...(isFull && {
          FilterExpression: 'NOT #status IN (:process, :fail)',
          ExpressionAttributeNames: { '#status': 'status' },
        }),
        Limit: isFull ? undefined : mostListed - items.length,
        ExclusiveStartKey,
        ConsistentRead,
      }),
    );
    items.push(...(page.Items ?? []).slice(0, isFull ? 1 : undefined).map((item) => auditItem(item)));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey && items.length <= mostListed);
  return items;
}
