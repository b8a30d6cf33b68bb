import { type Age, type Books, type Manners, receivedMinor, type RefundLane, type There } from './state.ts';

/*
 * The acquirer of the payment: how it answers calls about refunds, and what happens there without a call of ours. It refuses a refund for
 * want of captured money only where others took some back: that ours never pass the capture is for the protocol to prove.
 */

type Pair = { readonly shared: Books; readonly lane: RefundLane };
export type RefundMove = Pair & { readonly name: string };

/** What the acquirer holds of the payment, as a query of the order returns it. */
export const heldMinor = ({ refundedThere, takenBack }: Books): bigint =>
  receivedMinor - refundedThere - takenBack;

/** The refund under this key as it can be found. */
export function found({ there }: RefundLane, attempt: number): There | undefined {
  const refund = there[attempt];
  return refund?.isListed ? refund.state : undefined;
}

/** Carries a call out, or returns the refund under its key while the key is known. */
export function called(
  shared: Books,
  lane: RefundLane,
  attempt: number,
  manners: Manners,
): readonly (Pair & { readonly view: There; readonly name: string })[] {
  const { there, stored, age } = lane;
  const before = there[attempt];
  const isKnown = stored?.call?.attempt !== attempt || age === 'live' || age === 'unsent';
  if (before && isKnown) return [{ shared, lane, view: before.state, name: 'the same again' }];
  const amount = lane.cost?.amount.minor ?? 0n;
  const isLeft = shared.takenBack === 0n || amount + shared.pendingThere <= heldMinor(shared);
  const answers = isLeft ? manners.answers : (['refused'] as const);
  return answers
    .filter((answer) => answer !== 'empty' || attempt === 1)
    .map((answer) => {
      if (answer === 'refused') return { shared, lane, view: 'rejected', name: answer };
      const after = moved({ shared, lane }, attempt, { state: answer, isListed: !manners.listLags });
      const fault = isKnown ? shared.fault : 'a refund was sent after its key expired';
      return { ...after, shared: { ...after.shared, fault }, view: answer, name: answer };
    });
}

/** Everything that may happen next to one refund without a step of ours. */
export function happens(shared: Books, lane: RefundLane, manners: Manners): readonly RefundMove[] {
  const { there, travels, stored } = lane;
  const moves: RefundMove[] = [];
  for (const [key, refund] of Object.entries(there)) {
    const attempt = Number(key);
    if (!refund) continue;
    if (refund.state === 'pending')
      for (const state of ['succeeded', 'rejected', 'empty'] as const)
        if (state === 'succeeded' || manners.answers.includes(state))
          if (state !== 'empty' || attempt === 1)
            moves.push({
              name: `there: ${state}`,
              ...moved({ shared, lane }, attempt, { ...refund, state }),
            });
    if (!refund.isListed)
      moves.push({
        name: 'there: listed',
        shared,
        lane: { ...lane, there: { ...there, [attempt]: { ...refund, isListed: true } } },
      });
  }
  if (travels) {
    const arrived = { ...lane, travels: undefined };
    for (const after of called(shared, arrived, travels.attempt, manners))
      moves.push({ name: `arrives late: ${after.name}`, shared: after.shared, lane: after.lane });
    moves.push({ name: 'is lost', shared, lane: arrived });
  }
  if (manners.ages && stored?.status === 'PROCESS') {
    const age = laterAge(lane);
    if (age) moves.push({ name: `time: ${age}`, shared, lane: { ...lane, age } });
    if (!lane.isOverdue && stored.call?.answer === 'empty')
      moves.push({ name: 'time: three days', shared, lane: { ...lane, isOverdue: true } });
  }
  return moves;
}

/** A call that was recorded within 22 hours arrives within 24, and what it made can be found within 26. */
function laterAge({ age, there, travels, workers }: RefundLane): Age | undefined {
  switch (age) {
    case 'live':
      return 'unsent';
    case 'unsent': {
      const isOnItsWay =
        travels?.isInTime === true || workers.some((each) => each.kind === 'calling' && each.isInTime);
      return isOnItsWay ? undefined : 'expired';
    }
    case 'expired':
      return Object.values(there).every((refund) => refund?.isListed) ? 'listed' : undefined;
    case 'listed':
      return undefined;
  }
}

/** Returns both with the refund under this key in its new state. */
function moved(
  { shared, lane }: Pair,
  attempt: number,
  refund: { readonly state: There; readonly isListed: boolean },
): Pair {
  const amount = lane.cost?.amount.minor ?? 0n;
  const before = lane.there[attempt]?.state;
  const sum = (state: There): bigint =>
    (refund.state === state ? amount : 0n) - (before === state ? amount : 0n);
  return {
    shared: {
      ...shared,
      refundedThere: shared.refundedThere + sum('succeeded'),
      pendingThere: shared.pendingThere + sum('pending'),
    },
    lane: { ...lane, there: { ...lane.there, [attempt]: refund } },
  };
}
