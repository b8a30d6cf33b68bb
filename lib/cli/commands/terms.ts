import type { Command } from 'commander';
import { type MerchantId, readMerchantId } from '../../ids.ts';
import {
  type CommissionPayer,
  commissionPayers,
  type RefundFee,
  refundFees,
  type Terms,
} from '../../merchant/terms.ts';
import type { FeeSchedule } from '../../money/fee.ts';
import { setTerms, type TermsChanges } from '../../merchant/set-terms.ts';
import { keyValues } from '../output.ts';
import { amount, billCurrency, choice, requireChanges, wholeNumber } from '../options.ts';
import { required, unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand } from '../add-command.ts';
import { termsView } from '../views.ts';

/** Options under commander's names. */
type TermsOptions = {
  readonly paymentFeeBps?: number;
  readonly paymentFeeFixed?: bigint;
  readonly paymentFeeMinimum?: bigint;
  readonly refundFee?: RefundFee;
  readonly payoutFeeBps?: number;
  readonly payoutFeeFixed?: bigint;
  readonly payoutFeeMinimum?: bigint;
  readonly payoutMin?: bigint;
  readonly payoutMax?: bigint;
  readonly dayLimit?: bigint;
  readonly monthLimit?: bigint;
  readonly commissionPayer?: CommissionPayer;
  readonly autoApproveUpTo?: bigint;
  readonly autoApproveDayTotal?: bigint;
  readonly autoApproveKnownUpTo?: bigint;
  readonly autoApproveKnownDayTotal?: bigint;
  readonly secondPersonAbove?: bigint;
  readonly reserveBps?: number;
  readonly reserveDays?: number;
};

const bps: readonly [number, number] = [0, 10_000];

const termsOptions = () => [
  wholeNumber('payment-fee-bps', bps, 'payment fee in basis points (hundredths of a percent)'),
  amount('payment-fee-fixed', 'fixed part of the payment fee'),
  amount('payment-fee-minimum', 'the minimum payment fee'),
  choice('refund-fee', refundFees, 'the payment fee of what is refunded: kept, or returned in proportion'),
  wholeNumber('payout-fee-bps', bps, 'payout fee in basis points (hundredths of a percent)'),
  amount('payout-fee-fixed', 'fixed part of the payout fee'),
  amount('payout-fee-minimum', 'the minimum payout fee'),
  amount('payout-min', 'the smallest payout'),
  amount('payout-max', 'the largest single payout: larger orders are split'),
  amount('day-limit', 'total of the payouts of a day'),
  amount('month-limit', 'total of the payouts of a month'),
  choice('commission-payer', commissionPayers, 'payout fee on top of the amount, or deducted from it'),
  amount('auto-approve-up-to', 'payouts up to this need no moderator; 0: all do'),
  amount('auto-approve-day-total', 'the most that this rule approves in a day'),
  amount(
    'auto-approve-known-up-to',
    'the same for payouts to known accounts: paid before with a person’s approval',
  ),
  amount('auto-approve-known-day-total', 'the most that the rule for known accounts approves in a day'),
  amount('second-person-above', 'payouts of one order above this sum take two people; 0: one is enough'),
  wholeNumber(
    'reserve-bps',
    bps,
    'share of each payment kept back for --reserve-days, in basis points; 0: none',
  ),
  wholeNumber('reserve-days', [1, 365], 'days from the capture until the reserve becomes available'),
];

export function termsCommands(terms: Command, shell: Shell): void {
  addCommand(terms, shell, {
    usage: 'show <merchant> <currency>',
    description: 'show the terms, with the environment’s defaults for those never set',
    example: 'terms show 3f9KpQ7sXv2LmN8b RUB',
    run: async (context, { args: [merchant, currency = ''] }) => {
      const merchantId = required(readMerchantId(merchant), 'merchant_not_found');
      required(await context.merchants.find(merchantId), 'merchant_not_found');
      return shown(merchantId, await context.terms.find(merchantId, billCurrency(currency)));
    },
  });

  addCommand<TermsOptions>(terms, shell, {
    usage: 'set <merchant> <currency>',
    description: 'change the given terms; amounts are decimals in this currency',
    options: termsOptions(),
    example:
      'terms set 3f9KpQ7sXv2LmN8b RUB --payout-fee-bps 150 --day-limit 300000.00 --auto-approve-up-to 5000 --auto-approve-day-total 50000',
    run: async (context, { args: [merchant, text = ''], options: given }) => {
      const asked = { currency: billCurrency(text), changes: requireChanges(changesOf(given)) };
      const merchantId = required(readMerchantId(merchant), 'merchant_not_found');
      return shown(merchantId, unwrap(await setTerms(context, { merchantId, ...asked })));
    },
  });
}

function shown(merchantId: MerchantId, terms: Terms) {
  const json = termsView(merchantId, terms);
  return { json, text: [keyValues(json), ...uselessRules(terms)].join('\n\n') };
}

/** Returns sentences about rules without effect: a rule with a ceiling approves nothing until it has a daily total. */
function uselessRules(terms: Terms): readonly string[] {
  const rules = [
    ['auto-approve', terms.autoApproveUpToMinor, terms.autoApproveDayTotalMinor],
    ['auto-approve-known', terms.autoApproveKnownUpToMinor, terms.autoApproveKnownDayTotalMinor],
  ] as const;
  return rules
    .filter(([, ceiling, total]) => ceiling > 0n && total === 0n)
    .map(([name]) => `--${name}-up-to has no effect yet: set --${name}-day-total too.`);
}

function changesOf(given: TermsOptions): TermsChanges {
  const paymentFee = feeOf(given.paymentFeeBps, given.paymentFeeFixed, given.paymentFeeMinimum);
  const payoutFee = feeOf(given.payoutFeeBps, given.payoutFeeFixed, given.payoutFeeMinimum);
  return {
    ...(paymentFee && { paymentFee }),
    ...(given.refundFee && { refundFee: given.refundFee }),
    ...(payoutFee && { payoutFee }),
    ...(given.payoutMin !== undefined && { payoutMinMinor: given.payoutMin }),
    ...(given.payoutMax !== undefined && { payoutMaxMinor: given.payoutMax }),
    ...(given.dayLimit !== undefined && { dayLimitMinor: given.dayLimit }),
    ...(given.monthLimit !== undefined && { monthLimitMinor: given.monthLimit }),
    ...(given.commissionPayer && { commissionPayer: given.commissionPayer }),
    ...(given.autoApproveUpTo !== undefined && { autoApproveUpToMinor: given.autoApproveUpTo }),
    ...(given.autoApproveDayTotal !== undefined && { autoApproveDayTotalMinor: given.autoApproveDayTotal }),
    ...(given.autoApproveKnownUpTo !== undefined && {
      autoApproveKnownUpToMinor: given.autoApproveKnownUpTo,
    }),
    ...(given.autoApproveKnownDayTotal !== undefined && {
      autoApproveKnownDayTotalMinor: given.autoApproveKnownDayTotal,
    }),
    ...(given.secondPersonAbove !== undefined && { secondPersonAboveMinor: given.secondPersonAbove }),
    ...(given.reserveBps !== undefined && { reserveBasisPoints: given.reserveBps }),
    ...(given.reserveDays !== undefined && { reserveDays: given.reserveDays }),
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
