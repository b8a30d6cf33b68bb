import type { SandboxManners } from '../sandbox/manners.ts';
import type { ReceiptSettings } from './receipt-settings.ts';

/** What a provider does for an installation: `acquirer` takes payments, `rail` sends payouts. */
export type ProviderRole = 'acquirer' | 'rail';

/** The ways to pay, the accounts of payouts and the currencies, as lib/payment, lib/payout and lib/money name them. */
type Method = 'card' | 'sbp';
type PayoutType = 'credit_card' | 'sbp';
type Currency = 'RUB' | 'USD' | 'EUR' | 'KZT';

/** A range of amounts in minor units. Numbers, because the record is passed on as JSON. */
export type Range = { readonly minMinor: number; readonly maxMinor: number };

/** The range of one charge (surcharge included) per method and currency. What is absent is not taken. */
type ChargeLimits = Readonly<Partial<Record<Method, Readonly<Partial<Record<Currency, Range>>>>>>;
/** The range of one transfer per account type. What is absent is not served. */
type TransferLimits = Readonly<Partial<Record<PayoutType, Range>>>;

/** What every provider's settings have. Amounts and addresses of a provider change, so they are here and not in code. */
export type CommonSettings = {
  /** Limits of its charges; present when it takes payments. It may have open payments without taking new ones. */
  readonly payments: ChargeLimits | undefined;
  /** Limits of its transfers; present when it sends payouts. */
  readonly payouts: TransferLimits | undefined;
  /** The most calls at once and per second, over all functions. Absent: not limited. */
  readonly calls: { readonly atOnce: number; readonly perSecond: number } | undefined;
};

export type SandboxSettings = CommonSettings & {
  /** How the sandbox behaves where providers differ. What is absent is as kind as can be. */
  readonly manners: Partial<SandboxManners>;
};
export type YookassaSettings = CommonSettings & {
  /** The base URL of the API, ending in `/v3`. */
  readonly apiUrl: string;
  /** The alarm `provider_balance_low` is raised while the payout account has less, in minor units per currency. Absent: none. */
  readonly payoutBalanceAlarm?: Readonly<Partial<Record<Currency, number>>>;
  /**
   * The address ranges that its notifications come from, in CIDR notation. The firewall does not count them in the limit per address
   * at the notification address. Absent: those that the provider has published.
   */
  readonly notificationSources?: readonly string[];
  /** Only an operator with a PCI DSS certificate may send card numbers. Without these words, payouts to cards are refused. */
  readonly cardPayouts?: 'under our PCI DSS certificate';
  /** The fiscal receipts that the shop sends. Absent: it sends none, and payers are not asked for a contact. */
  readonly receipts?: ReceiptSettings;
};

/** As published at yookassa.ru/developers/using-api/webhooks, read on 2026-11-21. */
const yookassaNotificationSources = [
  '185.71.76.0/27',
  '185.71.77.0/27',
  '77.75.153.0/25',
  '77.75.154.128/25',
  '77.75.156.11/32',
  '77.75.156.35/32',
  '2a02:5180::/32',
];

type SettingsOf = { readonly sandbox: SandboxSettings; readonly yookassa: YookassaSettings };
const providerNames = ['sandbox', 'yookassa'] as const satisfies readonly (keyof SettingsOf)[];
export type ProviderName = keyof SettingsOf;

/**
 * The deployed providers with their settings. One that is named for no method takes nothing new, but still serves its
 * payments and payouts.
 */
export type DeployedProviders = { readonly [Name in ProviderName]?: SettingsOf[Name] };

/** What the code knows of a provider before an environment names it. */
type Provider = {
  /** The roles that it has adapters for. */
  readonly roles: readonly ProviderRole[];
  /** Its secrets, by name. An environment that deploys the provider has them in Secrets Manager. */
  readonly secrets: Readonly<Record<string, ProviderSecretSpec>>;
  /** Moves no real money: production refuses it. */
  readonly forTests: boolean;
};
type ProviderSecretSpec = {
  readonly description: string;
  /**
   * The functions that may read it: those that work with the provider in one of these roles, or those that receive its
   * notifications.
   */
  readonly readBy: readonly SecretReader[];
  /** The keys of a JSON value: the account's id, which is empty until it is set, and its secret key, random until then. Absent: a random text. */
  readonly credentials?: { readonly id: string; readonly secretKey: string };
};
export type SecretReader = ProviderRole | 'notifications';

/**
 * All providers. A name without its adapters in lib/runtime/providers.ts does not compile. The functions' rights to the
 * secrets and their environment variables follow from these records.
 */
export const providers = {
  sandbox: {
    roles: ['acquirer', 'rail'],
    secrets: {
      sandbox: {
        description: 'Shared by the service and the sandbox provider',
        readBy: ['acquirer', 'rail'],
      },
    },
    forTests: true,
  },
  yookassa: {
    roles: ['acquirer', 'rail'],
    secrets: {
      yookassa: {
        description: 'YooKassa: id and secret key of the shop, which takes payments',
        readBy: ['acquirer'],
        credentials: { id: 'shopId', secretKey: 'secretKey' },
      },
      'yookassa-payouts': {
        description: 'YooKassa: id and secret key of the payout gateway',
        readBy: ['rail'],
        credentials: { id: 'gatewayId', secretKey: 'secretKey' },
      },
      'yookassa-notifications': {
        description: 'YooKassa: the secret part of the notification address',
        readBy: ['notifications'],
      },
    },
    forTests: false,
  },
} as const satisfies Readonly<Record<ProviderName, Provider>>;

type Providers = typeof providers;

/** The names of the providers with an adapter for this role. */
type NamesOf<Role extends ProviderRole> = {
  [Name in ProviderName]: Role extends Providers[Name]['roles'][number] ? Name : never;
}[ProviderName];
export type AcquirerName = NamesOf<'acquirer'>;
export type RailName = NamesOf<'rail'>;

/** The acquirer of new payments per method and currency of the bill. */
export type PaymentRoutes = Readonly<
  Partial<Record<Method, Readonly<Partial<Record<Currency, AcquirerName>>>>>
>;
/** The rail of new payouts per account type. */
export type PayoutRoutes = Readonly<Partial<Record<PayoutType, RailName>>>;

type ProviderSecret = { [Name in ProviderName]: keyof Providers[Name]['secrets'] }[ProviderName];
export type SecretName = 'page' | 'fingerprint' | ProviderSecret;

type Variable<Text extends string> = Text extends `${infer Head}-${infer Rest}`
  ? `${Uppercase<Head>}_${Variable<Rest>}`
  : Uppercase<Text>;
/** The environment variable with the secret's ARN. */
export type SecretVariable = `${Variable<SecretName>}_SECRET_ID`;
/** The environment variable with a provider's settings, as JSON. */
export type SettingsVariable = `${Uppercase<ProviderName>}_SETTINGS`;

/** Returns a provider's record as the common type. */
export const providerNamed = (name: ProviderName): Provider => providers[name];

/** Returns the secrets of a provider with their names; undefined for a name that is none of a provider. */
export function secretNamesOf(
  provider: string,
): readonly (ProviderSecretSpec & { readonly name: string })[] | undefined {
  const known = providerNames.find((name) => name === provider);
  return known && Object.entries(providerNamed(known).secrets).map(([name, spec]) => ({ ...spec, name }));
}

/** Returns the names of the deployed providers; given a role, of those that have limits for it in the record. */
export function deployedNames(deployed: DeployedProviders, role?: ProviderRole): readonly ProviderName[] {
  return providerNames.filter((name) => {
    const settings = deployed[name];
    return settings && (role === undefined || settings[limitsOf[role]]) !== undefined;
  });
}

const limitsOf = { acquirer: 'payments', rail: 'payouts' } as const satisfies Record<
  ProviderRole,
  keyof CommonSettings
>;

/** Returns the address ranges of the deployed providers that notify at an address of their own, by provider. */
export function notificationSourcesOf({ yookassa }: DeployedProviders) {
  if (!yookassa) return [];
  const { notificationSources: ranges = yookassaNotificationSources } = yookassa;
  return [{ provider: 'yookassa', ranges }];
}
