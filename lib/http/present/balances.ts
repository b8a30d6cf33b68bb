import type * as z from 'zod/mini';
import type { merchantBalanceRoute } from '../../contract/merchant.ts';
import type { Balance } from '../../ledger/balance.ts';
import { balanceText } from './amounts.ts';

export const presentBalances = (
  balances: readonly Balance[],
): z.input<(typeof merchantBalanceRoute)['output']> => ({
  balances: balances.map(({ currency, available, locked, held, reserved }) => ({
    currency,
    balance_available: balanceText(available),
    balance_locked: balanceText(locked),
    balance_hold: balanceText(held),
    balance_reserved: balanceText(reserved),
  })),
  success: 'true',
});
