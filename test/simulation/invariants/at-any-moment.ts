import { differencesAmong } from '../../../lib/operator/audit/audit.ts';
import { toDecimal } from '../../../lib/money/money.ts';
import { decidedAheadMs } from '../clients/operator.ts';
import type { Violation, World } from '../harness/world.ts';
import {
  chargedTwice,
  failedWithOrder,
  secondOrders,
  unlikeAcquirerMoves,
  unlikeFees,
  unlikeRefunds,
} from './acquirer-books.ts';
import { changedAfterFinal } from './finality.ts';
import { paidTwiceAutomatically, releasedByRule } from './automatic-payouts.ts';
import { approvedByOne, overLimit, overRuleTotal } from './limits.ts';
import { type Snapshot, takeSnapshot } from './records.ts';
import { unlikeSums } from './sums.ts';

/** Checks what holds between any two calls (lib/ledger/README.md). */
export async function checkMoment(world: World): Promise<Snapshot> {
  const snapshot = await takeSnapshot(world);
  const found = [
    // The invariants of the operator's `audit` command, checked by its own code.
    // Some people decide ahead of the clock, and what they decide is posted at their time.
    ...differencesAmong(snapshot.records, new Date(world.now.getTime() + decidedAheadMs)),
    ...unlikeSums(snapshot),
    ...chargedTwice(world, snapshot),
    ...secondOrders(snapshot),
    ...failedWithOrder(snapshot),
    ...unlikeAcquirerMoves(world, snapshot),
    ...unlikeFees(snapshot),
    ...unlikeRefunds(snapshot),
    ...unlikeProvider(world, snapshot),
    ...paidTwice(snapshot),
    ...overLimit(snapshot),
    ...overRuleTotal(snapshot),
    ...approvedByOne(snapshot),
    ...releasedByRule(snapshot),
    ...paidTwiceAutomatically(snapshot),
    ...changedAfterFinal(world, snapshot),
  ];
  for (const { invariant, text } of found) world.violate(invariant, text);
  return snapshot;
}

/** The journal contains only transfers that the rail made, with the same amounts. */
function unlikeProvider({ providers }: World, snapshot: Snapshot): readonly Violation[] {
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
        !providers.some(({ changedPayouts }) => changedPayouts.has(payout.id)),
    );
  return [
    ...booked
      .filter(({ proof, minor }) => moved.get(proof) !== minor)
      .map(({ entry, proof, minor }) => ({
        invariant: 'payout_provider_books',
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
  SETTLE: { kind: 'paid_out', account: 'clearing' },
};
