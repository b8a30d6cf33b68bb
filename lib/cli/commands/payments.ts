import { type Command, Option } from 'commander';
import { readPaymentId } from '../../ids.ts';
import { toDecimal } from '../../money/money.ts';
import {
  chargeMinor,
  type HandOutcome,
  handOutcomes,
  type Payment,
  type PaymentPhase,
} from '../../payment/payment.ts';
import type { UnknownPayment } from '../../payment/unknown-payments.ts';
import { amount, choice } from '../options.ts';
import { type CommandOutput, table } from '../output.ts';
import { decide } from '../decide.ts';
import { proposalOutput } from '../proposal-told.ts';
import { required } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand, addGroup } from '../add-command.ts';

export function paymentCommands(program: Command, shell: Shell): void {
  const payments = addGroup(program, 'payments', 'payments without a final outcome');

  addCommand(payments, shell, {
    usage: 'list',
    description: 'show payments without a final state at the acquirer',
    options: [new Option('--unknown', 'payments in PROCESS (the only list)')],
    example: 'payments list --unknown',
    run: async (context) => {
      const json = (await context.payments.listUndecided()).map(view);
      const rows = json.map((each) => [
        each.id,
        each.status,
        each.phase,
        each.charge,
        each.acquirer,
        each.merchantId,
        each.checks,
        each.createdAt,
      ]);
      const titles = ['payment', 'status', 'phase', 'charge', 'acquirer', 'merchant', 'checks', 'since'];
      return { json, text: table(titles, rows, 'No payment is undecided.') };
    },
  });

  addCommand(payments, shell, {
    usage: 'unknown',
    description:
      'show orders that an acquirer took for us and that no payment here is about, as after a restore',
    example: 'payments unknown',
    run: async (context) => {
      const json = (await context.unknownPayments.list()).map(viewOfUnknown);
      const rows = json.map((each) => [
        each.provider,
        each.reference,
        each.paymentId ?? '',
        each.state,
        each.amount ?? '',
        each.noticedAt,
      ]);
      const titles = ['acquirer', 'reference', 'payment', 'state', 'amount', 'noticed'];
      return { json, text: table(titles, rows, 'Every order that an acquirer told of is known.') };
    },
  });

  addCommand(payments, shell, {
    usage: 'ask <payment>',
    description: 'check a payment at the acquirer within a minute',
    example: 'payments ask uW3kZ9sLq0TbXc5V00aB4dE6fG',
    run: async (context, { args: [id], by }) => {
      const paymentId = required(readPaymentId(id), 'payment_not_found');
      // The id is recorded with the decision, so it must be an existing payment's.
      required(await context.payments.find(paymentId), 'payment_not_found');
      await decide(context, { kind: 'ask_about_payment', paymentId }, { by: await by() });
      const json = view(required(await context.payments.find(paymentId), 'payment_not_found'));
      return { json, text: 'The next sweep checks it with the acquirer: see trace in a minute.' };
    },
  });

  addResolve(payments, shell);
}

type ResolveOptions = {
  readonly as: HandOutcome;
  readonly evidence: string;
  readonly amount?: bigint;
};

function addResolve(payments: Command, shell: Shell): void {
  addCommand<ResolveOptions>(payments, shell, {
    usage: 'resolve <payment>',
    description:
      'settle a payment by hand that has had no final state for an hour; the acquirer is checked first, and “captured” without its confirmation takes two people',
    options: [
      choice(
        'as',
        handOutcomes,
        'the state in the acquirer’s back office: captured, or failed (nothing captured, or refunded)',
      ).makeOptionMandatory(),
      new Option('--evidence <text>', 'the source of this; recorded with the payment').makeOptionMandatory(),
      amount('amount', 'the captured amount, if less than the charge'),
    ],
    example:
      'payments resolve uW3kZ9sLq0TbXc5V00aB4dE6fG --as captured --evidence "back office, order 4711, captured 21 November"',
    run: async (context, { args: [id], options, by, confirm }) => {
      const paymentId = required(readPaymentId(id), 'payment_not_found');
      const { as: outcome, evidence, amount: amountMinor } = options;
      const shown = required(await context.payments.find(paymentId), 'payment_not_found');
      const { phase } = shown;
      const taken = amountMinor === undefined ? chargeOf(shown) : moneyOf(shown, amountMinor);
      await confirm(`Resolve ${taken} of payment ${shown.id} (${phase}) as "${outcome}"?`);
      const decision = { kind: 'resolve_payment', paymentId, phase, outcome, amountMinor, evidence } as const;
      const done = await decide(context, decision, { by: await by() });
      if (done.kind === 'proposal') return proposalOutput(context, done.id);
      return resolved(required(await context.payments.find(paymentId), 'payment_not_found'), outcome);
    },
  });
}

function resolved(payment: Payment, outcome: HandOutcome): CommandOutput {
  const said = `Payment ${payment.id} was resolved as ${outcome}: it is ${payment.status} now.`;
  const toRefund =
    'Another payment has already paid the bill, so this one is a duplicate: the sweep refunds it. If the acquirer ' +
    'cannot be reached, refund it there and resolve the payment as failed.';
  const toVoid =
    'The sweep voids it at the acquirer, or refunds it if it was captured after all. If that acquirer can no longer ' +
    'be reached, resolve it again in an hour.';
  const next: Partial<Record<PaymentPhase, string>> = { REFUNDING: toRefund, VOIDING: toVoid };
  return { json: view(payment), text: [said, next[payment.phase] ?? ''].join('\n').trim() };
}

const moneyOf = ({ amount: { currency } }: Payment, minor: bigint): string =>
  `${toDecimal(minor)} ${currency}`;
const chargeOf = (payment: Payment): string => moneyOf(payment, chargeMinor(payment));

const view = (payment: Payment) => ({
  id: payment.id,
  billId: payment.billId,
  merchantId: payment.merchantId,
  status: payment.status,
  phase: payment.phase,
  charge: chargeOf(payment),
  received: payment.receivedMinor === undefined ? null : toDecimal(payment.receivedMinor),
  acquirer: payment.acquirer ?? null,
  checks: payment.checks,
  decisions: (payment.decisions ?? []).map(({ at, ...decision }) => ({ ...decision, at: at.toISOString() })),
  createdAt: payment.createdAt.toISOString(),
});

const viewOfUnknown = ({ provider, reference, paymentId, state, amountMinor, at }: UnknownPayment) => ({
  provider,
  reference,
  paymentId: paymentId ?? null,
  state,
  amount: amountMinor === undefined ? null : toDecimal(amountMinor),
  noticedAt: at.toISOString(),
});
