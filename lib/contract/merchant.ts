import * as z from 'zod/mini';
import type { GetBalancesRefusal } from '../ledger/get-balances.ts';
import { balanceCurrencies } from '../money/money.ts';
import { successText } from './fields.ts';
import { route } from './route.ts';

/** Text with eight decimals. */
const balance = z.string().check(z.regex(/^-?\d+\.\d{8}$/));

/** Contract 2.3. */
export const balanceEntry = {
  currency: z.enum(balanceCurrencies),
  balance_available: balance,
  balance_locked: balance,
  balance_hold: balance,
  balance_reserved: balance,
};

/** Contract 4.6. Its `422 bill_not_found` cannot occur: the endpoint has no parameter. */
export const merchantBalanceRoute = route<GetBalancesRefusal>()({
  function: 'merchant-balance',
  method: 'GET',
  path: '/api/v1/merchant/balance',
  summary:
    'Read the balances: available, locked for payouts, the fees of those payouts, and the rolling reserve',
  input: z.object({}),
  output: z.object({
    balances: z.array(z.object(balanceEntry)),
    success: successText,
  }),
  refusals: {
    merchant_not_found: 403,
    merchant_banned: 403,
    merchant_subscription_inactive: 403,
    merchant_subscription_not_found: 403,
  },
});
