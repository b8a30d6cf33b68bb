import { apiRoutes, publicRoutes, sandboxRoutes } from '../lib/contract/routes.ts';
import type { Environment, QueueName } from '../lib/installation/environments.ts';
import {
  providerNamed,
  type ProviderRole,
  type ProviderSetting,
  type SecretName,
} from '../lib/installation/providers.ts';

/** The nouns of the table by the first part of their partition key: `B` stands for `B#<bill>`; `RATES` is a whole key. */
export const nouns = [
  'M',
  'T',
  'S',
  'B',
  'O',
  'OL',
  'I',
  'BAL',
  'G',
  'J',
  'E',
  'EP',
  'RL',
  'RATES',
  'ADJ',
  'PR',
  'OPERATOR',
  'APPROVER',
  'CHANGE',
  'AUTO',
] as const;
export type Noun = (typeof nouns)[number];
/** Written once, and never changed by anybody: the journal, and what people decided or changed. */
export const appendOnly = ['J', 'OPERATOR', 'APPROVER', 'CHANGE'] as const satisfies readonly Noun[];
type AppendOnly = (typeof appendOnly)[number];
type WorkList = 'PAY' | 'PO' | 'MOD' | 'PB' | 'AUTO';

/** What a sealed value is for: part of its encryption context, so rights can name it. */
export type SealedUse = 'api-token' | 'webhook-secret' | 'payout-destination';

/** All that a function may do, alone or in a transaction. What is not named here, its role refuses. */
export type Rights = {
  readonly reads?: readonly Noun[];
  readonly puts?: readonly Noun[];
  readonly updates?: readonly Exclude<Noun, AppendOnly>[];
  /** Conditions on items that a transaction does not change. */
  readonly checks?: readonly Noun[];
  /** Lists of due work that may be read. */
  readonly lists?: readonly WorkList[];
  readonly sends?: readonly QueueName[];
  /** May ask how long these queues are. */
  readonly measures?: readonly QueueName[];
  readonly seals?: readonly SealedUse[];
  readonly opens?: readonly SealedUse[];
  readonly secrets?: readonly SecretName[];
  /** Works with the environment's providers of these roles: their secrets and settings follow from its record. */
  readonly asks?: readonly ProviderRole[];
  /** The sandbox's own table, which no other function can reach. */
  readonly sandboxTable?: true;
};

/** Settings that are not rights; what goes with a right (a table's name, a key's id) follows from it. */
export type Setting =
  | 'publicUrl'
  | 'timeZone'
  | 'terms'
  | 'limits'
  | 'merchantUrls'
  /** Only which rail there is: its limits are known without asking it. */
  | 'railName'
  | ProviderSetting;

/** A worker takes up to so many messages together, and goes on when the slowest of them is done. */
export type QueueTrigger = { readonly queue: QueueName; readonly together: number };

export type FunctionSpec = {
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly rights: Rights;
  readonly settings: readonly Setting[];
  /** What calls it, when that is not a route. */
  readonly trigger?: QueueTrigger | { readonly everyMinutes: 1 } | { readonly by: 'command' };
};

/** What the steps T2 to T9 of a payment write, whoever takes them (lib/payment/README.md). */
const paymentSteps = {
  reads: ['B', 'S'],
  puts: ['J', 'E'],
  updates: ['B', 'BAL', 'RL'],
  sends: ['postbacks'],
} as const satisfies Rights;

/** What creates payouts (lib/payout/README.md). */
const payoutCreation = {
  reads: ['M', 'BAL', 'G', 'I'],
  puts: ['G', 'J', 'I'],
  updates: ['BAL'],
  checks: ['M'],
  sends: ['payouts'],
  seals: ['payout-destination'],
  secrets: ['fingerprint'],
} as const satisfies Rights;

const http = { timeoutSeconds: 10, memoryMb: 1024 } as const;
/** These wait for the acquirer, which may be slow; the gateway gives up after 29 s. */
const slowHttp = { timeoutSeconds: 25, memoryMb: 1024 } as const;
const worker = { timeoutSeconds: 30, memoryMb: 512 } as const;
/** First attempts and retries have each a queue and workers of their own, which may do the same. */
const postbackWorker = {
  ...worker,
  rights: {
    reads: ['E', 'EP', 'M', 'S', 'B'],
    updates: ['E', 'EP', 'B'],
    checks: ['EP'],
    sends: ['retries'],
    opens: ['api-token', 'webhook-secret'],
  },
  settings: ['merchantUrls'],
} as const satisfies FunctionSpec;
const sweep = { timeoutSeconds: 55, memoryMb: 512, trigger: { everyMinutes: 1 } } as const;

const reader = (reads: readonly Noun[], ...settings: Setting[]): FunctionSpec => ({
  ...http,
  rights: { reads },
  settings,
});

/** One entry per file in functions/: a test fails on a file without an entry, and the other way about. */
export const functions: Readonly<Record<string, FunctionSpec>> = {
  authorizer: reader(['T']),

  'bill-create': {
    ...http,
    rights: { reads: ['S', 'O', 'I', 'B', 'M', 'RATES'], puts: ['B', 'O', 'OL', 'I'] },
    settings: ['publicUrl'],
  },
  'bill-toggle-activity': {
    ...http,
    rights: { reads: ['B'], updates: ['B'] },
    settings: ['timeZone'],
  },
  'bill-payments': reader(['B'], 'timeZone'),
  // An order is found by its newest bill, one from before these pointers by the references of the merchant's shops.
  'bill-status': reader(['B', 'OL', 'O', 'M'], 'timeZone'),
  'payment-status': reader(['B'], 'timeZone'),
  'merchant-balance': reader(['BAL']),
  'payout-personal-create': { ...http, rights: payoutCreation, settings: ['timeZone', 'terms', 'railName'] },
  'payout-regular-create': { ...http, rights: payoutCreation, settings: ['timeZone', 'terms', 'railName'] },
  'payout-status': reader(['G'], 'timeZone'),
  'payout-sbp-banks': reader([]),

  openapi: reader([], 'publicUrl'),
  fallback: reader([], 'publicUrl'),
  'link-page': reader(['B', 'S', 'M', 'RATES'], 'publicUrl', 'terms'),
  // Who opens a bill that is being paid is led on as the acquirer says, so this page takes the steps of a payment too.
  'pay-page': {
    ...slowHttp,
    rights: {
      ...paymentSteps,
      reads: [...paymentSteps.reads, 'M', 'RATES'],
      secrets: ['page'],
      asks: ['acquirer'],
    },
    settings: ['publicUrl', 'terms'],
  },
  'pay-submit': {
    ...slowHttp,
    rights: {
      ...paymentSteps,
      reads: [...paymentSteps.reads, 'M', 'RATES', 'RL'],
      puts: [...paymentSteps.puts, 'B'],
      secrets: ['page'],
      asks: ['acquirer'],
    },
    settings: ['publicUrl', 'terms', 'limits'],
  },
  'result-page': {
    ...slowHttp,
    rights: {
      ...paymentSteps,
      reads: [...paymentSteps.reads, 'M'],
      opens: ['api-token'],
      secrets: ['page'],
      asks: ['acquirer'],
    },
    settings: ['publicUrl', 'merchantUrls'],
  },
  'redirect-page': reader(['B', 'S'], 'publicUrl'),
  'acquirer-notification': {
    ...slowHttp,
    rights: { ...paymentSteps, asks: ['acquirer'] },
    settings: [],
  },
  sandbox: {
    ...slowHttp,
    rights: { sandboxTable: true, secrets: ['sandbox'] },
    settings: ['sandboxUrl'],
  },

  'postback-deliver': { ...postbackWorker, trigger: { queue: 'postbacks', together: 10 } },
  'postback-retry': { ...postbackWorker, trigger: { queue: 'retries', together: 10 } },
  'payout-dispatch': {
    ...worker,
    trigger: { queue: 'payouts', together: 10 },
    rights: {
      reads: ['G', 'M', 'BAL'],
      puts: ['G', 'J', 'E'],
      updates: ['G', 'BAL'],
      checks: ['M'],
      sends: ['postbacks', 'payouts'],
      opens: ['payout-destination'],
      secrets: ['fingerprint'],
      asks: ['rail'],
    },
    settings: [],
  },

  'payment-check': {
    ...worker,
    // One at a time, so that an acquirer who is slow about one payment holds up no other.
    trigger: { queue: 'payments', together: 1 },
    rights: { ...paymentSteps, asks: ['acquirer'] },
    settings: [],
  },

  // What people decide, with the provider's word asked first: no policy of theirs writes any of this itself.
  'carry-out': {
    timeoutSeconds: 55,
    memoryMb: 1024,
    trigger: { by: 'command' },
    rights: {
      reads: ['OPERATOR', 'APPROVER', 'PR', 'ADJ', 'M', 'S', 'B', 'G', 'BAL'],
      puts: ['PR', 'ADJ', 'J', 'E', 'G'],
      updates: ['B', 'BAL'],
      checks: ['M'],
      sends: ['postbacks', 'payouts'],
      opens: ['payout-destination'],
      asks: ['acquirer', 'rail'],
    },
    settings: ['terms'],
  },

  'payment-sweep': {
    ...sweep,
    rights: { updates: ['B'], lists: ['PAY'], sends: ['payments'], measures: ['payments'] },
    settings: [],
  },
  'postback-sweep': {
    ...sweep,
    rights: {
      reads: ['E'],
      updates: ['E'],
      lists: ['PB'],
      sends: ['postbacks', 'retries'],
      measures: ['postbacks'],
    },
    settings: [],
  },
  'payout-sweep': {
    ...sweep,
    rights: { updates: ['G'], lists: ['PO', 'MOD'], sends: ['payouts'] },
    settings: [],
  },
  'payout-auto': {
    ...sweep,
    rights: {
      ...payoutCreation,
      reads: [...payoutCreation.reads, 'AUTO'],
      puts: [...payoutCreation.puts, 'AUTO'],
      lists: ['AUTO'],
    },
    settings: ['timeZone', 'terms', 'railName'],
  },
};

/**
 * The functions of each nested stack. Moving one to another room makes it anew under the name that it has already, which
 * CloudFormation refuses: give it another name with it, or leave it.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  merchant: ['authorizer', 'merchant-balance'],
  bill: ['bill-create', 'bill-toggle-activity', 'bill-payments', 'bill-status'],
  payment: [
    'payment-status',
    'link-page',
    'pay-page',
    'pay-submit',
    'result-page',
    'redirect-page',
    'acquirer-notification',
    'payment-check',
    'payment-sweep',
  ],
  payout: [
    'payout-personal-create',
    'payout-regular-create',
    'payout-status',
    'payout-sbp-banks',
    'payout-dispatch',
    'payout-sweep',
    'payout-auto',
  ],
  postback: ['postback-deliver', 'postback-retry', 'postback-sweep'],
  decision: ['carry-out'],
  api: ['openapi', 'fallback'],
  sandbox: ['sandbox'],
};

/** The secrets that a function may read: those that it names, and those of the providers that it works with. */
export function secretsOf(
  { secrets = [], asks = [] }: Rights,
  environment: Environment,
): ReadonlySet<string> {
  const asked = asks.map((role) => environment[role]).filter((name) => name !== undefined);
  return new Set([...secrets, ...asked.flatMap((name) => Object.keys(providerNamed(name).secrets))]);
}

/** The routes of an environment whose function is deployed there. */
export function routesOf(names: readonly string[], { sandbox }: { readonly sandbox: boolean }) {
  const routes = [...apiRoutes, ...publicRoutes, ...(sandbox ? sandboxRoutes : [])];
  return routes.filter((route) => names.includes(route.function));
}
