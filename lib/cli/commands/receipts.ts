import { type Command, Option } from 'commander';
import { paymentIdOfRefund, readPaymentId, readRefundId } from '../../ids.ts';
import { type UnregisteredReceipt } from '../../payment/follow-receipts.ts';
import { addCommand } from '../add-command.ts';
import { decide } from '../decide.ts';
import { table } from '../output.ts';
import { required } from '../refusals.ts';
import type { Shell } from '../shell.ts';

export function receiptCommands(receipts: Command, shell: Shell): void {
  addCommand<{ readonly closed?: true }>(receipts, shell, {
    usage: 'list',
    description:
      'show receipts of payments and refunds whose registration failed, or was still pending after the last check',
    options: [new Option('--closed', 'those that a person has dealt with, and how')],
    example: 'receipts list',
    run: async (context, { options: { closed } }) => {
      const json = (await context.unregisteredReceipts.list(closed ? 'closed' : 'open')).map(view);
      const rows = json.map((each) => [
        each.refundId ?? each.paymentId,
        each.of,
        each.state,
        each.noticedAt,
        ...(closed ? [each.closedBy, each.closedAt, each.reason] : []),
      ]);
      const titles = ['payment or refund', 'of', 'state', 'noticed'];
      return closed
        ? {
            json,
            text: table([...titles, 'closed by', 'closed', 'reason'], rows, 'No receipt was closed.'),
          }
        : {
            json,
            text: `${table(titles, rows, 'No receipt waits for a person.')}${rows.length > 0 ? nextStep : ''}`,
          };
    },
  });

  addClose(receipts, shell);
}

const nextStep = `

Make each one in the acquirer’s cabinet or at the cash register: trace <payment> shows its reference there, and its amounts.
Then: receipts close <payment> [--refund] --reason <text>, or receipts close <refund> --reason <text>`;

function addClose(receipts: Command, shell: Shell): void {
  addCommand<{ readonly refund?: true; readonly reason: string }>(receipts, shell, {
    usage: 'close <id>',
    description:
      'take a receipt off the list after you made it in the acquirer’s cabinet or at the cash register',
    options: [
      new Option(
        '--refund',
        'the receipt of the refund of a payment’s duplicate capture; otherwise of its capture',
      ),
      new Option('--reason <text>', 'what was done; recorded permanently').makeOptionMandatory(),
    ],
    example: 'receipts close uW3kZ9sLq0TbXc5V00aB4dE6fG --reason "receipt 118 of 22 November, made by hand"',
    run: async (context, { args: [id], options: { refund, reason }, by }) => {
      const refundId = readRefundId(id);
      const paymentId = refundId
        ? paymentIdOfRefund(refundId)
        : required(readPaymentId(id), 'receipt_not_found');
      const of = refund || refundId ? 'refund' : 'capture';
      const about = { paymentId, refundId, of } as const;
      required(await context.unregisteredReceipts.find(about), 'receipt_not_found');
      await decide(context, { kind: 'close_receipt', ...about, reason }, { by: await by() });
      const after = required(await context.unregisteredReceipts.find(about), 'receipt_not_found');
      return {
        json: view(after),
        text: `The receipt of the ${of} of ${paymentId} is closed: receipts list --closed shows it.`,
      };
    },
  });
}

const view = ({ paymentId, refundId, of, state, at, closed }: UnregisteredReceipt) => ({
  paymentId,
  refundId: refundId ?? null,
  of,
  state,
  noticedAt: at.toISOString(),
  closedBy: closed?.by ?? null,
  closedAt: closed?.at.toISOString() ?? null,
  reason: closed?.reason ?? null,
});
