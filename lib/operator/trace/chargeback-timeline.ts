import type { Chargeback } from '../../ledger/chargeback.ts';
import type { Claim } from '../../ledger/claim.ts';
import type { PaymentId } from '../../ids.ts';
import { toDecimal } from '../../money/money.ts';
import { chargebackEventId } from '../../postback/event.ts';
import { postbackTimeline } from './postback-timeline.ts';
import {
  emptyTimeline,
  mergeTimelines,
  type Subject,
  type Timeline,
  type TimelineStep,
  type TracePorts,
} from './timeline.ts';

/** Returns the chargebacks of a payment, the claims that they left, and their postbacks. Their journal entries are the payment's. */
export async function chargebacksTimeline(
  ports: Pick<TracePorts, 'chargebacks' | 'claims' | 'events' | 'endpoints'>,
  paymentId: PaymentId,
): Promise<Timeline> {
  const items = await ports.chargebacks.ofPayment(paymentId);
  if (items.length === 0) return emptyTimeline;
  const posted = items.filter(({ decision }) => decision?.posted);
  const [owed, postbacks] = await Promise.all([
    ports.claims.ofPayment(paymentId),
    Promise.all(posted.map((item) => postbackTimeline(ports, chargebackEventId(item, item.status)))),
  ]);
  return mergeTimelines([
    ...items.map((item) => ({ subjects: [chargebackSubject(item)], steps: chargebackSteps(item) })),
    ...owed.map((claim) => ({ subjects: [claimSubject(claim)], steps: claimSteps(claim) })),
    ...postbacks,
  ]);
}

const chargebackSubject = (item: Chargeback): Subject => ({
  kind: 'chargeback',
  id: item.id,
  facts: {
    status: item.status,
    direction: item.direction,
    amount: `${toDecimal(item.amount.minor)} ${item.amount.currency}`,
    merchant: item.merchantId,
    'acquirer holds': item.seen && toDecimal(item.seen.heldMinor),
    'acquirer says': item.seen?.state,
    'entered by': item.entered?.by,
    reason: item.entered?.reason,
    'borne by': item.decision?.bearer,
  },
});

function chargebackSteps({ id, at, seen, entered, status, decision }: Chargeback): readonly TimelineStep[] {
  const told = entered
    ? `entered by ${entered.by}: ${entered.reason}`
    : `the acquirer reports ${seen?.state ?? ''}, and holds ${toDecimal(seen?.heldMinor ?? 0n)}`;
  const first = { at, id, what: told };
  if (!decision) return [first];
  const { proposedBy, approvedBy, reason } = decision;
  const what = `${status.toLowerCase()} by ${proposedBy}, approved by ${approvedBy}: ${reason}`;
  return [first, { at: decision.at, id, what }];
}

const claimSubject = ({ id, openMinor, amount, merchantId }: Claim): Subject => ({
  kind: 'claim',
  id,
  facts: {
    owed: `${toDecimal(openMinor)} ${amount.currency}`,
    of: `${toDecimal(amount.minor)} ${amount.currency}`,
    merchant: merchantId,
  },
});

const claimSteps = ({ id, at, amount, moves }: Claim): readonly TimelineStep[] => [
  { at, id, what: `claim of ${toDecimal(amount.minor)} ${amount.currency}: it was not available` },
  ...moves.map((move) => ({
    at: move.at,
    id,
    what: `${toDecimal(move.minor)} ${amount.currency} ${move.kind.replace('_', ' ')} by ${move.by}${
      move.approvedBy === undefined ? '' : `, approved by ${move.approvedBy}`
    }${move.reason === undefined ? '' : `: ${move.reason}`}`,
  })),
];
