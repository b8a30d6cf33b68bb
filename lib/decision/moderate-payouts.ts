import { readPayoutId } from '../ids.ts';
import { approvePayout, declinePayout } from '../payout/moderate.ts';
import { fail, ok } from '../result.ts';
import type { CarryOutPorts, Carried } from './carry-out.ts';
import { type Decision, mostPayouts, type ShownPayout } from './decision.ts';
import type { Proposal } from './proposal.ts';

/** What became of one payout of a batch; `refusal` is a key of the command's sentences. */
export type PayoutVerdict = {
  readonly id: string;
  readonly refusal?: string;
  /** Nothing moved: it waits in this proposal for a second person. */
  readonly proposalId?: string;
};

type Approval = Extract<Decision, { kind: 'approve_payouts' }>;
type Moderation = Approval | Extract<Decision, { kind: 'decline_payouts' }>;
type Signature = { readonly by: string; readonly id: string; readonly approvedBy?: string };

/** So many transactions at a time: a batch ends within the function's time, and one merchant's item is not crowded. */
const atOnce = 16;

/**
 * U2, U3 for each payout as it was shown. Each is a transaction of its own: what is refused of one holds up no other, and
 * carried out once more only what is still open moves. Of an approval, what takes two people waits together in one
 * proposal, under the decision's id.
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

  // Carried out once more: what was proposed stays proposed, whatever the terms are by now.
  const proposed = proposedIn(await ports.proposals.find(signature.id));
  const others = { ...decision, payouts: payouts.filter(({ id }) => !proposed.has(id)) };
  const verdicts = await verdictsOn(ports, others, signature);
  const waiting = verdicts.some(takesTwo) ? await propose(ports, others, { verdicts, signature }) : proposed;
  const byId = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  return ok({
    kind: 'payouts',
    verdicts: payouts.map(({ id }) =>
      waiting.has(id) ? { id, proposalId: signature.id } : (byId.get(id) ?? { id }),
    ),
  });
}

const takesTwo = ({ refusal }: PayoutVerdict): boolean => refusal === 'takes_two_people';

const proposedIn = (proposal: Proposal | undefined): ReadonlySet<string> =>
  new Set(proposal?.decision.kind === 'approve_payouts' ? proposal.decision.payouts.map(({ id }) => id) : []);

/** Answers with what waits: of two carryings-out of one decision, the first has said it. */
async function propose(
  ports: CarryOutPorts,
  decision: Approval,
  {
    verdicts,
    signature: { id, by },
  }: { readonly verdicts: readonly PayoutVerdict[]; readonly signature: Signature },
): Promise<ReadonlySet<string>> {
  const taking = new Set(verdicts.filter(takesTwo).map((verdict) => verdict.id));
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

/** In the order of the decision. */
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
