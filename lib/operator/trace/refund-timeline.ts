import type { PaymentId } from '../../ids.ts';
import { toDecimal } from '../../money/money.ts';
import type { Call } from '../../payment/call.ts';
import { refundEventId } from '../../postback/event.ts';
import type { Refund } from '../../refund/refund.ts';
import { entryStep } from './entry-steps.ts';
import { postbackTimeline } from './postback-timeline.ts';
import {
  mergeTimelines,
  type Subject,
  type Timeline,
  type TimelineStep,
  type TracePorts,
} from './timeline.ts';

/** Returns the refunds of a payment with their journal entries and postbacks. */
export async function refundsTimeline(
  ports: Pick<TracePorts, 'refunds' | 'journal' | 'events' | 'endpoints'>,
  paymentId: PaymentId,
): Promise<Timeline> {
  const refunds = await ports.refunds.ofPayment(paymentId);
  return mergeTimelines(await Promise.all(refunds.map((refund) => refundTimeline(ports, refund))));
}

async function refundTimeline(
  ports: Pick<TracePorts, 'journal' | 'events' | 'endpoints'>,
  refund: Refund,
): Promise<Timeline> {
  const [entries, postback] = await Promise.all([
    ports.journal.about(refund.id),
    postbackTimeline(ports, refundEventId(refund.id, refund.status)),
  ]);
  const own = { subjects: [refundSubject(refund)], steps: [...stepsOf(refund), ...entries.map(entryStep)] };
  return mergeTimelines([own, postback]);
}

const refundSubject = (refund: Refund): Subject => ({
  kind: 'refund',
  id: refund.id,
  facts: {
    status: refund.status,
    amount: `${toDecimal(refund.amount.minor)} ${refund.amount.currency}`,
    debit: `${toDecimal(refund.debit.minor)} ${refund.debit.currency}`,
    'fee returned': refund.feeReturnedMinor === 0n ? undefined : toDecimal(refund.feeReturnedMinor),
    reason: refund.reason,
    acquirer: refund.acquirer,
    outcome: refund.outcome,
    receipt: refund.receipt,
    checks: refund.checks === 0 ? undefined : refund.checks,
    next: refund.nextCheck?.toISOString(),
  },
});

function* stepsOf({
  id,
  createdAt,
  endedAt,
  status,
  amount,
  requestedBy,
  call,
}: Refund): Generator<TimelineStep> {
  const who = requestedBy.kind === 'operator' ? requestedBy.by : 'the merchant';
  yield {
    at: createdAt,
    id,
    what: `refund of ${toDecimal(amount.minor)} ${amount.currency} requested by ${who}`,
  };
  if (call)
    yield {
      at: call.lastAt,
      id,
      what: `acquirer called (attempt ${call.attempt})${answerOf(call, endedAt)}`,
    };
  if (endedAt) yield { at: endedAt, id, what: `refund is ${status}` };
}

/** The answer that ended a refund is the next line of its timeline. */
function answerOf({ answer }: Call, endedAt: Date | undefined): string {
  if (answer !== undefined) return `: ${answer}`;
  return endedAt ? '' : ': no answer';
}
