import type { Mutant } from './mutant.ts';

const transact = 'lib/store/transact.ts';
const mixed = { focus: 'mixed' } as const;

/** The guards of the store, the outbox and the endpoints. */
export const storeMutants: readonly Mutant[] = [
  {
    name: 'conflicts-not-retried',
    guard: 'a transaction that met another is tried again',
    patches: [
      {
        file: transact,
        find: "if (verdict !== 'retry') return fail(verdict.refused);",
        put: "if (cancelled.reasons && verdict === 'retry') throw new TransactionFailed(cancelled.reasons);\nif (verdict !== 'retry') return fail(verdict.refused);",
      },
    ],
    by: mixed,
  },
  {
    name: 'lost-answer-is-failure',
    guard: 'a lost answer is asked for again, not taken for a failure',
    patches: [{ file: transact, find: 'if (!why) throw error;', put: "if (why !== 'refused') throw error;" }],
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
    name: 'sdk-repeat-unnoticed',
    guard: 'a transaction that was repeated below us keeps its token: its first attempt may still be applied',
    patches: [{ file: transact, find: 'if (wasRepeatedBelow(error)) request.wasUnknown = true;', put: '' }],
    by: { scenario: 'a transaction that the SDK repeated is known for our own' },
  },
  {
    name: 'plain-calls-not-retried',
    guard: 'a plain call that met a transaction, throttling or a lost answer is made again',
    patches: [
      {
        file: 'lib/store/retrying-client.ts',
        find: 'if (!mayPass(error) || !(await pause(retry))) throw error;',
        put: 'throw error;',
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
    name: 'paused-after-resume',
    guard: 'an event is put aside only while its endpoint is paused',
    patches: [
      {
        file: 'lib/store/endpoint-item.ts',
        find: "ConditionExpression: 'paused = :yes',",
        put: "ConditionExpression: 'paused = :yes OR attribute_exists(PK) OR attribute_not_exists(PK)',",
      },
    ],
    by: { scenario: 'what is put aside while its endpoint is resumed is sent' },
  },
  {
    name: 'resume-looks-once',
    guard: 'resuming an endpoint looks a second time for what waits',
    patches: [
      {
        file: 'lib/postback/replay-postbacks.ts',
        find: 'const second = await replayUndelivered(ports, waits);',
        put: 'const second = { replayed: 0 };',
      },
    ],
    by: { scenario: 'what shows on the index a moment late is sent when its endpoint is resumed' },
  },
  {
    name: 'dead-not-resumed',
    guard: 'resuming an endpoint sends what was given up',
    patches: [
      {
        file: 'lib/postback/replay-postbacks.ts',
        find: "state === 'PAUSED' || state === 'DEAD' ||",
        put: "state === 'PAUSED' ||",
      },
    ],
    by: { scenario: 'a receiver that is dead for weeks loses nothing' },
  },
  {
    name: 'dead-in-silence',
    guard: 'a postback that is given up raises an alarm',
    patches: [
      {
        file: 'lib/postback/deliver-postback.ts',
        find: "if (outcome.state === 'DEAD')",
        put: "if (outcome.state === 'PENDING')",
      },
    ],
    by: { scenario: 'a receiver that is dead for weeks loses nothing' },
  },
  {
    name: 'silence-forgives',
    guard: 'silence does not wipe the record of a failing endpoint',
    patches: [
      {
        file: 'lib/postback/endpoint-health.ts',
        find: '  if (!burdensWorker(answer)) return',
        put: '  if (before.failingSince && now.getTime() - before.failingSince.getTime() > 4 * 86_400_000)\n    await endpoints.healthy(before.id);\n  if (!burdensWorker(answer)) return',
      },
    ],
    by: { scenario: 'a receiver that is dead for weeks loses nothing' },
  },
  {
    name: 'hanging-holds-first',
    guard: 'an endpoint that is slow is left to the workers of retries',
    patches: [
      {
        file: 'lib/postback/deliver-postback.ts',
        find: "if (lane === 'first' && isSlow(recipient.health, now)) return",
        put: "if (lane === 'retries' && isSlow(recipient.health, new Date(0))) return",
      },
    ],
    by: { scenario: 'a receiver that hangs is left to the workers of retries' },
  },
  {
    name: 'handed-over-leased',
    guard: 'an event that is handed over is given back first',
    patches: [
      {
        file: 'lib/postback/deliver-postback.ts',
        find: "if ((await ports.events.release(event)) === 'released') await queueEvent",
        put: 'await queueEvent',
      },
    ],
    by: { scenario: 'a receiver that hangs is left to the workers of retries' },
  },
  {
    name: 'told-is-forgotten',
    guard: 'a payment keeps when its postback was delivered, whatever dies in between',
    patches: [
      {
        file: 'lib/postback/deliver-postback.ts',
        find: 'await ports.payments.postbackDelivered(paymentId, outcome.attempt.at);\n  await finish(ports, event, outcome);',
        put: 'return finish(ports, event, outcome).then(() => ports.payments.postbackDelivered(paymentId, outcome.attempt.at));\n  await finish(ports, event, outcome);',
      },
    ],
    by: mixed,
  },
  {
    name: 'probes-without-pause',
    guard: 'an endpoint behind its breaker is probed once in five seconds',
    patches: [
      {
        file: 'lib/store/endpoints.ts',
        find: "when: 'attribute_exists(openUntil) AND (attribute_not_exists(nextProbeAt) OR nextProbeAt <= :now)',",
        put: "when: 'attribute_exists(openUntil) AND (attribute_not_exists(nextProbeAt) OR nextProbeAt <= :now OR nextProbeAt <= :next)',",
      },
    ],
    by: { scenario: 'a receiver behind its breaker is probed once in five seconds' },
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
    name: 'old-page-secret-lives',
    guard: 'what a replaced page secret signed is refused two hours later',
    patches: [
      {
        file: 'lib/payment/page-secrets.ts',
        find: 'if (age >= overlapMs) return',
        put: 'if (age >= overlapMs * 1000) return',
      },
    ],
    by: { scenario: 'a page secret that was replaced is accepted for two hours and no longer' },
  },
  {
    name: 'page-secret-signs-too-soon',
    guard: 'a new page secret signs nothing before every function knows it',
    patches: [
      {
        file: 'lib/payment/page-secrets.ts',
        find: 'age < becomesKnownMs ?',
        put: 'age < 0 * becomesKnownMs ?',
      },
    ],
    by: { scenario: 'a new page secret signs when every function knows it' },
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
