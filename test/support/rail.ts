import { newPayoutId, toGroupId } from '../../lib/ids.ts';
import { merchantId } from './builders.ts';
import type { NewTransfer, PayoutRail, Rails, RailView, Transfer } from '../../lib/payout/payout-rail.ts';

/** What the rail does on its next call. `lost_before` and `lost_after`: the call gets no answer, without or after its effect. */
export type RailAct = RailView['state'] | 'lost_before' | 'lost_after' | RailView;

type TestRail = PayoutRail & {
  /** `send <payout>`, and `send <payout>.2` for its second attempt. */
  readonly calls: string[];
  /** The idempotency keys of `send`. */
  readonly keys: string[];
  /** The amounts paid, by key: the provider's own books. */
  readonly books: Map<string, bigint>;
  /** The destinations that it received. */
  readonly destinations: unknown[];
  will(...acts: readonly RailAct[]): void;
};

/** A rail that follows the test's instructions call by call; without one it pays immediately, each key once. */
export function testRail(
  limits: ReturnType<PayoutRail['limits']> = { minMinor: 100n, maxMinor: 50_000_000n },
  { tombstones = true }: { readonly tombstones?: boolean } = {},
): TestRail {
  const acts: RailAct[] = [];
  const calls: string[] = [];
  const keys: string[] = [];
  const books = new Map<string, bigint>();
  const destinations: unknown[] = [];

  const answer = (call: string, { payoutId, attempt }: Transfer, amountMinor?: bigint): RailView => {
    const key = attempt === 1 ? payoutId : `${payoutId}.${attempt}`;
    calls.push(`${call} ${key}`);
    const known: RailView = books.has(key)
      ? { state: 'paid', reference: `ref-${key}` }
      : { state: 'unknown' };
    const act = acts.shift() ?? (call === 'send' ? 'paid' : known);
    const pays = act === 'lost_after' || act === 'paid';
    if (pays && amountMinor !== undefined && !books.has(key)) books.set(key, amountMinor);
    if (act === 'lost_before' || act === 'lost_after') throw new Error('timeout');
    if (typeof act === 'object') return act;
    return act === 'paid' || act === 'accepted' ? { state: act, reference: `ref-${key}` } : { state: act };
  };

  return {
    name: 'test',
    tombstones,
    calls,
    keys,
    books,
    destinations,
    will: (...next) => void acts.push(...next),
    limits: () => limits,
    async send({ destination, ...transfer }) {
      destinations.push(destination);
      keys.push(transfer.key);
      return answer('send', transfer, transfer.amountMinor);
    },
    get: async (transfer) => answer('get', transfer),
    cancel: async (transfer) => answer('cancel', transfer),
    banks: undefined,
    statement: async () => [],
  };
}

/** An installation with this rail alone. */
export const onlyRail = (rail: PayoutRail): Rails => ({
  forNew: () => rail,
  named: (name) => (name === rail.name ? rail : undefined),
});

const transferGroup = toGroupId('PayoutsOfTheSandbox0');
const began = new Date('2030-06-15T12:00:00Z');

/** The first attempt of the nth payout: 1500.00 RUB to a phone. */
export function aTransfer(part: number, given: Partial<NewTransfer> = {}): NewTransfer {
  const payoutId = newPayoutId(transferGroup, part);
  const { attempt = 1 } = given;
  return {
    payoutId,
    key: `${payoutId}.${attempt}`,
    attempt,
    reference: undefined,
    firstCallAt: began,
    lastCallAt: began,
    amountMinor: 150_000n,
    currency: 'RUB',
    about: { merchantId, groupId: transferGroup, orderId: undefined },
    destination: { type: 'sbp', phone: '79161234567', bankId: 1 },
    ...given,
  };
}
