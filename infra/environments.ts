import type { QueueName } from './functions.ts';

const environmentNames = ['local', 'dev', 'staging', 'prod'] as const;
export type EnvironmentName = (typeof environmentNames)[number];

/** Requests a second, and how many more may come at once. */
export type Throttle = { readonly rate: number; readonly burst: number };

/** What a merchant's terms are until the operator sets others. Amounts in minor units of any currency. */
type TermsDefaults = {
  readonly paymentFee: FeeDefaults;
  readonly payoutFee: FeeDefaults;
  readonly payoutMinMinor: number;
  readonly payoutMaxMinor: number;
  readonly dayLimitMinor: number;
  readonly monthLimitMinor: number;
  readonly commissionPayer: 'sender' | 'recipient';
  readonly autoApproveUpToMinor: number;
  readonly autoApproveKnownAccounts: boolean;
};
type FeeDefaults = { readonly bps: number; readonly fixedMinor: number; readonly minimumMinor: number };

/** Guard against card testing: what one address (a /64 for IPv6) may try. Successes are never counted. */
type CardingLimits = {
  readonly failuresPerTenMinutes: number;
  readonly failuresPerDay: number;
  /** Begun, cancelled or failed. */
  readonly attemptsPerTenMinutes: number;
  /** At the same time, on one MULTI bill. */
  readonly openOnMultiBill: number;
};

/** Requests in five minutes before they are refused. */
type FirewallLimits = {
  /** For payers' pages, from one address. */
  readonly pagesPerAddress: number;
  /** For everything, from one address: at least ten times the pages', for a merchant's servers may share one. */
  readonly allPerAddress: number;
  /** With one API token, from all addresses. */
  readonly apiPerToken: number;
};

/** All that differs between two installations. Everything else is the same template. */
export type Environment = {
  readonly name: EnvironmentName;
  /** The links' own domain. Without it they begin with the API's invoke URL. */
  readonly domain?: { readonly name: string; readonly certificateArn: string } | undefined;
  /** Tables, keys and logs outlive the stack, and the table refuses to be deleted. */
  readonly keepsData: boolean;
  readonly logRetentionDays: 7 | 30 | 365;
  /** The operator's mail address; alarms without one only turn red in the console. */
  readonly alarmAddress?: string | undefined;
  /** Absent: no firewall. */
  readonly firewall?: FirewallLimits | undefined;
  /** Deploys the sandbox acquirer and rail: a separate party with its own table. */
  readonly sandbox: boolean;
  /** Who takes the cards. Absent: pay pages show the bill, but no payment can start. */
  readonly acquirer?: 'sandbox' | undefined;
  /** Two: authorise, then capture. One: captured at once. */
  readonly acquirerSteps: 'two' | 'one';
  /** Who sends payouts. Absent: approved payouts wait. */
  readonly rail?: 'sandbox' | undefined;
  /**
   * How many batches of one queue are worked on at a time (2 to 1,000). A batch of payments is one payment: so many
   * questions the acquirer gets at once from the sweep.
   */
  readonly concurrency: Readonly<Record<QueueName, number>>;
  readonly throttle: { readonly all: Throttle; readonly payoutCreate: Throttle };
  /** The calendar of `created_at` and of the payout limits. */
  readonly timeZone: string;
  readonly terms: TermsDefaults;
  readonly limits: CardingLimits;
  /** Which merchant URLs may be called: https on public addresses, or also http and loopback. */
  readonly merchantUrls: 'public' | 'loopback';
};

const terms: TermsDefaults = {
  paymentFee: { bps: 200, fixedMinor: 0, minimumMinor: 0 },
  payoutFee: { bps: 100, fixedMinor: 0, minimumMinor: 0 },
  payoutMinMinor: 100,
  payoutMaxMinor: 9_999_999_999,
  dayLimitMinor: 100_000_000,
  monthLimitMinor: 1_000_000_000,
  commissionPayer: 'sender',
  autoApproveUpToMinor: 0,
  autoApproveKnownAccounts: false,
};

/** What `npm start` and the tests run. Limits are generous: a test pays a hundred bills from one address. */
const local: Environment = {
  name: 'local',
  keepsData: false,
  logRetentionDays: 7,
  sandbox: true,
  acquirer: 'sandbox',
  acquirerSteps: 'two',
  rail: 'sandbox',
  concurrency: { postbacks: 8, payouts: 4, payments: 8 },
  throttle: { all: { rate: 10_000, burst: 5_000 }, payoutCreate: { rate: 1_000, burst: 1_000 } },
  timeZone: 'UTC',
  terms,
  limits: {
    failuresPerTenMinutes: 2_000,
    failuresPerDay: 4_000,
    attemptsPerTenMinutes: 2_000,
    openOnMultiBill: 1_000,
  },
  merchantUrls: 'loopback',
};

/** An account of the developers': the sandbox pays, and removing the stack removes everything. */
const dev: Environment = {
  ...local,
  name: 'dev',
  logRetentionDays: 30,
  throttle: { all: { rate: 200, burst: 400 }, payoutCreate: { rate: 10, burst: 20 } },
  limits: { failuresPerTenMinutes: 10, failuresPerDay: 30, attemptsPerTenMinutes: 40, openOnMultiBill: 5 },
  merchantUrls: 'public',
};

/**
 * Production's shape at a smaller size. Like production it has no provider until its operator names one;
 * `sandbox: true`, `acquirer: 'sandbox'` and `rail: 'sandbox'` make it a place to rehearse a release end to end.
 */
const staging: Environment = {
  ...dev,
  name: 'staging',
  keepsData: true,
  firewall: { pagesPerAddress: 2_000, allPerAddress: 60_000, apiPerToken: 30_000 },
  sandbox: false,
  acquirer: undefined,
  rail: undefined,
  throttle: { all: { rate: 2_000, burst: 2_000 }, payoutCreate: { rate: 50, burst: 100 } },
  concurrency: { postbacks: 50, payouts: 10, payments: 20 },
};

/**
 * Keeps its data on removal and has no sandbox. It has no provider either until its operator names one here
 * (`acquirer`, `rail`): until then bills can be made and shown, but no payment can start and no payout is sent.
 * The domain and the alarm address are the operator's to fill in as well.
 */
const prod: Environment = {
  ...staging,
  name: 'prod',
  logRetentionDays: 365,
  throttle: { all: { rate: 10_000, burst: 5_000 }, payoutCreate: { rate: 100, burst: 200 } },
  concurrency: { postbacks: 200, payouts: 20, payments: 50 },
};

export const environments: Readonly<Record<EnvironmentName, Environment>> = { local, dev, staging, prod };

/** The record of that name, or one sentence that lists the names. */
export function environmentNamed(name: string): Environment {
  const known = environmentNames.find((candidate) => candidate === name);
  if (known) return environments[known];
  throw new Error(`There is no environment "${name}": choose one of ${environmentNames.join(', ')}.`);
}
