import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { databaseConfig } from '../runtime/deadlines.ts';
import { backOff } from '../runtime/back-off.ts';
import { termsFrom } from '../runtime/settings.ts';
import { storesOn } from '../runtime/stores-on.ts';
import { system } from '../runtime/system.ts';
import { openTable } from '../store/table.ts';
import { authorship } from './authorship.ts';
import { awsPorts } from './aws-ports.ts';
import type { OperatorContext } from './operator-context.ts';
import { type Installation, installationNamed } from './installation.ts';
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
  const table = { ...openTable(database, names.table, backOff), author: work.author };
  const aws = awsPorts(installation, clientFor);
  return {
    ...settingsOf(installation),
    ...storesOn(table, (currency) => termsFrom(environment.terms, currency)),
    ...aws.ports,
    workAs: work.as,
    workUnder: work.under,
    now: system.now,
    random: (bytes) => randomBytes(bytes),
    newId: system.newId,
    wait,
    demo: {
      replaceToken: async (merchantId, apiToken) =>
        folder !== undefined && (await replaceDemoToken(folder, { merchantId, apiToken })),
      replaceWebhookSecret: async (owner, webhookSecret) =>
        folder !== undefined && (await replaceDemoWebhookSecret(folder, owner, webhookSecret)),
    },
    close: () => {
      database.destroy();
      aws.close();
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
