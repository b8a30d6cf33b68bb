import * as z from 'zod/mini';
import type { WebhookSecrets } from '../merchant/webhook-secret.ts';
import type { Result } from '../result.ts';
import { orAbsent } from './attributes.ts';
import { changeSteps } from './changes.ts';
import { moment } from './moment.ts';
import type { Table } from './table.ts';
import { transact } from './transact.ts';

/** The sealed webhook secrets as stored in the item of a shop or a merchant. */
export const webhookSecrets = z.object({
  current: z.string(),
  previous: orAbsent(z.object({ sealed: z.string(), until: moment })),
  rotations: z.number(),
});

export const webhookSecretsItem = ({ previous, ...secrets }: WebhookSecrets) => ({
  ...secrets,
  previous: previous && { ...previous, until: previous.until.toISOString() },
});

type Replacement = { readonly seen: WebhookSecrets; readonly next: WebhookSecrets };

/** A transaction: a retry after a lost response applies it once, where a plain update would fail its condition. */
export const replaceWebhookSecrets = async (
  table: Table,
  Key: Readonly<Record<string, string>>,
  about: string,
  { seen, next }: Replacement,
): Promise<Result<void, 'webhook_secret_replaced_meanwhile'>> =>
  transact<'webhook_secret_replaced_meanwhile'>(table, [
    {
      write: {
        Update: {
          TableName: table.name,
          Key,
          UpdateExpression: 'SET webhookSecrets = :next',
          ConditionExpression: 'webhookSecrets.rotations = :seen',
          ExpressionAttributeValues: { ':next': webhookSecretsItem(next), ':seen': seen.rotations },
        },
      },
      onConditionFailed: 'webhook_secret_replaced_meanwhile',
    },
    ...(await changeSteps(table, about, rotations(seen), rotations(next))),
  ]);

const rotations = (secrets: WebhookSecrets) => ({ webhookSecretRotations: secrets.rotations });
