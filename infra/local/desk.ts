import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { randomBytes, randomInt } from 'node:crypto';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { dynamoShops } from '../../lib/store/shops.ts';
import { openTable } from '../../lib/store/table.ts';
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
    now: () => new Date(),
    random: (bytes) => randomBytes(bytes),
    newId: (length) => Array.from({ length }, () => digits.charAt(randomInt(digits.length))).join(''),
    tokenKind: 'test',
    merchantUrls: 'loopback',
    merchants: dynamoMerchants(table),
    shops: dynamoShops(table),
    sealer: {
      seal: async (secret, EncryptionContext) => {
        const { CiphertextBlob } = await kms.send(
          new EncryptCommand({
            KeyId: names.alias('tokens'),
            Plaintext: Buffer.from(secret),
            EncryptionContext: { ...EncryptionContext },
          }),
        );
        return Buffer.from(CiphertextBlob ?? '').toString('base64');
      },
    },
    close: () => {
      database.destroy();
      kms.destroy();
    },
  };
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
