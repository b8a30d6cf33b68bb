import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { BillCurrency } from '../money/money.ts';
import { openerUnder, sealerUnder } from '../provider/kms.ts';
import { readSecret, replaceSecret } from '../provider/secrets-manager.ts';
import { sqsQueue } from '../provider/sqs-queue.ts';
import { databaseConfig, requestHandler, whileAFunctionRuns } from '../runtime/aws-deadlines.ts';
import { backOff } from '../runtime/back-off.ts';
import { kept } from '../runtime/kept.ts';
import { termsFrom } from '../runtime/defaults.ts';
import { system } from '../runtime/system.ts';
import { dynamoAdjustments } from '../store/adjustments.ts';
import { dynamoAutoPayouts } from '../store/auto-payouts.ts';
import { dynamoBalances } from '../store/balances.ts';
import { dynamoBills } from '../store/bills.ts';
import { dynamoChanges } from '../store/changes.ts';
import { dynamoDecisions, dynamoProposals } from '../store/decisions.ts';
import { dynamoEndpoints } from '../store/endpoints.ts';
import { dynamoEvents } from '../store/events.ts';
import { dynamoJournal } from '../store/journal.ts';
import { dynamoAuditRecords } from '../store/audit-records.ts';
import { dynamoMerchants } from '../store/merchants.ts';
import { dynamoPayments } from '../store/payments.ts';
import { dynamoPayoutAccounts } from '../store/payout-accounts.ts';
import { dynamoPayouts } from '../store/payouts.ts';
import { dynamoRates } from '../store/rates.ts';
import { dynamoShops } from '../store/shops.ts';
import { openTable, type Table } from '../store/table.ts';
import { dynamoTerms } from '../store/terms.ts';
import { authorship } from './authorship.ts';
import { carryOutBy } from './decide.ts';
import type { OperatorContext } from './operator-context.ts';
import { identifyBy, identifyByName } from './identity.ts';
import { type Installation, installationNamed } from './installation.ts';
import { replaceDemoToken, replaceDemoWebhookSecret } from './local-service.ts';

/** Opens the installation of an environment to the operator's commands. */
export const connect = async (environment: string, folder: string): Promise<OperatorContext> =>
  openContext(await installationNamed(environment, folder));

/** The same for an installation that is known. Nothing is asked of AWS before a command needs it. */
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
  const sts = new STSClient({ requestHandler });
  const queueNamed = (name: string, idName: string) => lazyQueue(sqs, names.queue(name), idName);
  return {
    ...settingsOf(installation),
    ...storeIn({ ...openTable(database, names.table, backOff), author: work.author }, installation),
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
    postbackQueue: queueNamed('postbacks', 'eventId'),
    identify: environment.name === 'local' ? identifyByName : identifyBy(sts),
    carryOut: carryOutBy(lambda, names.function('carry-out')),
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
      sts.destroy();
    },
  };
}

const settingsOf = ({ environment }: Installation) => ({
  environment: environment.name,
  merchantUrls: environment.merchantUrls,
  timeZone: environment.timeZone,
  tokenKind: environment.name === 'prod' ? ('live' as const) : ('test' as const),
});

function storeIn(table: Table, { environment }: Installation) {
  const defaults = (currency: BillCurrency) => termsFrom(environment.terms, currency);
  return {
    merchants: dynamoMerchants(table),
    shops: dynamoShops(table),
    terms: dynamoTerms(table, defaults),
    rates: dynamoRates(table),
    balances: dynamoBalances(table),
    adjustments: dynamoAdjustments(table),
    decisions: dynamoDecisions(table, system.now),
    proposals: dynamoProposals(table),
    bills: dynamoBills(table, system.now),
    payments: dynamoPayments(table),
    payouts: dynamoPayouts(table, defaults),
    payoutAccounts: dynamoPayoutAccounts(table),
    autoPayouts: dynamoAutoPayouts(table),
    events: dynamoEvents(table),
    endpoints: dynamoEndpoints(table),
    changes: dynamoChanges(table),
    auditSource: dynamoAuditRecords(table),
    journal: dynamoJournal(table),
  };
}

/** A queue that is looked up by its name when something is first sent to it. */
function lazyQueue(sqs: SQSClient, QueueName: string, idName: string): ReturnType<typeof sqsQueue> {
  const find = async () => {
    const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    return sqsQueue(sqs, QueueUrl, idName);
  };
  const queue = kept(find, { forMs: Infinity });
  return {
    send: async (id, options) => (await queue()).send(id, options),
    length: async () => (await queue()).length(),
  };
}
