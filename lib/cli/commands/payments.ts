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
import { listed, type ListOptions, listOptions } from '../list-command.ts';
import { openPayments, type PaymentFilter, paymentFilters } from '../list-sources.ts';
import { paymentColumns, paymentFields } from '../listed-fields.ts';
import type { OperatorContext } from '../operator-context.ts';
import { amount, choice } from '../options.ts';
import { type CommandOutput, table } from '../output.ts';
import { decide } from '../decide.ts';
import { proposalOutput } from '../proposal-told.ts';
import { required } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand } from '../add-command.ts';

type Listed = PaymentFilter & ListOptions & { readonly unknown?: true };

const paymentList = {
  noun: 'payments',
  filters: paymentFilters(),
  open: openPayments,
  fields: paymentFields,
  columns: paymentColumns,
};

async function undecided({ payments }: OperatorContext): Promise<CommandOutput> {
  const json = (await payments.listUndecided()).map(view);
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
}

export function paymentCommands(payments: Command, shell: Shell): void {
  addCommand<Listed>(payments, shell, {
    usage: 'list',
    description:
      'show payments, newest first, in pages; with --unknown those without a final state at the acquirer',
    options: [
      new Option('--unknown', 'all payments in PROCESS that need a person; takes no other option'),
      ...paymentFilters(),
      ...listOptions(),
    ],
    example: 'payments list --merchant 3f9KpQ7sXv2LmN8b --status FAIL --since 2026-11-20',
    run: (context, { options }) =>
      options.unknown ? undecided(context) : listed(context, shell, paymentList, options),
  });

  addUnknown(payments, shell);
  addClose(payments, shell);

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

function addUnknown(payments: Command, shell: Shell): void {
  addCommand<{ readonly closed?: true }>(payments, shell, {
    usage: 'unknown',
    description:
      'show orders that an acquirer took for us and that no payment here has: of a payment that was lost in a restore, or a second order of one payment',
    options: [new Option('--closed', 'those that a person has dealt with, and how')],
    example: 'payments unknown',
    run: async (context, { options: { closed } }) => {
      const json = (await context.unknownPayments.list(closed ? 'closed' : 'open')).map(viewOfUnknown);
      const rows = json.map((each) => [
        each.provider,
        each.reference,
        each.paymentId ?? '',
        each.state,
        each.amount ?? '',
        each.noticedAt,
        ...(closed ? [each.closedBy, each.closedAt, each.reason] : []),
      ]);
      const titles = ['acquirer', 'reference', 'payment', 'state', 'amount', 'noticed'];
      if (closed)
        return {
          json,
          text: table([...titles, 'closed by', 'closed', 'reason'], rows, 'No order was closed.'),
        };
      return { json, text: table(titles, rows, 'Every order that an acquirer told of is known.') };
    },
  });
}

function addClose(payments: Command, shell: Shell): void {
  addCommand<{ readonly reason: string }>(payments, shell, {
    usage: 'close <acquirer> <reference>',
    description:
      'take an order off payments unknown after you dealt with it; it is listed again when its state changes at the acquirer',
    options: [new Option('--reason <text>', 'what was done; recorded permanently').makeOptionMandatory()],
    example:
      'payments close yookassa 2f1b3c7e-000f-5000-8000-1d2e3f4a5b6c --reason "refunded in the cabinet on 21 November"',
    run: async (context, { args: [provider = '', reference = ''], options: { reason }, by }) => {
      const order = { provider, reference };
      const { state } = required(await context.unknownPayments.find(order), 'unknown_payment_not_found');
      const decision = { kind: 'close_unknown_payment', ...order, state, reason } as const;
      await decide(context, decision, { by: await by() });
      const after = required(await context.unknownPayments.find(order), 'unknown_payment_not_found');
      return {
        json: viewOfUnknown(after),
        text: `Order ${reference} (${state}) is closed: payments unknown --closed shows it.`,
      };
    },
  });
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
  providerFee: payment.providerFeeMinor === undefined ? null : toDecimal(payment.providerFeeMinor),
  acquirer: payment.acquirer ?? null,
  checks: payment.checks,
  decisions: (payment.decisions ?? []).map(({ at, ...decision }) => ({ ...decision, at: at.toISOString() })),
  createdAt: payment.createdAt.toISOString(),
});

const viewOfUnknown = ({
  provider,
  reference,
  paymentId,
  state,
  amountMinor,
  at,
  closed,
}: UnknownPayment) => ({
  provider,
  reference,
  paymentId: paymentId ?? null,
  state,
  amount: amountMinor === undefined ? null : toDecimal(amountMinor),
  noticedAt: at.toISOString(),
  closedBy: closed?.by ?? null,
  closedAt: closed?.at.toISOString() ?? null,
  reason: closed?.reason ?? null,
});
