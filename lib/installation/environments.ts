import { type AcquirerName, providerNamed, type RailName } from './providers.ts';

const environmentNames = ['local', 'dev', 'staging', 'prod'] as const;
export type EnvironmentName = (typeof environmentNames)[number];

export type QueueName = 'postbacks' | 'retries' | 'payouts' | 'payments';

/** Requests a second, and how many more may come at once. */
type Throttle = { readonly rate: number; readonly burst: number };

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
  readonly autoApproveDayTotalMinor: number;
  readonly autoApproveKnownUpToMinor: number;
  readonly autoApproveKnownDayTotalMinor: number;
  readonly secondPersonAboveMinor: number;
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
  /** The AWS account (12 digits) and region that it is deployed to; without them, those of whoever deploys. */
  readonly account?: string | undefined;
  readonly region?: string | undefined;
  /** The links' own domain. Without it they begin with the API's invoke URL. */
  readonly domain?: { readonly name: string; readonly certificateArn: string } | undefined;
  /**
   * Whether the API answers under its invoke URL (execute-api) too. With `off`, which needs a domain, nobody gets round
   * the domain; but every link that was sent under the invoke URL dies with it.
   */
  readonly invokeUrl: 'on' | 'off';
  /** Tables, keys and logs outlive the stack, and the table refuses to be deleted. */
  readonly keepsData: boolean;
  readonly logRetentionDays: 7 | 30 | 365;
  /** A line per request, without its path, query, headers or body. */
  readonly accessLog: boolean;
  /** The operator's mail address; alarms without one only turn red in the console. */
  readonly alarmAddress?: string | undefined;
  /** Absent: no firewall. */
  readonly firewall?: FirewallLimits | undefined;
  /** Deploys the sandbox acquirer and rail: a separate party with its own table. */
  readonly sandbox: boolean;
  /** Who takes the cards. Absent: pay pages show the bill, but no payment can start. */
  readonly acquirer?: AcquirerName | undefined;
  /** Two: authorise, then capture. One: captured at once. */
  readonly acquirerSteps: 'two' | 'one';
  /** Who sends payouts. Absent: approved payouts wait. */
  readonly rail?: RailName | undefined;
  /**
   * How many batches of one queue are worked on at a time (2 to 1,000). A batch of payments is one payment: so many
   * questions the acquirer gets at once from the sweep.
   */
  readonly concurrency: Readonly<Record<QueueName, number>>;
  readonly throttle: { readonly all: Throttle; readonly payoutCreate: Throttle };
  /** The calendar of `created_at` and of the payout limits, which turn over at its midnight: `Europe/Moscow`. */
  readonly timeZone: string;
  readonly terms: TermsDefaults;
  readonly limits: CardingLimits;
  /** Which merchant URLs may be called: https on public addresses, or also http and loopback. */
  readonly merchantUrls: 'public' | 'loopback';
};

/** A record as it may stand here: nobody but the operator knows whose midnight counts. */
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
};

/** What `npm start` and the tests run. Limits are generous: a test pays a hundred bills from one address. */
const local: Environment = {
  name: 'local',
  invokeUrl: 'on',
  keepsData: false,
  logRetentionDays: 7,
  accessLog: false,
  sandbox: true,
  acquirer: 'sandbox',
  acquirerSteps: 'two',
  rail: 'sandbox',
  concurrency: { postbacks: 8, retries: 4, payouts: 4, payments: 8 },
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
  accessLog: true,
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
  concurrency: { postbacks: 50, retries: 15, payouts: 10, payments: 20 },
};

/**
 * Written out: nothing that is changed in another record changes it. What is undefined is the operator's to fill in, and
 * nothing is synthesized before that: the account and region, the domain, the address of alarms, the time zone. Where it
 * has no provider (`acquirer`, `rail`), bills can be made and shown, but no payment can start and no payout is sent.
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
  firewall: { pagesPerAddress: 2_000, allPerAddress: 60_000, apiPerToken: 30_000 },
  sandbox: false,
  acquirer: undefined,
  acquirerSteps: 'two',
  rail: undefined,
  concurrency: { postbacks: 200, retries: 60, payouts: 20, payments: 50 },
  throttle: { all: { rate: 10_000, burst: 5_000 }, payoutCreate: { rate: 100, burst: 200 } },
  timeZone: undefined,
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
  },
  limits: { failuresPerTenMinutes: 10, failuresPerDay: 30, attemptsPerTenMinutes: 40, openOnMultiBill: 5 },
  merchantUrls: 'public',
};

type Records = Readonly<Record<EnvironmentName, EnvironmentRecord>>;

export const environments = { local, dev, staging, prod } as const satisfies Records;

/** The record of that name; one sentence that lists the names, or what the record still needs. */
export function environmentNamed(name: string, records: Records = environments): Environment {
  const known = environmentNames.find((candidate) => candidate === name);
  if (!known)
    throw new Error(`There is no environment "${name}": choose one of ${environmentNames.join(', ')}.`);
  return complete(records[known]);
}

/** Throws one sentence that says what to change in the record. */
function complete(record: EnvironmentRecord): Environment {
  const { name, timeZone, domain } = record;
  const isProd = name === 'prod';
  const missing = (isProd ? operatorsOwn : everywhere).filter((field) => !record[field]);
  const tests = isProd ? sandboxIn(record) : [];
  const wanted = [
    ...(missing.length > 0 ? [`fill in ${listed(missing)}`] : []),
    ...(tests.length > 0 ? [`take the sandbox out of ${listed(tests)}`] : []),
    ...(record.invokeUrl === 'off' && !domain ? ['give it a domain or switch invokeUrl on'] : []),
  ];
  if (wanted.length > 0 || timeZone === undefined)
    throw new Error(
      `The record of ${name} in lib/installation/environments.ts is not complete: ${wanted.join('; ')}.`,
    );
  return { ...record, timeZone };
}

const operatorsOwn = ['account', 'region', 'domain', 'alarmAddress', 'timeZone'] as const;
const everywhere = ['timeZone'] as const;

/** The fields that would let an environment take test money for real. */
const sandboxIn = ({ sandbox, acquirer, rail }: EnvironmentRecord): readonly string[] => [
  ...(sandbox ? ['sandbox'] : []),
  ...(acquirer && providerNamed(acquirer).forTests ? ['acquirer'] : []),
  ...(rail && providerNamed(rail).forTests ? ['rail'] : []),
];

const listed = (parts: readonly string[]): string => parts.join(', ').replace(/, ([^,]*)$/, ' and $1');
