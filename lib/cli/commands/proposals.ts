import { type Command, Option } from 'commander';
import { isSamePerson } from '../../ledger/same-person.ts';
import { groundsOf, type Proposal } from '../../decision/proposal.ts';
import { addCommand, addGroup } from '../add-command.ts';
import { decide } from '../decide.ts';
import type { OperatorContext } from '../operator-context.ts';
import { type CommandOutput, table } from '../output.ts';
import { askedAbout, describeProposal, ordersIn, proposalView } from '../proposal-told.ts';
import { required } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { told } from './moderation.ts';

export function proposalCommands(program: Command, shell: Shell): void {
  const group = addGroup(
    program,
    'proposals',
    'what takes two people: no provider confirms it, or it is more than one may let go',
  );
  addList(group, shell);
  addApprove(group, shell);
  addReject(group, shell);
}

function addList(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'list',
    description: 'show what waits for a second person; trace of its payment or payout shows the others',
    example: 'proposals list',
    run: async (context) => {
      const waiting = await context.proposals.listOpen();
      const rows = await Promise.all(
        waiting.map(async (each) => [
          each.id,
          await describeProposal(context, each),
          each.merchantId || 'several',
          each.proposedBy,
          each.proposedAt.toISOString(),
          groundsOf(each.decision),
        ]),
      );
      const titles = ['proposal', 'to', 'merchant', 'proposed by', 'at', 'evidence'];
      return { json: waiting.map(proposalView), text: table(titles, rows, 'No proposal is waiting.') };
    },
  });
}

function addApprove(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'approve <proposal>',
    description:
      'agree to what somebody else proposed: it is carried out at once, and where a provider knows about it, that is asked once more',
    example: 'proposals approve Zt5bM1xW9cQe7RfA',
    under: 'approver',
    run: async (context, { args: [proposalId = ''], by, confirm }) => {
      const shown = await proposalNamed(context, proposalId);
      await confirm(await askedAbout(context, shown));
      const done = await decide(context, { kind: 'approve_proposal', proposalId }, { by: await by() });
      const after = decided(await proposalNamed(context, proposalId));
      if (done.kind !== 'payouts' || shown.decision.kind !== 'approve_payouts') return after;
      const orders = await ordersIn(context, shown.decision.payouts);
      const { text, exitCode } = told(done.verdicts, orders.flat(), 'approved');
      return { json: after.json, text: `${text}\n${after.text}`, exitCode };
    },
  });
}

function addReject(group: Command, shell: Shell): void {
  addCommand<{ readonly reason: string }>(group, shell, {
    usage: 'reject <proposal>',
    description: 'refuse what was proposed, or withdraw your own: nothing moves',
    options: [new Option('--reason <text>', 'why; kept with the proposal').makeOptionMandatory()],
    example: 'proposals reject Zt5bM1xW9cQe7RfA --reason "the statement shows another order"',
    run: async (context, { args: [proposalId = ''], options: { reason }, by: identify }) => {
      const by = await identify();
      const { proposedBy } = await proposalNamed(context, proposalId);
      const role = isSamePerson(proposedBy, by) ? 'operator' : 'approver';
      context.workUnder(role);
      await decide(context, { kind: 'reject_proposal', proposalId, reason }, { by, role });
      return decided(await proposalNamed(context, proposalId));
    },
  });
}

const proposalNamed = async ({ proposals }: OperatorContext, id: string): Promise<Proposal> =>
  required(await proposals.find(id), 'proposal_not_found');

const decided = (proposal: Proposal): CommandOutput => ({
  json: proposalView(proposal),
  text: `Proposal ${proposal.id} is ${proposal.status} now: see trace ${proposal.id}`,
});
