import { toDecimal } from '../../money/money.ts';
import { type Payout, sentMinor } from '../../payout/payout.ts';
import { isFinalPayoutStatus } from '../../payout/states.ts';
import { payoutEventId } from '../../postback/event.ts';
import { aboutOf } from '../../decision/proposal.ts';
import { entryStep } from './entry-steps.ts';
import { proposalTimeline } from './proposal-timeline.ts';
import { postbackTimeline } from './postback-timeline.ts';
import {
  emptyTimeline,
  mergeTimelines,
  type TimelineStep,
  type Subject,
  type Timeline,
  type TracePorts,
} from './timeline.ts';

/** Returns the timeline of the payouts of one request: their reservation and the outcome of each. */
export async function payoutTimeline(ports: TracePorts, payouts: readonly Payout[]): Promise<Timeline> {
  const groups = [...new Set(payouts.map(({ groupId }) => groupId))];
  const reserved = await Promise.all(groups.map((id) => ports.journal.about(id)));
  const parts = await Promise.all(payouts.map((payout) => partTimeline(ports, payout)));
  return mergeTimelines([{ subjects: [], steps: reserved.flat().map(entryStep) }, ...parts]);
}

async function partTimeline(ports: TracePorts, payout: Payout): Promise<Timeline> {
  const [entries, postback, proposals] = await Promise.all([
    ports.journal.about(payout.id),
    isFinalPayoutStatus(payout.status)
      ? postbackTimeline(ports, payoutEventId(payout.id, payout.status))
      : emptyTimeline,
    isFinalPayoutStatus(payout.status) ? [] : openAbout(ports, payout),
  ]);
  const steps = [...ownSteps(payout), ...entries.map(entryStep)];
  return mergeTimelines([{ subjects: [subject(payout)], steps }, postback, ...proposals]);
}

/** The open proposals about the payout. After the decision the payout itself names both people. */
async function openAbout({ proposals }: TracePorts, { id }: Payout): Promise<readonly Timeline[]> {
  const open = await proposals.listOpen();
  return open.filter(({ decision }) => aboutOf(decision).includes(id)).map(proposalTimeline);
}

function ownSteps({ id, createdAt, sentAt, decisions, amount, mask }: Payout): readonly TimelineStep[] {
  const created = `payout of ${toDecimal(amount.minor)} ${amount.currency} to ${mask} created`;
  return [
    { at: createdAt, id, what: created },
    ...decisions.map(({ at, verdict, by, approvedBy, reason }) => ({
      at,
      id,
      what: `${verdict.replaceAll('_', ' ')} by ${by}${approvedBy ? `, approved by ${approvedBy}` : ''}${reason ? `: ${reason}` : ''}`,
    })),
    ...(sentAt ? [{ at: sentAt, id, what: 'sent to the rail' }] : []),
  ];
}

/** The payout was sent before and is queued again, because the platform's account at the provider was empty. */
const nextTry = (dueAt: Date): string => `${dueAt.toISOString()}: the provider’s account was empty`;

const phaseFacts = (payout: Extract<Payout, { status: 'PROCESS' }>) => ({
  phase: payout.phase,
  'next try': payout.phase === 'QUEUED' && payout.sentAt ? nextTry(payout.dueAt) : undefined,
});

const subject = (payout: Payout): Subject => ({
  kind: 'payout',
  id: payout.id,
  facts: {
    status: payout.status,
    ...(payout.status === 'PROCESS' && phaseFacts(payout)),
    amount: `${toDecimal(payout.amount.minor)} ${payout.amount.currency}`,
    commission: toDecimal(payout.commissionMinor),
    sent: toDecimal(sentMinor(payout)),
    account: `${payout.mask} (${payout.accountType})`,
    'stored account': payout.accountId,
    merchant: payout.merchantId,
    order: payout.orderId,
    'possible duplicate': payout.possibleDuplicate || undefined,
    automatic: payout.isAuto || undefined,
    revision: payout.revision,
    rail: payout.rail,
    accepted: payout.accepted,
    reference: payout.reference,
    reason: payout.reason,
  },
});
