import type { Mutant } from './mutant.ts';

const transact = 'lib/store/transact.ts';
const mixed = { focus: 'mixed' } as const;

/** The guards of the store, postback delivery, endpoints, tokens and page secrets. */
export const storeMutants: readonly Mutant[] = [
  {
    name: 'conflicts-not-retried',
    guard: 'a transaction that conflicts with another is retried',
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
    guard: 'a transaction without an answer is repeated, not reported as failed',
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
    name: 'sdk-retry-unnoticed',
    guard: 'a transaction that the SDK retried keeps its token: its first attempt may still be applied',
    patches: [{ file: transact, find: 'if (wasRepeatedBelow(error)) request.wasUnknown = true;', put: '' }],
    by: { scenario: 'a transaction that the SDK retried is recognised as applied' },
  },
  {
    name: 'plain-calls-not-retried',
    guard: 'a single-item call that meets a transaction, throttling or a lost answer is retried',
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
    guard: 'an event that one worker has leased is not leased to another',
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
    guard: 'no FAIL postback is sent after its bill is paid',
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
    guard: 'the sweep sends postbacks whose messages were lost',
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
    guard: 'an event becomes PAUSED only while its endpoint is paused',
    patches: [
      {
        file: 'lib/store/endpoint-item.ts',
        find: "ConditionExpression: 'paused = :yes',",
        put: "ConditionExpression: 'paused = :yes OR attribute_exists(PK) OR attribute_not_exists(PK)',",
      },
    ],
    by: { scenario: 'a postback paused while its endpoint is resumed is sent' },
  },
  {
    name: 'resume-lists-once',
    guard: 'resuming an endpoint lists its waiting postbacks a second time',
    patches: [
      {
        file: 'lib/postback/replay-postbacks.ts',
        find: 'const second = await replayUndelivered(ports, waits);',
        put: 'const second = { replayed: 0 };',
      },
    ],
    by: { scenario: 'a postback that the index lists late is sent when its endpoint is resumed' },
  },
  {
    name: 'dead-not-resumed',
    guard: 'resuming an endpoint also sends DEAD postbacks',
    patches: [
      {
        file: 'lib/postback/replay-postbacks.ts',
        find: "state === 'PAUSED' || state === 'DEAD' ||",
        put: "state === 'PAUSED' ||",
      },
    ],
    by: { scenario: 'a receiver that is down for weeks loses no postback' },
  },
  {
    name: 'dead-without-alarm',
    guard: 'a postback that becomes DEAD raises an alarm',
    patches: [
      {
        file: 'lib/postback/deliver-postback.ts',
        find: "if (outcome.state === 'DEAD')",
        put: "if (outcome.state === 'PENDING')",
      },
    ],
    by: { scenario: 'a receiver that is down for weeks loses no postback' },
  },
  {
    name: 'idle-time-resets-failures',
    guard: 'a pause in postbacks does not reset the record of a failing endpoint',
    patches: [
      {
        file: 'lib/postback/endpoint-health.ts',
        find: '  if (!burdensWorker(answer)) return',
        put: '  if (before.failingSince && now.getTime() - before.failingSince.getTime() > 4 * 86_400_000)\n    await endpoints.healthy(before.id);\n  if (!burdensWorker(answer)) return',
      },
    ],
    by: { scenario: 'a receiver that is down for weeks loses no postback' },
  },
  {
    name: 'slow-endpoint-blocks-first-lane',
    guard: 'first attempts to a slow endpoint are handed to the retry workers',
    patches: [
      {
        file: 'lib/postback/deliver-postback.ts',
        find: "if (lane === 'first' && isSlow(recipient.health, now)) return",
        put: "if (lane === 'retries' && isSlow(recipient.health, new Date(0))) return",
      },
    ],
    by: { scenario: 'a slow receiver is handed to the retry workers' },
  },
  {
    name: 'handed-over-with-lease',
    guard: 'the lease of an event is released before the event is handed over',
    patches: [
      {
        file: 'lib/postback/deliver-postback.ts',
        find: "if ((await ports.events.release(event)) === 'released') await queueEvent",
        put: 'await queueEvent',
      },
    ],
    by: { scenario: 'a slow receiver is handed to the retry workers' },
  },
  {
    name: 'delivery-not-recorded',
    guard: 'a payment records the delivery of its postback even if the worker crashes',
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
    name: 'probes-without-interval',
    guard: 'an endpoint with an open circuit breaker is probed once in five seconds',
    patches: [
      {
        file: 'lib/store/endpoints.ts',
        find: "when: 'attribute_exists(openUntil) AND (attribute_not_exists(nextProbeAt) OR nextProbeAt <= :now)',",
        put: "when: 'attribute_exists(openUntil) AND (attribute_not_exists(nextProbeAt) OR nextProbeAt <= :now OR nextProbeAt <= :next)',",
      },
    ],
    by: { scenario: 'a receiver with an open circuit breaker is probed once in five seconds' },
  },
  {
    name: 'replaced-token-accepted',
    guard: 'a replaced token is invalid immediately',
    patches: [
      {
        file: 'lib/store/merchants.ts',
        find: '    { write: { Delete: { TableName, Key: tokenKey(merchant.tokenHash) } } },\n',
        put: '',
      },
    ],
    by: { scenario: 'a replaced token is not accepted' },
  },
  {
    name: 'replaced-page-secret-accepted',
    guard: 'a signature of a replaced page secret is refused after two hours',
    patches: [
      {
        file: 'lib/payment/page-secrets.ts',
        find: 'if (age >= overlapMs) return',
        put: 'if (age >= overlapMs * 1000) return',
      },
    ],
    by: { scenario: 'a replaced page secret is accepted for two hours and no longer' },
  },
  {
    name: 'page-secret-signs-too-soon',
    guard: 'a new page secret is not used for signing before every function has loaded it',
    patches: [
      {
        file: 'lib/payment/page-secrets.ts',
        find: 'age < becomesKnownMs ?',
        put: 'age < 0 * becomesKnownMs ?',
      },
    ],
    by: { scenario: 'a new page secret signs only after every function has loaded it' },
  },
  {
    name: 'bill-key-reused',
    guard: 'one of several concurrent requests with the same Idempotency-Key creates the bill',
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
