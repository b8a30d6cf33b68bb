import type { Refund } from './refund.ts';

/** Why a refund failed, for the merchant: the sentence that goes with each `error_code`. */
export const refundErrors: Readonly<Record<NonNullable<Refund['errorCode']>, string>> = {
  refund_rejected: 'The acquirer refused the refund.',
};
