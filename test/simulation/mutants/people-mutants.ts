import type { Mutant } from './mutant.ts';

const rail = 'lib/payout/resolve-error.ts';
const acquirer = 'lib/payment/resolve-by-hand.ts';
const proposals = 'lib/decision/decide-proposal.ts';

/** The guards between operators' decisions and money (docs/security.md). */
export const peopleMutants: readonly Mutant[] = [
  {
    name: 'rail-contradicted',
    guard: 'a decision that the rail contradicts is refused, whoever makes it',
    patches: [
      { file: rail, find: "if (answer !== undefined && 'says' in answer) return fail(answer);", put: '' },
    ],
    by: { scenario: 'two people cannot fail a payout that the rail has paid' },
  },
  {
    name: 'payout-failed-alone',
    guard: 'an outcome that the rail does not confirm takes two people',
    patches: [
      {
        file: rail,
        find: "if (answer === undefined && approvedBy === undefined) return fail('takes_two_people');",
        put: '',
      },
    ],
    by: { scenario: 'one person alone cannot fail a payout' },
  },
  {
    name: 'failed-without-a-tombstone',
    guard: 'a payout that the rail does not know is cancelled there before it is failed',
    patches: [
      {
        file: rail,
        find: 'const answer = isOpen ? await queryRail(payout, () => rail.cancel(transferOf(payout))) : view;',
        put: "const answer = isOpen ? { state: 'refused' } : view;",
      },
    ],
    by: { scenario: 'a payout in flight is not failed by an operator who cannot see it at the rail' },
  },
  {
    name: 'returned-alone',
    guard: 'recording a returned payout takes two people',
    patches: [
      {
        file: 'lib/payout/record-return.ts',
        find: "if (signature.approvedBy === undefined) return fail('takes_two_people');",
        put: '',
      },
    ],
    by: { scenario: 'one person alone cannot record a returned payout' },
  },
  {
    name: 'approves-their-own',
    guard: 'nobody approves their own proposal',
    patches: [
      {
        file: proposals,
        find: "if (isSamePerson(proposal.proposedBy, by)) return fail('same_person');",
        put: '',
      },
      {
        file: 'lib/decision/proposal.ts',
        find: 'if (isSamePerson(proposal.proposedBy, decided.by))',
        put: 'if (decided.by === undefined)',
      },
    ],
    by: { scenario: 'two spellings of a name are one person' },
  },
  {
    name: 'spellings-are-different-people',
    guard: 'lookalike names count as one person',
    patches: [
      {
        file: 'lib/ledger/same-person.ts',
        find: 'one === other || folded(one) === folded(other);',
        put: 'one === other;',
      },
    ],
    by: { scenario: 'two spellings of a name are one person' },
  },
  {
    name: 'operators-approve',
    guard: 'only an approver approves a proposal',
    patches: [
      {
        file: 'lib/decision/carry-out.ts',
        find: "if (!decidedBy[decision.kind].includes(key.role)) return fail('not_in_this_role');",
        put: '',
      },
    ],
    by: { scenario: 'two operators are not two people' },
  },
  {
    name: 'acquirer-contradicted',
    guard: 'a decision that the acquirer contradicts is refused, whoever makes it',
    patches: [
      {
        file: acquirer,
        find: "if (answer === 'contradicts' && view) return { contradictedBy: 'acquirer', says: describeView(view) };",
        put: '',
      },
    ],
    by: { scenario: 'two people cannot capture a payment that the acquirer declined' },
  },
  {
    name: 'captured-alone',
    guard: 'a capture that the acquirer does not confirm takes two people',
    patches: [
      {
        file: acquirer,
        find: "return answer === 'silent' && approvedBy === undefined ? 'takes_two_people' : undefined;",
        put: 'return undefined;',
      },
    ],
    by: { scenario: 'one person alone cannot capture a payment' },
  },
  {
    name: 'decision-never-expires',
    guard: 'a decision expires if it is not carried out',
    patches: [
      {
        file: 'lib/decision/carry-out.ts',
        find: "if (isExpired(made, ports.now())) return fail('decision_expired');",
        put: '',
      },
    ],
    by: { scenario: 'an expired decision is not carried out' },
  },
];
