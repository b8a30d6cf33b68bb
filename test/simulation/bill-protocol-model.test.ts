import { describe, expect, it } from 'vitest';
import { type Mode, type Mutant, type Scope, search } from './bill-protocol-model.ts';

describe('the bill protocol, searched exhaustively', () => {
  it.each<[string, Scope]>([
    ['a two-step acquirer, two payments, two handlers each', { mode: 'two' }],
    ['a one-step acquirer, two payments, two handlers each', { mode: 'one' }],
    ['a two-step acquirer, three payments, one handler each', { mode: 'two', payments: 3, handlers: 1 }],
    ['a one-step acquirer, three payments, one handler each', { mode: 'one', payments: 3, handlers: 1 }],
  ])(
    'has no violation with %s, and can always reach a settled state',
    { timeout: 180_000 },
    (_case, scope) => {
      const { states, violation, path, stuck } = search(scope);
      expect({ violation, path, stuck }).toEqual({ violation: undefined, path: [], stuck: 0 });
      // Fewer would mean that the search was cut short.
      expect(states).toBeGreaterThan(30_000);
    },
  );

  it.each<[Mutant, Mode, string]>([
    ['no_fence_condition', 'two', 'voided a payment that holds the bill'],
    ['capture_before_fence', 'two', 'charged twice'],
    ['takeover_fenced', 'two', 'voided a payment that holds the bill'],
    ['settle_unconditional', 'two', 'credits and successes differ'],
    ['release_unchecked', 'two', 'voided a payment that holds the bill'],
    ['cancel_counts', 'two', 'a cancelled payment counts against the bill'],
    ['fail_on_timeout', 'one', 'a failed payment holds captured money'],
  ])('finds the violation of %s', (mutant, mode, violation) => {
    const { violation: found, path } = search({ mode, mutant });
    expect(found).toBe(violation);
    expect(path[0]).toBe('start 0');
  });
});
