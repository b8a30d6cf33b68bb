import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../lib/ledger/entry.ts';
import type { RefundFee } from '../../lib/merchant/terms.ts';
import { sum } from '../../lib/money/money.ts';
import { captureEntry } from '../../lib/payment/payment-postings.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import {
  costOf,
  mostReturned,
  refundableMinor,
  withoutRefund,
  withRefund,
} from '../../lib/refund/refund-amounts.ts';
import { isRefundOpen, totalsOf } from '../../lib/payment/refund-totals.ts';
import {
  refundReleaseEntry,
  refundReserveEntry,
  refundSettleEntry,
} from '../../lib/refund/refund-postings.ts';
import { grossMinor, type Refund } from '../../lib/refund/refund.ts';
import { aPayment, today } from '../support/builders.ts';
import { aChargeback, inTenge } from '../support/chargebacks.ts';
import { aRefund } from '../support/refunds.ts';

const paid = (traits: Partial<Payment> = {}) =>
  aPayment({ status: 'SUCCESS', phase: 'DONE', receivedMinor: 10_050n, ...traits });

const fees: fc.Arbitrary<RefundFee> = fc.constantFrom('kept', 'returned');
const amounts = fc.bigInt(1n, 9_999n);
/** Payments of either currency, at any rate and with any fee, also one that takes everything. */
const payments = fc
  .record({
    receivedMinor: fc.bigInt(1n, 100_000n),
    bps: fc.integer({ min: 0, max: 10_000 }),
    fixedMinor: fc.bigInt(0n, 5_000n),
    numerator: fc.bigInt(1n, 1_000n),
    denominator: fc.bigInt(1n, 1_000n),
    isExchanged: fc.boolean(),
    payerPaysCommission: fc.boolean(),
    surchargeMinor: fc.bigInt(0n, 3_000n),
  })
  .map(({ bps, fixedMinor, numerator, denominator, isExchanged, ...rest }) =>
    paid({
      ...rest,
      fee: { bps, fixedMinor, minimumMinor: 0n },
      amount: { minor: 10_050n, currency: isExchanged ? 'KZT' : 'RUB' },
      settlement: { currency: 'RUB', numerator, denominator },
    }),
  );

const lineSum = ({ lines }: Entry, account: string): bigint =>
  sum(lines.filter((line) => line.account === account).map(({ minor }) => minor));
const balances = ({ lines }: Entry): boolean =>
  ['RUB', 'KZT'].every(
    (currency) => sum(lines.filter((line) => line.currency === currency).map(({ minor }) => minor)) === 0n,
  );

type Step = { readonly amountMinor: bigint; readonly refundFee: RefundFee; readonly fails: number };
const histories = fc.array(fc.record({ amountMinor: amounts, refundFee: fees, fails: fc.nat(5) }), {
  maxLength: 12,
});

/** Creates refunds of what is left, and fails earlier ones in any order. */
function afterHistory(payment: Payment, history: readonly Step[]) {
  let refunds: readonly Refund[] = [];
  let at = payment;
  const refund = (amountMinor: bigint, refundFee: RefundFee) => {
    const left = refundableMinor(at, []);
    const minor = amountMinor < left ? amountMinor : left;
    if (minor === 0n) return;
    const made = aRefund({
      amount: { minor, currency: at.amount.currency },
      ...costOf(at, minor, refundFee),
    });
    refunds = [...refunds, made];
    at = { ...at, refunds: withRefund(totalsOf(at), made) };
  };
  for (const { amountMinor, refundFee, fails } of history) {
    refund(amountMinor, refundFee);
    const failed = refunds[fails];
    if (!failed) continue;
    refunds = refunds.filter((each) => each !== failed);
    at = { ...at, refunds: withoutRefund(totalsOf(at), failed) };
  }
  return {
    payment: at,
    refunds,
    refund: (fee: RefundFee) => (refund(10n ** 9n, fee), { payment: at, refunds }),
  };
}

describe('what a refund costs', () => {
  it('is its amount where the fee is kept, and less the fee in proportion where it is returned', () => {
    const payment = paid({ receivedMinor: 10_000n, fee: { bps: 200, fixedMinor: 100n, minimumMinor: 0n } });
    expect(costOf(payment, 2_500n, 'kept')).toEqual({
      debit: { minor: 2_500n, currency: 'RUB' },
      feeReturnedMinor: 0n,
    });
    expect(costOf(payment, 2_500n, 'returned')).toEqual({
      debit: { minor: 2_425n, currency: 'RUB' },
      feeReturnedMinor: 75n,
    });
  });

  it('returns no part of the fee that earlier refunds left to the platform', () => {
    const payment = paid({ receivedMinor: 10_000n, fee: { bps: 200, fixedMinor: 100n, minimumMinor: 0n } });
    const kept = { reservedMinor: 9_000n, grossMinor: 9_000n, feeMinor: 0n, refundedMinor: 9_000n };
    expect(costOf({ ...payment, refunds: kept }, 1_000n, 'returned')).toEqual({
      debit: { minor: 970n, currency: 'RUB' },
      feeReturnedMinor: 30n,
    });
  });

  it('is exchanged at the payment’s own rate', () => {
    const payment = paid({ ...inTenge, receivedMinor: 10_000n });
    expect(costOf(payment, 2_500n, 'kept').debit).toEqual({ minor: 425n, currency: 'RUB' });
  });

  it('is never below zero, and never passes what the capture was settled at, whatever is created and fails', () => {
    fc.assert(
      fc.property(payments, histories, (payment, history) => {
        const { refunds, payment: after } = afterHistory(payment, history);
        const capture = captureEntry(payment, payment.receivedMinor ?? 0n, today);
        const settled = lineSum(capture, 'available') + lineSum(capture, 'fees');
        for (const each of refunds) {
          expect(each.debit.minor).toBeGreaterThanOrEqual(0n);
          expect(each.feeReturnedMinor).toBeGreaterThanOrEqual(0n);
          const ownFee = mostReturned(
            lineSum(capture, 'fees'),
            each.amount.minor,
            payment.receivedMinor ?? 0n,
          );
          expect(each.feeReturnedMinor <= ownFee).toBe(true);
        }
        expect(sum(refunds.map(({ amount }) => amount.minor))).toBe(totalsOf(after).reservedMinor);
        expect(totalsOf(after).reservedMinor <= (payment.receivedMinor ?? 0n)).toBe(true);
        expect(sum(refunds.map(grossMinor)) <= settled).toBe(true);
        expect(sum(refunds.map(({ feeReturnedMinor }) => feeReturnedMinor)) <= lineSum(capture, 'fees')).toBe(
          true,
        );
      }),
    );
  });

  it('is all that the capture was settled at when everything is refunded, whatever failed before', () => {
    fc.assert(
      fc.property(payments, histories, fees, (payment, history, refundFee) => {
        const { refunds } = afterHistory(payment, history).refund(refundFee);
        const capture = captureEntry(payment, payment.receivedMinor ?? 0n, today);
        expect(sum(refunds.map(grossMinor))).toBe(lineSum(capture, 'available') + lineSum(capture, 'fees'));
      }),
    );
  });

  it('is what the capture credited when everything is refunded with its fee, in any number of parts', () => {
    fc.assert(
      fc.property(payments, fc.array(amounts, { maxLength: 8 }), (payment, parts) => {
        const inRoubles = { ...payment, amount: { ...payment.amount, currency: 'RUB' as const } };
        const history = parts.map((amountMinor) => ({
          amountMinor,
          refundFee: 'returned' as const,
          fails: 99,
        }));
        const { refunds } = afterHistory(inRoubles, history).refund('returned');
        const capture = captureEntry(inRoubles, payment.receivedMinor ?? 0n, today);
        expect(sum(refunds.map(({ debit }) => debit.minor))).toBe(lineSum(capture, 'available'));
      }),
    );
  });
});

describe('what may be refunded', () => {
  it('is what was received, less refunds that have not failed and chargebacks', () => {
    const refunds = { reservedMinor: 3_000n, grossMinor: 3_000n, feeMinor: 0n, refundedMinor: 1_000n };
    expect(refundableMinor(paid(), [])).toBe(10_050n);
    expect(refundableMinor(paid({ refunds }), [])).toBe(7_050n);
    expect(refundableMinor(paid({ refunds }), [aChargeback()])).toBe(3_050n);
  });

  it('is open while a refund has neither succeeded nor failed', () => {
    const totals = { reservedMinor: 3_000n, grossMinor: 3_000n, feeMinor: 0n, refundedMinor: 1_000n };
    expect(isRefundOpen(paid())).toBe(false);
    expect(isRefundOpen(paid({ refunds: totals }))).toBe(true);
    expect(isRefundOpen(paid({ refunds: { ...totals, refundedMinor: 3_000n } }))).toBe(false);
  });

  it('grows by a surplus that a person entered only once two have confirmed it', () => {
    const entered = { id: 'd', by: 'olga', reason: 'letter 7' };
    const surplus = aChargeback({ number: 2, direction: 'surplus', seen: undefined, entered });
    expect(refundableMinor(paid(), [aChargeback(), surplus])).toBe(6_050n);
    expect(refundableMinor(paid(), [aChargeback(), { ...surplus, status: 'CONFIRMED' }])).toBe(10_050n);
  });

  it('does not grow by a surplus that the acquirer reported until two have confirmed it', () => {
    const surplus = aChargeback({ number: 2, direction: 'surplus' });
    expect(refundableMinor(paid(), [aChargeback(), surplus])).toBe(6_050n);
    expect(refundableMinor(paid(), [aChargeback(), { ...surplus, status: 'DISMISSED' }])).toBe(6_050n);
    expect(refundableMinor(paid(), [aChargeback(), { ...surplus, status: 'CONFIRMED' }])).toBe(10_050n);
  });

  it('is never more than was received, nor below zero', () => {
    const surplus = aChargeback({ direction: 'surplus', status: 'CONFIRMED' });
    expect(refundableMinor(paid(), [surplus])).toBe(10_050n);
    expect(refundableMinor(paid(), [aChargeback({ amount: { minor: 99_999n, currency: 'RUB' } })])).toBe(0n);
  });
});

describe('the entries of a refund', () => {
  it('lock the debit, and settle it with the fee that is returned against the acquirer', () => {
    const refund = aRefund({ debit: { minor: 3_900n, currency: 'RUB' }, feeReturnedMinor: 100n });
    expect(refundReserveEntry(refund, today)?.lines).toEqual([
      { account: 'available', currency: 'RUB', minor: -3_900n },
      { account: 'locked', currency: 'RUB', minor: 3_900n },
    ]);
    expect(refundSettleEntry(refund, today).lines).toEqual([
      { account: 'acquirer', currency: 'RUB', minor: 4_000n },
      { account: 'locked', currency: 'RUB', minor: -3_900n },
      { account: 'fees', currency: 'RUB', minor: -100n },
    ]);
    expect(refundReleaseEntry(refund, today)?.lines).toEqual([
      { account: 'locked', currency: 'RUB', minor: -3_900n },
      { account: 'available', currency: 'RUB', minor: 3_900n },
    ]);
  });

  it('balance in each currency, whatever the payment', () => {
    fc.assert(
      fc.property(payments, histories, (payment, history) => {
        for (const refund of afterHistory(payment, history).refunds) {
          expect(balances(refundSettleEntry(refund, today))).toBe(true);
          const reserved = refundReserveEntry(refund, today);
          expect(reserved === undefined).toBe(refund.debit.minor === 0n);
        }
      }),
    );
  });
});
