import { apiRoutes, publicRoutes, sandboxRoutes } from '../lib/contract/routes.ts';
import { type Environment, hasSandbox, type QueueName } from '../lib/installation/environments.ts';
import {
  deployedNames,
  type ProviderName,
  providerNamed,
  type ProviderRole,
  type SecretName,
  type SecretReader,
} from '../lib/installation/providers.ts';

/** The first part of each partition key in the table: `B` for `B#<bill>`. `RATES` is a whole key. */
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
  'UNKNOWN',
  'RECEIPT',
  'RATES',
  'ADJ',
  'CB',
  'CL',
  'PR',
  'OPERATOR',
  'APPROVER',
  'CHANGE',
  'AUTO',
  'CALLS',
  'REC',
  'AUDIT',
  'CONTACT',
  'DICT',
  'SEAL',
  'MIGRATION',
] as const;
export type Noun = (typeof nouns)[number];
/** Items that are written once and never changed: the journal, its seals, and the records of people's decisions and changes. */
export const appendOnly = ['J', 'SEAL', 'OPERATOR', 'APPROVER', 'CHANGE'] as const satisfies readonly Noun[];
type AppendOnly = (typeof appendOnly)[number];
/** The kinds on the LIST index, as its partition keys name them: bills, payments, payouts, refunds, postbacks. */
type ListedKind = 'B' | 'P' | 'PO' | 'R' | 'E';
type WorkList = 'PAY' | 'PAID' | 'RF' | 'PO' | 'MOD' | 'PB' | 'AUTO' | 'BAL';

/** The purpose of a sealed value. It is part of the encryption context, so that a policy can restrict a right to it. */
export type SealedUse =
  | 'api-token'
  | 'webhook-secret'
  | 'payout-destination'
  | 'postback-phone'
  | 'payer-contact';

/** Everything that a function may do, alone or in a transaction. Its role denies the rest. */
export type Rights = {
  readonly reads?: readonly Noun[];
  readonly puts?: readonly Noun[];
  readonly updates?: readonly Exclude<Noun, AppendOnly>[];
  /** Condition checks in a transaction, on items that it does not change. */
  readonly checks?: readonly Noun[];
  /** Work lists that it may query. */
  readonly lists?: readonly WorkList[];
  /** What it may list by creation time. */
  readonly listed?: readonly ListedKind[];
  /** Whether it may read the whole table and its indexes, in place of `reads`, `lists`, `listed` and `timelines`. */
  readonly readsAll?: true;
  /** Whether it may query the journal entries of merchants by time. */
  readonly timelines?: true;
  readonly sends?: readonly QueueName[];
  /** Queues whose length it may read. */
  readonly measures?: readonly QueueName[];
  readonly seals?: readonly SealedUse[];
  readonly opens?: readonly SealedUse[];
  /** Sealed values that it may have sealed again for another use. KMS does it: the function never sees the plaintext. */
  readonly reseals?: readonly { readonly from: SealedUse; readonly to: SealedUse }[];
  readonly secrets?: readonly SecretName[];
  /** Provider roles that it works with. Secrets and settings of the deployed providers follow from the environment's record. */
  readonly providers?: readonly ProviderRole[];
  /** The only provider that it works with in these roles. Absent: all that are deployed. */
  readonly onlyProvider?: ProviderName;
  /** Provider roles whose accounts it reads, with their keys. It does nothing else at the provider. */
  readonly accounts?: readonly ProviderRole[];
  /** Whether it knows the secret parts of the notification addresses of the deployed providers. */
  readonly notifications?: true;
  /** Whether it writes seals to their bucket, where the record has one. */
  readonly archivesSeals?: true;
  /** Access to the sandbox's own table, which no other function has. */
  readonly sandboxTable?: true;
};

/** Settings that do not follow from a right, as the name of a table or the id of a key does. */
export type Setting =
  | 'publicUrl'
  | 'timeZone'
  | 'terms'
  | 'limits'
  | 'merchantUrls'
  /** Which providers take new payments or payouts, with their limits: known without a secret or a call. */
  | 'paymentTerms'
  | 'payoutTerms'
  /** Which acquirers are deployed, so that payments of them can be refunded. */
  | 'deployedAcquirers'
  | 'sandboxUrl'
  | 'sandboxManners';

/** A queue and its batch size. A worker receives the next batch when the slowest message of its batch is done. */
export type QueueTrigger = { readonly queue: QueueName; readonly batchSize: number };

export type FunctionSpec = {
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly rights: Rights;
  readonly settings: readonly Setting[];
  /** Whether its log tells when an audit has ended, so that an alarm is raised when none does. */
  readonly endsAudits?: true;
  /** Whether it starts payments: its log is watched for those that do not start. */
  readonly countsPaymentStarts?: true;
  /** What invokes the function, if not a route. */
  readonly trigger?:
    | QueueTrigger
    | { readonly everyMinutes: 1 | 10 | 60 | 1440 }
    | { readonly by: 'command' };
};

/** The rights of every payment step after `start`, from fence to late money (lib/payment/README.md). */
const paymentSteps = {
  reads: ['B', 'S'],
  puts: ['J', 'E'],
  // `CONTACT`: when the payer's contact is erased follows from the payment's final state.
  updates: ['B', 'BAL', 'RL', 'CONTACT'],
  sends: ['postbacks'],
} as const satisfies Rights;

/** What decides about a request for payouts: a quote has these rights alone. */
const payoutRequest = {
  reads: ['M', 'BAL', 'G', 'I'],
  secrets: ['fingerprint'],
} as const satisfies Rights;

/** The rights to create refunds (lib/refund/README.md): reserved on the payment and the balance; no call to an acquirer. */
const refundCreation = {
  reads: ['B', 'I', 'CB', 'M', 'CONTACT'],
  puts: ['B', 'I', 'J', 'CONTACT'],
  updates: ['B', 'BAL'],
  checks: ['CB'],
  sends: ['payments'],
  seals: ['payer-contact'],
} as const satisfies Rights;

const refundSettings = ['timeZone', 'terms', 'deployedAcquirers'] as const satisfies readonly Setting[];

/** The rights to create payouts (lib/payout/README.md). */
const payoutCreation = {
  reads: payoutRequest.reads,
  puts: ['G', 'J', 'I'],
  updates: ['BAL'],
  checks: ['M'],
  sends: ['payouts'],
  seals: ['payout-destination'],
  secrets: payoutRequest.secrets,
} as const satisfies Rights;

const http = { timeoutSeconds: 10, memoryMb: 1024 } as const;
/** For functions that call the acquirer, which may be slow. API Gateway times out after 29 s. */
const slowHttp = { timeoutSeconds: 25, memoryMb: 1024 } as const;
const worker = { timeoutSeconds: 30, memoryMb: 512 } as const;
/** First attempts and retries have separate queues and workers with the same rights. */
const postbackWorker = {
  ...worker,
  rights: {
    // `CONTACT`: what is known of the payer, for extended postbacks.
    reads: ['E', 'EP', 'M', 'S', 'B', 'CONTACT'],
    updates: ['E', 'EP', 'B'],
    checks: ['EP'],
    sends: ['retries'],
    opens: ['api-token', 'webhook-secret', 'postback-phone', 'payer-contact'],
  },
  settings: ['merchantUrls'],
} as const satisfies FunctionSpec;
const sweep = { timeoutSeconds: 55, memoryMb: 512, trigger: { everyMinutes: 1 } } as const;

const reader = (reads: readonly Noun[], ...settings: Setting[]): FunctionSpec => ({
  ...http,
  rights: { reads },
  settings,
});

/** A search: the list of its kind, the items of its pages, and whether the lists are complete. Its links lead to the next page. */
const searcher = (listed: ListedKind, reads: readonly Noun[]): FunctionSpec => ({
  ...http,
  rights: { reads: ['M', 'MIGRATION', ...reads], listed: [listed] },
  settings: ['timeZone', 'publicUrl'],
});

/** One entry per file in functions/. A test fails on a file without an entry and on an entry without a file. */
export const functions: Readonly<Record<string, FunctionSpec>> = {
  authorizer: reader(['T']),

  'bill-create': {
    ...http,
    rights: {
      reads: ['S', 'O', 'I', 'B', 'M', 'RATES', 'CONTACT'],
      puts: ['B', 'O', 'OL', 'I', 'CONTACT'],
      seals: ['payer-contact'],
    },
    settings: ['publicUrl', 'terms', 'paymentTerms', 'merchantUrls'],
  },
  'bill-toggle-activity': {
    ...http,
    rights: { reads: ['B'], updates: ['B'] },
    settings: ['timeZone'],
  },
  'bill-payments': reader(['B'], 'timeZone', 'publicUrl'),
  // `OL` points to an order's newest bill. Orders from before these pointers are found by the references of the merchant's shops.
  'bill-status': reader(['B', 'OL', 'O', 'M', 'CONTACT'], 'timeZone'),
  // `CB`: its chargebacks, when they are asked for. Its refunds are in its bill's partition.
  'payment-status': reader(['B', 'CB'], 'timeZone'),
  'refund-full-create': { ...http, rights: refundCreation, settings: refundSettings },
  'refund-partial-create': { ...http, rights: refundCreation, settings: refundSettings },
  'refund-status': reader(['B'], 'timeZone'),
  'merchant-balance': reader(['BAL']),
  'payout-personal-create': {
    ...http,
    rights: payoutCreation,
    settings: ['timeZone', 'terms', 'payoutTerms'],
  },
  'payout-regular-create': {
    ...http,
    rights: { ...payoutCreation, reads: [...payoutCreation.reads, 'DICT'] },
    settings: ['timeZone', 'terms', 'payoutTerms'],
  },
  'payout-status': reader(['G'], 'timeZone'),
  'payout-quote': {
    ...http,
    rights: { ...payoutRequest, reads: [...payoutRequest.reads, 'DICT'] },
    settings: ['timeZone', 'terms', 'payoutTerms'],
  },
  'payout-cancel': {
    ...http,
    rights: {
      reads: ['G', 'M', 'BAL'],
      puts: ['G', 'J', 'E'],
      updates: ['BAL'],
      sends: ['postbacks'],
      reseals: [{ from: 'payout-destination', to: 'postback-phone' }],
    },
    settings: ['timeZone'],
  },
  'payout-sbp-banks': reader(['DICT']),

  'bill-search': searcher('B', ['B', 'OL', 'CONTACT']),
  'payment-search': searcher('P', ['B', 'OL']),
  'payout-search': searcher('PO', ['G']),
  'postback-list': {
    ...http,
    // `B` and `G`: whose payment or payout it is. `CB`: the payment's chargebacks, which have postbacks of their own.
    rights: { reads: ['E', 'B', 'G', 'CB'], listed: ['E'] },
    settings: ['timeZone'],
  },
  'postback-replay': {
    ...http,
    rights: { reads: ['E', 'EP'], updates: ['E', 'EP'], sends: ['postbacks'] },
    settings: ['timeZone'],
  },
  // It calls merchants' servers itself, as the postback workers do, and reads and writes no event.
  'postback-test': {
    ...slowHttp,
    rights: { reads: ['M', 'S'], updates: ['EP'], opens: ['api-token', 'webhook-secret'] },
    settings: ['timeZone', 'merchantUrls'],
  },
  // Refunds are in their bill's partition.
  'refund-search': searcher('R', ['B']),

  openapi: reader([], 'publicUrl'),
  fallback: reader([], 'publicUrl'),
  'link-page': reader(['B', 'S', 'M', 'RATES'], 'publicUrl', 'terms'),
  // A payer who opens a bill that is being paid is redirected by the state at the acquirer, so this page takes payment steps too.
  'pay-page': {
    ...slowHttp,
    rights: {
      ...paymentSteps,
      // `CONTACT`: whether a receipt has somewhere to go, by the masks.
      reads: [...paymentSteps.reads, 'M', 'RATES', 'CONTACT'],
      secrets: ['page'],
      providers: ['acquirer'],
    },
    settings: ['publicUrl', 'terms'],
  },
  'pay-submit': {
    ...slowHttp,
    rights: {
      ...paymentSteps,
      reads: [...paymentSteps.reads, 'M', 'RATES', 'RL', 'CONTACT'],
      puts: [...paymentSteps.puts, 'B', 'CONTACT'],
      seals: ['payer-contact'],
      opens: ['payer-contact'],
      secrets: ['page'],
      providers: ['acquirer'],
    },
    settings: ['publicUrl', 'terms', 'limits'],
    countsPaymentStarts: true,
  },
  'result-page': {
    ...slowHttp,
    rights: {
      ...paymentSteps,
      reads: [...paymentSteps.reads, 'M'],
      opens: ['api-token'],
      secrets: ['page'],
      providers: ['acquirer'],
    },
    settings: ['publicUrl', 'merchantUrls'],
  },
  'redirect-page': reader(['B', 'S'], 'publicUrl'),
  'acquirer-notification': {
    ...slowHttp,
    rights: {
      ...paymentSteps,
      reads: [...paymentSteps.reads, 'CB', 'UNKNOWN'],
      puts: [...paymentSteps.puts, 'CB', 'UNKNOWN'],
      checks: ['B'],
      // A notification may come before our call's own answer: the call is repeated, with its request sealed under this secret.
      secrets: ['page'],
      providers: ['acquirer'],
      onlyProvider: 'sandbox',
    },
    settings: [],
  },
  // Notifications of providers that do not sign them, about payments and payouts. Its address has a secret.
  'provider-notification': {
    ...slowHttp,
    rights: {
      ...paymentSteps,
      reads: [...paymentSteps.reads, 'CB', 'UNKNOWN', 'G'],
      puts: [...paymentSteps.puts, 'CB', 'UNKNOWN', 'G'],
      checks: ['B'],
      sends: [...paymentSteps.sends, 'payouts'],
      secrets: ['page'],
      providers: ['acquirer', 'rail'],
      notifications: true,
    },
    settings: [],
  },
  sandbox: {
    ...slowHttp,
    rights: { sandboxTable: true, secrets: ['sandbox'] },
    settings: ['sandboxUrl', 'sandboxManners'],
  },

  'postback-deliver': { ...postbackWorker, trigger: { queue: 'postbacks', batchSize: 10 } },
  'postback-retry': { ...postbackWorker, trigger: { queue: 'retries', batchSize: 10 } },
  'payout-dispatch': {
    ...worker,
    trigger: { queue: 'payouts', batchSize: 10 },
    rights: {
      reads: ['G', 'M', 'BAL'],
      puts: ['G', 'J', 'E'],
      updates: ['G', 'BAL'],
      checks: ['M'],
      sends: ['postbacks', 'payouts'],
      opens: ['payout-destination'],
      seals: ['postback-phone'],
      secrets: ['fingerprint'],
      providers: ['rail'],
    },
    settings: [],
  },

  'payment-check': {
    ...worker,
    // One per batch, so that a slow response for one payment does not delay others.
    trigger: { queue: 'payments', batchSize: 1 },
    // Repeats a call without an answer, whose request is sealed under the page secret.
    rights: {
      ...paymentSteps,
      // What went back at the acquirer before the payment is settled.
      // `CONTACT`: for the receipts of captures of less and of refunds.
      reads: [...paymentSteps.reads, 'CB', 'CONTACT'],
      puts: [...paymentSteps.puts, 'CB', 'RECEIPT'],
      checks: ['B'],
      opens: ['payer-contact'],
      secrets: ['page'],
      providers: ['acquirer'],
    },
    settings: [],
  },

  // Carries out people's decisions after checking the state at the provider. People's own policies allow none of these writes.
  'carry-out': {
    timeoutSeconds: 55,
    memoryMb: 1024,
    trigger: { by: 'command' },
    rights: {
      reads: [
        'OPERATOR',
        'APPROVER',
        'PR',
        'ADJ',
        'CB',
        'CL',
        'UNKNOWN',
        'RECEIPT',
        'M',
        'S',
        'B',
        'G',
        'BAL',
        // Where the receipt of a refund goes, by the masks.
        'CONTACT',
      ],
      // `B`: refunds are in their bill's partition.
      puts: ['PR', 'ADJ', 'CB', 'CL', 'UNKNOWN', 'RECEIPT', 'J', 'E', 'G', 'B'],
      updates: ['B', 'BAL', 'CONTACT'],
      checks: ['M', 'B', 'CB'],
      sends: ['postbacks', 'payouts', 'payments'],
      opens: ['payout-destination'],
      seals: ['postback-phone'],
      providers: ['acquirer', 'rail'],
    },
    settings: ['terms'],
  },

  // Compares a provider's accounts with the record, and posts a notification to this installation's own address.
  'provider-check': {
    timeoutSeconds: 55,
    memoryMb: 512,
    trigger: { by: 'command' },
    rights: { accounts: ['acquirer', 'rail'], notifications: true },
    settings: ['publicUrl'],
  },
  'provider-balance': {
    timeoutSeconds: 55,
    memoryMb: 512,
    trigger: { everyMinutes: 60 },
    rights: { accounts: ['rail'] },
    settings: [],
  },
  // Compares the providers' statements of a day with the journal and the postbacks: by the hour what is due, and by command.
  reconcile: {
    timeoutSeconds: 900,
    memoryMb: 1024,
    trigger: { everyMinutes: 60 },
    rights: {
      reads: ['REC', 'B', 'G', 'J', 'E', 'S', 'M', 'CB', 'UNKNOWN'],
      puts: ['REC'],
      lists: ['BAL'],
      timelines: true,
      providers: ['acquirer', 'rail'],
    },
    settings: ['timeZone'],
  },

  // Seals the days of the journal that are over, and audits the whole table once a day, in parts.
  audit: {
    timeoutSeconds: 580,
    memoryMb: 512,
    trigger: { everyMinutes: 10 },
    rights: { readsAll: true, puts: ['AUDIT', 'SEAL'], archivesSeals: true },
    settings: ['timeZone'],
    endsAudits: true,
  },

  'payment-sweep': {
    ...sweep,
    rights: { updates: ['B'], lists: ['PAY', 'PAID', 'RF'], sends: ['payments'], measures: ['payments'] },
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
  // Replaces the dictionary of SBP banks with the provider's. An operator may run it between two days.
  'payout-banks': {
    ...worker,
    trigger: { everyMinutes: 1440 },
    rights: { reads: ['DICT'], puts: ['DICT'], providers: ['rail'] },
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
    settings: ['timeZone', 'terms', 'payoutTerms'],
  },
};

/**
 * The functions of each nested stack. Do not move a function to another room under the same name: CloudFormation creates
 * the new one before it deletes the old one, and refuses a name that is taken. Rename it in the same change.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  merchant: ['authorizer', 'merchant-balance'],
  bill: ['bill-create', 'bill-toggle-activity', 'bill-payments', 'bill-status'],
  payment: [
    'payment-status',
    'refund-full-create',
    'refund-partial-create',
    'refund-status',
    'link-page',
    'pay-page',
    'pay-submit',
    'result-page',
    'redirect-page',
    'acquirer-notification',
    'provider-notification',
    'payment-check',
    'payment-sweep',
  ],
  payout: [
    'payout-personal-create',
    'payout-regular-create',
    'payout-status',
    'payout-quote',
    'payout-cancel',
    'payout-sbp-banks',
    'payout-dispatch',
    'payout-sweep',
    'payout-banks',
    'payout-auto',
  ],
  postback: [
    'postback-deliver',
    'postback-retry',
    'postback-sweep',
    'postback-list',
    'postback-replay',
    'postback-test',
  ],
  search: ['bill-search', 'payment-search', 'payout-search', 'refund-search'],
  reconciliation: ['reconcile'],
  audit: ['audit'],
  decision: ['carry-out'],
  provider: ['provider-check', 'provider-balance'],
  api: ['openapi', 'fallback'],
  sandbox: ['sandbox'],
};

/** Returns the names of the secrets that a function may read: its own, and those of the providers for what it does with them. */
export function secretsOf(rights: Rights, environment: Environment): ReadonlySet<string> {
  const { secrets = [], providers = [], accounts = [], notifications } = rights;
  const ofRoles = providers.flatMap((role) =>
    providersOf(rights, environment, role).flatMap((name) => secretsReadBy(role, name)),
  );
  const ofAccounts = accounts.flatMap((role) =>
    withAccounts(environment, role).flatMap((name) => secretsReadBy(role, name)),
  );
  const ofAddresses = notifications
    ? deployedNames(environment.providers).flatMap((name) => secretsReadBy('notifications', name))
    : [];
  return new Set([...secrets, ...ofRoles, ...ofAccounts, ...ofAddresses]);
}

const secretsReadBy = (role: SecretReader, provider: ProviderName): readonly string[] =>
  Object.entries(providerNamed(provider).secrets).flatMap(([name, { readBy }]) =>
    readBy.includes(role) ? [name] : [],
  );

/** Returns the deployed providers that a function works with in this role. */
export const providersOf = (
  { onlyProvider }: Rights,
  { providers }: Environment,
  role: ProviderRole,
): readonly ProviderName[] =>
  deployedNames(providers, role).filter((name) => onlyProvider === undefined || name === onlyProvider);

/** Returns the deployed providers in this role where the operator has an account with keys. */
export const withAccounts = ({ providers }: Environment, role: ProviderRole): readonly ProviderName[] =>
  deployedNames(providers, role).filter((name) =>
    Object.values(providerNamed(name).secrets).some(({ credentials }) => credentials !== undefined),
  );

/** Returns the environment's routes whose function is in `names`. */
export function routesOf(names: readonly string[], environment: Environment) {
  const routes = [...apiRoutes, ...publicRoutes, ...(hasSandbox(environment) ? sandboxRoutes : [])];
  return routes.filter((route) => names.includes(route.function));
}
