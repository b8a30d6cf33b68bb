import { describe, expect, it } from 'vitest';
import { payoutEvent } from '../../lib/payout/payout-postback.ts';
import { aPayout } from '../support/payouts.ts';

const now = new Date('2026-11-21T12:00:00Z');

describe('the payout postback', () => {
  it('carries every field of the contract in its order', () => {
    const event = payoutEvent(aPayout({ status: 'SUCCESS' }), undefined, now);
    expect(Object.entries(event.fields)).toEqual([
      ['TrsId', 'GroupOfTwentyDigits001'],
      ['Amount', '1000.00'],
      ['IsAuto', 'false'],
      ['Status', 'SUCCESS'],
      ['Currency', 'RUB'],
      ['Commission', '10.00'],
      ['AccountType', 'BANK_CARD'],
      ['AccountNumber', '411111******1111'],
      ['BalanceAmount', '1010.00'],
      ['BalanceCommission', '10.00'],
      ['BalanceCurrency', 'RUB'],
      ['CommissionApplyType', 'sender'],
    ]);
    expect(event).toMatchObject({
      id: 'po.GroupOfTwentyDigits001.SUCCESS',
      kind: 'payout',
      state: 'PENDING',
    });
  });

  it('shows the amount sent and the amount debited where the recipient pays the fee', () => {
    const payout = aPayout({
      status: 'FAIL',
      commissionPayer: 'recipient',
      isAuto: true,
      accountType: 'sbp',
    });
    expect(payoutEvent(payout, undefined, now).fields).toMatchObject({
      Amount: '990.00',
      Commission: '10.00',
      BalanceAmount: '1000.00',
      BalanceCommission: '10.00',
      CommissionApplyType: 'recipient',
      AccountType: 'QIWI',
      IsAuto: 'true',
    });
  });

  it('has the mask of a phone in its place, and the phone sealed', () => {
    const payout = aPayout({ status: 'SUCCESS', accountType: 'sbp', mask: '7******6789' });
    const { fields, sealedPhone } = payoutEvent(payout, 'sealed text', now);
    expect(fields['AccountNumber']).toBe('7******6789');
    expect(sealedPhone).toBe('sealed text');
  });
});
