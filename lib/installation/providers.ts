/** What a provider can do for an installation: take cards, or send payouts. */
export type ProviderRole = 'acquirer' | 'rail';

/** Settings that only providers read. infra/constructs/variables.ts says what each is in an environment. */
export type ProviderSetting = 'sandboxUrl' | 'acquirerSteps';

/** What a provider needs in order to be chosen in an environment's record. */
type Provider = {
  /** What its adapter of that role is told; absent: it has no such adapter. */
  readonly acquirer?: { readonly settings: readonly ProviderSetting[] };
  readonly rail?: { readonly settings: readonly ProviderSetting[] };
  /**
   * Its secrets by name, with a description. An environment that chooses the provider has them in Secrets Manager; the
   * functions that work with the provider may read them, and no other.
   */
  readonly secrets: Readonly<Record<string, string>>;
  /** Moves no real money: production refuses it. */
  readonly forTests: boolean;
};

/**
 * Every provider that there is. Each name has its adapters in lib/runtime/providers.ts, or it does not compile; the rights to
 * its secrets and the variables of the functions follow from here.
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

/** The providers with an adapter of that role. */
type NamesOf<Role extends ProviderRole> = {
  [Name in ProviderName]: Providers[Name] extends Readonly<Record<Role, object>> ? Name : never;
}[ProviderName];
export type AcquirerName = NamesOf<'acquirer'>;
export type RailName = NamesOf<'rail'>;

type ProviderSecret = { [Name in ProviderName]: keyof Providers[Name]['secrets'] }[ProviderName];
export type SecretName = 'page' | 'fingerprint' | ProviderSecret;

/** The variable that tells a function where the secret is. */
export type SecretVariable = `${Uppercase<SecretName>}_SECRET_ID`;

/** The record of a provider, as far as all of them are alike. */
export const providerNamed = (name: ProviderName): Provider => providers[name];
