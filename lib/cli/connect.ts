import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { openerUnder, sealerUnder } from '../provider/kms.ts';
import { readSecret, replaceSecret } from '../provider/secrets-manager.ts';
import { sqsQueue } from '../provider/sqs-queue.ts';
import {
  databaseConfig,
  requestHandler,
  whileADayIsReconciled,
  whileAFunctionRuns,
} from '../runtime/deadlines.ts';
import { backOff } from '../runtime/back-off.ts';
import { cached } from '../runtime/cached.ts';
import { termsFrom } from '../runtime/settings.ts';
import { storesOn } from '../runtime/ports.ts';
import { system } from '../runtime/system.ts';
import { openTable } from '../store/table.ts';
import { authorship } from './authorship.ts';
import { refreshBanksBy } from './commands/banks.ts';
import { reconcileBy } from './commands/reconcile.ts';
import { carryOutBy } from './decide.ts';
import type { OperatorContext } from './operator-context.ts';
import { identifyBy, identifyByName } from './identity.ts';
import { type Installation, installationNamed } from './installation.ts';
import { checkBy } from './provider-told.ts';
import { replaceDemoToken, replaceDemoWebhookSecret } from './local-service.ts';

/** Opens an environment's installation for the operator's commands. */
export const connect = async (environment: string, folder: string): Promise<OperatorContext> =>
  openContext(await installationNamed(environment, folder));

/** Opens a known installation. It calls AWS only when a command needs it. */
export function openContext(installation: Installation): OperatorContext {
  const { environment, names, folder } = installation;
  const work = authorship(system);
  const clientFor = (service: Parameters<Installation['clientFor']>[0]) =>
    installation.clientFor(service, work.caller);
  const database = new DynamoDBClient({ ...databaseConfig, ...clientFor('DYNAMODB') });
  const sqs = new SQSClient({
    requestHandler,
    ...clientFor('SQS'),
    useQueueUrlAsEndpoint: false,
  });
  const kms = new KMSClient({ requestHandler, ...clientFor('KMS') });
  const secrets = new SecretsManagerClient({ requestHandler, ...clientFor('SECRETS_MANAGER') });
  const lambda = new LambdaClient({ requestHandler: whileAFunctionRuns, ...clientFor('LAMBDA') });
  const patientLambda = new LambdaClient({
    requestHandler: whileADayIsReconciled,
    // A repeated call would run the day a second time.
    maxAttempts: 1,
    ...clientFor('LAMBDA'),
  });
  const sts = new STSClient({ requestHandler });
  const table = { ...openTable(database, names.table, backOff), author: work.author };
  const queueNamed = (name: string, idName: string) => lazyQueue(sqs, names.queue(name), idName);
  return {
    ...settingsOf(installation),
    ...storesOn(table, (currency) => termsFrom(environment.terms, currency)),
    workAs: work.as,
    workUnder: work.under,
    now: system.now,
    random: (bytes) => randomBytes(bytes),
    newId: system.newId,
    wait,
    sealer: sealerUnder(kms, names.alias('tokens')),
    destinationOpener: openerUnder(kms, names.alias('destinations')),
    destinationSealer: sealerUnder(kms, names.alias('destinations')),
    fingerprintSecret: () => readSecret(secrets, names.secret('fingerprint')),
    pageSecret: { replace: (secret) => replaceSecret(secrets, names.secret('page'), secret) },
    providerSecrets: {
      read: (name) => readSecret(secrets, names.secret(name)),
      replace: (name, value) => replaceSecret(secrets, names.secret(name), value),
    },
    checkProvider: checkBy(lambda, names.function('provider-check')),
    postbackQueue: queueNamed('postbacks', 'eventId'),
    identify: environment.name === 'local' ? identifyByName : identifyBy(sts),
    carryOut: carryOutBy(lambda, names.function('carry-out')),
    reconcile: reconcileBy(patientLambda, names.function('reconcile')),
    refreshBanks: refreshBanksBy(lambda, names.function('payout-banks')),
    demo: {
      replaceToken: async (merchantId, apiToken) =>
        folder !== undefined && (await replaceDemoToken(folder, { merchantId, apiToken })),
      replaceWebhookSecret: async (owner, webhookSecret) =>
        folder !== undefined && (await replaceDemoWebhookSecret(folder, owner, webhookSecret)),
    },
    close: () => {
      database.destroy();
      sqs.destroy();
      kms.destroy();
      secrets.destroy();
      lambda.destroy();
      patientLambda.destroy();
      sts.destroy();
    },
  };
}

const settingsOf = ({ environment, publicUrl }: Installation) => ({
  serviceUrl: publicUrl,
  environment: environment.name,
  merchantUrls: environment.merchantUrls,
  timeZone: environment.timeZone,
  tokenKind: environment.name === 'prod' ? ('live' as const) : ('test' as const),
});

/** A queue whose URL is looked up by name at its first use. */
function lazyQueue(sqs: SQSClient, QueueName: string, idName: string): ReturnType<typeof sqsQueue> {
  const find = async () => {
    const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    return sqsQueue(sqs, QueueUrl, idName);
  };
  const queue = cached(find, { forMs: Infinity });
  return {
    send: async (id, options) => (await queue()).send(id, options),
    length: async () => (await queue()).length(),
  };
}
