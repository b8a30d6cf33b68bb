import { chargebackCorruptions } from './chargeback-corruptions.ts';
import type { Corruption } from './corruption.ts';
import { eventCorruptions } from './event-corruptions.ts';
import { ledgerCorruptions } from './ledger-corruptions.ts';
import { listCorruptions } from './list-corruptions.ts';
import { merchantCorruptions } from './merchant-corruptions.ts';
import { paymentCorruptions } from './payment-corruptions.ts';
import { payoutCorruptions } from './payout-corruptions.ts';
import { peopleCorruptions } from './people-corruptions.ts';
import { refundCorruptions } from './refund-corruptions.ts';
import { stateCorruptions } from './state-corruptions.ts';

/** Every corruption, by what it changes. */
export const corruptions: readonly Corruption[] = [
  ...paymentCorruptions,
  ...eventCorruptions,
  ...chargebackCorruptions,
  ...refundCorruptions,
  ...payoutCorruptions,
  ...peopleCorruptions,
  ...merchantCorruptions,
  ...listCorruptions,
  ...ledgerCorruptions,
  ...stateCorruptions,
];
