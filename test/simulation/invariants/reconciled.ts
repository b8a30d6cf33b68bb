import { providerDaysStep } from '../../../lib/operator/audit/provider-days.ts';
import { dateAfter } from '../../../lib/reconciliation/day.ts';
import { reconcileDay } from '../../../lib/reconciliation/reconcile-day.ts';
import type { Difference, Reconciliation } from '../../../lib/reconciliation/reconciliation.ts';
import { acquirerSource, railSource } from '../../../lib/reconciliation/sources.ts';
import { dynamoBooks } from '../../../lib/store/books.ts';
import { dynamoJournal } from '../../../lib/store/journal.ts';
import { dynamoReconciliations } from '../../../lib/store/reconciliations.ts';
import { faultyTable } from '../harness/faulty-table.ts';
import type { World } from '../harness/world.ts';
import { endpointIdOf } from '../../../lib/postback/event.ts';
import { unlikeAccounts } from './provider-accounts.ts';
import type { Snapshot } from './records.ts';

const timeZone = 'UTC';

/**
 * Reconciles each day on which money moved. After recovery there is no difference but those that people made by false statements,
 * what a rail changed after the end, and postbacks to a server that never recovers.
 */
export async function checkReconciled(world: World, snapshot: Snapshot): Promise<void> {
  const times = [
    ...snapshot.movements.map(({ at }) => at),
    ...snapshot.of('entry').map(({ entry }) => entry.at),
  ];
  const dates = new Set(times.map((at) => at.toISOString().slice(0, 10)));
  const results: Reconciliation[] = [];
  for (const date of [...dates].toSorted()) {
    const ran = await world.pump(
      world.invoke('reconcile', async (ports, by) => {
        const table = faultyTable(world, by);
        return reconcileDay(
          {
            ...ports,
            timeZone,
            remainingMs: () => Number.POSITIVE_INFINITY,
            now: () => new Date(world.scheduler.clock + 2 * 24 * 3_600_000),
            wait: async () => undefined,
            books: dynamoBooks(table),
            journal: dynamoJournal(table),
            reconciliations: dynamoReconciliations(table),
            sources: world.providers.flatMap(({ name }) => [
              ...[ports.acquirers.named(name) ?? []].flat().map(acquirerSource),
              ...[ports.rails.named(name) ?? []].flat().map(railSource),
            ]),
          },
          date,
        );
      }),
    );
    if (ran.kind !== 'done' || !ran.done.ok) {
      world.violate('reconciled', `${date} was not compared`);
      continue;
    }
    const { compared, differences } = ran.done.value;
    results.push(ran.done.value);
    world.count(`did reconcile ${differences.length === 0 ? 'a day' : 'a day with explained differences'}`);
    for (const { provider, role, incomplete } of compared)
      if (incomplete)
        world.violate('reconciled', `${date}: ${provider} ${role} is incomplete: ${incomplete}`);
    for (const each of differences.filter((one) => !isExpected(world, snapshot, one)))
      world.violate(
        'reconciled',
        `${date}: ${JSON.stringify(each, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`,
      );
    await checkAudited(world, date);
  }
  for (const { invariant, text } of unlikeAccounts(snapshot, results)) world.violate(invariant, text);
}

/** The audit finds the day as its reconciliation has left it. */
async function checkAudited(world: World, date: string): Promise<void> {
  const step = providerDaysStep({
    now: () => new Date(`${dateAfter(date, 1)}T12:00:00.000Z`),
    wait: async () => undefined,
    timeZone,
    books: dynamoBooks(world.table),
    reconciliations: dynamoReconciliations(world.table),
  });
  const scope = { merchantId: undefined, since: undefined };
  const { counts, differences } = await step.part({ scope, after: date, mayGoOn: () => false });
  for (const { invariant, text } of differences) world.violate(invariant, text);
  if (counts['days_compared'] !== 1) world.violate('reconciled', `the audit did not compare ${date}`);
}

function isExpected({ providers, population }: World, snapshot: Snapshot, difference: Difference): boolean {
  const { kind, about, subject, reference, decidedBy, there } = difference;
  // People decide without the provider, so its statement may lack what they settled; what it states is settled as it says.
  const isStatedPayment = about !== 'payout' && there?.at !== undefined;
  if (decidedBy !== undefined && !isStatedPayment) return true;
  if (kind === 'postback_not_delivered') {
    const found = snapshot.of('event').find(({ event }) => event.id === reference);
    return found !== undefined && population.deadEndpoints.includes(endpointIdOf(found.event));
  }
  return providers.some(
    ({ changedPayouts }) => subject !== undefined && [...changedPayouts].some((id) => id === subject),
  );
}
