import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SandboxDeps } from '../sandbox/deps.ts';
import { requestHandler } from './deadlines.ts';
import { mannersFrom } from '../sandbox/manners.ts';
import { sandboxSecret } from './secrets.ts';
import { optionalSetting, setting } from './system.ts';

/** The sandbox's dependencies: its own table, and the secret that it shares with the service. */
export const liveSandbox = (): SandboxDeps => ({
  table: {
    client: DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler })),
    name: setting('SANDBOX_TABLE_NAME'),
  },
  manners: mannersFrom(JSON.parse(optionalSetting('SANDBOX_MANNERS') ?? '{}')),
  secret: sandboxSecret,
  now: () => new Date(),
  random: (bytes) => randomBytes(bytes),
  delay: (ms) => delay(ms),
  fetch,
  url: optionalSetting('SANDBOX_URL'),
});
