import {
  type Contradiction,
  readSignedReason,
  type Signature,
  type SignedReasonRefusal,
} from '../ledger/signed-reason.ts';
import { fail, ok, type Result } from '../result.ts';
import { isContradiction } from './acceptance.ts';
import { type FinishPorts, finishPayout } from './finish-payout.ts';
import { askedAgain } from './moves.ts';
import type { Decision, Payout, PayoutInError } from './payout.ts';
import { isPayoutId } from './payout-id.ts';
import type { PayoutQueue, PayoutRail, Payouts, RailView } from './ports.ts';
import { queuePayout } from './queue-payout.ts';

/**
 * `ask`: have the rail asked again; what it once accepted is not sent again, nor is anything for who is banned. `paid`, `failed`: what the person found out elsewhere, with the
 * evidence.
 */
export const errorOutcomes = ['ask', 'paid', 'failed'] as const;
export type ErrorOutcome = (typeof errorOutcomes)[number];

type ErrorResolution = Signature & {
  readonly payoutId: string;
  readonly revision: number;
  readonly outcome: ErrorOutcome;
  /** Where the outcome is known from: the provider's letter, the statement's line. Kept with the payout. */
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
  /** Undefined where no rail is deployed. */
  readonly rail: Pick<PayoutRail, 'name' | 'get' | 'cancel'> | undefined;
};

/**
 * U8: the only way out of ERROR. The rail's word is asked first and stands above the person's: what it contradicts is
 * refused, and what it cannot confirm takes two people. `failed` gives money back, so what the rail has never heard of is
 * cancelled there for good before it is FAIL.
 */
export async function resolveError(
  ports: Ports,
  resolution: ErrorResolution,
): Promise<Result<Payout, ResolutionRefusal | SignedReasonRefusal>> {
  const { payoutId, revision, outcome, id, approvedBy } = resolution;
  const signed = readSignedReason({ by: resolution.by, reason: resolution.evidence });
  if (!signed.ok) return signed;
  const payout = isPayoutId(payoutId) ? await ports.payouts.find(payoutId) : undefined;
  if (!payout) return fail('payout_not_found');
  if (isCarriedOut(payout, id)) return ok(payout);
  if (payout.status !== 'ERROR') return fail('payout_not_in_error');
  if (payout.revision !== revision) return fail('payout_changed');

  const decision = { verdict: verdicts[outcome], id, approvedBy, ...signed.value, at: ports.now() };
  if (outcome === 'ask') return changedUnless(await askAgain(ports, payout, decision));
  const word = outcome === 'paid' ? await wordOnPaid(ports, payout) : await wordOnFailed(ports, payout);
  if (word !== undefined && 'says' in word) return fail(word);
  if (word === undefined && approvedBy === undefined) return fail('takes_two_people');
  const status = outcome === 'paid' ? 'SUCCESS' : 'FAIL';
  return changedUnless(await finishPayout(ports, payout, status, { view: word, decision }));
}

const verdicts = { ask: 'asked_again', paid: 'paid', failed: 'failed' } as const;

/** A decision whose answer was lost is carried out again: it stands already. */
export const isCarriedOut = ({ decisions }: Payout, id: string | undefined): boolean =>
  id !== undefined && decisions.some((decision) => decision.id === id);

const changedUnless = <T>(written: Result<T, unknown>): Result<T, 'payout_changed'> =>
  written.ok ? written : fail('payout_changed');

/** What the rail says for the person's word, against it, or undefined: nothing that counts. */
type Word = RailView | Contradiction | undefined;

const against = ({ state }: RailView): Contradiction => ({ contradictedBy: 'rail', says: state });

async function wordOnPaid({ rail }: Ports, payout: PayoutInError): Promise<Word> {
  const view = await said(rail, payout, ({ get }) => get(payout.id));
  if (view?.state === 'paid') return view;
  return view?.state === 'refused' || view?.state === 'unknown' ? against(view) : undefined;
}

/** What the rail has never heard of is cancelled there, so that no call that is still on its way can pay it. */
async function wordOnFailed({ rail }: Ports, payout: PayoutInError): Promise<Word> {
  const view = await said(rail, payout, ({ get }) => get(payout.id));
  const isOpen = view?.state === 'unknown' || view?.state === 'provider_empty';
  const answer = isOpen ? await said(rail, payout, ({ cancel }) => cancel(payout.id)) : view;
  if (answer?.state === 'refused') return answer;
  // Cancelled before it was heard of: a tombstone.
  if (answer?.state === 'unknown') return { ...answer, state: 'refused' };
  return answer && against(answer);
}

/** Undefined when it does not answer, is another than the one that has the payout, or contradicts itself. */
async function said(
  rail: Ports['rail'],
  payout: PayoutInError,
  call: (rail: NonNullable<Ports['rail']>) => Promise<RailView>,
): Promise<RailView | undefined> {
  if (!rail || (payout.rail !== undefined && payout.rail !== rail.name)) return undefined;
  const view = await call(rail).catch(() => undefined);
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
