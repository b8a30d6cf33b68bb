import { toDecimal } from '../money/money.ts';
import type { AccountView, ProviderAccount } from '../provider-port.ts';

/** What an environment's record says of a provider's account, for the comparison. */
type Expected = {
  /** The methods that the record has limits for. */
  readonly methods: readonly string[];
  /** Whether the record has receipts; undefined where none are sent, as with payouts. */
  readonly receipts: boolean | undefined;
  /** In minor units, per currency: `provider_balance_low` is raised below this. */
  readonly alarmBelow: Readonly<Partial<Record<string, bigint>>>;
};
export type CheckPorts = {
  /** Real money is expected: a test account is a problem. */
  readonly live: boolean;
  /** The accounts that the record uses. */
  readonly accounts: readonly {
    readonly role: 'payments' | 'payouts';
    readonly at: ProviderAccount;
    readonly expected: Expected;
  }[];
  /** Posts a notification about an object that nobody has to our own address. Returns its status; undefined without an answer. */
  readonly notify: () => Promise<number | undefined>;
};

export const problemKeys = [
  'account_not_set',
  'account_refused',
  'account_no_answer',
  'account_disabled',
  'account_for_tests',
  'method_missing',
  'receipts_missing',
  'receipts_unexpected',
  'balance_low',
  'address_closed',
] as const;
/** What a person has to mend. */
export type ProblemKey = (typeof problemKeys)[number];
type Problem = {
  readonly key: ProblemKey;
  /** Null: about the notification address. */
  readonly role: 'payments' | 'payouts' | null;
  /** The method, the balance, the provider's answer or the status. */
  readonly about: string | null;
};

/** An account as it is shown. The report is a JSON document: amounts are decimals, and null is what the provider does not tell. */
type ShownAccount = {
  readonly role: 'payments' | 'payouts';
  readonly state: AccountView['state'] | 'no_answer';
  readonly id: string | null;
  readonly live: boolean | null;
  readonly enabled: boolean | null;
  readonly methods: readonly string[] | null;
  readonly receipts: { readonly account: boolean | null; readonly record: boolean } | null;
  readonly balances: readonly { readonly currency: string; readonly amount: string }[];
};
export type ProviderReport = {
  readonly accounts: readonly ShownAccount[];
  readonly notifications: { readonly status: number | null };
  readonly problems: readonly Problem[];
};

/**
 * Compares a provider's accounts with the environment's record, and sends a notification about an unknown object through the public
 * address, which must be answered 200. Nothing is changed.
 */
export async function checkProvider({ live, accounts, notify }: CheckPorts): Promise<ProviderReport> {
  const seen = await Promise.all(
    accounts.map(async ({ role, at, expected }) => {
      const view = await at.account().catch(() => ({ state: 'no_answer' as const }));
      return { role, expected, view };
    }),
  );
  const status = await notify();
  const closed: readonly Problem[] =
    status === 200
      ? []
      : [{ key: 'address_closed', role: null, about: status === undefined ? null : String(status) }];
  return {
    accounts: seen.map(shown),
    notifications: { status: status ?? null },
    problems: [...seen.flatMap((each) => problemsOf(each, live)), ...closed],
  };
}

type Seen = {
  readonly role: 'payments' | 'payouts';
  readonly expected: Expected;
  readonly view: AccountView | { readonly state: 'no_answer' };
};

function shown({ role, expected, view }: Seen): ShownAccount {
  const nothing = { live: null, enabled: null, methods: null, receipts: null, balances: [] };
  if (view.state !== 'known')
    return { role, state: view.state, id: 'id' in view ? view.id : null, ...nothing };
  const { state, id, live, enabled, methods, receipts, balances } = view;
  return {
    role,
    state,
    id,
    live: live ?? null,
    enabled: enabled ?? null,
    methods: methods ?? null,
    receipts:
      expected.receipts === undefined ? null : { account: receipts ?? null, record: expected.receipts },
    balances: balances.map(({ currency, minor }) => ({ currency, amount: toDecimal(minor) })),
  };
}

function problemsOf({ role, expected, view }: Seen, live: boolean): readonly Problem[] {
  const problem = (key: ProblemKey, about: string | null = null): Problem => ({ key, role, about });
  if (view.state === 'not_set') return [problem('account_not_set')];
  if (view.state === 'no_answer') return [problem('account_no_answer')];
  if (view.state === 'refused') return [problem('account_refused', view.reason)];
  const { methods } = view;
  const missing = methods ? expected.methods.filter((method) => !methods.includes(method)) : [];
  return [
    ...(view.enabled === false ? [problem('account_disabled')] : []),
    ...(live && view.live === false ? [problem('account_for_tests')] : []),
    ...missing.map((method) => problem('method_missing', method)),
    ...(expected.receipts === true && view.receipts === false ? [problem('receipts_missing')] : []),
    ...(expected.receipts === false && view.receipts === true ? [problem('receipts_unexpected')] : []),
    ...lowBalances(view, expected.alarmBelow).map(({ currency, minor }) =>
      problem('balance_low', `${toDecimal(minor)} ${currency}`),
    ),
  ];
}

/** Returns the balances below the limit of their currency, if any. */
export const lowBalances = (
  { balances }: Extract<AccountView, { state: 'known' }>,
  alarmBelow: Expected['alarmBelow'],
) => balances.filter(({ currency, minor }) => minor < (alarmBelow[currency] ?? 0n));
