import { readPayoutId } from '../ids.ts';
import { approvePayout, declinePayout } from '../payout/moderate.ts';
import { fail, ok } from '../result.ts';
import type { CarryOutPorts, Carried } from './carry-out.ts';
import { type Decision, mostPayouts, type ShownPayout } from './decision.ts';
import type { Proposal } from './proposal.ts';

/** The result for one payout of a batch; `refusal` is a key of the command's messages. */
export type PayoutVerdict = {
  readonly id: string;
  readonly refusal?: string;
  /** Unchanged: it waits in this proposal for a second person. */
  readonly proposalId?: string;
};

type Approval = Extract<Decision, { kind: 'approve_payouts' }>;
type Moderation = Approval | Extract<Decision, { kind: 'decline_payouts' }>;
type Signature = { readonly by: string; readonly id: string; readonly approvedBy?: string };

/** Concurrent transactions: enough to finish within the function's timeout, few enough to limit conflicts on one merchant's items. */
const atOnce = 16;

/**
 * Approves or declines each payout as it was shown. Each is a transaction of its own: a refused one does not affect the
 * others, and a repetition changes only payouts that are still open. Payouts of an approval that need two people wait
 * together in one proposal, under the decision's id.
 */
export async function moderatePayouts(
  ports: CarryOutPorts,
  decision: Moderation,
  signature: Signature,
): Promise<Carried> {
  const { payouts } = decision;
  if (payouts.length === 0 || payouts.length > mostPayouts) return fail('too_many_payouts');
  if (decision.kind === 'decline_payouts' || signature.approvedBy !== undefined)
    return ok({ kind: 'payouts', verdicts: await verdictsOn(ports, decision, signature) });

  // In a repetition, what was proposed stays proposed, even if the terms have changed.
  const proposed = proposedIn(await ports.proposals.find(signature.id));
  const others = { ...decision, payouts: payouts.filter(({ id }) => !proposed.has(id)) };
  const verdicts = await verdictsOn(ports, others, signature);
  const waiting = verdicts.some(needsTwoPeople)
    ? await propose(ports, others, { verdicts, signature })
    : proposed;
  const byId = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  return ok({
    kind: 'payouts',
    verdicts: payouts.map(({ id }) =>
      waiting.has(id) ? { id, proposalId: signature.id } : (byId.get(id) ?? { id }),
    ),
  });
}

const needsTwoPeople = ({ refusal }: PayoutVerdict): boolean => refusal === 'takes_two_people';

const proposedIn = (proposal: Proposal | undefined): ReadonlySet<string> =>
  new Set(proposal?.decision.kind === 'approve_payouts' ? proposal.decision.payouts.map(({ id }) => id) : []);

/** Creates the proposal and returns the ids of its payouts: of two concurrent calls, the first determines them. */
async function propose(
  ports: CarryOutPorts,
  decision: Approval,
  {
    verdicts,
    signature: { id, by },
  }: { readonly verdicts: readonly PayoutVerdict[]; readonly signature: Signature },
): Promise<ReadonlySet<string>> {
  const taking = new Set(verdicts.filter(needsTwoPeople).map((verdict) => verdict.id));
  const payouts = decision.payouts.filter((shown) => taking.has(shown.id));
  const ids = payouts.map((shown) => readPayoutId(shown.id)).filter((payoutId) => payoutId !== undefined);
  const found = await Promise.all(ids.map((payoutId) => ports.payouts.find(payoutId)));
  const [merchantId = '', ...others] = new Set(found.map((payout) => payout?.merchantId ?? ''));
  await ports.proposals.create({
    id,
    merchantId: others.length === 0 ? merchantId : '',
    decision: { ...decision, payouts },
    proposedBy: by,
    proposedAt: ports.now(),
    status: 'PROPOSED',
    decided: undefined,
    refusal: undefined,
  });
  return proposedIn(await ports.proposals.find(id));
}

/** Returns the verdicts in the order of the decision. */
async function verdictsOn(
  ports: CarryOutPorts,
  decision: Moderation,
  signature: Signature,
): Promise<readonly PayoutVerdict[]> {
  const waiting = [...decision.payouts];
  const verdicts: PayoutVerdict[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const done = await moderate(ports, decision, next, signature);
      verdicts.push({ id: next.id, ...(!done.ok && { refusal: done.error }) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const order = new Map(decision.payouts.map(({ id }, at) => [id, at]));
  return verdicts.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}

const moderate = (
  ports: CarryOutPorts,
  decision: Moderation,
  { id, revision }: ShownPayout,
  signature: Signature,
) => {
  const payoutId = readPayoutId(id);
  return decision.kind === 'approve_payouts'
    ? approvePayout(ports, {
        payoutId,
        revision,
        ...(decision.reason !== undefined && { reason: decision.reason }),
        ...signature,
      })
    : declinePayout(ports, { payoutId, revision, reason: decision.reason, ...signature });
};
