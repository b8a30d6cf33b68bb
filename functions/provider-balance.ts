import { watchBalances, type WatchBalancesPorts } from '../lib/provider-account/watch-balances.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { balancePorts } from '../lib/runtime/provider-account.ts';

/** Each hour: reads the balance of the payout account, where the record names an amount that must be there. */
export const create = (ports: () => WatchBalancesPorts) => (): Promise<void> => watchBalances(ports());

export const handler = lambdaHandler(() => create(balancePorts));
