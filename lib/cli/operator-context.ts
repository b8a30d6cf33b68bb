import type { MerchantId } from '../ids.ts';
import type { LocalRole } from '../installation/local-caller.ts';
import type { Bills, Contacts } from '../bill/ports.ts';
import type { Adjustments } from '../ledger/adjustment.ts';
import type { Carried } from '../decision/carry-out.ts';
import type { DecisionKey, Decisions } from '../decision/decision.ts';
import type { Proposals } from '../decision/proposal.ts';
import type { Balances } from '../ledger/balance.ts';
import type { Chargebacks } from '../ledger/chargeback.ts';
import type { Claims } from '../ledger/claim.ts';
import type { MerchantUrls } from '../merchant/merchant-url.ts';
import type { Opener, Rates, Sealer, TermsOf } from '../merchant/ports.ts';
import type { AuditRuns } from '../operator/audit/run.ts';
import type { BalanceBooks } from '../operator/audit/balance-check.ts';
import type { AuditSource } from '../operator/audit/source.ts';
import type { Changes } from '../merchant/change.ts';
import type { IssuingPorts } from '../merchant/issuing.ts';
import type { PageSecretStore } from '../payment/rotate-page-secret.ts';
import type { WebhookOwnerId } from '../merchant/rotate-webhook-secret.ts';
import type { Books } from '../reconciliation/ports.ts';
import type { Journal } from '../ledger/journal.ts';
import type { Payments } from '../payment/ports.ts';
import type { ProviderReport } from '../provider-account/check-provider.ts';
import type { Refunds } from '../refund/ports.ts';
import type { UnregisteredReceipts } from '../payment/follow-receipts.ts';
import type { UnknownPayments } from '../payment/unknown-payments.ts';
import type { AutoPayouts, PayoutAccounts, Payouts } from '../payout/ports.ts';
import type { Reconciliations } from '../reconciliation/reconciliation.ts';
import type { ReconcileAnswer } from '../reconciliation/run-due.ts';
import type { RefreshedBanks } from '../payout/refresh-sbp-banks.ts';
import type { SbpBanks } from '../payout/sbp-banks.ts';
import type { ListMigrations } from '../search/migrate-lists.ts';
import type { KeyedListings, Listings, ListHistory } from '../search/ports.ts';
import type { SealedJournal, Seals } from '../seal/ports.ts';
import type { Endpoints, Events, PostbackQueue } from '../postback/ports.ts';

/** The ports and settings of one environment that the operator's commands work with. */
export type OperatorContext = IssuingPorts & {
  readonly environment: string;
  readonly merchantUrls: MerchantUrls;
  /** The IANA time zone of limits and schedules. */
  readonly timeZone: string;
  readonly terms: TermsOf;
  readonly rates: Rates;
  readonly balances: Balances;
  readonly adjustments: Adjustments;
  readonly chargebacks: Chargebacks;
  readonly unknownPayments: UnknownPayments;
  readonly unregisteredReceipts: UnregisteredReceipts;
  readonly claims: Claims;
  readonly refunds: Refunds;
  readonly bills: Bills;
  readonly listings: Listings;
  readonly keyedListings: KeyedListings;
  readonly listHistory: ListHistory;
  readonly contacts: Contacts;
  readonly payments: Payments;
  readonly payouts: Payouts;
  readonly payoutAccounts: PayoutAccounts;
  readonly autoPayouts: AutoPayouts;
  readonly sbpBanks: SbpBanks;
  readonly reconciliations: Reconciliations;
  /** Invokes the function that reconciles a day; its result is read from the table. */
  readonly reconcile: (date: string) => Promise<ReconcileAnswer>;
  /** Invokes the function that reads the provider's dictionary of SBP banks. */
  readonly refreshBanks: (how: { readonly acceptFewer: boolean }) => Promise<RefreshedBanks>;
  readonly destinationSealer: Sealer;
  /** Opens accounts that were stored without the hash of their number, to compute it once. */
  readonly destinationOpener: Opener;
  readonly pageSecret: PageSecretStore;
  /** The key of the fingerprints by which accounts and their numbers are recognized. */
  readonly fingerprintSecret: () => Promise<string>;
  /** The URL that links and notification addresses begin with; undefined for a deployed environment without a domain. */
  readonly serviceUrl: string | undefined;
  /** Invokes the function that checks a provider's accounts and our notification address. Undefined: it is not deployed. */
  readonly checkProvider: (provider: string) => Promise<ProviderReport | undefined>;
  /** The providers' secrets by name, for an administrator. */
  readonly providerSecrets: ProviderSecrets;
  readonly decisions: Pick<Decisions, 'write'>;
  readonly proposals: Proposals;
  /** Returns the person: at the local service the given name or the login, elsewhere the caller's `aws:userid`. */
  readonly identify: (named: string | undefined, login: string) => Promise<string>;
  /** Invokes the function that carries out a recorded decision. */
  readonly carryOut: (key: DecisionKey) => Promise<Carried>;
  readonly events: Events;
  readonly endpoints: Endpoints;
  readonly postbackQueue: PostbackQueue;
  readonly auditSource: AuditSource;
  readonly listMigrations: ListMigrations;
  readonly auditRuns: Pick<AuditRuns, 'results' | 'current' | 'ended'>;
  readonly balanceBooks: BalanceBooks;
  readonly journal: Journal;
  /** The journal of all merchants, and who has the payments and payouts that it tells of. */
  readonly books: Pick<Books, 'journalOf' | 'payments' | 'payouts'>;
  readonly seals: Seals;
  readonly sealedJournal: SealedJournal;
  /** Waits, so that the eventually consistent indexes can catch up. */
  readonly wait: (ms: number) => Promise<void>;
  /** The local service's file about its demo merchant. It has no effect elsewhere. */
  readonly demo: DemoFile;
  /** The recorded changes of a merchant's, a shop's or the rates' settings, with their authors. */
  readonly changes: Changes;
  /** Sets the person and the command that changes are recorded with, and the role at the local service. */
  readonly workAs: (by: () => Promise<string>, what: string, under: LocalRole) => void;
  /** Changes the person's role at the local service. Elsewhere the AWS login determines it. */
  readonly workUnder: (role: LocalRole) => void;
  close(): void;
};

interface ProviderSecrets {
  read(name: string): Promise<string>;
  /** Stores a new value; the current one becomes the previous one. */
  replace(name: string, value: string): Promise<void>;
}

/** `.paylink/demo.json`: the merchant that `npm start` created, for scripts. */
interface DemoFile {
  /** Replaces the token if the file is about this merchant. Returns whether it is. */
  replaceToken(merchantId: MerchantId, apiToken: string): Promise<boolean>;
  /** Replaces the webhook secret if the file is about this shop or merchant. Returns whether it is. */
  replaceWebhookSecret(owner: WebhookOwnerId, webhookSecret: string): Promise<boolean>;
}
