import { toDecimal } from '../../money/money.ts';
import { type Payout, sentMinor } from '../../payout/payout.ts';
import type { RailCall } from '../../payout/rail-calls.ts';
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

function ownSteps({
  id,
  createdAt,
  sentAt,
  decisions,
  amount,
  mask,
  railCalls,
}: Payout): readonly TimelineStep[] {
  const created = `payout of ${toDecimal(amount.minor)} ${amount.currency} to ${mask} created`;
  return [
    { at: createdAt, id, what: created },
    ...decisions.map(({ at, verdict, by, approvedBy, reason }) => ({
      at,
      id,
      what: `${verdict.replaceAll('_', ' ')} by ${by}${approvedBy ? `, approved by ${approvedBy}` : ''}${reason ? `: ${reason}` : ''}`,
    })),
    ...(sentAt && railCalls.length === 0 ? [{ at: sentAt, id, what: 'sent to the rail' }] : []),
    ...railCalls.map((call) => ({ at: call.lastAt, id, what: railStep(call) })),
  ];
}

/** What the rail was asked and what it answered: the evidence for a person who must find out what became of the payout. */
function railStep({ call, key, answer, reference, reason, times, firstAt }: RailCall): string {
  const said = [answer.replaceAll('_', ' '), reference, reason && `(${reason})`].filter(Boolean).join(' ');
  const often = times > 1 ? `, ${times} times since ${firstAt.toISOString()}` : '';
  return `rail: ${call} ${key}: ${said}${often}`;
}

/** The payout was sent before and is queued again: the rail took nothing of it. */
const nextTry = ({ dueAt, railCalls }: Extract<Payout, { status: 'PROCESS' }>): string => {
  const { answer = 'provider_empty' } = railCalls.toSorted((a, b) => +a.lastAt - +b.lastAt).at(-1) ?? {};
  return `${dueAt.toISOString()}: ${whyWaiting[answer] ?? 'the provider took nothing'}`;
};

const whyWaiting: Readonly<Partial<Record<RailCall['answer'], string>>> = {
  provider_empty: 'the provider’s account was empty',
  not_taken: 'the provider refused our credentials or rights',
  busy: 'the provider takes no more calls for now',
};

const phaseFacts = (payout: Extract<Payout, { status: 'PROCESS' }>) => ({
  phase: payout.phase,
  'next try': payout.phase === 'QUEUED' && payout.sentAt ? nextTry(payout) : undefined,
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
    'provider key': payout.providerKey,
    accepted: payout.accepted,
    reference: payout.reference,
    reason: payout.reason,
  },
});
