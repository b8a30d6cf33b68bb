import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { AuditRecord } from '../../../lib/operator/audit/records.ts';
import { dynamoAuditRecords } from '../../../lib/store/audit-records.ts';
import type { Table } from '../../../lib/store/table.ts';
import type { LimitUsage } from '../../../lib/payout/limits.ts';
import { toPayoutBalance } from '../../../lib/store/payout-balance.ts';
import { toOverrides } from '../../../lib/store/terms-item.ts';
import { usualTerms } from '../harness/ports.ts';
import { movements } from '../../../lib/sandbox/books.ts';

type Limit =
  | 'dayLimitMinor'
  | 'monthLimitMinor'
  | 'autoApproveDayTotalMinor'
  | 'autoApproveKnownDayTotalMinor'
  | 'secondPersonAboveMinor';
type Limits = Readonly<Partial<Record<Limit, bigint>>>;

type Of<K extends AuditRecord['kind']> = Extract<AuditRecord, { readonly kind: K }>;

/** All records of the service and the provider between two calls. */
export class Snapshot {
  readonly records: readonly AuditRecord[];
  readonly movements: Awaited<ReturnType<typeof movements>>;
  /** The state of the provider's order of each payment. */
  readonly orders: ReadonlyMap<string, string>;

  /** The limit counters stored with each merchant's balance in rubles. */
  readonly counters: ReadonlyMap<string, LimitUsage>;
  readonly #limits: ReadonlyMap<string, Limits>;

  constructor(
    records: readonly AuditRecord[],
    moved: Awaited<ReturnType<typeof movements>>,
    orders: ReadonlyMap<string, string>,
    counters: ReadonlyMap<string, LimitUsage>,
    limits: ReadonlyMap<string, Limits>,
  ) {
    this.counters = counters;
    this.#limits = limits;
    this.records = records;
    this.movements = moved;
    this.orders = orders;
  }

  limitOf(merchantId: string, limit: Limit): bigint {
    return this.#limits.get(merchantId)?.[limit] ?? usualTerms('RUB')[limit];
  }

  of<K extends AuditRecord['kind']>(kind: K): readonly Of<K>[] {
    return this.records.filter((record): record is Of<K> => record.kind === kind);
  }
}

export async function takeSnapshot(table: Table, sandboxTable: Table): Promise<Snapshot> {
  const records: AuditRecord[] = [];
  for await (const record of dynamoAuditRecords(table).records()) records.push(record);
  const orders = (await scan(sandboxTable)).filter(({ SK }) => SK === 'ORDER');
  const states = orders.map((order) => [String(order['paymentId']), String(order['state'])] as const);
  const items = await scan(table);
  return new Snapshot(
    records,
    await movements(sandboxTable),
    new Map(states),
    countersIn(items),
    limitsIn(items),
  );
}

type Item = Readonly<Record<string, unknown>>;

const countersIn = (items: readonly Item[]): ReadonlyMap<string, LimitUsage> =>
  new Map(
    items
      .filter(({ PK, SK }) => String(PK).startsWith('BAL#') && SK === 'A#RUB')
      .map((item) => [String(item['PK']).slice('BAL#'.length), toPayoutBalance(item).usage]),
  );

const limitsIn = (items: readonly Item[]): ReadonlyMap<string, Limits> =>
  new Map(
    items
      .filter(({ SK }) => SK === 'TERMS#RUB')
      .map((item) => [String(item['PK']).slice('M#'.length), toOverrides(item)]),
  );

export async function scan({ client, name: TableName }: Table): Promise<readonly Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let ExclusiveStartKey: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey, ConsistentRead: true }));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  // The store returns items in any order; runs must not depend on it.
  const name = ({ PK, SK }: Record<string, unknown>) => `${String(PK)} ${String(SK)}`;
  return items.sort((one, other) => (name(one) < name(other) ? -1 : 1));
}
