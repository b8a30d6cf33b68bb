import { reconcileDay } from '../../lib/reconciliation/reconcile-day.ts';
import { answerOf } from '../../lib/reconciliation/run-due.ts';
import { dynamoReconciliations } from '../../lib/store/reconciliations.ts';
import { reconcilePortsOn } from './reconciliation.ts';
import { carryOut } from '../../lib/decision/carry-out.ts';
import { identifyByName } from '../../lib/cli/identity.ts';
import type { Acquirer } from '../../lib/payment/acquirer.ts';
import { acquirersOf } from '../../lib/payment/acquirers.ts';
import { sandboxAcquirer } from '../../lib/provider/sandbox-acquirer.ts';
import { dynamoDecisions, dynamoProposals } from '../../lib/store/decisions.ts';
import { type Shell } from '../../lib/cli/shell.ts';
import type { OperatorContext } from '../../lib/cli/operator-context.ts';
import { run } from '../../lib/cli/program.ts';
import { sqsQueue } from '../../lib/provider/sqs-queue.ts';
import { dynamoAdjustments } from '../../lib/store/adjustments.ts';
import { authorship } from '../../lib/cli/authorship.ts';
import { dynamoAutoPayouts } from '../../lib/store/auto-payouts.ts';
import { dynamoChanges } from '../../lib/store/changes.ts';
import { dynamoChargebacks, dynamoClaims } from '../../lib/store/chargebacks.ts';
import { dynamoKeyedListings } from '../../lib/store/keyed-listings.ts';
import { dynamoListHistory } from '../../lib/store/list-history.ts';
import { dynamoListings } from '../../lib/store/listings.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { dynamoPayoutAccounts } from '../../lib/store/payout-accounts.ts';
import { dynamoBills } from '../../lib/store/bills.ts';
import { dynamoContacts } from '../../lib/store/contacts.ts';
import { dynamoBalances } from '../../lib/store/balances.ts';
import { dynamoEndpoints } from '../../lib/store/endpoints.ts';
import { dynamoEvents } from '../../lib/store/events.ts';
import { dynamoBooks } from '../../lib/store/books.ts';
import { dynamoSealedJournal } from '../../lib/store/sealed-journal.ts';
import { dynamoSeals } from '../../lib/store/seals.ts';
import { dynamoJournal } from '../../lib/store/journal.ts';
import { dynamoAuditRuns } from '../../lib/store/audit-runs.ts';
import { dynamoAuditRecords } from '../../lib/store/audit-records.ts';
import { dynamoBalanceBooks } from '../../lib/store/balance-books.ts';
import { dynamoPayments } from '../../lib/store/payments.ts';
import { dynamoRates } from '../../lib/store/rates.ts';
import { dynamoSbpBanks } from '../../lib/store/sbp-banks.ts';
import { dynamoListMigrations } from '../../lib/store/list-migrations.ts';
import { dynamoShops } from '../../lib/store/shops.ts';
import { dynamoUnknownPayments } from '../../lib/store/unknown-payments.ts';
import { dynamoUnregisteredReceipts } from '../../lib/store/unregistered-receipts.ts';
import { dynamoTerms } from '../../lib/store/terms.ts';
import { dynamoRefunds } from '../../lib/store/refunds.ts';
import { contactSealer } from './contacts.ts';
import { payoutHarness } from './payout-harness.ts';
import { refreshSbpBanks } from '../../lib/payout/refresh-sbp-banks.ts';
import { payoutTerms } from './payouts.ts';
import { freshQueue } from './queue.ts';

type Ran = { readonly exitCode: number; readonly said: string; readonly complained: string };

/** The operator's context on a real table and real queues, with a merchant that has a balance. */
export async function operatorHarness() {
  const harness = await payoutHarness();
  const work = authorship(harness);
  const table = { ...harness.table, author: work.author };
  const [postbacks, payoutMessages] = await Promise.all([freshQueue(), freshQueue()]);
  const refreshed: string[] = [];
  const pageSecrets: string[] = [];
  const providerSecrets: Record<string, string> = {};
  let chance = 0;
  /** Does not answer unless a test replaces `get`. */
  const silent = () => Promise.reject(new Error('timeout'));
  const acquirer: Acquirer = {
    ...sandboxAcquirer({ url: 'https://sandbox.test/sandbox', secret: 'unused', fetch: silent }),
    get: silent,
  };
  const acquirers = acquirersOf([acquirer], {});
  const payoutQueue = sqsQueue(payoutMessages.client, payoutMessages.url, 'payoutId');
  const allDecisions = dynamoDecisions(table, harness.now);
  const listings = dynamoListings(table);
  const refundPorts = {
    contacts: dynamoContacts(table, harness.now),
    contactSealer,
    isAcquirerDeployed: () => true,
    refundQueue: { send: async () => undefined },
  };
  const context: OperatorContext = {
    ...harness,
    refunds: dynamoRefunds(table, harness.now),
    environment: 'local',
    tokenKind: 'test',
    merchantUrls: 'loopback',
    random: (bytes) => Buffer.alloc(bytes, (chance += 1)),
    sealer: harness.destinationSealer,
    pageSecret: { replace: async (secret) => void pageSecrets.push(secret) },
    listMigrations: dynamoListMigrations(table),
    shops: dynamoShops(table),
    terms: dynamoTerms(table, (currency) => payoutTerms({ currency })),
    rates: dynamoRates(table),
    balances: dynamoBalances(table),
    adjustments: dynamoAdjustments(table),
    chargebacks: dynamoChargebacks(table),
    unknownPayments: dynamoUnknownPayments(table),
    unregisteredReceipts: dynamoUnregisteredReceipts(table),
    claims: dynamoClaims(table),
    bills: dynamoBills(table, harness.now),
    contacts: dynamoContacts(table, harness.now),
    payments: dynamoPayments(table),
    listings,
    keyedListings: dynamoKeyedListings(table, listings),
    listHistory: dynamoListHistory(table),
    events: dynamoEvents(table),
    endpoints: dynamoEndpoints(table),
    auditSource: dynamoAuditRecords(table),
    auditRuns: dynamoAuditRuns(table),
    balanceBooks: dynamoBalanceBooks(table),
    journal: dynamoJournal(table),
    seals: dynamoSeals(table),
    sealedJournal: dynamoSealedJournal(table),
    books: dynamoBooks(table),
    changes: dynamoChanges(table),
    workAs: work.as,
    workUnder: work.under,
    merchants: dynamoMerchants(table),
    payoutAccounts: dynamoPayoutAccounts(table),
    autoPayouts: dynamoAutoPayouts(table),
    sbpBanks: dynamoSbpBanks(table),
    reconciliations: dynamoReconciliations(table),
    reconcile: async (date) =>
      answerOf(
        await reconcileDay(
          reconcilePortsOn({ ...harness, table, acquirers, providers: { acquirer: [], rail: ['test'] } })
            .ports,
          date,
        ),
      ),
    refreshBanks: (how) =>
      refreshSbpBanks(
        { ...harness, sbpBanks: dynamoSbpBanks(table), alarm: (alarm) => void harness.alarms.push(alarm) },
        how,
      ),
    postbackQueue: sqsQueue(postbacks.client, postbacks.url, 'eventId'),
    decisions: allDecisions,
    proposals: dynamoProposals(table),
    identify: identifyByName,
    carryOut: (key) =>
      carryOut(
        { ...harness, ...context, ...refundPorts, acquirers, payoutQueue, decisions: allDecisions },
        key,
      ),
    serviceUrl: 'https://pay.example',
    checkProvider: async () => undefined,
    providerSecrets: {
      read: async (name) => providerSecrets[name] ?? '',
      replace: async (name, value) => void Object.assign(providerSecrets, { [name]: value }),
    },
    demo: {
      replaceToken: async (merchantId) => refreshed.push(merchantId) > 0,
      replaceWebhookSecret: async (owner) =>
        refreshed.push('shopId' in owner ? owner.shopId : owner.merchantId) > 0,
    },
    wait: async () => undefined,
    close: () => undefined,
  };
  return {
    ...harness,
    ...refundPorts,
    ...context,
    context,
    acquirer,
    acquirers,
    allDecisions,
    refreshed,
    pageSecrets,
    providerSecrets,
    postbacks,
    payoutMessages,
    ...terminal(context),
    /** A terminal whose commands are interrupted at once. */
    interrupted: () => terminal(context, { isInterrupted: true }),
  };
}

/** A terminal that gives the same answer to every question, or is non-interactive without one. */
export function terminal(
  context: OperatorContext,
  {
    hidden = '',
    piped = '',
    isInterrupted = false,
  }: {
    readonly hidden?: string | readonly string[];
    readonly piped?: string;
    readonly isInterrupted?: boolean;
  } = {},
) {
  const asked: string[] = [];
  const hiddenAnswers = typeof hidden === 'string' ? [] : [...hidden];
  async function type(words: readonly string[], answer?: boolean): Promise<Ran> {
    const [said, complained]: [string[], string[]] = [[], []];
    const shell: Shell = {
      connect: async () => context,
      out: (text) => void said.push(text),
      err: (text) => void complained.push(text),
      operator: 'olga',
      isInteractive: answer !== undefined,
      ask: async (question) => {
        asked.push(question);
        return answer ?? false;
      },
      askHidden: async (question) => {
        asked.push(question);
        return hiddenAnswers.shift() ?? (typeof hidden === 'string' ? hidden : '');
      },
      readInput: async () => piped,
      watchInterrupt: () => ({ isInterrupted: () => isInterrupted }),
      exitCode: 0,
    };
    const exitCode = await run(words, shell);
    return { exitCode, said: said.join('\n'), complained: complained.join('\n') };
  }
  return {
    asked,
    /** Runs a command line; `answer` is the answer to its questions. */
    type: (line: string, answer?: boolean) => type(wordsOf(line), answer),
    /** Runs a command with --json and parses its document; throws when the command fails. */
    json: async (line: string) => {
      const { exitCode, said, complained } = await type([...wordsOf(line), '--json', '--yes']);
      if (exitCode !== 0) throw new Error(complained || said);
      return JSON.parse(said);
    },
  };
}

/** Splits at spaces outside double quotes. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

export type OperatorHarness = Awaited<ReturnType<typeof operatorHarness>>;
