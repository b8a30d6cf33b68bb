/** What is sold, as fiscal receipts name it: tag 1212, in the words of YooKassa’s API. Marked goods need codes that bills do not have. */
const receiptSubjects = [
  'commodity',
  'excise',
  'job',
  'service',
  'gambling_bet',
  'gambling_prize',
  'lottery',
  'lottery_prize',
  'intellectual_activity',
  'payment',
  'agent_commission',
  'property_right',
  'non_operating_gain',
  'insurance_premium',
  'sales_tax',
  'resort_fee',
  'composite',
  'another',
  'fine',
  'tax',
  'lien',
  'cost',
  'pension_insurance_without_payouts',
  'pension_insurance_with_payouts',
  'health_insurance_without_payouts',
  'health_insurance_with_payouts',
  'health_insurance',
  'casino',
  'agent_withdrawals',
  'non_marked_excise',
  'non_marked',
] as const;

/** How it is paid: tag 1214. */
const receiptModes = [
  'full_prepayment',
  'partial_prepayment',
  'advance',
  'full_payment',
  'partial_payment',
  'credit',
  'credit_payment',
] as const;

const taxSystems = [1, 2, 3, 4, 5, 6] as const;
const vatCodes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

/**
 * The fiscal receipts of a provider's shop (54-FZ). The numbers and words are the provider's; which of them apply, and who is the seller,
 * the operator's counsel decides. Every line of a receipt has these values.
 */
export type ReceiptSettings = {
  /** Absent: the shop has only one, which the provider knows. */
  readonly taxSystem?: (typeof taxSystems)[number];
  /** The VAT rate: 1 is without VAT. */
  readonly vatCode: (typeof vatCodes)[number];
  readonly subject: (typeof receiptSubjects)[number];
  readonly mode: (typeof receiptModes)[number];
  /** The provider's own cash register sends receipts by email only. Absent: a payer may give a phone number instead. */
  readonly sentBy?: 'email';
};

/** Returns the settings that have an impossible value: a record is not type-checked when it is deployed. */
export function receiptFieldsWanted(settings: ReceiptSettings): readonly string[] {
  const { taxSystem, vatCode, subject, mode, sentBy } = settings;
  const isOneOf = (values: readonly unknown[], value: unknown): boolean => values.includes(value);
  return [
    ...(isOneOf([undefined, ...taxSystems], taxSystem) ? [] : ['taxSystem a number from 1 to 6']),
    ...(isOneOf(vatCodes, vatCode) ? [] : ['vatCode a number from 1 to 12']),
    ...(isOneOf(receiptSubjects, subject) ? [] : ['subject one of the provider’s words, such as service']),
    ...(isOneOf(receiptModes, mode) ? [] : ['mode one of the provider’s words, such as full_payment']),
    ...(isOneOf([undefined, 'email'], sentBy) ? [] : ["sentBy 'email', or leave it out"]),
  ];
}
