import type { Mutant } from './mutant.ts';

const balance = 'lib/store/payout-balance.ts';
const claims = 'lib/store/payout-claims.ts';
const moves = 'lib/store/payout-steps.ts';
const dispatch = 'lib/payout/dispatch-payout.ts';
const sealed = 'lib/payout/sealed-destination.ts';
const rules = 'lib/payout/rules.ts';
const payouts = { focus: 'payouts' } as const;
const aboveTheSum = {
  scenario: 'an order above the sum is let go by no rule and by no one person in parts',
} as const;

const roomCondition = 'condition: `${period} = :${period} AND ${total} <= :${total}`,';
const withoutRoomOf = (period: string): string =>
  `condition: \`\${period} = :\${period} AND (\${total} <= :\${total}\${period === '${period}' ? ' OR attribute_exists(PK)' : ''})\`,`;

/** The guards of payouts (lib/payout/README.md). */
export const payoutMutants: readonly Mutant[] = [
  {
    name: 'reserve-without-balance-condition',
    guard: 'a payout is debited only from money that is there',
    patches: [
      {
        file: balance,
        find: "condition: 'available >= :debit',",
        put: "condition: '(available >= :debit OR attribute_exists(PK))',",
      },
    ],
    by: payouts,
  },
  {
    name: 'day-limit-condition',
    guard: 'payouts at the same time do not pass the limit of the day together',
    patches: [{ file: balance, find: roomCondition, put: withoutRoomOf('limDay') }],
    by: { scenario: 'two payouts at once keep the limit of the day' },
  },
  {
    name: 'month-limit-condition',
    guard: 'payouts at the same time do not pass the limit of the month together',
    patches: [{ file: balance, find: roomCondition, put: withoutRoomOf('limMonth') }],
    by: { scenario: 'two payouts at once keep the limit of the month' },
  },
  {
    name: 'group-uniqueness',
    guard: 'an order_id is paid out once, whoever asks at the same time',
    patches: [
      {
        file: claims,
        find: "const write = { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(PK)' } };",
        put: 'const write = { Put: { TableName, Item } };',
      },
      {
        file: moves,
        find: "Put: { TableName, Item: payoutItem(payout), ConditionExpression: 'attribute_not_exists(PK)' },",
        put: 'Put: { TableName, Item: payoutItem(payout) },',
      },
    ],
    by: payouts,
  },
  {
    name: 'payout-revision-condition',
    guard: 'a payout moves only from the revision that was read',
    patches: [
      {
        file: moves,
        find: "ConditionExpression: '#status = :status AND revision = :revision',",
        put: "ConditionExpression: '(attribute_exists(PK) OR (#status = :status AND revision = :revision))',",
      },
    ],
    by: payouts,
  },
  {
    name: 'call-before-write',
    guard: 'U4: that a payout is being sent is written before the rail hears of it',
    patches: [
      {
        file: dispatch,
        find: 'const written = await ports.payouts.releaseForSending(payout, sent);\n  if (written.ok) return callRail(ports, sent, destination, { isOnlyCall: !mayBeAtRail(payout) });',
        put: 'await callRail(ports, sent, destination, { isOnlyCall: !mayBeAtRail(payout) });\n  const written = await ports.payouts.releaseForSending(payout, sent);\n  if (written.ok) return;',
      },
    ],
    by: payouts,
  },
  {
    name: 'rail-not-checked',
    guard: 'a payout that was sent to one rail is never sent to another',
    patches: [
      {
        file: dispatch,
        find: 'payout.rail !== undefined && payout.rail !== rail.name && mayBeAtRail(payout);',
        put: 'false;',
      },
    ],
    by: { scenario: 'a payout of one rail stays unknown to another' },
  },
  {
    name: 'provider-key-per-try',
    guard: "the rail knows a payout by one key for ever: the payout's id",
    patches: [
      {
        file: dispatch,
        find: 'idempotencyKey: payout.id,',
        put: 'idempotencyKey: `${payout.id}:${payout.checks}`,',
      },
    ],
    by: payouts,
  },
  {
    name: 'timeout-is-refusal',
    guard: 'a rail that does not answer has told nothing',
    patches: [
      {
        file: dispatch,
        find: 'call.catch(() => undefined);',
        put: "call.catch(() => ({ state: 'refused' as const }));",
      },
    ],
    by: payouts,
  },
  {
    name: 'no-tombstone',
    guard: 'a payout is FAIL only after the rail has cancelled its key',
    patches: [
      {
        file: dispatch,
        find: 'const cancelled = await undefinedIfUnanswered(ports.rail.cancel(payout.id));',
        put: 'const cancelled = await undefinedIfUnanswered(ports.rail.get(payout.id));',
      },
    ],
    by: { scenario: 'a payout that the rail never heard of is cancelled there' },
  },
  {
    name: 'banned-merchant-pays-out',
    guard: 'U1 looks at the merchant in the very transaction',
    patches: [
      {
        file: moves,
        find: 'ConditionExpression: `banned = :no AND verified',
        put: 'ConditionExpression: `(banned = :no OR attribute_exists(PK)) AND verified',
      },
    ],
    by: { scenario: 'a merchant who is banned meanwhile pays nothing out' },
  },
  {
    name: 'banned-merchant-approved',
    guard: 'U2 looks at the merchant in the very transaction',
    patches: [
      {
        file: moves,
        find: "ConditionExpression: 'banned = :no',",
        put: "ConditionExpression: '(banned = :no OR attribute_exists(PK))',",
      },
    ],
    by: { scenario: 'a merchant who is banned meanwhile is not approved' },
  },
  {
    name: 'banned-merchant-sent',
    guard: 'U4 looks at the merchant in the very transaction',
    patches: [
      {
        file: dispatch,
        find: 'await ports.payouts.releaseForSending(payout, sent);',
        put: 'await ports.payouts.move(payout, sent);',
      },
    ],
    by: { scenario: 'a payout whose merchant is banned meanwhile is not sent' },
  },
  {
    name: 'banned-merchant-resent',
    guard: 'what the rail has not heard of is not sent again for who is banned',
    patches: [
      {
        file: dispatch,
        find: 'await ports.payouts.releaseForSending(payout, again);',
        put: 'await ports.payouts.move(payout, again);',
      },
    ],
    by: { scenario: 'a payout whose merchant is banned meanwhile is not sent again' },
  },
  {
    name: 'banned-account-sent',
    guard: 'U2 and U4 look at the stored account in the very transaction',
    patches: [
      {
        file: moves,
        find: "[notBanned(table, payoutAccountKey(merchantId, accountId), 'payout_account_banned')]",
        put: '[]',
      },
    ],
    by: { scenario: 'a payout whose stored account is banned meanwhile is not sent' },
  },
  {
    name: 'banned-number-paid',
    guard: 'U1 looks at the number of a regular payout in the very transaction',
    patches: [
      {
        file: 'lib/store/payout-creation.ts',
        find: "[checkNumber(table, merchantId, numberHash, 'moved_meanwhile')]",
        put: '[]',
      },
    ],
    by: { scenario: 'a number that is banned meanwhile is not paid' },
  },
  {
    name: 'banned-number-sent',
    guard: 'U2 and U4 look at the number of a regular payout in the very transaction',
    patches: [
      {
        file: moves,
        find: "[checkNumber(table, merchantId, numberHash, 'payout_account_banned' as const)]",
        put: '[]',
      },
    ],
    by: { scenario: 'a payout whose number is banned meanwhile is not sent' },
  },
  {
    name: 'twin-not-banned',
    guard: 'all stored accounts of a number are banned together',
    patches: [
      {
        file: 'lib/store/payout-accounts.ts',
        find: '...twins.map((twin) => change(table, merchantId, twin, { banned })),',
        put: '',
      },
    ],
    by: { scenario: 'the twin of a banned account is not paid' },
  },
  {
    name: 'card-as-order',
    guard: 'a card number is not kept in the clear as the order_id of its own payout',
    patches: [
      {
        file: 'lib/payout/create-payouts.ts',
        find: "if (namesItsCard(request)) return fail('order_id_is_card_number');",
        put: '',
      },
    ],
    by: { scenario: 'a card number is not kept as the order_id of its payout' },
  },
  {
    name: 'number-not-asked-for',
    guard: 'what a regular payout opens to is the number that was asked for',
    patches: [
      {
        file: sealed,
        find: 'return isAskedFor ? ok({ destination, numberHash })',
        put: 'return isAskedFor || true ? ok({ destination, numberHash })',
      },
    ],
    by: { scenario: 'a payout whose sealed destination was changed is not sent' },
  },
  {
    name: 'number-not-stored',
    guard: 'what a personal payout opens to is the number of its stored account',
    patches: [{ file: sealed, find: '(account.numberHash ?? numberHash) === numberHash', put: 'true' }],
    by: { scenario: 'a payout whose sealed destination was changed is not sent' },
  },
  {
    name: 'mask-not-compared',
    guard: 'what a payout opens to has the mask that was shown',
    patches: [{ file: sealed, find: 'maskOf(destination) === payout.mask', put: 'true' }],
    by: { scenario: 'a payout whose sealed destination was changed is not sent' },
  },
  {
    name: 'rule-total-at-once',
    guard: 'the daily total of a rule has room in the very transaction that creates',
    patches: [{ file: balance, find: roomCondition, put: withoutRoomOf('ruleDay') }],
    by: { scenario: 'two payouts at once keep the daily total of a rule' },
  },
  {
    name: 'rule-total-not-read',
    guard: 'a rule whose daily total is used up lets nothing go',
    patches: [
      { file: rules, find: ' && usedOf(share, used.total) <= share.room', put: '' },
      { file: balance, find: roomCondition, put: withoutRoomOf('ruleDay') },
    ],
    by: payouts,
  },
  {
    name: 'rule-above-its-ceiling',
    guard: 'a rule lets nothing go above its ceiling',
    patches: [
      {
        file: rules,
        find: 'amountMinor <= ceilingMinor &&',
        put: '(amountMinor <= ceilingMinor || ceilingMinor > 0n) &&',
      },
    ],
    by: { scenario: 'no rule lets go what is above its ceiling' },
  },
  {
    name: 'known-by-rule',
    guard: 'an account becomes known only by a payout that a person approved',
    patches: [
      {
        file: 'lib/payout/payout.ts',
        find: "verdict === 'approved' && !by.startsWith('rule:')",
        put: "verdict === 'approved' && by !== ''",
      },
    ],
    by: { scenario: 'a payout that a rule let go makes no account known' },
  },
  {
    name: 'duplicate-by-rule',
    guard: 'a possible duplicate waits for a person',
    patches: [{ file: rules, find: 'if (facts.duplicateSeen) return undefined;', put: '' }],
    by: { scenario: 'a possible duplicate is let go by no rule' },
  },
  {
    name: 'second-person-by-rule',
    guard: 'what takes two people is let go by no rule',
    patches: [
      { file: rules, find: 'if (takesTwoPeople(facts.terms, amountMinor)) return undefined;', put: '' },
    ],
    by: aboveTheSum,
  },
  {
    name: 'one-person-above-the-sum',
    guard: 'what is above the sum of the terms takes two people',
    patches: [
      {
        file: 'lib/payout/moderate.ts',
        find: 'if (approvedBy === undefined && ',
        put: 'if (payouts === undefined && ',
      },
    ],
    by: aboveTheSum,
  },
  {
    name: 'sum-of-one-part',
    guard: 'all parts of an order count for the sum that takes two people',
    patches: [
      {
        file: 'lib/payout/second-person.ts',
        find: 'takesTwoPeople(terms, sumOf(await ports.payouts.findGroup(groupId)));',
        put: 'false;',
      },
    ],
    by: aboveTheSum,
  },
  {
    name: 'sent-payout-declined',
    guard: 'what may be at the rail is not declined',
    patches: [
      {
        file: 'lib/payout/acceptance.ts',
        find: '(providerKey !== undefined && notTaken !== true) || wasAccepted(acceptance);',
        put: 'wasAccepted(acceptance);',
      },
    ],
    by: { scenario: 'a payout that is on its way to the rail is not declined' },
  },
  {
    name: 'resend-is-only-call',
    guard: 'a call whose outcome is not known is never taken for the only one',
    patches: [
      {
        file: dispatch,
        find: 'return callRail(ports, again, destination, { isOnlyCall: false });',
        put: 'return callRail(ports, again, destination, { isOnlyCall: true });',
      },
    ],
    by: { scenario: 'a payout that was sent twice is not declined' },
  },
  {
    name: 'limit-given-back-to-another-day',
    guard: 'a limit is given back only to the day that it was taken from',
    patches: [
      {
        file: balance,
        find: '...(usage?.day === payout.limitDay ? [returnLimit(day, payout, payout.limitDay)] : []),',
        put: '...[returnLimit(day, payout, payout.limitDay)],',
      },
      {
        file: balance,
        find: 'condition: `${period} = :${period}`,',
        put: 'condition: `(${period} = :${period} OR attribute_exists(PK))`,',
      },
    ],
    by: payouts,
  },
  {
    name: 'limit-not-given-back',
    guard: 'a payout that fails gives its share of the limit back',
    patches: [
      {
        file: balance,
        find: '...(usage?.day === payout.limitDay ? [returnLimit(day, payout, payout.limitDay)] : []),\n',
        put: '',
      },
    ],
    by: payouts,
  },
  {
    name: 'limit-given-back-twice',
    guard: 'a payout that fails gives back what it took, and no more',
    patches: [
      {
        file: balance,
        find: 'set: `${total} = ${total} - :amount`,',
        put: 'set: `${total} = ${total} - :twice`,',
      },
      {
        file: balance,
        find: "values: { [`:${period}`]: taken, ':amount': amount.minor },",
        put: "values: { [`:${period}`]: taken, ':twice': amount.minor * 2n },",
      },
    ],
    by: payouts,
  },
  {
    name: 'standing-order-twice',
    guard: 'a standing order is paid once for its hour, however often it is run',
    patches: [
      {
        file: 'lib/payout/run-auto-payouts.ts',
        find: 'autoGroupId: groupOfAutoRun(merchantId, nextAt),',
        put: 'autoGroupId: ports.newId(20),',
      },
    ],
    by: { scenario: 'a standing order is run once for its hour' },
  },
  {
    name: 'payouts-not-swept',
    guard: 'the sweep queues what was lost',
    patches: [
      {
        file: 'lib/payout/sweep-payouts.ts',
        find: 'const due = await payouts.due(now());',
        put: 'const due = [];',
      },
    ],
    by: payouts,
  },
];
