import type { MerchantId, ShopId } from '../ids.ts';
import type { BillCurrency } from '../money/money.ts';
import type { eventKinds, PostbackEvent } from './event.ts';

/** The statuses that a test postback of each kind can have; the first is the default. */
export const sampleStatuses = {
  payment: ['SUCCESS', 'UNDERPAID', 'OVERPAID', 'FAIL'],
  payout: ['SUCCESS', 'FAIL', 'DECLINED'],
  refund: ['SUCCESS', 'FAIL'],
  chargeback: ['CONFIRMED'],
} as const satisfies Readonly<Record<(typeof eventKinds)[number], readonly string[]>>;

export type Sample = {
  readonly kind: keyof typeof sampleStatuses;
  readonly status: string;
  /** Of this postback alone: part of every id in it, so that it is about no payment, bill, refund, payout or order. */
  readonly id: string;
  readonly merchantId: MerchantId;
  readonly shopId: ShopId | undefined;
  readonly currency: BillCurrency;
  readonly extended: boolean;
  readonly at: Date;
};

/** Returns an example of a postback, as a real one looks. It is never stored. No id in it can be that of anything else. */
export function sampleEvent(sample: Sample): PostbackEvent {
  const { kind, status, id, merchantId, shopId, extended, at } = sample;
  return {
    id: `test.${id}.${status}`,
    kind,
    merchantId,
    shopId,
    supersededByBill: undefined,
    sentAfter: undefined,
    sealedPhone: undefined,
    status,
    fields: fieldsOf[kind]({ ...sample, id: `test-${id}` }),
    extended: extended && kind === 'payment' ? extendedFields(status) : undefined,
    state: 'PENDING',
    attempts: [],
    tries: 0,
    createdAt: at,
    nextAt: at,
  };
}

/** What was received of a bill of 100.50, and the fee of 2 %. */
const amounts: Readonly<Record<string, { readonly OutSum: string; readonly Commission: string }>> = {
  UNDERPAID: { OutSum: '50.00', Commission: '1.00' },
  OVERPAID: { OutSum: '200.00', Commission: '4.00' },
  FAIL: { OutSum: '100.50', Commission: '0.00' },
};

const fieldsOf: Readonly<Record<Sample['kind'], (sample: Sample) => Readonly<Record<string, string>>>> = {
  payment: ({ id, status, currency }) => ({
    InvId: id,
    ...(amounts[status] ?? { OutSum: '100.50', Commission: '2.01' }),
    TrsId: id,
    Status: status,
    CurrencyIn: currency,
  }),
  payout: ({ id, status }) => ({
    TrsId: id,
    Amount: '1000.00',
    IsAuto: 'false',
    Status: status,
    Currency: 'RUB',
    Commission: '10.00',
    AccountType: 'BANK_CARD',
    AccountNumber: '411111******1111',
    BalanceAmount: '1010.00',
    BalanceCommission: '10.00',
    BalanceCurrency: 'RUB',
    CommissionApplyType: 'sender',
  }),
  refund: ({ id, status, currency }) => ({
    Id: id,
    PaymentId: id,
    BillId: id,
    Amount: '100.50',
    Currency: currency,
    Status: status,
  }),
  chargeback: ({ id, currency }) => ({
    Id: id,
    PaymentId: id,
    BillId: id,
    Amount: '100.50',
    Currency: currency,
  }),
};

const extendedFields = (status: string): Readonly<Record<string, string>> => ({
  AccountType: 'BANK_CARD',
  AccountNumber: '411111******1111',
  BalanceAmount: status === 'FAIL' ? '0.00' : '98.49',
  BalanceCurrency: 'RUB',
  ...(status === 'FAIL' && { ErrorCode: 'declined', ErrorMessage: 'The payment was declined.' }),
  PayerEmail: 'payer@example.com',
  PayerPhone: '79000000000',
  PayerName: 'Test Payer',
  PayerComment: 'A test',
});
