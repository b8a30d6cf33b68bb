import type { Chargeback } from '../../ledger/chargeback.ts';
import type { Claim, ClaimMove } from '../../ledger/claim.ts';
import type { Payment, PaymentDecision } from '../../payment/payment.ts';
import { aboutOf, type Proposal } from '../../decision/proposal.ts';
import { decisionOf, made, says } from './decision-rules.ts';
import { type AnyRule, type Found, type Ref, rule } from './rule.ts';

type Signed = {
  /** Undefined: of a version that stored no decisions. */
  readonly id: string | undefined;
  readonly by: string;
  readonly approvedBy: string | undefined;
};

const signaturesOf = ({ id, by, approvedBy }: Signed): readonly Ref[] =>
  id === undefined
    ? []
    : [made('operator', by, id), ...(approvedBy === undefined ? [] : [{ kind: 'proposal', id } as const])];

/** Whether the person decided just this, and the second person approved it. */
function wasMade(
  found: Found,
  { id, by, approvedBy }: Signed,
  decision: Readonly<Record<string, unknown>>,
): boolean {
  if (id === undefined) return true;
  if (!says(decisionOf(found, 'operator', by, id), decision)) return false;
  if (approvedBy === undefined) return true;
  const proposal = found.one('proposal', id)?.proposal;
  return proposal?.proposedBy === by && proposal.decided?.by === approvedBy;
}

const people = ({ by, approvedBy }: Signed): string =>
  approvedBy === undefined ? by : `${by} and ${approvedBy}`;

const ofPayment = rule({
  invariant: 'decisions_were_made',
  of: 'payment',
  needs: ({ payment: { decisions = [] } }) => decisions.flatMap(signaturesOf),
  broken: ({ payment }, found) =>
    (payment.decisions ?? [])
      .filter((decision) => !isOfPayment(payment, decision, found))
      .map(
        (decision) =>
          `payment ${payment.id} was resolved as ${decision.verdict} by ${people(decision)}, who made no such decision`,
      ),
});

/** The phase is what the person saw, and the amount what they stated, if anything: then this was received. */
function isOfPayment(payment: Payment, decision: PaymentDecision, found: Found): boolean {
  const { verdict: outcome, reason: evidence, id, by } = decision;
  const stored = id === undefined ? undefined : decisionOf(found, 'operator', by, id);
  const seen = stored?.kind === 'resolve_payment' ? stored : undefined;
  const { phase, amountMinor } = seen ?? {};
  if (outcome === 'captured' && amountMinor !== undefined && amountMinor !== payment.receivedMinor)
    return false;
  return wasMade(found, decision, {
    kind: 'resolve_payment',
    paymentId: payment.id,
    phase,
    outcome,
    amountMinor,
    evidence,
  });
}

const signedOf = ({ decision }: Chargeback): readonly Signed[] =>
  decision ? [{ ...decision, by: decision.proposedBy }] : [];

const ofChargeback = rule({
  invariant: 'decisions_were_made',
  of: 'chargeback',
  needs: ({ chargeback }) => [
    ...signedOf(chargeback).flatMap(signaturesOf),
    ...(chargeback.entered ? [made('operator', chargeback.entered.by, chargeback.entered.id)] : []),
  ],
  broken: ({ chargeback }, found) => {
    const { id, entered } = chargeback;
    return [
      ...signedOf(chargeback)
        .filter((signed) => !wasMade(found, signed, decisionAbout(chargeback, found)))
        .map((signed) => `is ${chargeback.status} by ${people(signed)}, who made no such decision`),
      ...(entered && !wasEntered(chargeback, found)
        ? [`was entered by ${entered.by}, who made no such decision`]
        : []),
    ].map((text) => `chargeback ${id} ${text}`);
  },
});

/** The decision that led to this status. Of a surplus any bearer may have been named: it is not stored. */
function decisionAbout({ id, status, decision, direction }: Chargeback, found: Found) {
  const { reason, bearer } = decision ?? {};
  if (status === 'DISMISSED') return { kind: 'dismiss_chargeback', chargebackId: id, reason };
  const stored = decision && decisionOf(found, 'operator', decision.proposedBy, decision.id);
  const named = stored?.kind === 'confirm_chargeback' ? stored.bearer : undefined;
  return {
    kind: 'confirm_chargeback',
    chargebackId: id,
    bearer: direction === 'surplus' ? named : bearer,
    reason,
  };
}

const wasEntered = ({ entered, paymentId, direction, amount }: Chargeback, found: Found): boolean =>
  entered !== undefined &&
  says(decisionOf(found, 'operator', entered.by, entered.id), {
    kind: 'enter_chargeback',
    paymentId,
    direction,
    amountMinor: amount.minor,
    reason: entered.reason,
  });

const ofClaim = rule({
  invariant: 'decisions_were_made',
  of: 'claim',
  needs: ({ claim }) => claim.moves.flatMap(signaturesOf),
  broken: ({ claim }, found) =>
    claim.moves
      .filter((move) => !wasMade(found, move, decisionOn(claim, move)))
      .map((move) => `claim ${claim.id} was ${move.kind} by ${people(move)}, who made no such decision`),
});

const decisionOn = ({ id: claimId }: Claim, { kind, reason }: ClaimMove) =>
  kind === 'collected' ? { kind: 'collect_claim', claimId } : { kind: 'write_off_claim', claimId, reason };

/** A refund that an operator asked for has that operator's decision. */
const ofRefund = rule({
  invariant: 'decisions_were_made',
  of: 'refund',
  needs: ({ refund: { requestedBy } }) =>
    requestedBy.kind === 'operator' ? [made('operator', requestedBy.by, requestedBy.id)] : [],
  broken: ({ refund: { id, paymentId, amount, reason, requestedBy } }, found) => {
    if (requestedBy.kind !== 'operator') return [];
    const decided = { kind: 'create_refund', paymentId, amountMinor: amount.minor, reason };
    return says(decisionOf(found, 'operator', requestedBy.by, requestedBy.id), decided)
      ? []
      : [`refund ${id} was requested by ${requestedBy.by}, who made no such decision`];
  },
});

/** What two people decided stays decided: nothing of it is removed with its entry. */
const isDone = rule({
  invariant: 'decisions_were_made',
  of: 'proposal',
  needs: ({ proposal }) => subjectsOf(proposal),
  broken: ({ proposal }, found) =>
    subjectsOf(proposal)
      .filter(({ kind, id }) => !decisionIdsOf(found, kind, id).includes(proposal.id))
      .map(({ kind, id }) => `proposal ${proposal.id} is DONE, but not with ${kind} ${id}`),
});

const subjectKinds = {
  confirm_chargeback: 'chargeback',
  dismiss_chargeback: 'chargeback',
  write_off_claim: 'claim',
  resolve_payment: 'payment',
} as const;
type Subject = (typeof subjectKinds)[keyof typeof subjectKinds];

function subjectsOf({
  status,
  decision,
}: Proposal): readonly { readonly kind: Subject; readonly id: string }[] {
  const kinds: Readonly<Partial<Record<string, Subject>>> = subjectKinds;
  const kind = kinds[decision.kind];
  return status === 'DONE' && kind ? aboutOf(decision).map((id) => ({ kind, id })) : [];
}

function decisionIdsOf(found: Found, kind: Subject, id: string): readonly (string | undefined)[] {
  switch (kind) {
    case 'chargeback':
      return [found.one('chargeback', id)?.chargeback.decision?.id];
    case 'claim':
      return (found.one('claim', id)?.claim.moves ?? []).map((move) => move.id);
    case 'payment':
      return (found.one('payment', id)?.payment.decisions ?? []).map((decision) => decision.id);
  }
}

/** The same for payments, chargebacks and claims, and what became of the proposals about them. */
export const paymentDecisionRules: readonly AnyRule[] = [ofPayment, ofChargeback, ofClaim, ofRefund, isDone];
