import {
  deployedNames,
  type DeployedProviders,
  type PaymentRoutes,
  type PayoutRoutes,
  type SandboxSettings,
  type YookassaSettings,
} from './providers.ts';
import type { ReceiptSettings } from './receipt-settings.ts';
import { listed, providersWanted } from './providers-wanted.ts';

const environmentNames = ['local', 'dev', 'staging', 'prod'] as const;
export type EnvironmentName = (typeof environmentNames)[number];

export type QueueName = 'postbacks' | 'retries' | 'payouts' | 'payments';

/** Requests per second, and the burst above that rate. */
type Throttle = { readonly rate: number; readonly burst: number };

/** A merchant's terms until the operator sets others. Amounts are in minor units, the same in every currency. */
type TermsDefaults = {
  readonly paymentFee: FeeDefaults;
  readonly payoutFee: FeeDefaults;
  readonly payoutMinMinor: number;
  readonly payoutMaxMinor: number;
  readonly dayLimitMinor: number;
  readonly monthLimitMinor: number;
  readonly commissionPayer: 'sender' | 'recipient';
  readonly autoApproveUpToMinor: number;
  readonly autoApproveDayTotalMinor: number;
  readonly autoApproveKnownUpToMinor: number;
  readonly autoApproveKnownDayTotalMinor: number;
  readonly secondPersonAboveMinor: number;
  readonly reserveBasisPoints: number;
  readonly reserveDays: number;
};
type FeeDefaults = { readonly bps: number; readonly fixedMinor: number; readonly minimumMinor: number };

/** Limits against card testing, per address (a /64 for IPv6). Successful payments are never counted. */
type CardingLimits = {
  readonly failuresPerTenMinutes: number;
  readonly failuresPerDay: number;
  /** Payments that were started, cancelled or failed. */
  readonly attemptsPerTenMinutes: number;
  /** Payments open at the same time on one MULTI bill. */
  readonly openOnMultiBill: number;
};

/** Requests allowed in five minutes. */
type FirewallLimits = {
  /** To the payer pages, from one address. */
  readonly pagesPerAddress: number;
  /** To any path, from one address. At least ten times `pagesPerAddress`, because a merchant's servers may share an address. */
  readonly allPerAddress: number;
  /** With one API token, from all addresses. */
  readonly apiPerToken: number;
  /** Of these, searches. One with filters may read 1,000 items. */
  readonly searchesPerToken: number;
};

/** Everything that differs between two installations; the rest of the template is the same. */
export type Environment = {
  readonly name: EnvironmentName;
  /** The AWS account (12 digits) and region to deploy to. Default: those of the credentials that deploy. */
  readonly account: string | undefined;
  readonly region: string | undefined;
  /** The domain of the payment links. Without it, links begin with the API's invoke URL. */
  readonly domain: { readonly name: string; readonly certificateArn: string } | undefined;
  /**
   * Whether the API also answers under its invoke URL (execute-api). `off` requires a domain and makes it the only way
   * in, but every link that was sent under the invoke URL stops working.
   */
  readonly invokeUrl: 'on' | 'off';
  /** Tables, keys and logs are retained when the stack is deleted, and the table has deletion protection. */
  readonly keepsData: boolean;
  readonly logRetentionDays: 7 | 30 | 365;
  /** Writes one line per request, without its path, query, headers or body. */
  readonly accessLog: boolean;
  /** The operator's email address. Without one, alarms show only in the CloudWatch console. */
  readonly alarmAddress: string | undefined;
  /** Absent: no firewall. */
  readonly firewall: FirewallLimits | undefined;
  /**
   * The deployed providers with their settings. `sandbox` also deploys the sandbox itself, a separate party with its own
   * table. A provider that is to take nothing new stays here until its last payment and payout are done.
   */
  readonly providers: DeployedProviders;
  /**
   * The acquirer of new payments per method and currency. Where none is named: the pay page shows the bill without that
   * method; without any, no payment can start.
   */
  readonly payments: PaymentRoutes;
  /** The rail of new payouts per account type. Absent: payouts to such accounts are refused at creation. */
  readonly payouts: PayoutRoutes;
  /**
   * How many batches of a queue are processed at the same time (2 to 1,000). A batch of `payments` is one payment, so
   * this is also the number of concurrent status checks that the sweep causes at the acquirer.
   */
  readonly concurrency: Readonly<Record<QueueName, number>>;
  readonly throttle: { readonly all: Throttle; readonly payoutCreate: Throttle };
  /** IANA time zone of `created_at` and of the payout limits, which reset at its midnight, such as `Europe/Moscow`. */
  readonly timeZone: string;
  /**
   * A bucket to which the seals of the journal are written as well (docs/seals.md). For so many years nobody can remove one, and the bucket
   * not either: it can be switched on at any time, and never off in an account. Absent: none.
   */
  readonly sealBucket: { readonly years: number } | undefined;
  readonly terms: TermsDefaults;
  readonly limits: CardingLimits;
  /** Which merchant URLs may be called. `public`: https on public addresses. `loopback`: also http and loopback addresses. */
  readonly merchantUrls: 'public' | 'loopback';
};

/** An environment's record before the operator has filled it in: the time zone has no safe default. */
export type EnvironmentRecord = Omit<Environment, 'timeZone'> & { readonly timeZone: string | undefined };

const terms: TermsDefaults = {
  paymentFee: { bps: 200, fixedMinor: 0, minimumMinor: 0 },
  payoutFee: { bps: 100, fixedMinor: 0, minimumMinor: 0 },
  payoutMinMinor: 100,
  payoutMaxMinor: 9_999_999_999,
  dayLimitMinor: 100_000_000,
  monthLimitMinor: 1_000_000_000,
  commissionPayer: 'sender',
  autoApproveUpToMinor: 0,
  autoApproveDayTotalMinor: 0,
  autoApproveKnownUpToMinor: 0,
  autoApproveKnownDayTotalMinor: 0,
  secondPersonAboveMinor: 0,
  reserveBasisPoints: 0,
  reserveDays: 0,
};

/** Takes the largest amount of the contract with any surcharge. SBP has limits as a real provider's. */
const any = { minMinor: 1, maxMinor: 99_999_999_999 };
const sandbox: SandboxSettings = {
  payments: {
    card: { RUB: any, USD: any, EUR: any, KZT: any },
    sbp: { RUB: { minMinor: 100, maxMinor: 70_000_000 } },
  },
  payouts: {
    credit_card: { minMinor: 100, maxMinor: 9_999_999_999 },
    sbp: { minMinor: 100, maxMinor: 50_000_000 },
  },
  calls: undefined,
  manners: { steps: 'two' },
};

/** Everything at the sandbox. Production refuses it. */
export const sandboxOnly = {
  providers: { sandbox },
  payments: {
    card: { RUB: 'sandbox', USD: 'sandbox', EUR: 'sandbox', KZT: 'sandbox' },
    sbp: { RUB: 'sandbox' },
  },
  payouts: { credit_card: 'sandbox', sbp: 'sandbox' },
} as const satisfies Pick<Environment, 'providers' | 'payments' | 'payouts'>;

/**
 * The record with payments in roubles and SBP payouts at YooKassa, or at its emulator. Other currencies and payouts to cards stay
 * where they are.
 */
export const atYookassa = (
  environment: Environment,
  apiUrl: string,
  receipts?: ReceiptSettings,
): Environment => ({
  ...environment,
  providers: {
    ...environment.providers,
    yookassa: { ...yookassa, apiUrl, ...(receipts && { receipts }) },
  },
  payments: {
    ...environment.payments,
    card: { ...environment.payments.card, RUB: 'yookassa' },
    sbp: { ...environment.payments.sbp, RUB: 'yookassa' },
  },
  payouts: { ...environment.payouts, sbp: 'yookassa' },
});

/** The receipts of a local shop: goods that are paid in full, without VAT. */
export const localReceipts: ReceiptSettings = {
  taxSystem: 2,
  vatCode: 1,
  subject: 'commodity',
  mode: 'full_payment',
};

/** Limits that the provider publishes: 350,000.00 by card, 700,000.00 by SBP, 500,000.00 to an SBP account. */
const yookassa: Omit<YookassaSettings, 'apiUrl'> = {
  payments: {
    card: { RUB: { minMinor: 100, maxMinor: 35_000_000 } },
    sbp: { RUB: { minMinor: 100, maxMinor: 70_000_000 } },
  },
  payouts: { sbp: { minMinor: 100, maxMinor: 50_000_000 } },
  calls: { atOnce: 10, perSecond: 20 },
  payoutBalanceAlarm: { RUB: 10_000_000 },
};

/** The environment of `npm start` and the tests. Limits are generous: a test pays a hundred bills from one address. */
const local: Environment = {
  name: 'local',
  account: undefined,
  region: undefined,
  domain: undefined,
  invokeUrl: 'on',
  keepsData: false,
  logRetentionDays: 7,
  accessLog: false,
  alarmAddress: undefined,
  firewall: undefined,
  ...sandboxOnly,
  concurrency: { postbacks: 8, retries: 4, payouts: 4, payments: 8 },
  throttle: { all: { rate: 10_000, burst: 5_000 }, payoutCreate: { rate: 1_000, burst: 1_000 } },
  timeZone: 'UTC',
  sealBucket: undefined,
  terms,
  limits: {
    failuresPerTenMinutes: 2_000,
    failuresPerDay: 4_000,
    attemptsPerTenMinutes: 2_000,
    openOnMultiBill: 1_000,
  },
  merchantUrls: 'loopback',
};

/** For a developers' account: payments go to the sandbox, and deleting the stack deletes everything. */
const dev: Environment = {
  ...local,
  name: 'dev',
  logRetentionDays: 30,
  accessLog: true,
  throttle: { all: { rate: 200, burst: 400 }, payoutCreate: { rate: 10, burst: 20 } },
  limits: { failuresPerTenMinutes: 10, failuresPerDay: 30, attemptsPerTenMinutes: 40, openOnMultiBill: 5 },
  merchantUrls: 'public',
};

/**
 * Production at a smaller scale. Like production, it has no provider until the operator names one.
 * With `...sandboxOnly` a release can be rehearsed end to end.
 */
const staging: Environment = {
  ...dev,
  name: 'staging',
  keepsData: true,
  firewall: { pagesPerAddress: 2_000, allPerAddress: 60_000, apiPerToken: 30_000, searchesPerToken: 600 },
  providers: {},
  payments: {},
  payouts: {},
  throttle: { all: { rate: 2_000, burst: 2_000 }, payoutCreate: { rate: 50, burst: 100 } },
  concurrency: { postbacks: 50, retries: 15, payouts: 10, payments: 20 },
};

/**
 * Written out in full, so that a change to another record never changes production. The operator fills in the undefined
 * fields (account, region, domain, alarm address, time zone); until then the template is not synthesized. Without a
 * provider (`providers`, `payments`, `payouts`), bills can be created and shown, but no payment can start and no payout is sent.
 */
const prod: EnvironmentRecord = {
  name: 'prod',
  account: undefined,
  region: undefined,
  domain: undefined,
  invokeUrl: 'on',
  keepsData: true,
  logRetentionDays: 365,
  accessLog: true,
  alarmAddress: undefined,
  firewall: { pagesPerAddress: 2_000, allPerAddress: 60_000, apiPerToken: 30_000, searchesPerToken: 600 },
  providers: {},
  payments: {},
  payouts: {},
  concurrency: { postbacks: 200, retries: 60, payouts: 20, payments: 50 },
  throttle: { all: { rate: 10_000, burst: 5_000 }, payoutCreate: { rate: 100, burst: 200 } },
  timeZone: undefined,
  sealBucket: undefined,
  terms: {
    paymentFee: { bps: 200, fixedMinor: 0, minimumMinor: 0 },
    payoutFee: { bps: 100, fixedMinor: 0, minimumMinor: 0 },
    payoutMinMinor: 100,
    payoutMaxMinor: 9_999_999_999,
    dayLimitMinor: 100_000_000,
    monthLimitMinor: 1_000_000_000,
    commissionPayer: 'sender',
    autoApproveUpToMinor: 0,
    autoApproveDayTotalMinor: 0,
    autoApproveKnownUpToMinor: 0,
    autoApproveKnownDayTotalMinor: 0,
    secondPersonAboveMinor: 0,
    reserveBasisPoints: 0,
    reserveDays: 0,
  },
  limits: { failuresPerTenMinutes: 10, failuresPerDay: 30, attemptsPerTenMinutes: 40, openOnMultiBill: 5 },
  merchantUrls: 'public',
};

type Records = Readonly<Record<EnvironmentName, EnvironmentRecord>>;

export const environments = { local, dev, staging, prod } as const satisfies Records;

/** Returns the record with this name. Throws an error of one sentence for an unknown name or an incomplete record. */
export function environmentNamed(name: string, records: Records = environments): Environment {
  const known = environmentNames.find((candidate) => candidate === name);
  if (!known)
    throw new Error(`There is no environment "${name}": choose one of ${environmentNames.join(', ')}.`);
  return complete(records[known]);
}

/** Returns the record if it can be deployed. Otherwise throws an error whose sentence says what to change in it. */
function complete(record: EnvironmentRecord): Environment {
  const { name, timeZone, domain } = record;
  const isProd = name === 'prod';
  const missing = (isProd ? operatorsOwn : everywhere).filter((field) => !record[field]);
  const wanted = [
    ...(missing.length > 0 ? [`fill in ${listed(missing)}`] : []),
    ...providersWanted(record),
    ...(record.invokeUrl === 'off' && !domain ? ['give it a domain or switch invokeUrl on'] : []),
    ...(timeZone === undefined || isTimeZone(timeZone)
      ? []
      : ['make timeZone an IANA name like Europe/Moscow']),
    ...(record.sealBucket === undefined || isWhole(record.sealBucket.years, 1, 100)
      ? []
      : ['make sealBucket.years a whole number from 1 to 100']),
    ...feesWanted(record.terms),
    ...reserveWanted(record.terms),
  ];
  if (wanted.length > 0 || timeZone === undefined)
    throw new Error(
      `The record of ${name} in lib/installation/environments.ts is not complete: ${wanted.join('; ')}.`,
    );
  return { ...record, timeZone };
}

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function feesWanted({ paymentFee, payoutFee }: TermsDefaults): readonly string[] {
  return Object.entries({ paymentFee, payoutFee }).flatMap(([name, { bps, fixedMinor, minimumMinor }]) => [
    ...(isWhole(bps, 0, 10_000) ? [] : [`make terms.${name}.bps a whole number from 0 to 10000`]),
    ...([fixedMinor, minimumMinor].every((minor) => isWhole(minor, 0, Number.MAX_SAFE_INTEGER))
      ? []
      : [`make the amounts of terms.${name} whole numbers of minor units, not negative`]),
  ]);
}

function reserveWanted({ reserveBasisPoints, reserveDays }: TermsDefaults): readonly string[] {
  return [
    ...(isWhole(reserveBasisPoints, 0, 10_000)
      ? []
      : ['make terms.reserveBasisPoints a whole number from 0 to 10000']),
    ...(reserveBasisPoints === 0 || isWhole(reserveDays, 1, 365)
      ? []
      : ['make terms.reserveDays a whole number from 1 to 365']),
  ];
}

const operatorsOwn = ['account', 'region', 'domain', 'alarmAddress', 'timeZone'] as const;
const everywhere = ['timeZone'] as const;

/** Whether the environment deploys the sandbox. */
export const hasSandbox = ({ providers }: Pick<Environment, 'providers'>): boolean =>
  deployedNames(providers).includes('sandbox');
