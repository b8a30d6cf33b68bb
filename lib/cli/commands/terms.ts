import type { Command } from 'commander';
import { type CommissionPayer, commissionPayers, type Terms } from '../../merchant/terms.ts';
import type { FeeSchedule } from '../../money/fee.ts';
import { setTerms, type TermsChanges } from '../../operator/set-terms.ts';
import { facts } from '../answer.ts';
import { amount, billCurrency, choice, notNothing, whole, yesNo } from '../options.ts';
import { required, unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { noun, verb } from '../verb.ts';
import { termsView } from '../views.ts';

/** Options by the names that commander makes of them. */
type Said = {
  readonly paymentFeeBps?: number;
  readonly paymentFeeFixed?: bigint;
  readonly paymentFeeMinimum?: bigint;
  readonly payoutFeeBps?: number;
  readonly payoutFeeFixed?: bigint;
  readonly payoutFeeMinimum?: bigint;
  readonly payoutMin?: bigint;
  readonly payoutMax?: bigint;
  readonly dayLimit?: bigint;
  readonly monthLimit?: bigint;
  readonly commissionPayer?: CommissionPayer;
  readonly autoApproveUpTo?: bigint;
  readonly autoApproveKnown?: boolean;
};

const bps: readonly [number, number] = [0, 10_000];

const options = () => [
  whole('payment-fee-bps', bps, 'share of what payers pay, in hundredths of a percent'),
  amount('payment-fee-fixed', 'fixed part of the payment fee'),
  amount('payment-fee-minimum', 'the least payment fee'),
  whole('payout-fee-bps', bps, 'share of a payout, in hundredths of a percent'),
  amount('payout-fee-fixed', 'fixed part of the payout fee'),
  amount('payout-fee-minimum', 'the least payout fee'),
  amount('payout-min', 'the smallest payout'),
  amount('payout-max', 'the largest single payout: more is split'),
  amount('day-limit', 'payouts of one day together'),
  amount('month-limit', 'payouts of one month together'),
  choice('commission-payer', commissionPayers, 'payout fee on top of the amount, or out of it'),
  amount('auto-approve-up-to', 'payouts up to this need no moderator; 0: each one does'),
  yesNo('auto-approve-known', 'payouts to an account that was paid before need no moderator'),
];

export function termsCommands(program: Command, shell: Shell): void {
  const terms = noun(program, 'terms', 'fees, limits and moderation of a merchant, per currency');

  verb(terms, shell, {
    usage: 'show <merchant> <currency>',
    meaning: 'show the terms; what was never set is the environment’s default',
    example: 'terms show 3f9KpQ7sXv2LmN8b RUB',
    work: async (context, { args: [merchantId = '', currency = ''] }) => {
      required(await context.merchants.find(merchantId), 'merchant_not_found');
      return shown(merchantId, await context.terms.find(merchantId, billCurrency(currency)));
    },
  });

  verb<Said>(terms, shell, {
    usage: 'set <merchant> <currency>',
    meaning: 'change what is named; amounts are decimals of that currency',
    options: options(),
    example:
      'terms set 3f9KpQ7sXv2LmN8b RUB --payout-fee-bps 150 --day-limit 300000.00 --auto-approve-up-to 5000',
    work: async (context, { args: [merchantId = '', text = ''], options: said }) => {
      const command = { merchantId, currency: billCurrency(text), changes: notNothing(changesOf(said)) };
      return shown(merchantId, unwrap(await setTerms(context, command)));
    },
  });
}

function shown(merchantId: string, terms: Terms) {
  const json = termsView(merchantId, terms);
  return { json, text: facts(json) };
}

function changesOf(said: Said): TermsChanges {
  const paymentFee = feeOf(said.paymentFeeBps, said.paymentFeeFixed, said.paymentFeeMinimum);
  const payoutFee = feeOf(said.payoutFeeBps, said.payoutFeeFixed, said.payoutFeeMinimum);
  return {
    ...(paymentFee && { paymentFee }),
    ...(payoutFee && { payoutFee }),
    ...(said.payoutMin !== undefined && { payoutMinMinor: said.payoutMin }),
    ...(said.payoutMax !== undefined && { payoutMaxMinor: said.payoutMax }),
    ...(said.dayLimit !== undefined && { dayLimitMinor: said.dayLimit }),
    ...(said.monthLimit !== undefined && { monthLimitMinor: said.monthLimit }),
    ...(said.commissionPayer && { commissionPayer: said.commissionPayer }),
    ...(said.autoApproveUpTo !== undefined && { autoApproveUpToMinor: said.autoApproveUpTo }),
    ...(said.autoApproveKnown !== undefined && { autoApproveKnownAccounts: said.autoApproveKnown }),
  };
}

function feeOf(
  share: number | undefined,
  fixedMinor: bigint | undefined,
  minimumMinor: bigint | undefined,
): Partial<FeeSchedule> | undefined {
  const fee: Partial<FeeSchedule> = {
    ...(share !== undefined && { bps: share }),
    ...(fixedMinor !== undefined && { fixedMinor }),
    ...(minimumMinor !== undefined && { minimumMinor }),
  };
  return Object.keys(fee).length === 0 ? undefined : fee;
}
