import type { Mutant } from './mutant.ts';

const dispatch = 'lib/payout/dispatch-payout.ts';
const moves = 'lib/payout/moves.ts';
const answers = 'lib/payout/act-on-answer.ts';

/** The guards of payouts on rails without tombstones, whose keys have a life (lib/payout/README.md). */
export const railMutants: readonly Mutant[] = [
  {
    name: 'forgotten-key-sent',
    guard: 'a key that the rail may have forgotten is never sent',
    patches: [
      {
        file: dispatch,
        find: 'ports.rail.tombstones ? !isOverdue(ports, payout) : isKeyAlive(firstCallOf(payout), ports.now());',
        put: '!isOverdue(ports, payout);',
      },
    ],
    by: { scenario: 'a key that the rail may have forgotten is not sent' },
  },
  {
    name: 'first-call-forgotten',
    guard: 'the time of the first call under a key is never replaced',
    patches: [{ file: moves, find: 'firstCallAt: firstCallOf(payout) ?? now,', put: 'firstCallAt: now,' }],
    by: { scenario: 'a key that the rail may have forgotten is not sent' },
  },
  {
    name: 'absence-is-failure',
    guard: 'a payout that a rail without tombstones does not find never fails',
    patches: [
      {
        file: dispatch,
        find: 'ports.rail.tombstones ? await cancel(ports, asked.payout) : asked',
        put: "ports.rail.tombstones ? await cancel(ports, asked.payout) : { ...asked, view: { state: 'refused' as const, reference: 'none' } }",
      },
    ],
    by: { scenario: 'a payout that its rail does not find is in ERROR with its evidence' },
  },
  {
    name: 'refusal-of-one-call-decides',
    guard: 'a refused call says nothing about an unanswered one before it',
    patches: [
      {
        file: answers,
        find: 'rail.tombstones || isOnlyCall || view.reference !== undefined;',
        put: 'rail.tombstones || isOnlyCall || view.state !== undefined;',
      },
    ],
    by: { scenario: 'a refusal after an unanswered call does not begin another attempt' },
  },
  {
    name: 'busy-call-forgets-the-first',
    guard: 'a call that was not carried out says nothing about an unanswered one before it',
    patches: [
      {
        file: dispatch,
        find: 'const after = isOnlyCall\n',
        put: 'const after = ports.rail.name !== undefined\n',
      },
    ],
    by: { scenario: 'a busy rail does not renew the life of a key' },
  },
  {
    name: 'ended-attempt-sent-again',
    guard: 'an attempt that the rail has ended is followed by one with a new key',
    patches: [
      {
        file: moves,
        find: 'payout.providerKey === undefined || payout.attemptOver === true || isOfAnother(payout, rail);',
        put: 'payout.providerKey === undefined || isOfAnother(payout, rail);',
      },
    ],
    by: { scenario: 'an attempt that found our account empty is followed by another' },
  },
  {
    name: 'accepted-after-its-end',
    guard: 'an attempt that is accepted after its end is not followed by another',
    patches: [
      {
        file: 'lib/payout/late-answer.ts',
        find: 'isEarlier || payout.attemptOver === true;',
        put: 'isEarlier;',
      },
      { file: dispatch, find: 'if (payout.attemptOver && wasAccepted(payout))', put: 'if (false)' },
    ],
    by: { scenario: 'an attempt that is accepted after its end is not followed by another' },
  },
  {
    name: 'failed-alone-without-tombstone',
    guard: 'one person alone does not fail a payout that a rail without tombstones does not find',
    patches: [
      {
        file: 'lib/payout/resolve-error.ts',
        find: 'return isAcceptance(view) ? against(view) : undefined;',
        put: "return isAcceptance(view) ? against(view) : { ...view, state: 'refused' as const };",
      },
    ],
    by: { scenario: 'one person alone cannot fail a payout that its rail does not find' },
  },
  {
    name: 'any-unknown-payout-failed-alone',
    guard: 'one person alone fails an unknown payout only when nothing of it can be at its rail',
    patches: [
      {
        file: 'lib/payout/resolve-error.ts',
        find: "if (view.state === 'unknown' && !mayBeAtRail(payout))",
        put: "if (view.state === 'unknown')",
      },
    ],
    by: { scenario: 'one person alone cannot fail a payout that its rail does not find' },
  },
  {
    name: 'final-payout-not-compared',
    guard: 'a final payout whose rail reports the opposite raises an alarm',
    patches: [
      {
        file: 'lib/payout/receive-payout-notice.ts',
        find: 'if (contradiction) ports.alarm(contradiction, { payout: payout.id });',
        put: '',
      },
    ],
    by: { scenario: 'a transfer that changes after its end raises an alarm' },
  },
  {
    name: 'undone-payout-is-silent',
    guard: 'a paid payout that its rail reports as cancelled raises an alarm',
    patches: [
      {
        file: 'lib/payout/late-answer.ts',
        find: "return view.state === 'refused' || view.state === 'provider_empty' ? 'payout_undone' : undefined;",
        put: 'return undefined;',
      },
    ],
    by: { scenario: 'a transfer that changes after its end raises an alarm' },
  },
];
