import type { MerchantId } from '../ids.ts';
import type { LocalRole } from '../installation/local-caller.ts';
import type { Bills } from '../bill/ports.ts';
import type { Adjustments } from '../ledger/adjustment.ts';
import type { Carried } from '../decision/carry-out.ts';
import type { DecisionKey, Decisions } from '../decision/decision.ts';
import type { Proposals } from '../decision/proposal.ts';
import type { Balances } from '../ledger/balance.ts';
import type { MerchantUrls } from '../merchant/merchant-url.ts';
import type { Opener, Rates, Sealer, TermsOf } from '../merchant/ports.ts';
import type { AuditSource } from '../operator/audit/records.ts';
import type { Changes } from '../merchant/change.ts';
import type { IssuingPorts } from '../merchant/issuing.ts';
import type { PageSecretStore } from '../payment/rotate-page-secret.ts';
import type { WebhookOwnerId } from '../merchant/rotate-webhook-secret.ts';
import type { Journal } from '../ledger/journal.ts';
import type { Payments } from '../payment/ports.ts';
import type { AutoPayouts, PayoutAccounts, Payouts } from '../payout/ports.ts';
import type { Endpoints, Events, PostbackQueue } from '../postback/ports.ts';

/** Everything that the operator's commands work with, in one environment. */
export type OperatorContext = IssuingPorts & {
  readonly environment: string;
  readonly merchantUrls: MerchantUrls;
  /** The calendar of limits and schedules. */
  readonly timeZone: string;
  readonly terms: TermsOf;
  readonly rates: Rates;
  readonly balances: Balances;
  readonly adjustments: Adjustments;
  readonly bills: Bills;
  readonly payments: Payments;
  readonly payouts: Payouts;
  readonly payoutAccounts: PayoutAccounts;
  readonly autoPayouts: AutoPayouts;
  readonly destinationSealer: Sealer;
  /** Accounts that were stored without the hash of their number are opened for it, once. */
  readonly destinationOpener: Opener;
  readonly pageSecret: PageSecretStore;
  /** The key of the hashes that know an account or its number again. */
  readonly fingerprintSecret: () => Promise<string>;
  readonly decisions: Pick<Decisions, 'write'>;
  readonly proposals: Proposals;
  /** Who types: the name given or that of the computer's login here, the caller's `aws:userid` where it is deployed. */
  readonly identify: (named: string | undefined, login: string) => Promise<string>;
  /** Has the function carry out a decision that was written. */
  readonly carryOut: (key: DecisionKey) => Promise<Carried>;
  readonly events: Events;
  readonly endpoints: Endpoints;
  readonly postbackQueue: PostbackQueue;
  readonly auditSource: AuditSource;
  readonly journal: Journal;
  /** Lets the indexes catch up. */
  readonly wait: (ms: number) => Promise<void>;
  /** What the running local service was told of its demo merchant; nothing elsewhere. */
  readonly demo: DemoFile;
  /** What became of a merchant's, a shop's or the rates' settings, and by whom. */
  readonly changes: Changes;
  /** From now on this person works with the command of that name, at the local service under that policy. */
  readonly workAs: (by: () => Promise<string>, what: string, under: LocalRole) => void;
  /** From now on the same person holds this policy, at the local service; elsewhere it is that of the AWS login. */
  readonly workUnder: (role: LocalRole) => void;
  close(): void;
};

/** `.paylink/demo.json`: the merchant that `npm start` made, for scripts. */
interface DemoFile {
  /** Puts the new token in place of the old one, if the file is about this merchant; answers whether it is. */
  replaceToken(merchantId: MerchantId, apiToken: string): Promise<boolean>;
  /** The same for the webhook secret of the shop or the merchant. */
  replaceWebhookSecret(owner: WebhookOwnerId, webhookSecret: string): Promise<boolean>;
}
