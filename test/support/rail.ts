import type { PayoutRail, RailView } from '../../lib/payout/ports.ts';

/** What the rail does on its next call. `lost_before` and `lost_after`: the call gets no answer, without or after its effect. */
export type RailAct = RailView['state'] | 'lost_before' | 'lost_after' | RailView;

type TestRail = PayoutRail & {
  readonly calls: string[];
  /** The amounts paid, by key: the provider's own books. */
  readonly books: Map<string, bigint>;
  /** The destinations that it received. */
  readonly destinations: unknown[];
  will(...acts: readonly RailAct[]): void;
};

/** A rail that follows the test's instructions call by call; without one it pays immediately, each key once. */
export function testRail(
  limits: ReturnType<PayoutRail['limits']> = { minMinor: 100n, maxMinor: 50_000_000n },
): TestRail {
  const acts: RailAct[] = [];
  const calls: string[] = [];
  const books = new Map<string, bigint>();
  const destinations: unknown[] = [];

  const answer = (call: string, key: string, amountMinor?: bigint): RailView => {
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
    calls,
    books,
    destinations,
    will: (...next) => void acts.push(...next),
    limits: () => limits,
    async send({ idempotencyKey, amountMinor, destination }) {
      destinations.push(destination);
      return answer('send', idempotencyKey, amountMinor);
    },
    get: async (key) => answer('get', key),
    cancel: async (key) => answer('cancel', key),
  };
}
