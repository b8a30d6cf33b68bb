import { type Command, Option } from 'commander';
import { readPaymentId, readRefundId } from '../../ids.ts';
import type { Chargeback } from '../../ledger/chargeback.ts';
import { toDecimal } from '../../money/money.ts';
import { isPaid, type Payment } from '../../payment/payment.ts';
import type { Refund } from '../../refund/refund.ts';
import { costOf, refundableMinor } from '../../refund/refund-amounts.ts';
import { addCommand } from '../add-command.ts';
import { availableOf } from '../chargeback-told.ts';
import { decide } from '../decide.ts';
import { addList } from '../list-command.ts';
import { openRefunds, refundFilters } from '../list-sources.ts';
import { refundColumns, refundFields } from '../listed-fields.ts';
import type { OperatorContext } from '../operator-context.ts';
import { amount } from '../options.ts';
import { keyValues } from '../output.ts';
import { refuse, required } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { refundView } from '../views.ts';

export function refundCommands(group: Command, shell: Shell): void {
  addList(group, shell, {
    noun: 'refunds',
    example: 'refunds list --payment uW3kZ9sLq0TbXc5V00aB4dE6fG',
    filters: refundFilters(),
    open: openRefunds,
    fields: refundFields,
    columns: refundColumns,
  });
  addCreate(group, shell);
  addShow(group, shell);
}

type Creation = { readonly amount?: bigint; readonly reason: string };

function addCreate(group: Command, shell: Shell): void {
  addCommand<Creation>(group, shell, {
    usage: 'create <payment>',
    description:
      'refund a paid payment, in whole or in part, also that of a banned merchant: the cost is reserved on the balance, and the acquirer is called at once',
    options: [
      amount('amount', 'amount in the payment’s currency; default: all that is refundable'),
      new Option(
        '--reason <text>',
        'why; at most 500 characters, without card numbers; recorded permanently, and shown to the merchant',
      ).makeOptionMandatory(),
    ],
    example: 'refunds create uW3kZ9sLq0TbXc5V00aB4dE6fG --amount 100.50 --reason "asked for by letter"',
    run: async (context, { args: [id], options: { amount: part, reason }, by, confirm }) => {
      const paymentId = required(readPaymentId(id), 'payment_not_found');
      const payment = required(await context.payments.find(paymentId), 'payment_not_found');
      if (!isPaid(payment)) return refuse('refund_not_paid');
      const known = await context.chargebacks.ofPayment(payment.id);
      const refundable = refundableMinor(payment, known);
      if (refundable === 0n) return refuse('refund_nothing_left');
      const amountMinor = part ?? refundable;
      if (amountMinor > refundable) return refuse('refund_more_than_refundable');
      await confirm(`${await told(context, payment, known, amountMinor)} Refund it?`);
      const decision = { kind: 'create_refund', paymentId, amountMinor, reason } as const;
      const done = await decide(context, decision, { by: await by() });
      const refund = await refundNamed(context, done.kind === 'refund' ? done.id : '');
      return { json: refundView(refund), text: sentence(refund) };
    },
  });
}

/** Describes what the refund takes, and what remains of the payment. */
async function told(
  context: OperatorContext,
  payment: Payment,
  known: readonly Chargeback[],
  amountMinor: bigint,
): Promise<string> {
  const {
    merchantId,
    amount: { currency },
  } = payment;
  const { refundFee } = await context.terms.find(merchantId, currency);
  const { debit, feeReturnedMinor } = costOf(payment, amountMinor, refundFee);
  const left = refundableMinor(payment, known) - amountMinor;
  const available = await availableOf(context, merchantId, debit.currency);
  const fee =
    feeReturnedMinor > 0n
      ? `, of which the fee returns ${toDecimal(feeReturnedMinor)} more`
      : ', and the fee is kept';
  return (
    `${toDecimal(amountMinor)} ${currency} of payment ${payment.id} goes back to its payer. ` +
    `${toDecimal(debit.minor)} ${debit.currency} is debited from merchant ${merchantId}, who has ${available} available${fee}. ` +
    `${toDecimal(left)} ${currency} remains refundable.`
  );
}

function addShow(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'show <refund>',
    description: 'show a refund',
    example: 'refunds show uW3kZ9sLq0TbXc5V00aB4dE6fGr7Tq2Z',
    run: async (context, { args: [id = ''] }) => {
      const json = refundView(await refundNamed(context, id));
      return { json, text: keyValues(json) };
    },
  });
}

async function refundNamed({ refunds }: OperatorContext, id: string): Promise<Refund> {
  const refundId = required(readRefundId(id), 'refund_not_found');
  return required(await refunds.find(refundId), 'refund_not_found');
}

const sentence = ({ id, amount: { minor, currency }, status }: Refund): string =>
  `Refund ${id} of ${toDecimal(minor)} ${currency} is ${status}; it is carried out now: see refunds show ${id}`;
