/** Interface specification 4.8: how a payout reaches its recipient. */
export const accountTypes = ['credit_card', 'sbp'] as const;
export type AccountType = (typeof accountTypes)[number];

/**
 * Where the money goes. It exists in clear only between the request and its sealing, and between the dispatcher's
 * opening and the rail; everyone else has the mask. A stored account may lack the holder's name and the bank.
 */
export type Destination =
  | { readonly type: 'credit_card'; readonly number: string; readonly holder?: string | undefined }
  | { readonly type: 'sbp'; readonly phone: string; readonly bankId?: number | undefined };
