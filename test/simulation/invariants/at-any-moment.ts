import { billIdOf, toPaymentId } from '../../../lib/ids.ts';
import { audit } from '../../../lib/operator/audit/audit.ts';
import { toDecimal } from '../../../lib/money/money.ts';
import type { Violation, World } from '../harness/world.ts';
import { changedAfterFinal } from './finality.ts';
import { paidTwiceAutomatically, releasedByRule } from './automatic-payouts.ts';
import { approvedByOne, overLimit, overRuleTotal } from './limits.ts';
import { type Snapshot, takeSnapshot } from './records.ts';

/** Checks what holds between any two calls (lib/ledger/README.md). */
export async function checkMoment(world: World): Promise<Snapshot> {
  const snapshot = await takeSnapshot(world.table, world.provider.table);
  const found = [
    ...(await audited(world, snapshot)),
    ...chargedTwice(world, snapshot),
    ...unlikeProvider(world, snapshot),
    ...paidTwice(snapshot),
    ...overLimit(snapshot),
    ...overRuleTotal(snapshot),
    ...approvedByOne(snapshot),
    ...releasedByRule(snapshot),
    ...paidTwiceAutomatically(snapshot),
    ...changedAfterFinal(world, snapshot),
    ...changingKeys(world),
  ];
  for (const { invariant, text } of found) world.violate(invariant, text);
  return snapshot;
}

/** The invariants of the operator's `audit` command, checked by its own code. */
async function audited(world: World, snapshot: Snapshot): Promise<readonly Violation[]> {
  const auditSource = {
    async *records() {
      yield* snapshot.records;
    },
  };
  const { differences } = await audit({ auditSource, now: () => world.now });
  return differences;
}

/** With a two-step acquirer at most one payment of a NORMAL bill is ever captured. A one-step acquirer may capture two; the audit checks that one is refunded. */
function chargedTwice({ steps, provider }: World, snapshot: Snapshot): readonly Violation[] {
  if (steps === 'one') return [];
  const normal = new Set(
    snapshot.of('bill').flatMap(({ bill }) => (bill.type === 'NORMAL' ? [bill.id] : [])),
  );
  const charged = new Map<string, number>();
  for (const { kind, subject } of snapshot.movements) {
    if (kind !== 'captured') continue;
    const bill = billIdOf(toPaymentId(subject));
    if (normal.has(bill) && !provider.contradicted.has(subject))
      charged.set(bill, (charged.get(bill) ?? 0) + 1);
  }
  return [...charged]
    .filter(([, times]) => times > 1)
    .map(([bill, times]) => ({
      invariant: 'charged twice',
      text: `bill ${bill} was captured ${times} times`,
    }));
}

/** The journal contains only movements that the provider made, with the same amounts. */
function unlikeProvider({ provider }: World, snapshot: Snapshot): readonly Violation[] {
  const moved = new Map(
    snapshot.movements.map(({ kind, subject, amountMinor }) => [`${kind} ${subject}`, amountMinor]),
  );
  const paidByDecision = new Set<string>(
    snapshot
      .of('payout')
      .flatMap(({ payout }) =>
        payout.decisions.some(({ verdict }) => verdict === 'paid') ? [payout.id] : [],
      ),
  );
  const booked = snapshot.of('entry').flatMap(({ entry }) => {
    const proof = proofs[entry.kind];
    const line = proof && entry.lines.find(({ account }) => account === proof.account);
    return proof && line && !paidByDecision.has(entry.about)
      ? [{ entry, proof: `${proof.kind} ${entry.about}`, minor: line.minor < 0n ? -line.minor : line.minor }]
      : [];
  });
  const paidOut = new Set(
    snapshot.movements.flatMap(({ kind, subject }) => (kind === 'paid_out' ? [subject] : [])),
  );
  const lost = snapshot
    .of('payout')
    .filter(
      ({ payout }) =>
        (payout.status === 'FAIL' || payout.status === 'DECLINED') &&
        paidOut.has(payout.id) &&
        !provider.changedPayouts.has(payout.id),
    );
  return [
    ...booked
      .filter(({ proof, minor }) => moved.get(proof) !== minor)
      .map(({ entry, proof, minor }) => ({
        invariant: proof.startsWith('paid_out ') ? 'payout_provider_books' : 'acquirer_books',
        text: `${entry.kind} of ${entry.about} is ${toDecimal(minor)}, but the provider's ${proof} is ${moved.get(proof) ?? 'nothing'}`,
      })),
    ...lost.map(({ payout }) => ({
      invariant: 'payout_provider_books',
      text: `payout ${payout.id} is ${payout.status}, but the provider paid it`,
    })),
  ];
}

/** No payout is paid twice, under however many keys it was sent. */
function paidTwice({ movements }: Snapshot): readonly Violation[] {
  const paid = movements.flatMap(({ kind, subject }) => (kind === 'paid_out' ? [subject] : []));
  const twice = new Set(paid.filter((subject, at) => paid.indexOf(subject) !== at));
  return [...twice].map((payout) => ({ invariant: 'paid twice', text: `the rail paid ${payout} twice` }));
}

const proofs: Partial<Readonly<Record<string, { readonly kind: string; readonly account: string }>>> = {
  CAPTURE: { kind: 'captured', account: 'acquirer' },
  DUPLICATE_CAPTURE: { kind: 'captured', account: 'acquirer' },
  REFUND: { kind: 'refunded', account: 'acquirer' },
  SETTLE: { kind: 'paid_out', account: 'clearing' },
};

/** A repeated capture or refund carries the same idempotency key. */
const changingKeys = ({ watch }: World): readonly Violation[] =>
  [...watch.providerKeys]
    .filter(([, keys]) => keys.size > 1)
    .map(([about, keys]) => ({
      invariant: 'idempotency key',
      text: `${about} was requested under ${[...keys].join(' and ')}`,
    }));
