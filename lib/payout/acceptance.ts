import type { Payout } from './payout.ts';
import type { RailView } from './rail.ts';

type Acceptance = Pick<Payout, 'accepted' | 'reference'>;
type Calls = Acceptance & Pick<Payout, 'providerKey' | 'notTaken'>;

/** The rail says that it has the payout. A rail that pays has accepted, even if its acceptance was never heard. */
export const isAcceptance = (view: RailView | undefined): view is RailView =>
  view?.state === 'accepted' || view?.state === 'paid';

/** The rail had it once, by its own word. */
export const wasAccepted = ({ accepted, reference }: Acceptance): boolean =>
  accepted === true || reference !== undefined;

/** A call of it may have reached the rail, or may do so even now: only the rail can tell what became of it. */
export const mayBeAtRail = ({ providerKey, notTaken, ...acceptance }: Calls): boolean =>
  (providerKey !== undefined && notTaken !== true) || wasAccepted(acceptance);

/** What an answer adds to that: it stays for good, and so does the first name that came with it. */
export const acceptanceAfter = (
  { accepted, reference }: Acceptance,
  view: RailView | undefined,
): Acceptance =>
  isAcceptance(view) ? { accepted: true, reference: reference ?? view.reference } : { accepted, reference };

/**
 * The rail accepted it, and now has another name for it or has never heard of it: its word is worth nothing then, so
 * that the payout may neither be sent again nor count as failed.
 */
export const isContradiction = (payout: Acceptance, view: RailView | undefined): boolean =>
  view !== undefined && wasAccepted(payout) && (view.state === 'unknown' || isRenamed(payout, view));

const isRenamed = ({ reference }: Acceptance, view: RailView): boolean =>
  reference !== undefined && view.reference !== undefined && view.reference !== reference;
