import { type Command, Option } from 'commander';
import { readMerchantId, readPaymentId } from '../../ids.ts';
import { type Bearer, bearers, type Chargeback } from '../../ledger/chargeback.ts';
import { toDecimal } from '../../money/money.ts';
import { addCommand } from '../add-command.ts';
import { chargebackTold } from '../chargeback-told.ts';
import { decide } from '../decide.ts';
import type { OperatorContext } from '../operator-context.ts';
import { amount, choice } from '../options.ts';
import { type CommandOutput, table } from '../output.ts';
import { proposalOutput } from '../proposal-told.ts';
import { required } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { chargebackView } from '../views.ts';

/** As many of one merchant's items as a person reads. */
const latest = 100;

export function chargebackCommands(group: Command, shell: Shell): void {
  addList(group, shell);
  addEnter(group, shell);
  addConfirm(group, shell);
  addDismiss(group, shell);
}

const reasonOption = () =>
  new Option(
    '--reason <text>',
    'the source: a letter, a line of the statement; at most 500 characters, without card numbers; recorded permanently',
  ).makeOptionMandatory();

function addList(group: Command, shell: Shell): void {
  addCommand<{ readonly open?: true; readonly merchant?: string }>(group, shell, {
    usage: 'list',
    description: 'show items that wait for two people; with --merchant also decided ones, the latest first',
    options: [
      new Option('--open', 'only items that wait'),
      new Option('--merchant <id>', 'only this merchant’s items'),
    ],
    example: 'chargebacks list --merchant 3f9KpQ7sXv2LmN8b',
    run: async (context, { options: { open, merchant } }) => {
      const found = await itemsFor(context, merchant, open === true);
      const rows = found.map((each) => [
        each.id,
        each.status,
        each.direction,
        `${toDecimal(each.amount.minor)} ${each.amount.currency}`,
        each.merchantId,
        each.entered ? `entered by ${each.entered.by}` : `the acquirer: ${each.seen?.state ?? ''}`,
        each.at.toISOString(),
        each.decision?.reason ?? each.entered?.reason,
      ]);
      const titles = ['chargeback', 'status', 'direction', 'amount', 'merchant', 'told by', 'at', 'reason'];
      const nothing = merchant === undefined || open ? 'No chargeback is open.' : 'No chargeback is known.';
      return { json: found.map(chargebackView), text: table(titles, rows, nothing) };
    },
  });
}

async function itemsFor(
  { chargebacks, merchants }: OperatorContext,
  merchant: string | undefined,
  onlyOpen: boolean,
): Promise<readonly Chargeback[]> {
  if (merchant === undefined) return chargebacks.listOpen();
  const merchantId = required(readMerchantId(merchant), 'merchant_not_found');
  required(await merchants.find(merchantId), 'merchant_not_found');
  if (!onlyOpen) return chargebacks.listOf(merchantId, latest);
  return (await chargebacks.listOpen()).filter((each) => each.merchantId === merchantId);
}

type EntryOptions = { readonly amount: bigint; readonly surplus?: true; readonly reason: string };

function addEnter(group: Command, shell: Shell): void {
  addCommand<EntryOptions>(group, shell, {
    usage: 'enter <payment>',
    description: 'record a chargeback that only a letter or a statement told of; no money moves yet',
    options: [
      amount('amount', 'amount in the payment’s currency').makeOptionMandatory(),
      new Option('--surplus', 'money came back to the acquirer, as after a chargeback was reversed'),
      reasonOption(),
    ],
    example:
      'chargebacks enter uW3kZ9sLq0TbXc5V00aB4dE6fG --amount 100.50 --reason "letter of the acquirer, 21 November"',
    run: async (context, { args: [id], options, by }) => {
      const paymentId = required(readPaymentId(id), 'payment_not_found');
      // The id is recorded with the decision, so it must be an existing payment's.
      required(await context.payments.find(paymentId), 'payment_not_found');
      const { amount: amountMinor, reason, surplus } = options;
      const direction = surplus ? 'surplus' : 'loss';
      const entered = { kind: 'enter_chargeback', paymentId, direction, amountMinor, reason } as const;
      const done = await decide(context, entered, { by: await by() });
      const chargeback = await chargebackNamed(context, done.kind === 'chargeback' ? done.id : '');
      const next = `Two people decide: chargebacks confirm ${chargeback.id} --reason … (or dismiss)`;
      return { json: chargebackView(chargeback), text: `${sentence(chargeback)}\n${next}` };
    },
  });
}

function addConfirm(group: Command, shell: Shell): void {
  addCommand<{ readonly bearer: Bearer; readonly reason: string }>(group, shell, {
    usage: 'confirm <chargeback>',
    description:
      'propose to book an item, for another person to approve: a loss is debited from the merchant up to what is available, and the rest becomes a claim; a surplus credits nobody',
    options: [
      choice('bearer', bearers, 'who bears a loss').default('merchant' satisfies Bearer),
      reasonOption(),
    ],
    example:
      'chargebacks confirm uW3kZ9sLq0TbXc5V00aB4dE6fG.chargeback.1 --reason "case 4711 in the back office"',
    run: async (context, { args: [id = ''], options: { bearer, reason }, by, confirm }) => {
      const chargeback = await chargebackNamed(context, id);
      await confirm(`Propose to ${await chargebackTold(context, chargeback, bearer)}?`);
      const decision = { kind: 'confirm_chargeback', chargebackId: id, bearer, reason } as const;
      return proposed(context, id, await decide(context, decision, { by: await by() }));
    },
  });
}

function addDismiss(group: Command, shell: Shell): void {
  addCommand<{ readonly reason: string }>(group, shell, {
    usage: 'dismiss <chargeback>',
    description: 'propose to close an item without booking it, for another person to approve',
    options: [reasonOption()],
    example:
      'chargebacks dismiss uW3kZ9sLq0TbXc5V00aB4dE6fG.chargeback.1 --reason "booked as adjustment Zt5bM1xW9cQe7RfA"',
    run: async (context, { args: [id = ''], options: { reason }, by }) => {
      await chargebackNamed(context, id);
      const decision = { kind: 'dismiss_chargeback', chargebackId: id, reason } as const;
      return proposed(context, id, await decide(context, decision, { by: await by() }));
    },
  });
}

async function proposed(
  context: OperatorContext,
  id: string,
  done: { readonly kind: string; readonly id?: string },
): Promise<CommandOutput> {
  if (done.kind === 'proposal' && done.id !== undefined) return proposalOutput(context, done.id);
  const chargeback = await chargebackNamed(context, id);
  return { json: chargebackView(chargeback), text: sentence(chargeback) };
}

const chargebackNamed = async ({ chargebacks }: OperatorContext, id: string): Promise<Chargeback> =>
  required(await chargebacks.find(id), 'chargeback_not_found');

const sentence = ({ id, amount: { minor, currency }, status, direction }: Chargeback): string =>
  `Chargeback ${id}, a ${direction} of ${toDecimal(minor)} ${currency}, is ${status} now.`;
