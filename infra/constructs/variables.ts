import type { FunctionSpec, Setting } from '../functions.ts';
import type { SharedResources } from './shared-resources.ts';
import { keyOf } from './rights.ts';

type Variables = Readonly<Record<string, string>>;

/** The environment variables of one function: what its rights need, and its settings. Nothing else. */
export const variablesFor = ({ rights, settings }: FunctionSpec, shared: SharedResources): Variables => ({
  NODE_OPTIONS: '--enable-source-maps',
  ...tableVariables(rights, shared),
  ...queueVariables(rights, shared),
  ...keyVariables(rights, shared),
  ...secretVariables(rights, shared),
  ...Object.assign({}, ...settings.map((setting) => settingVariables[setting](shared))),
});

type Rights = FunctionSpec['rights'];

function tableVariables({ reads, lists, sandboxTable }: Rights, shared: SharedResources): Variables {
  return {
    ...((reads?.length || lists?.length) && { TABLE_NAME: shared.table.tableName }),
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

function keyVariables({ seals = [], opens = [] }: Rights, { keys }: SharedResources): Variables {
  const used = [...seals, ...opens].map(keyOf);
  return {
    ...(used.includes('tokens') && { TOKEN_KEY_ID: keys.tokens.keyId }),
    ...(used.includes('destinations') && { DESTINATION_KEY_ID: keys.destinations.keyId }),
  };
}

function secretVariables({ secrets = [] }: Rights, shared: SharedResources): Variables {
  const { page, fingerprint, sandbox } = shared.secrets;
  return {
    ...(secrets.includes('page') && { PAGE_SECRET_ID: page.secretArn }),
    ...(secrets.includes('fingerprint') && { FINGERPRINT_SECRET_ID: fingerprint.secretArn }),
    ...(secrets.includes('sandbox') && sandbox && { SANDBOX_SECRET_ID: sandbox.secretArn }),
  };
}

const settingVariables: Readonly<Record<Setting, (shared: SharedResources) => Variables>> = {
  publicUrl: ({ publicUrl }) => ({ PUBLIC_URL: publicUrl }),
  timeZone: ({ environment }) => ({ TIME_ZONE: environment.timeZone }),
  terms: ({ environment }) => ({ TERMS_DEFAULTS: JSON.stringify(environment.terms) }),
  limits: ({ environment }) => ({ LIMITS: JSON.stringify(environment.limits) }),
  merchantUrls: ({ environment }) => ({ MERCHANT_URLS: environment.merchantUrls }),
  acquirer: (shared) => ({ ...acquirerName(shared), ...sandboxUrl(shared) }),
  rail: (shared) => ({ ...railName(shared), ...sandboxUrl(shared) }),
  railName,
  sandboxUrl,
};

function acquirerName({ environment: { acquirer, acquirerSteps } }: SharedResources): Variables {
  return acquirer ? { ACQUIRER: acquirer, ACQUIRER_STEPS: acquirerSteps } : {};
}

function railName({ environment: { rail } }: SharedResources): Variables {
  return rail ? { RAIL: rail } : {};
}

function sandboxUrl({ environment, sandboxUrl: url }: SharedResources): Variables {
  return environment.sandbox ? { SANDBOX_URL: url } : {};
}
