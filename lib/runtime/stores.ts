import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoAdjustments } from '../store/adjustments.ts';
import { dynamoAuditRecords } from '../store/audit-records.ts';
import { dynamoAuditRuns } from '../store/audit-runs.ts';
import { dynamoAutoPayouts } from '../store/auto-payouts.ts';
import { dynamoBalanceBooks } from '../store/balance-books.ts';
import { dynamoBalances } from '../store/balances.ts';
import { dynamoBooks } from '../store/books.ts';
import { dynamoBills } from '../store/bills.ts';
import { dynamoChanges } from '../store/changes.ts';
import { dynamoChargebacks, dynamoClaims } from '../store/chargebacks.ts';
import { dynamoContacts } from '../store/contacts.ts';
import { dynamoDecisions, dynamoProposals } from '../store/decisions.ts';
import { dynamoEndpoints } from '../store/endpoints.ts';
import { dynamoEvents } from '../store/events.ts';
import { dynamoSealedJournal } from '../store/sealed-journal.ts';
import { dynamoSeals } from '../store/seals.ts';
import { dynamoJournal } from '../store/journal.ts';
import { dynamoKeyedListings } from '../store/keyed-listings.ts';
import { dynamoListHistory } from '../store/list-history.ts';
import { dynamoListMigrations } from '../store/list-migrations.ts';
import { dynamoListings } from '../store/listings.ts';
import { dynamoMerchants } from '../store/merchants.ts';
import { dynamoNetworkAttempts } from '../store/network-attempts.ts';
import { dynamoPayments } from '../store/payments.ts';
import { dynamoPayoutAccounts } from '../store/payout-accounts.ts';
import { dynamoPayouts } from '../store/payouts.ts';
import { dynamoProviderCalls } from '../store/provider-calls.ts';
import { dynamoReconciliations } from '../store/reconciliations.ts';
import { dynamoRefunds } from '../store/refunds.ts';
import { dynamoRates } from '../store/rates.ts';
import { dynamoSbpBanks } from '../store/sbp-banks.ts';
import { dynamoShops } from '../store/shops.ts';
import { openTable, type Table } from '../store/table.ts';
import { dynamoUnknownPayments } from '../store/unknown-payments.ts';
import { dynamoUnregisteredReceipts } from '../store/unregistered-receipts.ts';
import { dynamoTerms } from '../store/terms.ts';
import { backOff } from './back-off.ts';
import { databaseConfig } from './deadlines.ts';
import { lazy } from './cached.ts';
import { defaultTerms } from './settings.ts';
import { setting, system } from './system.ts';

const ownTable = lazy(() => openTable(new DynamoDBClient(databaseConfig), setting('TABLE_NAME'), backOff));

/** Without retries: a call to a provider does not wait for the table. */
const tableTriedOnce = lazy(() =>
  openTable(new DynamoDBClient(databaseConfig), setting('TABLE_NAME'), () => async () => false),
);

// All stores, on this function's own table or on a given one (stores-on.ts). One function each, so that a bundle
// contains only the stores that its function uses.
export const merchants = (table: Table = ownTable()) => dynamoMerchants(table);
export const shops = (table: Table = ownTable()) => dynamoShops(table);
export const listings = (table: Table = ownTable()) => dynamoListings(table);
export const keyedListings = (table: Table = ownTable()) => dynamoKeyedListings(table, dynamoListings(table));
export const listMigrations = (table: Table = ownTable()) => dynamoListMigrations(table);
export const listHistory = (table: Table = ownTable()) => dynamoListHistory(table);
export const terms = (table: Table = ownTable(), defaults = defaultTerms) => dynamoTerms(table, defaults);
export const rates = (table: Table = ownTable()) => dynamoRates(table);
export const bills = (table: Table = ownTable()) => dynamoBills(table, system.now);
export const contacts = (table: Table = ownTable()) => dynamoContacts(table, system.now);
export const payments = (table: Table = ownTable()) => dynamoPayments(table);
export const refunds = (table: Table = ownTable()) => dynamoRefunds(table, system.now);
export const unregisteredReceipts = (table: Table = ownTable()) => dynamoUnregisteredReceipts(table);
export const unknownPayments = (table: Table = ownTable()) => dynamoUnknownPayments(table);
export const attempts = (table: Table = ownTable()) => dynamoNetworkAttempts(table);
export const balances = (table: Table = ownTable()) => dynamoBalances(table);
export const journal = (table: Table = ownTable()) => dynamoJournal(table);
export const adjustments = (table: Table = ownTable()) => dynamoAdjustments(table);
export const chargebacks = (table: Table = ownTable()) => dynamoChargebacks(table);
export const claims = (table: Table = ownTable()) => dynamoClaims(table);
export const payouts = (table: Table = ownTable(), defaults = defaultTerms) => dynamoPayouts(table, defaults);
export const payoutAccounts = (table: Table = ownTable()) => dynamoPayoutAccounts(table);
export const sbpBanks = (table: Table = ownTable()) => dynamoSbpBanks(table);
export const autoPayouts = (table: Table = ownTable()) => dynamoAutoPayouts(table);
export const events = (table: Table = ownTable()) => dynamoEvents(table);
export const endpoints = (table: Table = ownTable()) => dynamoEndpoints(table);
export const decisions = (table: Table = ownTable()) => dynamoDecisions(table, system.now);
export const proposals = (table: Table = ownTable()) => dynamoProposals(table);
export const changes = (table: Table = ownTable()) => dynamoChanges(table);
export const books = (table: Table = ownTable()) => dynamoBooks(table);
export const reconciliations = (table: Table = ownTable()) => dynamoReconciliations(table);
export const seals = (table: Table = ownTable()) => dynamoSeals(table);
export const sealedJournal = (table: Table = ownTable()) => dynamoSealedJournal(table);
export const auditSource = (table: Table = ownTable()) => dynamoAuditRecords(table);
export const auditRuns = (table: Table = ownTable()) => dynamoAuditRuns(table);
export const balanceBooks = (table: Table = ownTable()) => dynamoBalanceBooks(table);
export const providerCalls = (table: Table = tableTriedOnce()) => dynamoProviderCalls(table);
