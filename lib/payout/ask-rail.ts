import { kindOf } from '../log.ts';
import { ProviderBusy } from '../provider-port.ts';
import type { Payout } from './payout.ts';
import type { RailView } from './payout-rail.ts';
import { type RailCall, type RailAnswer, withCall } from './rail-calls.ts';
import { keyOf } from './transfer.ts';

export type Answered<P extends Payout> = {
  /** The payout with the call and its answer among its calls. */
  readonly payout: P;
  /** Undefined after a timeout or an error of the rail, when the outcome is unknown, and when the rail was busy. */
  readonly view: RailView | undefined;
  /** The rail was busy: the call was not carried out, and may be made again after this time. */
  readonly retryAfterMs: number | undefined;
};

type Ports = { readonly now: () => Date };

/** Calls the rail about a payout. Never throws: after an error of the rail the outcome is unknown. */
export async function askRail<P extends Payout>(
  { now }: Ports,
  payout: P,
  call: RailCall['call'],
  ask: () => Promise<RailView>,
): Promise<Answered<P>> {
  const at = now();
  const record = (answer: RailAnswer): P => ({
    ...payout,
    railCalls: withCall(payout.railCalls, { call, key: keyOf(payout), at, answer }),
  });
  try {
    const view = await ask();
    return { payout: record(view), view, retryAfterMs: undefined };
  } catch (failure) {
    if (failure instanceof ProviderBusy)
      return { payout: record({ state: 'busy' }), view: undefined, retryAfterMs: failure.retryAfterMs };
    const { code, error = 'unknown' } = kindOf(failure);
    const answer = { state: 'no_answer', reason: code ?? error } as const;
    return { payout: record(answer), view: undefined, retryAfterMs: undefined };
  }
}
