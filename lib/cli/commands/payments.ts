import { type Command, Option } from 'commander';
import { toDecimal } from '../../money/money.ts';
import { askAboutPayment } from '../../operator/payments.ts';
import { chargeMinor, type Payment } from '../../payment/payment.ts';
import { table } from '../output.ts';
import { unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand, addGroup } from '../add-command.ts';

export function paymentCommands(program: Command, shell: Shell): void {
  const payments = addGroup(program, 'payments', 'money on its way in whose outcome nobody knows yet');

  addCommand(payments, shell, {
    usage: 'list',
    description: 'show payments that the acquirer has not decided',
    options: [new Option('--unknown', 'those in PROCESS; there is no other list')],
    example: 'payments list --unknown',
    run: async (context) => {
      const json = (await context.payments.listUndecided()).map(view);
      const rows = json.map((each) => [
        each.id,
        each.phase,
        each.charge,
        each.merchantId,
        each.checks,
        each.createdAt,
      ]);
      const titles = ['payment', 'phase', 'charge', 'merchant', 'checks', 'since'];
      return { json, text: table(titles, rows, 'Every payment is decided.') };
    },
  });

  addCommand(payments, shell, {
    usage: 'ask <payment>',
    description: 'have the acquirer asked about a payment within a minute',
    example: 'payments ask uW3kZ9sLq0TbXc5V00aB4dE6fG',
    run: async (context, { args: [paymentId = ''] }) => {
      const json = view(unwrap(await askAboutPayment(context, { paymentId })));
      return { json, text: 'The next sweep asks the acquirer: see trace in a minute.' };
    },
  });
}

const view = (payment: Payment) => ({
  id: payment.id,
  billId: payment.billId,
  merchantId: payment.merchantId,
  status: payment.status,
  phase: payment.phase,
  charge: `${toDecimal(chargeMinor(payment))} ${payment.amount.currency}`,
  checks: payment.checks,
  createdAt: payment.createdAt.toISOString(),
});
