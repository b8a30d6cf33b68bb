import type { AuditRecord } from '../../../lib/operator/audit/records.ts';
import { auditItem } from '../../../lib/store/audit-items.ts';
import type { Table } from '../../../lib/store/table.ts';
import type { LimitUsage } from '../../../lib/payout/limits.ts';
import { toPayoutBalance } from '../../../lib/store/payout-balance.ts';
import { toOverrides } from '../../../lib/store/terms-item.ts';
import { usualTerms } from '../harness/ports.ts';
import { scan } from '../harness/scan.ts';
import { movements } from '../../../lib/sandbox/books.ts';
import type { World } from '../harness/world.ts';

type Limit =
  | 'dayLimitMinor'
  | 'monthLimitMinor'
  | 'autoApproveDayTotalMinor'
  | 'autoApproveKnownDayTotalMinor'
  | 'secondPersonAboveMinor';
type Limits = Readonly<Partial<Record<Limit, bigint>>>;

type Of<K extends AuditRecord['kind']> = Extract<AuditRecord, { readonly kind: K }>;

/** An order as a provider has it. `isChanged`: after its end, without the service. */
export type ProviderOrder = {
  readonly paymentId: string;
  readonly reference: string;
  readonly state: string;
  readonly openedAt: Date;
  readonly isChanged: boolean;
};

/** A movement of money in a provider's own books. */
type Moved = Awaited<ReturnType<typeof movements>>[number] & { readonly provider: string };

/** All records of the service and the providers between two calls. */
export class Snapshot {
  readonly records: readonly AuditRecord[];
  readonly movements: readonly Moved[];
  /** The orders of all providers. */
  readonly orders: readonly ProviderOrder[];

  /** The limit counters stored with each merchant's balance in rubles. */
  readonly counters: ReadonlyMap<string, LimitUsage>;
  readonly #limits: ReadonlyMap<string, Limits>;

  constructor(
    records: readonly AuditRecord[],
    moved: readonly Moved[],
    orders: readonly ProviderOrder[],
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

export async function takeSnapshot({ table, providers }: World): Promise<Snapshot> {
  const items = await scan(table);
  const records = items.flatMap((item) => auditItem(item).records);
  return new Snapshot(
    records,
    (await Promise.all(providers.map(movedAt))).flat(),
    (await Promise.all(providers.map((provider) => ordersOf(provider.table)))).flat(),
    countersIn(items),
    limitsIn(items),
  );
}

const movedAt = async ({ name, table }: World['providers'][number]): Promise<readonly Moved[]> =>
  (await movements(table)).map((movement) => ({ ...movement, provider: name }));

async function ordersOf(table: Table): Promise<readonly ProviderOrder[]> {
  const items = (await scan(table)).filter(({ SK }) => SK === 'ORDER');
  return items.map(({ paymentId, reference, state, openedAt, changes }) => ({
    paymentId: String(paymentId),
    reference: String(reference),
    state: String(state),
    openedAt: new Date(String(openedAt)),
    isChanged: Number(changes ?? 0) > 0,
  }));
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
