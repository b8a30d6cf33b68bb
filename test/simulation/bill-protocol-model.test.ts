import { describe, expect, it } from 'vitest';
import { type Scope, search } from './bill-protocol-model.ts';
import { manners, type Mutant } from './model/manners.ts';

const card = manners({});
/** Two steps, and an open order cannot be ended. */
const unendable = { endsOpenOrders: false } as const;
/** Paying captures, and an open order cannot be ended. */
const sbp = { holds: false, endsOpenOrders: false } as const;
/** Calls of `start` are lost, delayed, refused; the list lags; the reference is learned late. */
const lost = { losesStarts: true, listLags: true, refusesStarts: true } as const;
const changes = { failureIsFinal: false, delaysRefunds: true } as const;

const twice = (given: Parameters<typeof manners>[0]): Scope['payments'] => {
  const both = manners(given);
  return [both, both];
};
const three = (given: Parameters<typeof manners>[0]): Scope['payments'] => {
  const [one = card] = twice(given);
  return [one, one, one];
};

/** The least number of states: fewer would mean that the search was cut short. */
const scopes: readonly (readonly [string, Scope, number])[] = [
  ['two steps, two payments, two handlers each', { payments: twice({}), handlers: 2 }, 250_000],
  ['one step, two payments, two handlers each', { payments: twice({ holds: false }), handlers: 2 }, 150_000],
  ['two steps, three payments, one handler each', { payments: three({}), handlers: 1 }, 400_000],
  ['one step, three payments, one handler each', { payments: three({ holds: false }), handlers: 1 }, 250_000],
  ['two steps that cannot be ended, two handlers each', { payments: twice(unendable), handlers: 2 }, 30_000],
  ['SBP, two payments, two handlers each', { payments: twice({ ...sbp, notifies: true }), handlers: 2 }, 500],
  [
    'lost starts of one payment, two handlers, notifications',
    { payments: [manners({ ...lost, ...unendable, notifies: true })], handlers: 2 },
    15_000,
  ],
  [
    'lost starts, and all notifications lost',
    { payments: [manners({ ...lost, ...unendable })], handlers: 2 },
    10_000,
  ],
  [
    'lost starts, before or after another payment of two steps',
    { payments: [manners({ ...lost, notifies: true }), card], handlers: 1 },
    300_000,
  ],
  [
    'lost starts of two steps that cannot be ended, before or after SBP',
    {
      payments: [manners({ losesStarts: true, listLags: true, ...unendable, notifies: true }), manners(sbp)],
      handlers: 2,
    },
    300_000,
  ],
  [
    'lost starts of SBP, two payments',
    { payments: twice({ ...lost, ...sbp, notifies: true }), handlers: 1 },
    100_000,
  ],
  [
    'lost starts of one step',
    { payments: [manners({ ...lost, holds: false }), manners({ holds: false })], handlers: 1 },
    100_000,
  ],
  [
    'partial authorisations',
    { payments: twice({ ...unendable, authorisesLess: true }), handlers: 2 },
    100_000,
  ],
  [
    'a failure that is not final, a refund that is delayed, rejected or lost until its key expires',
    { payments: [manners({ ...unendable, ...changes, notifies: true })], handlers: 2 },
    40_000,
  ],
  [
    'failures that are not final, a card payment and SBP',
    {
      payments: [
        manners({ ...unendable, failureIsFinal: false }),
        manners({ ...sbp, failureIsFinal: false }),
      ],
      handlers: 1,
    },
    25_000,
  ],
  [
    'refunds of duplicate captures',
    { payments: twice({ holds: false, delaysRefunds: true }), handlers: 1 },
    15_000,
  ],
  [
    'captured money returned by others',
    { payments: twice({ undoes: true, delaysRefunds: true, holds: false, notifies: true }), handlers: 1 },
    5_000,
  ],
  [
    'an acquirer that is missing from the record for a while, its payment followed by another’s',
    {
      payments: [
        manners({ losesStarts: true, ...unendable, failureIsFinal: false, leaves: true }),
        manners(sbp),
      ],
      handlers: 1,
    },
    60_000,
  ],
];

const byHand = { isFailedByHand: true } as const;
const decided: typeof scopes = [
  [
    'two steps that people fail by hand while starts are lost, two handlers',
    { payments: [manners({ ...lost, ...unendable, ...byHand })], handlers: 2 },
    25_000,
  ],
  [
    'SBP that people fail by hand while starts are lost, two handlers',
    { payments: [manners({ ...lost, ...sbp, ...byHand })], handlers: 2 },
    12_000,
  ],
  [
    'two steps that people fail by hand beside another payment, two handlers each',
    { payments: [manners({ ...unendable, ...byHand }), manners(unendable)], handlers: 2 },
    200_000,
  ],
];

describe('the bill protocol, searched exhaustively', () => {
  it.each([...scopes, ...decided])(
    'has no violation with %s, and can always settle',
    (_case, scope, least) => {
      const { states, violation, path } = search(scope);
      expect({ violation, path }).toEqual({ violation: undefined, path: [] });
      expect(states).toBeGreaterThan(least);
    },
  );

  const twoSteps = { payments: twice({}), handlers: 2 };
  const one = (given: Parameters<typeof manners>[0]): Scope => ({ payments: [manners(given)], handlers: 1 });
  const lateMoney = one({ ...unendable, ...changes });
  it.each<[Mutant, Scope, string]>([
    ['no_fence_condition', twoSteps, 'charged twice'],
    ['capture_before_fence', twoSteps, 'charged twice'],
    ['takeover_fenced', twoSteps, 'charged twice'],
    ['switch_fenced', twoSteps, 'charged twice'],
    ['takeover_without_lock', { payments: twice(sbp), handlers: 1 }, 'charged twice'],
    ['switch_without_lock', { payments: twice(sbp), handlers: 1 }, 'charged twice'],
    ['settle_unconditional', twoSteps, 'credits and successes differ'],
    ['release_unchecked', twoSteps, 'voided a payment that holds the bill'],
    ['void_unendable', { payments: twice(unendable), handlers: 1 }, 'voided a payment that holds the bill'],
    ['cancel_counts', twoSteps, 'a cancelled payment counts against the bill'],
    [
      'fail_on_timeout',
      { payments: twice({ holds: false }), handlers: 2 },
      'a failed payment holds captured money',
    ],
    ['cancel_before_voiding', twoSteps, 'cancelled before VOIDING was written'],
    ['capture_charge', one({ authorisesLess: true }), 'more was captured than was authorised'],
    ['start_after_22_hours', one(lost), 'an order was created under an expired key'],
    ['absence_after_24_hours', one(lost), 'a payment failed as absent, but has an order'],
    ['refusal_despite_unanswered', one(lost), 'a payment failed as absent, but has an order'],
    ['ask_another_acquirer', one({ ...sbp, leaves: true }), 'a failed payment holds captured money'],
    ['no_late_query', lateMoney, 'stuck'],
    ['late_query_unasked', one({ ...unendable, failureIsFinal: false, leaves: true }), 'stuck'],
    ['raise_unanswered_refund', lateMoney, 'refunded twice'],
    ['refund_after_22_hours', lateMoney, 'a refund was sent after its key expired'],
  ])(
    'finds what %s does',
    (mutant, scope, violation) => {
      const { violation: found, path } = search({ ...scope, mutant });
      expect(found).toBe(violation);
      expect(path[0]).toBe('start 0');
    },
    120_000,
  );
});
