import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { randomBytes } from 'node:crypto';
import { sealerUnder } from '../../lib/provider/kms.ts';
import { system } from '../../lib/runtime/system.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { dynamoShops } from '../../lib/store/shops.ts';
import { openTable } from '../../lib/store/table.ts';
import { environments } from '../environments.ts';
import { namesOf } from '../names.ts';
import type { OperatorDesk } from './demo.ts';
import { clientConfig, type Endpoints } from './endpoints.ts';

/** The operator's ports on what runs here. */
export function openDesk(endpoints: Endpoints): OperatorDesk & { close(): void } {
  const names = namesOf('local');
  const database = new DynamoDBClient(clientConfig(endpoints.AWS_ENDPOINT_URL_DYNAMODB));
  const kms = new KMSClient(clientConfig(endpoints.AWS_ENDPOINT_URL_KMS));
  const table = openTable(database, names.table);
  return {
    now: system.now,
    newId: system.newId,
    random: (bytes) => randomBytes(bytes),
    tokenKind: 'test',
    merchantUrls: environments.local.merchantUrls,
    merchants: dynamoMerchants(table),
    shops: dynamoShops(table),
    sealer: sealerUnder(kms, names.alias('tokens')),
    close: () => {
      database.destroy();
      kms.destroy();
    },
  };
}
