import { type Adjustment, gainMinor } from '../../ledger/adjustment.ts';
import { toDecimal } from '../../money/money.ts';
import { entryStep } from './entry-steps.ts';
import type { TimelineStep, Subject, Timeline, TracePorts } from './timeline.ts';

/** Returns the timeline of an adjustment: who proposed and who decided it, why, and its journal entry. */
export async function adjustmentTimeline(
  { journal }: Pick<TracePorts, 'journal'>,
  adjustment: Adjustment,
): Promise<Timeline> {
  const entries = await journal.about(adjustment.about ?? adjustment.id);
  const own = entries.filter((entry) => entry.adjustment?.id === adjustment.id);
  return { subjects: [subject(adjustment)], steps: [...decisionSteps(adjustment), ...own.map(entryStep)] };
}

const subject = (adjustment: Adjustment): Subject => ({
  kind: 'adjustment',
  id: adjustment.id,
  facts: {
    status: adjustment.status,
    amount: `${toDecimal(gainMinor(adjustment))} ${adjustment.amount.currency}`,
    merchant: adjustment.merchantId,
    about: adjustment.about,
    reason: adjustment.reason,
    'proposed by': adjustment.proposedBy,
    'decided by': adjustment.decision?.by,
  },
});

function decisionSteps({
  id,
  status,
  reason,
  proposedBy,
  proposedAt,
  decision,
}: Adjustment): readonly TimelineStep[] {
  const proposed = { at: proposedAt, id, what: `proposed by ${proposedBy}: ${reason}` };
  if (!decision) return [proposed];
  const why = decision.reason ? `: ${decision.reason}` : '';
  return [proposed, { at: decision.at, id, what: `${status.toLowerCase()} by ${decision.by}${why}` }];
}
