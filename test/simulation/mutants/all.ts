import { addressMutants } from './address-mutants.ts';
import { auditComparisonMutants } from './audit-comparison-mutants.ts';
import { auditMutants } from './audit-mutants.ts';
import { balanceMutants } from './balance-mutants.ts';
import { auditRefundMutants } from './audit-refund-mutants.ts';
import { auditPayoutMutants } from './audit-payout-mutants.ts';
import { billMutants } from './bill-mutants.ts';
import { cancelMutants } from './cancel-mutants.ts';
import { chargebackMutants } from './chargeback-mutants.ts';
import { feeMutants } from './fee-mutants.ts';
import { listMutants } from './list-mutants.ts';
import { methodMutants } from './method-mutants.ts';
import { mannerMutants } from './manner-mutants.ts';
import type { Mutant } from './mutant.ts';
import { payoutMutants } from './payout-mutants.ts';
import { peopleMutants } from './people-mutants.ts';
import { orderMutants } from './order-mutants.ts';
import { payerMutants } from './payer-mutants.ts';
import { providerMutants } from './provider-mutants.ts';
import { contactMutants } from './contact-mutants.ts';
import { reconciliationMutants } from './reconciliation-mutants.ts';
import { receiptMutants } from './receipt-mutants.ts';
import { refundMutants } from './refund-mutants.ts';
import { reserveMutants } from './reserve-mutants.ts';
import { sandboxMutants } from './sandbox-mutants.ts';
import { sealMutants } from './seal-mutants.ts';
import { railMutants } from './rail-mutants.ts';
import { storeMutants } from './store-mutants.ts';

/** Every named guard. */
export const mutants: readonly Mutant[] = [
  ...addressMutants,
  ...auditMutants,
  ...auditComparisonMutants,
  ...balanceMutants,
  ...auditPayoutMutants,
  ...auditRefundMutants,
  ...billMutants,
  ...cancelMutants,
  ...chargebackMutants,
  ...feeMutants,
  ...listMutants,
  ...mannerMutants,
  ...methodMutants,
  ...orderMutants,
  ...payerMutants,
  ...payoutMutants,
  ...peopleMutants,
  ...providerMutants,
  ...reconciliationMutants,
  ...refundMutants,
  ...reserveMutants,
  ...contactMutants,
  ...receiptMutants,
  ...sandboxMutants,
  ...sealMutants,
  ...railMutants,
  ...storeMutants,
];
