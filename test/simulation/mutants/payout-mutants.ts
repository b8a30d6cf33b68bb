import type { Mutant } from './mutant.ts';

const balance = 'lib/store/payout-balance.ts';
const claims = 'lib/store/payout-claims.ts';
const moves = 'lib/store/payout-steps.ts';
const dispatch = 'lib/payout/dispatch-payout.ts';
const sealed = 'lib/payout/sealed-destination.ts';
const rules = 'lib/payout/rules.ts';
const payouts = { focus: 'payouts' } as const;
const aboveTheSum = {
  scenario: 'neither a rule nor one person releases the parts of an order above the two-person amount',
} as const;

const banksGone = {
  scenario: 'a bank that left is not paid to and a list without most banks is not believed',
} as const;

const roomCondition = 'condition: `${period} = :${period} AND ${total} <= :${total}`,';
const withoutRoomOf = (period: string): string =>
  `condition: \`\${period} = :\${period} AND (\${total} <= :\${total}\${period === '${period}' ? ' OR attribute_exists(PK)' : ''})\`,`;

/** The guards of payouts (lib/payout/README.md). */
export const payoutMutants: readonly Mutant[] = [
  {
    name: 'reserve-without-balance-condition',
    guard: 'a payout is debited only from available money',
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
    guard: 'concurrent payouts do not exceed the daily limit together',
    patches: [{ file: balance, find: roomCondition, put: withoutRoomOf('limDay') }],
    by: { scenario: 'two concurrent payouts keep the daily limit' },
  },
  {
    name: 'month-limit-condition',
    guard: 'concurrent payouts do not exceed the monthly limit together',
    patches: [{ file: balance, find: roomCondition, put: withoutRoomOf('limMonth') }],
    by: { scenario: 'two concurrent payouts keep the monthly limit' },
  },
  {
    name: 'group-uniqueness',
    guard: 'concurrent requests with one order_id create one payout',
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
    guard: 'a payout is recorded as SENT before the rail is called',
    patches: [
      {
        file: dispatch,
        find: 'const written = await ports.payouts.releaseForSending(payout, sent);\n  if (written.ok) return callRail(ports, payout, sent, destination, { isOnlyCall: !mayBeAtRail(payout) });',
        put: 'await callRail(ports, payout, sent, destination, { isOnlyCall: !mayBeAtRail(payout) });\n  const written = await ports.payouts.releaseForSending(payout, sent);\n  if (written.ok) return;',
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
        find: 'if (payout.rail !== undefined && mayBeAtRail(payout)) {',
        put: 'if (payout.rail === undefined && mayBeAtRail(payout)) {',
      },
    ],
    by: { scenario: 'a payout sent to one rail is not sent to another' },
  },
  {
    name: 'provider-key-per-try',
    guard: 'every call of one attempt carries one idempotency key',
    patches: [
      {
        file: dispatch,
        find: 'ports.rail.send({ ...transferOf(sent), destination }),',
        put: 'ports.rail.send({ ...transferOf(sent), key: `${sent.id}.${sent.checks + 1}`, destination }),',
      },
    ],
    by: payouts,
  },
  {
    name: 'timeout-is-refusal',
    guard: 'a rail call without an answer has an unknown outcome',
    patches: [
      {
        file: 'lib/payout/ask-rail.ts',
        find: 'return { payout: record(answer), view: undefined, retryAfterMs: undefined };',
        put: "return { payout: record(answer), view: { state: 'refused' as const }, retryAfterMs: undefined };",
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
        find: 'ports.rail.cancel(transferOf(payout))',
        put: 'ports.rail.get(transferOf(payout))',
      },
    ],
    by: { scenario: 'a payout that the rail does not know is cancelled there' },
  },
  {
    name: 'banned-merchant-pays-out',
    guard: 'the transaction that creates a payout checks the merchant',
    patches: [
      {
        file: moves,
        find: 'ConditionExpression: `banned = :no AND verified',
        put: 'ConditionExpression: `(banned = :no OR attribute_exists(PK)) AND verified',
      },
    ],
    by: { scenario: 'a merchant banned during the request creates no payout' },
  },
  {
    name: 'banned-merchant-approved',
    guard: 'the transaction that approves a payout checks the merchant',
    patches: [
      {
        file: moves,
        find: "ConditionExpression: 'banned = :no',",
        put: "ConditionExpression: '(banned = :no OR attribute_exists(PK))',",
      },
    ],
    by: { scenario: 'a payout of a merchant banned during its approval is not approved' },
  },
  {
    name: 'banned-merchant-sent',
    guard: 'the transaction that sends a payout checks the merchant',
    patches: [
      {
        file: dispatch,
        find: 'await ports.payouts.releaseForSending(payout, sent);',
        put: 'await ports.payouts.move(payout, sent);',
      },
    ],
    by: { scenario: 'a payout of a merchant banned during its dispatch is not sent' },
  },
  {
    name: 'banned-merchant-resent',
    guard: 'a payout of a banned merchant that the rail does not know is not sent again',
    patches: [
      {
        file: dispatch,
        find: 'await ports.payouts.releaseForSending(payout, again);',
        put: 'await ports.payouts.move(payout, again);',
      },
    ],
    by: { scenario: 'a payout of a banned merchant is not sent again' },
  },
  {
    name: 'banned-account-sent',
    guard: 'the transactions that approve and send a payout check the stored account',
    patches: [
      {
        file: moves,
        find: "[notBanned(table, payoutAccountKey(merchantId, accountId), 'payout_account_banned')]",
        put: '[]',
      },
    ],
    by: { scenario: 'a payout to a stored account banned during its dispatch is not sent' },
  },
  {
    name: 'banned-number-paid',
    guard: 'the transaction that creates a regular payout checks its number',
    patches: [
      {
        file: 'lib/store/payout-creation.ts',
        find: "[checkNumber(table, merchantId, numberHash, 'moved_meanwhile')]",
        put: '[]',
      },
    ],
    by: { scenario: 'no payout is created to a number banned during the request' },
  },
  {
    name: 'banned-number-sent',
    guard: 'the transactions that approve and send a regular payout check its number',
    patches: [
      {
        file: moves,
        find: "[checkNumber(table, merchantId, numberHash, 'payout_account_banned' as const)]",
        put: '[]',
      },
    ],
    by: { scenario: 'a payout to a number banned during its dispatch is not sent' },
  },
  {
    name: 'twin-not-banned',
    guard: 'banning a stored account bans all accounts with its number',
    patches: [
      {
        file: 'lib/store/payout-accounts.ts',
        find: '...twins.map((twin) => change(table, merchantId, twin, { banned })),',
        put: '',
      },
    ],
    by: { scenario: 'an account with the number of a banned account is not paid' },
  },
  {
    name: 'card-as-order',
    guard: 'the card number of a payout is not stored in the clear as its order_id',
    patches: [
      {
        file: 'lib/payout/assess.ts',
        find: "if (namesItsCard(request)) return fail('order_id_is_card_number');",
        put: '',
      },
    ],
    by: { scenario: 'the card number of a payout is not stored as its order_id' },
  },
  {
    name: 'number-unlike-request',
    guard: 'the decrypted destination of a regular payout has the requested number',
    patches: [
      {
        file: sealed,
        find: 'return isAskedFor ? ok({ destination, numberHash })',
        put: 'return isAskedFor || true ? ok({ destination, numberHash })',
      },
    ],
    by: { scenario: 'a payout whose encrypted destination was replaced is not sent' },
  },
  {
    name: 'number-unlike-account',
    guard: 'the decrypted destination of a personal payout has the number of its stored account',
    patches: [{ file: sealed, find: '(account.numberHash ?? numberHash) === numberHash', put: 'true' }],
    by: { scenario: 'a payout whose encrypted destination was replaced is not sent' },
  },
  {
    name: 'mask-not-compared',
    guard: 'the decrypted destination of a payout has the mask that was shown',
    patches: [{ file: sealed, find: 'maskOf(destination) === payout.mask', put: 'true' }],
    by: { scenario: 'a payout whose encrypted destination was replaced is not sent' },
  },
  {
    name: 'rule-total-at-once',
    guard: 'the transaction that creates a payout checks the daily total of its rule',
    patches: [{ file: balance, find: roomCondition, put: withoutRoomOf('ruleDay') }],
    by: { scenario: 'two concurrent payouts keep the daily total of a rule' },
  },
  {
    name: 'rule-total-not-read',
    guard: 'a rule whose daily total is used up releases no payout',
    patches: [
      { file: rules, find: ' && usedOf(share, used.total) <= share.room', put: '' },
      { file: balance, find: roomCondition, put: withoutRoomOf('ruleDay') },
    ],
    by: payouts,
  },
  {
    name: 'rule-above-its-ceiling',
    guard: 'a rule releases no payout above its ceiling',
    patches: [
      {
        file: rules,
        find: 'amountMinor <= ceilingMinor &&',
        put: '(amountMinor <= ceilingMinor || ceilingMinor > 0n) &&',
      },
    ],
    by: { scenario: 'no rule releases a payout above its ceiling' },
  },
  {
    name: 'known-by-rule',
    guard: 'an account becomes known only through a payout that a person approved',
    patches: [
      {
        file: 'lib/payout/payout.ts',
        find: "verdict === 'approved' && !by.startsWith('rule:')",
        put: "verdict === 'approved' && by !== ''",
      },
    ],
    by: { scenario: 'a payout that a rule released does not make its account known' },
  },
  {
    name: 'duplicate-by-rule',
    guard: 'a possible duplicate waits for moderation',
    patches: [{ file: rules, find: 'if (facts.duplicateSeen) return undefined;', put: '' }],
    by: { scenario: 'no rule releases a possible duplicate' },
  },
  {
    name: 'second-person-by-rule',
    guard: 'no rule releases a payout that takes two people',
    patches: [
      { file: rules, find: 'if (takesTwoPeople(facts.terms, amountMinor)) return undefined;', put: '' },
    ],
    by: aboveTheSum,
  },
  {
    name: 'one-person-above-the-sum',
    guard: 'an order above the two-person amount of the terms takes two people',
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
    guard: 'all parts of an order count towards the two-person amount',
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
    guard: 'a payout that the rail may have received is not declined',
    patches: [
      {
        file: 'lib/payout/acceptance.ts',
        find: '(providerKey !== undefined && notTaken !== true) || wasAccepted(acceptance);',
        put: 'wasAccepted(acceptance);',
      },
    ],
    by: { scenario: 'a payout in flight to the rail is not declined' },
  },
  {
    name: 'resend-is-only-call',
    guard: 'a repeated call is never treated as the only call',
    patches: [
      {
        file: dispatch,
        find: 'return callRail(ports, payout, again, destination, { isOnlyCall: false });',
        put: 'return callRail(ports, payout, again, destination, { isOnlyCall: true });',
      },
    ],
    by: { scenario: 'a payout that was sent twice is not declined' },
  },
  {
    name: 'limit-restored-to-another-day',
    guard: 'a limit is restored only for the day on which it was used',
    patches: [
      {
        file: balance,
        find: '...(usage?.day === limitDay ? [returnLimit(day, amountMinor, limitDay)] : []),',
        put: '...[returnLimit(day, amountMinor, limitDay)],',
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
    name: 'limit-not-restored',
    guard: 'a payout that fails restores its share of the limit',
    patches: [
      {
        file: balance,
        find: '...(usage?.day === limitDay ? [returnLimit(day, amountMinor, limitDay)] : []),\n',
        put: '',
      },
    ],
    by: payouts,
  },
  {
    name: 'limit-restored-twice',
    guard: 'a payout that fails restores exactly its share of the limit',
    patches: [
      {
        file: balance,
        find: 'set: `${total} = ${total} - :amount`,',
        put: 'set: `${total} = ${total} - :twice`,',
      },
      {
        file: balance,
        find: "values: { [`:${period}`]: taken, ':amount': amountMinor },",
        put: "values: { [`:${period}`]: taken, ':twice': amountMinor * 2n },",
      },
    ],
    by: payouts,
  },
  {
    name: 'automatic-payout-twice',
    guard: 'an automatic payout is created once for its hour, however often it is run',
    patches: [
      {
        file: 'lib/payout/run-auto-payouts.ts',
        find: 'autoGroupId: groupOfAutoRun(merchantId, nextAt),',
        put: 'autoGroupId: ports.newId(20),',
      },
    ],
    by: { scenario: 'an automatic payout is created once for its hour' },
  },
  {
    name: 'payouts-not-swept',
    guard: 'the sweep queues payouts whose messages were lost',
    patches: [
      {
        file: 'lib/payout/sweep-payouts.ts',
        find: 'const due = await payouts.due(now());',
        put: 'const due = [];',
      },
    ],
    by: payouts,
  },
  {
    name: 'phone-of-postback-in-the-clear',
    guard: 'the phone of a payout postback is stored sealed',
    patches: [
      {
        file: 'lib/postback/sealed-phone.ts',
        find: 'sealer.seal(phone, contextOf(eventId));',
        put: 'Promise.resolve(`${phone}${contextOf.name}${sealer.seal.name}${eventId}`);',
      },
    ],
    by: { scenario: 'the phone of a payout postback is stored sealed' },
  },
  {
    name: 'bank-unchecked',
    guard: 'a new payout goes to an active bank of SBP only',
    patches: [
      {
        file: 'lib/payout/assess.ts',
        find: "if (await isToUnknownBank(ports, request)) return fail('sbp_bank_unknown');",
        put: '',
      },
    ],
    by: banksGone,
  },
  {
    name: 'half-of-the-banks-gone',
    guard: 'a list without half of the known banks does not replace the old one',
    patches: [
      {
        file: 'lib/payout/refresh-sbp-banks.ts',
        find: "? 'half_of_the_banks_gone' : undefined;",
        put: '? undefined : undefined;',
      },
    ],
    by: banksGone,
  },
];
