/** What a provider does for an installation: `acquirer` takes card payments, `rail` sends payouts. */
export type ProviderRole = 'acquirer' | 'rail';

/** Settings that only providers read. infra/constructs/variables.ts maps each to environment variables. */
export type ProviderSetting = 'sandboxUrl' | 'acquirerSteps';

/** What a provider needs when an environment's record names it. */
type Provider = {
  /** The settings of its adapter for this role. Absent: it has no such adapter. */
  readonly acquirer?: { readonly settings: readonly ProviderSetting[] };
  readonly rail?: { readonly settings: readonly ProviderSetting[] };
  /**
   * Its secrets: name to description. An environment that names the provider has them in Secrets Manager, and only the
   * functions that work with the provider may read them.
   */
  readonly secrets: Readonly<Record<string, string>>;
  /** Moves no real money: production refuses it. */
  readonly forTests: boolean;
};

/**
 * All providers. A name without its adapters in lib/runtime/providers.ts does not compile. The functions' rights to the
 * secrets and their environment variables follow from these records.
 */
export const providers = {
  sandbox: {
    acquirer: { settings: ['sandboxUrl', 'acquirerSteps'] },
    rail: { settings: ['sandboxUrl'] },
    secrets: { sandbox: 'Shared by the service and the sandbox provider' },
    forTests: true,
  },
} as const satisfies Readonly<Record<string, Provider>>;

type Providers = typeof providers;
export type ProviderName = keyof Providers;

/** The names of the providers with an adapter for this role. */
type NamesOf<Role extends ProviderRole> = {
  [Name in ProviderName]: Providers[Name] extends Readonly<Record<Role, object>> ? Name : never;
}[ProviderName];
export type AcquirerName = NamesOf<'acquirer'>;
export type RailName = NamesOf<'rail'>;

type ProviderSecret = { [Name in ProviderName]: keyof Providers[Name]['secrets'] }[ProviderName];
export type SecretName = 'page' | 'fingerprint' | ProviderSecret;

/** The environment variable with the secret's ARN. */
export type SecretVariable = `${Uppercase<SecretName>}_SECRET_ID`;

/** Returns a provider's record as the common type. */
export const providerNamed = (name: ProviderName): Provider => providers[name];
