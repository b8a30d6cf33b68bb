import { type Environment, hasSandbox } from '../../lib/installation/environments.ts';
import { deployedNames, type ProviderName, type ProviderRole } from '../../lib/installation/providers.ts';
import { type FunctionSpec, providersOf, secretsOf, type Setting, withAccounts } from '../functions.ts';
import type { SharedResources } from './shared-resources.ts';
import { keyOf } from './rights.ts';

type Variables = Readonly<Record<string, string>>;

/** Returns a function's environment variables: those that its rights need, and its settings. */
export const variablesFor = ({ rights, settings }: FunctionSpec, shared: SharedResources): Variables => ({
  ...tableVariables(rights, shared),
  ...queueVariables(rights, shared),
  ...keyVariables(rights, shared),
  ...secretVariables(rights, shared),
  ...providerVariables(rights, shared),
  ...accountVariables(rights, shared),
  ...(rights.archivesSeals && shared.sealBucket && { SEAL_BUCKET: shared.sealBucket.bucketName }),
  ...settingsOf(settings, shared),
});

type Rights = FunctionSpec['rights'];

function tableVariables(
  { reads, readsAll, lists, providers, accounts, sandboxTable }: Rights,
  shared: SharedResources,
): Variables {
  return {
    // Calls to a provider are counted in the table.
    ...((readsAll || reads?.length || lists?.length || providers?.length || accounts?.length) && {
      TABLE_NAME: shared.table.tableName,
    }),
    ...(sandboxTable && shared.sandboxTable && { SANDBOX_TABLE_NAME: shared.sandboxTable.tableName }),
  };
}

function queueVariables({ sends = [], measures = [] }: Rights, { queues }: SharedResources): Variables {
  const used = [...sends, ...measures];
  return {
    ...(used.includes('postbacks') && { POSTBACK_QUEUE_URL: queues.postbacks.queueUrl }),
    ...(used.includes('retries') && { RETRY_QUEUE_URL: queues.retries.queueUrl }),
    ...(used.includes('payments') && { PAYMENT_QUEUE_URL: queues.payments.queueUrl }),
    ...(used.includes('payouts') && { PAYOUT_QUEUE_URL: queues.payouts.queueUrl }),
  };
}

function keyVariables(
  { seals = [], opens = [], reseals = [] }: Rights,
  { keys }: SharedResources,
): Variables {
  const used = [...seals, ...opens, ...reseals.flatMap(({ from, to }) => [from, to])].map(keyOf);
  return {
    ...(used.includes('tokens') && { TOKEN_KEY_ID: keys.tokens.keyId }),
    ...(used.includes('destinations') && { DESTINATION_KEY_ID: keys.destinations.keyId }),
  };
}

function secretVariables(rights: Rights, { secrets, environment }: SharedResources): Variables {
  const readable = secretsOf(rights, environment);
  const granted = Object.entries(secrets).filter(([name]) => readable.has(name));
  return Object.fromEntries(
    granted.map(([name, { secretArn }]) => [
      `${name.toUpperCase().replaceAll('-', '_')}_SECRET_ID`,
      secretArn,
    ]),
  );
}

/** Which providers take what is new, and the settings of all deployed ones, for each role that the function works with. */
const providerVariables = (rights: Rights, shared: SharedResources): Variables =>
  Object.assign(
    {},
    ...(rights.providers ?? []).map((role) =>
      roleVariables(role, providersOf(rights, shared.environment, role), shared),
    ),
  );

function roleVariables(
  role: ProviderRole,
  names: readonly ProviderName[],
  shared: SharedResources,
): Variables {
  const { sandboxUrl } = shared;
  return {
    ...termsVariables(role, shared, names),
    ...(names.includes('sandbox') && { SANDBOX_URL: sandboxUrl }),
  };
}

/** What is known of the providers without their secrets and addresses of other parties. */
function termsVariables(
  role: ProviderRole,
  { environment }: SharedResources,
  names = deployedNames(environment.providers, role),
): Variables {
  const { payments, payouts } = environment;
  const routes =
    role === 'acquirer'
      ? { PAYMENT_ROUTES: JSON.stringify(payments) }
      : { PAYOUT_ROUTES: JSON.stringify(payouts) };
  return { ...routes, ...providerSettings(names, environment) };
}

const accountVariables = ({ accounts = [] }: Rights, { environment }: SharedResources): Variables =>
  providerSettings(
    accounts.flatMap((role) => withAccounts(environment, role)),
    environment,
  );

const providerSettings = (
  names: readonly ProviderName[],
  { name: environmentName, providers }: Environment,
): Variables =>
  Object.fromEntries(
    names.map((name) => [
      `${name.toUpperCase()}_SETTINGS`,
      // In production an object of a provider's test shop is an error.
      JSON.stringify({ ...providers[name], ...(environmentName === 'prod' && { live: true }) }),
    ]),
  );

const settingsOf = (settings: readonly Setting[], shared: SharedResources): Variables =>
  Object.assign({}, ...settings.map((setting) => settingVariables[setting](shared)));

const settingVariables: Readonly<Record<Setting, (shared: SharedResources) => Variables>> = {
  publicUrl: ({ publicUrl }) => ({ PUBLIC_URL: publicUrl }),
  timeZone: ({ environment }) => ({ TIME_ZONE: environment.timeZone }),
  terms: ({ environment }) => ({ TERMS_DEFAULTS: JSON.stringify(environment.terms) }),
  limits: ({ environment }) => ({ LIMITS: JSON.stringify(environment.limits) }),
  merchantUrls: ({ environment }) => ({ MERCHANT_URLS: environment.merchantUrls }),
  paymentTerms: (shared) => termsVariables('acquirer', shared),
  deployedAcquirers: ({ environment }) =>
    providerSettings(deployedNames(environment.providers, 'acquirer'), environment),
  payoutTerms: (shared) => termsVariables('rail', shared),
  sandboxUrl: ({ environment, sandboxUrl }) => (hasSandbox(environment) ? { SANDBOX_URL: sandboxUrl } : {}),
  sandboxManners: ({ environment: { providers } }) =>
    providers.sandbox ? { SANDBOX_MANNERS: JSON.stringify(providers.sandbox.manners) } : {},
};
