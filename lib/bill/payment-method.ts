/** The ways to pay. The values are stored and appear in the environment's record. */
export const paymentMethods = ['card', 'sbp'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** The methods as the merchant's API and postbacks name them. */
export const methodNames = { card: 'BANK_CARD', sbp: 'SBP' } as const satisfies Record<PaymentMethod, string>;
export const methodNamed = (name: (typeof methodNames)[PaymentMethod]): PaymentMethod =>
  name === methodNames.sbp ? 'sbp' : 'card';
