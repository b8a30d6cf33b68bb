import { expect } from 'vitest';
import type { Acquirers } from '../../lib/payment/acquirer.ts';
import type { Rails } from '../../lib/payout/ports.ts';
import { addsUp } from '../../lib/reconciliation/accounts.ts';
import type { ReconcilePorts } from '../../lib/reconciliation/ports.ts';
import { acquirerSource, railSource } from '../../lib/reconciliation/sources.ts';
import { dynamoBooks } from '../../lib/store/books.ts';
import { dynamoChargebacks } from '../../lib/store/chargebacks.ts';
import { dynamoJournal } from '../../lib/store/journal.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { dynamoReconciliations } from '../../lib/store/reconciliations.ts';
import { dynamoShops } from '../../lib/store/shops.ts';
import type { Table } from '../../lib/store/table.ts';
import { dynamoUnknownPayments } from '../../lib/store/unknown-payments.ts';

type Given = {
  readonly table: Table;
  readonly now: () => Date;
  readonly acquirers: Pick<Acquirers, 'named'>;
  readonly rails: Pick<Rails, 'named'>;
  /** The deployed providers by role; those that the lookups know, unless given. */
  readonly providers?: Readonly<Record<'acquirer' | 'rail', readonly string[]>>;
  readonly timeZone?: string;
};

/** The reconciliation on a real table, with the alarms that it raised. The accounts of every result must add up. */
export function reconcilePortsOn({
  table,
  now,
  acquirers,
  rails,
  providers,
  timeZone = 'Europe/Moscow',
}: Given) {
  const alarms: string[] = [];
  const named = providers ?? { acquirer: ['sandbox', 'yookassa'], rail: ['sandbox', 'yookassa'] };
  const sources = [
    ...named.acquirer.flatMap((name) => acquirers.named(name) ?? []).map(acquirerSource),
    ...named.rail.flatMap((name) => rails.named(name) ?? []).map(railSource),
  ];
  const stored = dynamoReconciliations(table);
  const ports: ReconcilePorts = {
    now,
    wait: async () => undefined,
    remainingMs: () => Number.POSITIVE_INFINITY,
    timeZone,
    log: () => undefined,
    alarm: (name, { day }) => void alarms.push(`${name} ${day}`),
    books: dynamoBooks(table),
    journal: dynamoJournal(table),
    chargebacks: dynamoChargebacks(table),
    unknownPayments: dynamoUnknownPayments(table),
    shops: dynamoShops(table),
    merchants: dynamoMerchants(table),
    reconciliations: {
      ...stored,
      async store(reconciliation) {
        expect(reconciliation.accounts?.filter((account) => !addsUp(account))).toEqual([]);
        return stored.store(reconciliation);
      },
    },
    sources,
    acquirers,
    rails,
  };
  return { ports, alarms };
}
