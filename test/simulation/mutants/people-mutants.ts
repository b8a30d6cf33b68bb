import type { Mutant } from './mutant.ts';

const rail = 'lib/payout/resolve-error.ts';
const acquirer = 'lib/payment/resolve-by-hand.ts';
const proposals = 'lib/decision/decide-proposal.ts';

/** The guards between people's word and money (docs/security.md). */
export const peopleMutants: readonly Mutant[] = [
  {
    name: 'rail-contradicted',
    guard: 'what the rail contradicts is refused, whoever says it',
    patches: [
      { file: rail, find: "if (answer !== undefined && 'says' in answer) return fail(answer);", put: '' },
    ],
    by: { scenario: 'two people cannot fail what the rail has paid' },
  },
  {
    name: 'payout-failed-alone',
    guard: 'what the rail does not confirm takes two people',
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
    guard: 'what the rail has not heard of is cancelled there before it is failed',
    patches: [
      {
        file: rail,
        find: 'const answer = isOpen ? await queryRail(rail, payout, ({ cancel }) => cancel(payout.id)) : view;',
        put: "const answer = isOpen ? { state: 'refused' } : view;",
      },
    ],
    by: { scenario: 'a payout that is on its way is not failed by who sees nothing of it' },
  },
  {
    name: 'returned-alone',
    guard: 'money that came back is booked by two people',
    patches: [
      {
        file: 'lib/payout/record-return.ts',
        find: "if (signature.approvedBy === undefined) return fail('takes_two_people');",
        put: '',
      },
    ],
    by: { scenario: 'one person alone books nothing that came back' },
  },
  {
    name: 'approves-their-own',
    guard: 'nobody approves what they proposed',
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
    by: { scenario: 'one person in two spellings is one' },
  },
  {
    name: 'spellings-are-people',
    guard: 'names that look alike are one person’s',
    patches: [
      {
        file: 'lib/ledger/same-person.ts',
        find: 'one === other || folded(one) === folded(other);',
        put: 'one === other;',
      },
    ],
    by: { scenario: 'one person in two spellings is one' },
  },
  {
    name: 'operators-approve',
    guard: 'only an approver agrees to what takes two people',
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
    guard: 'what the acquirer contradicts is refused, whoever says it',
    patches: [
      {
        file: acquirer,
        find: "if (answer === 'contradicts' && view) return { contradictedBy: 'acquirer', says: describeView(view) };",
        put: '',
      },
    ],
    by: { scenario: 'two people cannot capture what the acquirer declined' },
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
    by: { scenario: 'one person alone captures nothing' },
  },
  {
    name: 'decision-never-expires',
    guard: 'what was decided is carried out at once or not at all',
    patches: [
      {
        file: 'lib/decision/carry-out.ts',
        find: "if (isExpired(made, ports.now())) return fail('decision_expired');",
        put: '',
      },
    ],
    by: { scenario: 'an old decision is carried out by nobody' },
  },
];
