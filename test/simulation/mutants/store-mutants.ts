import type { Mutant } from './mutant.ts';

const transact = 'lib/store/transact.ts';
const mixed = { focus: 'mixed' } as const;

/** The guards of the store, the outbox and the endpoints. */
export const storeMutants: readonly Mutant[] = [
  {
    name: 'conflicts-not-retried',
    guard: 'a transaction that met another is tried again',
    patches: [{ file: transact, find: 'const triesOnConflict = 6;', put: 'const triesOnConflict = 1;' }],
    by: mixed,
  },
  {
    name: 'lost-answer-is-failure',
    guard: 'a lost answer is asked for again, not taken for a failure',
    patches: [{ file: transact, find: 'const repeatsOfUnknown = 2;', put: 'const repeatsOfUnknown = 0;' }],
    by: mixed,
  },
  {
    name: 'new-token-per-repeat',
    guard: 'a transaction whose answer was lost is repeated under its own token',
    patches: [
      {
        file: transact,
        find: 'await client.send(request.command);',
        put: 'await client.send(new TransactWriteCommand({ ...request.command.input, ClientRequestToken: randomUUID() }));',
      },
    ],
    by: mixed,
  },
  {
    name: 'claim-within-lease',
    guard: 'an event that one worker has leased is not taken by another',
    patches: [
      {
        file: 'lib/store/claim-event.ts',
        find: 'ConditionExpression: `${awaitsSending} AND ${free}`,',
        put: 'ConditionExpression: `${awaitsSending} AND (${free} OR attribute_exists(PK))`,',
      },
    ],
    by: mixed,
  },
  {
    name: 'fail-after-success',
    guard: 'a FAIL is not told once its bill is paid',
    patches: [
      {
        file: 'lib/postback/deliver-postback.ts',
        find: 'if (event.supersededByBill === undefined) return false;',
        put: 'return false;',
      },
    ],
    by: { focus: 'bills' },
  },
  {
    name: 'postbacks-not-swept',
    guard: 'the sweep sends what the queue lost',
    patches: [
      {
        file: 'lib/postback/sweep-postbacks.ts',
        find: 'const due = await ports.events.due(ports.now());',
        put: 'const due = [];',
      },
    ],
    by: mixed,
  },
  {
    name: 'old-token-lives',
    guard: 'a replaced token is dead at once',
    patches: [
      {
        file: 'lib/store/merchants.ts',
        find: '    { write: { Delete: { TableName, Key: tokenKey(merchant.tokenHash) } } },\n',
        put: '',
      },
    ],
    by: { scenario: 'a token that was replaced opens nothing' },
  },
  {
    name: 'bill-key-reused',
    guard: 'of racing requests under one Idempotency-Key one creates the bill',
    patches: [
      {
        file: 'lib/store/bill-claims.ts',
        find: "ConditionExpression: 'attribute_not_exists(PK) OR #ttl <= :now',",
        put: "ConditionExpression: 'attribute_not_exists(PK) OR #ttl <= :now OR attribute_exists(PK)',",
      },
    ],
    by: mixed,
  },
];
