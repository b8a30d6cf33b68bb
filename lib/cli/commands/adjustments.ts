import { type Command, Option } from 'commander';
import { CommandError } from '../../installation/command-error.ts';
import { type Adjustment, type Direction, gainMinor, isFinalAdjustment } from '../../ledger/adjustment.ts';
import { toDecimal } from '../../money/money.ts';
import { isSamePerson } from '../../ledger/same-person.ts';
import { adjustmentWarnings } from '../../decision/adjustment-warnings.ts';
import { type CommandOutput, table } from '../output.ts';
import type { OperatorContext } from '../operator-context.ts';
import { amount, balanceCurrency } from '../options.ts';
import { decide } from '../decide.ts';
import { required } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand } from '../add-command.ts';
import { adjustmentView } from '../views.ts';

type ProposalOptions = {
  readonly credit?: bigint;
  readonly debit?: bigint;
  readonly reason: string;
  readonly about?: string;
};

const requiredReason = (description: string) =>
  new Option('--reason <text>', description).makeOptionMandatory();

export function adjustmentCommands(group: Command, shell: Shell): void {
  addPropose(group, shell);
  addList(group, shell);
  addApprove(group, shell);
  addReject(group, shell);
}

function addPropose(group: Command, shell: Shell): void {
  addCommand<ProposalOptions>(group, shell, {
    usage: 'propose <merchant> <currency>',
    description: 'propose to credit or debit the merchant’s available balance; no money moves yet',
    options: [
      amount('credit', 'amount to credit to the merchant').conflicts('debit'),
      amount('debit', 'amount to debit from the merchant'),
      requiredReason('the reason, at most 500 characters, without card numbers; recorded permanently'),
      new Option('--about <id>', 'the merchant’s payment or payout that it corrects'),
    ],
    example:
      'adjustments propose 3f9KpQ7sXv2LmN8b RUB --debit 100.50 --about uW3kZ9sLq0TbXc5V00aB4dE6fG --reason "chargeback of 21 November"',
    run: async (context, { args: [merchantId = '', currency = ''], options, by }) => {
      const { direction, minor } = movementIn(options);
      const { reason, about } = options;
      const money = { minor, currency: balanceCurrency(currency) };
      const proposed = { merchantId, direction, amount: money, reason, about };
      const done = await decide(context, { kind: 'propose_adjustment', ...proposed }, { by: await by() });
      const adjustment = await adjustmentNamed(context, done.kind === 'adjustment' ? done.id : '');
      const warnings = await adjustmentWarnings(context, adjustment);
      const next = `Another person decides: adjustments approve ${adjustment.id}`;
      const text = [sentence(adjustment), ...warnings.map(marked), next].join('\n');
      return { json: { ...adjustmentView(adjustment), warnings }, text };
    },
  });
}

function addList(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'list',
    description: 'show adjustments that wait for a second person; trace shows the others',
    example: 'adjustments list',
    run: async ({ adjustments }) => {
      const waiting = await adjustments.listProposed();
      const rows = waiting.map((each) => [
        each.id,
        gainOf(each),
        each.merchantId,
        each.proposedBy,
        each.proposedAt.toISOString(),
        each.about,
        each.reason,
      ]);
      const titles = ['adjustment', 'amount', 'merchant', 'proposed by', 'at', 'about', 'reason'];
      return { json: waiting.map(adjustmentView), text: table(titles, rows, 'No adjustment is waiting.') };
    },
  });
}

function addApprove(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'approve <adjustment>',
    description: 'post another person’s proposal: the balance changes at once',
    example: 'adjustments approve Zt5bM1xW9cQe7RfA',
    under: 'approver',
    run: async (context, { args: [adjustmentId = ''], by, confirm }) => {
      const shown = await adjustmentNamed(context, adjustmentId);
      const warnings = isFinalAdjustment(shown) ? [] : await adjustmentWarnings(context, shown);
      const question = `Post ${gainOf(shown)} to the balance of ${shown.merchantId} (${shown.reason})?`;
      await confirm([...warnings.map(marked), question].join('\n'));
      await decide(context, { kind: 'approve_adjustment', adjustmentId }, { by: await by() });
      return decided(await adjustmentNamed(context, adjustmentId), warnings);
    },
  });
}

function addReject(group: Command, shell: Shell): void {
  addCommand<{ readonly reason: string }>(group, shell, {
    usage: 'reject <adjustment>',
    description: 'reject a proposal, or withdraw your own: no money moves',
    options: [requiredReason('the reason; recorded with the adjustment')],
    example: 'adjustments reject Zt5bM1xW9cQe7RfA --reason "the acquirer withdrew the chargeback"',
    run: async (context, { args: [adjustmentId = ''], options: { reason }, by: identify }) => {
      const by = await identify();
      const { proposedBy } = await adjustmentNamed(context, adjustmentId);
      const role = isSamePerson(proposedBy, by) ? 'operator' : 'approver';
      context.workUnder(role);
      await decide(context, { kind: 'reject_adjustment', adjustmentId, reason }, { by, role });
      return decided(await adjustmentNamed(context, adjustmentId));
    },
  });
}

const marked = (warning: string): string => `! ${warning}`;

function movementIn({ credit, debit }: ProposalOptions): {
  readonly direction: Direction;
  readonly minor: bigint;
} {
  if (credit !== undefined) return { direction: 'credit', minor: credit };
  if (debit !== undefined) return { direction: 'debit', minor: debit };
  throw new CommandError('Give an amount: --credit 100.50 or --debit 100.50.', 'nothing_named');
}

const adjustmentNamed = async ({ adjustments }: OperatorContext, id: string): Promise<Adjustment> =>
  required(await adjustments.find(id), 'adjustment_not_found');

function gainOf(adjustment: Adjustment): string {
  const gain = gainMinor(adjustment);
  return `${gain > 0n ? '+' : ''}${toDecimal(gain)} ${adjustment.amount.currency}`;
}

const sentence = (adjustment: Adjustment): string =>
  `Adjustment ${adjustment.id} of ${gainOf(adjustment)} for ${adjustment.merchantId} is ${adjustment.status} now.`;

const decided = (adjustment: Adjustment, warnings: readonly string[] = []): CommandOutput => ({
  json: { ...adjustmentView(adjustment), warnings },
  text: sentence(adjustment),
});
