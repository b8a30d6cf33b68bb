import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoAutoPayouts } from '../store/auto-payouts.ts';
import { dynamoBalances } from '../store/balances.ts';
import { dynamoBills } from '../store/bills.ts';
import { dynamoEndpoints } from '../store/endpoints.ts';
import { dynamoEvents } from '../store/events.ts';
import { dynamoMerchants } from '../store/merchants.ts';
import { dynamoNetworkAttempts } from '../store/network-attempts.ts';
import { dynamoPayments } from '../store/payments.ts';
import { dynamoPayoutAccounts } from '../store/payout-accounts.ts';
import { dynamoPayouts } from '../store/payouts.ts';
import { dynamoRates } from '../store/rates.ts';
import { dynamoShops } from '../store/shops.ts';
import { openTable } from '../store/table.ts';
import { dynamoTerms } from '../store/terms.ts';
import { databaseConfig } from './aws-deadlines.ts';
import { backOff } from './back-off.ts';
import { defaultTerms } from './defaults.ts';
import { lazy } from './kept.ts';
import { setting } from './setting.ts';
import { system } from './system.ts';

export const table = lazy(() =>
  openTable(new DynamoDBClient(databaseConfig), setting('TABLE_NAME'), backOff),
);

// One function each, so that a bundle carries only the stores that its Lambda works with.
export const merchants = () => dynamoMerchants(table());
export const shops = () => dynamoShops(table());
export const terms = () => dynamoTerms(table(), defaultTerms);
export const rates = () => dynamoRates(table());
export const bills = () => dynamoBills(table(), system.now);
export const payments = () => dynamoPayments(table());
export const balances = () => dynamoBalances(table());
export const payouts = () => dynamoPayouts(table(), defaultTerms);
export const payoutAccounts = () => dynamoPayoutAccounts(table());
export const autoPayouts = () => dynamoAutoPayouts(table());
export const events = () => dynamoEvents(table());
export const endpoints = () => dynamoEndpoints(table());
export const attempts = () => dynamoNetworkAttempts(table());
