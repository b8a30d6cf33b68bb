import type { Payout } from './payout.ts';
import type { RailView } from './payout-rail.ts';

type Acceptance = Pick<Payout, 'accepted' | 'reference'>;
type Calls = Acceptance & Pick<Payout, 'providerKey' | 'notTaken'>;

/** Whether the rail reports that it has the payout. `paid` implies acceptance, even when no `accepted` was received. */
export const isAcceptance = (view: RailView | undefined): view is RailView =>
  view?.state === 'accepted' || view?.state === 'paid';

/** Whether the rail has ever reported that it accepted the payout. */
export const wasAccepted = ({ accepted, reference }: Acceptance): boolean =>
  accepted === true || reference !== undefined;

/** Whether a call for this payout may have reached the rail or may still do so. Only the rail then knows the outcome. */
export const mayBeAtRail = ({ providerKey, notTaken, ...acceptance }: Calls): boolean =>
  (providerKey !== undefined && notTaken !== true) || wasAccepted(acceptance);

/** The acceptance after this response. Acceptance is permanent, and so is the first reference received with it. */
export const acceptanceAfter = (
  { accepted, reference }: Acceptance,
  view: RailView | undefined,
): Acceptance =>
  isAcceptance(view) ? { accepted: true, reference: reference ?? view.reference } : { accepted, reference };

/**
 * Whether the rail accepted the payout earlier and now reports another reference or `unknown`. The response is then
 * unreliable: the payout may neither be sent again nor count as failed.
 */
export const isContradiction = (payout: Acceptance, view: RailView | undefined): boolean =>
  view !== undefined && wasAccepted(payout) && (view.state === 'unknown' || isRenamed(payout, view));

/** Whether the rail reports another reference than the one recorded. */
export const isRenamed = ({ reference }: Acceptance, view: RailView): boolean =>
  reference !== undefined && view.reference !== undefined && view.reference !== reference;
