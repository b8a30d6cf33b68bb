import type { PayoutId } from '../ids.ts';
import {
  type Contradiction,
  readSignedReason,
  type Signature,
  type SignedReasonRefusal,
} from '../ledger/signed-reason.ts';
import { fail, ok, type Result } from '../result.ts';
import { isAcceptance, isContradiction, mayBeAtRail } from './acceptance.ts';
import { type FinishPorts, finishPayout } from './finish-payout.ts';
import { askedAgain } from './moves.ts';
import type { Decision, Payout, PayoutInError } from './payout.ts';
import type { PayoutQueue, PayoutRail, Payouts, Rails, RailView } from './ports.ts';
import { queuePayout } from './queue-payout.ts';
import { keyOf, transferOf } from './transfer.ts';

/**
 * `ask`: query the rail again; a payout that it once accepted, or whose merchant or account is banned, is not sent again.
 * `paid`, `failed`: the outcome that the person found out elsewhere, with evidence.
 */
export const errorOutcomes = ['ask', 'paid', 'failed'] as const;
export type ErrorOutcome = (typeof errorOutcomes)[number];

type ErrorResolution = Signature & {
  /** Undefined for text that is not a payout id. */
  readonly payoutId: PayoutId | undefined;
  readonly revision: number;
  readonly outcome: ErrorOutcome;
  /** The source of the outcome: the provider's letter, a statement line. Stored with the payout. */
  readonly evidence: string;
};

type ResolutionRefusal =
  | 'payout_not_found'
  | 'payout_not_in_error'
  | 'payout_changed'
  | 'takes_two_people'
  | Contradiction;

type Ports = FinishPorts & {
  readonly payoutQueue: PayoutQueue;
  readonly rails: Rails;
};

/**
 * Resolves a payout in ERROR, the only way out of it. The rail is queried first and takes precedence: an outcome that it
 * contradicts is refused, and one that it cannot confirm requires two people. `failed` gives money back, so a payout that
 * the rail does not know is cancelled there before it becomes FAIL; without tombstones it takes two people.
 */
export async function resolveError(
  ports: Ports,
  resolution: ErrorResolution,
): Promise<Result<Payout, ResolutionRefusal | SignedReasonRefusal>> {
  const { payoutId, revision, outcome, id, approvedBy } = resolution;
  const signed = readSignedReason({ by: resolution.by, reason: resolution.evidence });
  if (!signed.ok) return signed;
  const payout = payoutId && (await ports.payouts.find(payoutId));
  if (!payout) return fail('payout_not_found');
  if (isCarriedOut(payout, id)) return ok(payout);
  if (payout.status !== 'ERROR') return fail('payout_not_in_error');
  if (payout.revision !== revision) return fail('payout_changed');

  const decision = { verdict: verdicts[outcome], id, approvedBy, ...signed.value, at: ports.now() };
  if (outcome === 'ask') return changedUnless(await askAgain(ports, payout, decision));
  const answer = outcome === 'paid' ? await confirmPaid(ports, payout) : await confirmFailed(ports, payout);
  if (answer !== undefined && 'says' in answer) return fail(answer);
  if (answer === undefined && approvedBy === undefined) return fail('takes_two_people');
  const status = outcome === 'paid' ? 'SUCCESS' : 'FAIL';
  return changedUnless(
    await finishPayout(ports, payout, status, { ...(answer && { view: answer }), decision }),
  );
}

const verdicts = { ask: 'asked_again', paid: 'paid', failed: 'failed' } as const;

/** Whether the decision with this id was already carried out: it is retried when its response was lost. */
export const isCarriedOut = ({ decisions }: Payout, id: string | undefined): boolean =>
  id !== undefined && decisions.some((decision) => decision.id === id);

const changedUnless = <T>(written: Result<T, unknown>): Result<T, 'payout_changed'> =>
  written.ok ? written : fail('payout_changed');

/** The rail confirms the person's outcome (a view), contradicts it, or does neither (undefined). */
type RailAnswer = RailView | Contradiction | undefined;

const against = ({ state }: RailView): Contradiction => ({ contradictedBy: 'rail', says: state });

/** On a rail without tombstones `unknown` says nothing, and an empty account is an object that ended there. */
async function confirmPaid(ports: Ports, payout: PayoutInError): Promise<RailAnswer> {
  const rail = railOf(ports, payout);
  const view = rail && (await queryRail(payout, () => rail.get(transferOf(payout))));
  if (view?.state === 'paid') return view;
  if (view?.state === 'refused') return against(view);
  return view?.state === (rail?.tombstones ? 'unknown' : 'provider_empty') ? against(view) : undefined;
}

/** Where the rail can, cancels a payout that it does not know, so that no call still in flight can pay it. */
async function confirmFailed(ports: Ports, payout: PayoutInError): Promise<RailAnswer> {
  const rail = railOf(ports, payout);
  const view = rail && (await queryRail(payout, () => rail.get(transferOf(payout))));
  if (!rail || !view) return undefined;
  if (!rail.tombstones) return withoutTombstones(payout, view);
  const isOpen = view.state === 'unknown' || view.state === 'provider_empty';
  const answer = isOpen ? await queryRail(payout, () => rail.cancel(transferOf(payout))) : view;
  if (answer?.state === 'refused') return answer;
  // Cancelled while unknown: a tombstone.
  if (answer?.state === 'unknown') return { ...answer, state: 'refused' };
  return answer && against(answer);
}

/**
 * Nothing at such a rail confirms that a payout which it does not know will never be paid: two people decide. One that was never
 * sent, or whose every call was answered and took nothing, is known not to be there.
 */
function withoutTombstones(payout: PayoutInError, view: RailView): RailAnswer {
  if (view.state === 'unknown' && !mayBeAtRail(payout)) return { state: 'refused' };
  const hasEnded = view.state === 'refused' || view.state === 'provider_empty';
  // The object of the latest attempt says nothing about an earlier one that the rail took.
  if (hasEnded && view.reference !== undefined) return tookAnEarlierAttempt(payout) ? undefined : view;
  return isAcceptance(view) ? against(view) : undefined;
}

const tookAnEarlierAttempt = (payout: PayoutInError): boolean =>
  payout.railCalls.some(
    ({ key, answer }) => key !== keyOf(payout) && (answer === 'accepted' || answer === 'paid'),
  );

/** Undefined when the payout's rail is not deployed. */
const railOf = ({ rails }: Ports, { rail, accountType }: PayoutInError): PayoutRail | undefined =>
  rail === undefined ? rails.forNew(accountType) : rails.named(rail);

/** Undefined when the rail does not answer, or contradicts itself without having paid. */
async function queryRail(
  payout: PayoutInError,
  call: () => Promise<RailView>,
): Promise<RailView | undefined> {
  const view = await call().catch(() => undefined);
  return isContradiction(payout, view) && view?.state !== 'paid' ? undefined : view;
}

async function askAgain(
  { payouts, payoutQueue }: { readonly payouts: Payouts; readonly payoutQueue: PayoutQueue },
  payout: PayoutInError,
  decision: Decision,
) {
  const after = askedAgain(payout, decision);
  const written = await payouts.move(payout, after);
  if (!written.ok) return written;
  await queuePayout(payoutQueue, after);
  return ok(after);
}
