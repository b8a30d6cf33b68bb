/**
 * The codes of all defects: states that must not occur, and unusable responses of other systems. The code is written to the
 * log, so it says what happened without any of the data involved.
 */
export const defectCodes = [
  'ACQUIRER_MISSING',
  'ADJUSTMENT_MOVE_IMPOSSIBLE',
  'ADJUSTMENT_NOT_APPROVED',
  'ADJUSTMENT_SELF_APPROVED',
  'AUTO_PAYOUT_HOUR_MISSING',
  'BATCH_KEYS_LEFT_OUT',
  'CARRY_OUT_FAILED',
  'CHECKED_ACCOUNT_UNREADABLE',
  'CLOSED_WITHOUT_ANSWER',
  'CONDITION_ALWAYS_HOLDS_FAILED',
  'CONTENDED_IN_EVERY_ROUND',
  'DOCUMENT_DESCRIPTION_MISSING',
  'DOCUMENT_ROUTE_MISSING',
  'HOST_WITHOUT_ADDRESS',
  'ID_MALFORMED',
  'ITEM_MISSING',
  'KMS_ANSWER_EMPTY',
  'PAYMENT_MERCHANT_MISSING',
  'PAYMENT_MISSING',
  'PAYMENT_MOVE_IMPOSSIBLE',
  'PAYMENT_NEW',
  'PAYOUT_GROUP_EMPTY',
  'PAYOUT_MAY_BE_AT_RAIL',
  'PAYOUT_MISSING',
  'PAYOUT_PLAN_EMPTY',
  'PERSONAL_PAYOUT_REFUSAL_IMPOSSIBLE',
  'POSTBACK_MERCHANT_MISSING',
  'POSTBACK_SHOP_MISSING',
  'PROPOSAL_MOVE_IMPOSSIBLE',
  'PROPOSAL_SELF_APPROVED',
  'PROVIDER_UNKNOWN',
  'RAIL_MISSING',
  'SANDBOX_ANSWER_UNREADABLE',
  'SANDBOX_ITEM_CONTENDED',
  'SANDBOX_ORDER_MISSING',
  'SANDBOX_ORDER_REFUSED',
  'SANDBOX_STATUS_UNEXPECTED',
  'SECRET_EMPTY',
  'SETTING_MISSING',
  'SIGNED_FIELD_MISSING',
  'STATUS_LIST_EMPTY',
  'STORED_ACCOUNT_UNSEALED',
  'VIEW_WITHOUT_AMOUNT',
] as const;
export type DefectCode = (typeof defectCodes)[number];

/** A defect. Its message is for developers and is never written to a log. */
export class Defect extends Error {
  readonly code: DefectCode;

  constructor(code: DefectCode, message: string, options?: ErrorOptions) {
    super(message, options);
    // Minification changes the class name.
    this.name = 'Defect';
    this.code = code;
  }
}
