import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { namesOf } from '../../lib/installation/names.ts';
import type { Stack } from './stack.ts';

const books = z.object({
  acquirer: z.object({
    orders: z.array(z.object({ paymentId: z.string(), captured: z.number(), refunded: z.number() })),
  }),
  rail: z.object({ transfers: z.array(z.object({ key: z.string(), paidOut: z.number() })) }),
});

/** The acquirer's and the rail's own books; amounts in kopecks. */
export async function sandboxBooks(stack: Stack) {
  const answer = await fetch(`${stack.sandboxOrigin}/sandbox/books`, {
    headers: { authorization: `Bearer ${await secretOf(stack)}` },
  });
  const { acquirer, rail } = books.parse(await answer.json());
  return { orders: acquirer.orders, transfers: rail.transfers };
}

async function secretOf(stack: Stack): Promise<string> {
  const client = new SecretsManagerClient(stack.client('SECRETS_MANAGER'));
  const SecretId = namesOf('local').secret('sandbox');
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId }));
  client.destroy();
  return SecretString;
}
