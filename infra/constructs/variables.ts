import type { FunctionSpec, Setting } from '../functions.ts';
import type { House } from './house.ts';
import { keyOf } from './rights.ts';

type Variables = Readonly<Record<string, string>>;

/** The environment variables of one function: what its rights need, and its settings. Nothing else. */
export const variablesFor = ({ rights, settings }: FunctionSpec, house: House): Variables => ({
  NODE_OPTIONS: '--enable-source-maps',
  ...tableVariables(rights, house),
  ...queueVariables(rights, house),
  ...keyVariables(rights, house),
  ...secretVariables(rights, house),
  ...Object.assign({}, ...settings.map((setting) => settingVariables[setting](house))),
});

type Rights = FunctionSpec['rights'];

function tableVariables({ reads, lists, sandboxTable }: Rights, house: House): Variables {
  return {
    ...((reads?.length || lists?.length) && { TABLE_NAME: house.table.tableName }),
    ...(sandboxTable && house.sandboxTable && { SANDBOX_TABLE_NAME: house.sandboxTable.tableName }),
  };
}

function queueVariables({ sends = [], measures = [] }: Rights, { queues }: House): Variables {
  const used = [...sends, ...measures];
  return {
    ...(used.includes('postbacks') && { POSTBACK_QUEUE_URL: queues.postbacks.queueUrl }),
    ...(used.includes('payouts') && { PAYOUT_QUEUE_URL: queues.payouts.queueUrl }),
  };
}

function keyVariables({ seals = [], opens = [] }: Rights, { keys }: House): Variables {
  const used = [...seals, ...opens].map(keyOf);
  return {
    ...(used.includes('tokens') && { TOKEN_KEY_ID: keys.tokens.keyId }),
    ...(used.includes('destinations') && { DESTINATION_KEY_ID: keys.destinations.keyId }),
  };
}

function secretVariables({ secrets = [] }: Rights, house: House): Variables {
  const { page, fingerprint, sandbox } = house.secrets;
  return {
    ...(secrets.includes('page') && { PAGE_SECRET_ID: page.secretArn }),
    ...(secrets.includes('fingerprint') && { FINGERPRINT_SECRET_ID: fingerprint.secretArn }),
    ...(secrets.includes('sandbox') && sandbox && { SANDBOX_SECRET_ID: sandbox.secretArn }),
  };
}

const settingVariables: Readonly<Record<Setting, (house: House) => Variables>> = {
  publicUrl: ({ publicUrl }) => ({ PUBLIC_URL: publicUrl }),
  timeZone: ({ environment }) => ({ TIME_ZONE: environment.timeZone }),
  terms: ({ environment }) => ({ TERMS_DEFAULTS: JSON.stringify(environment.terms) }),
  limits: ({ environment }) => ({ LIMITS: JSON.stringify(environment.limits) }),
  merchantUrls: ({ environment }) => ({ MERCHANT_URLS: environment.merchantUrls }),
  acquirer: (house) => ({ ...acquirerName(house), ...sandboxUrl(house) }),
  rail: (house) => ({ ...railName(house), ...sandboxUrl(house) }),
  railName,
  sandboxUrl,
};

function acquirerName({ environment: { acquirer, acquirerSteps } }: House): Variables {
  return acquirer ? { ACQUIRER: acquirer, ACQUIRER_STEPS: acquirerSteps } : {};
}

function railName({ environment: { rail } }: House): Variables {
  return rail ? { RAIL: rail } : {};
}

function sandboxUrl({ environment, sandboxUrl: url }: House): Variables {
  return environment.sandbox ? { SANDBOX_URL: url } : {};
}
