import { type Command, Option } from 'commander';
import { isSamePerson } from '../../ledger/same-person.ts';
import { groundsOf, type Proposal } from '../../decision/proposal.ts';
import { addCommand } from '../add-command.ts';
import { decide } from '../decide.ts';
import type { OperatorContext } from '../operator-context.ts';
import { type CommandOutput, table } from '../output.ts';
import { approvalQuestion, describeProposal, ordersIn, proposalView } from '../proposal-told.ts';
import { required } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { decisionsOutput } from './moderation.ts';

export function proposalCommands(group: Command, shell: Shell): void {
  addList(group, shell);
  addApprove(group, shell);
  addReject(group, shell);
}

function addList(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'list',
    description:
      'show proposals that wait for a second person; trace of a payment or payout shows its others',
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
      'approve another person’s proposal: it is carried out at once, after another check at the provider where there is one',
    example: 'proposals approve Zt5bM1xW9cQe7RfA',
    under: 'approver',
    run: async (context, { args: [proposalId = ''], by, confirm }) => {
      const shown = await proposalNamed(context, proposalId);
      await confirm(await approvalQuestion(context, shown));
      const done = await decide(context, { kind: 'approve_proposal', proposalId }, { by: await by() });
      const after = decided(await proposalNamed(context, proposalId));
      if (done.kind !== 'payouts' || shown.decision.kind !== 'approve_payouts') return after;
      const orders = await ordersIn(context, shown.decision.payouts);
      const { text, exitCode } = decisionsOutput(done.verdicts, orders.flat(), 'approved');
      return { json: after.json, text: `${text}\n${after.text}`, exitCode };
    },
  });
}

function addReject(group: Command, shell: Shell): void {
  addCommand<{ readonly reason: string }>(group, shell, {
    usage: 'reject <proposal>',
    description: 'reject a proposal, or withdraw your own: no money moves',
    options: [new Option('--reason <text>', 'the reason; recorded with the proposal').makeOptionMandatory()],
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
