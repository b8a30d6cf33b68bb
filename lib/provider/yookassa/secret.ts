import * as z from 'zod/mini';
import { Defect } from '../../defect.ts';
import type { YookassaCredentials } from './client.ts';

/** The value of the secret `yookassa`. The payout gateway has an id and a key of its own. */
const secretValue = z.object({
  shopId: z.string(),
  secretKey: z.string(),
  gatewayId: z.string(),
  gatewaySecretKey: z.string(),
  notificationSecret: z.string(),
});
type SecretValue = z.infer<typeof secretValue>;

export type YookassaSecrets = {
  readonly shop: readonly [YookassaCredentials, ...YookassaCredentials[]];
  readonly gateway: readonly [YookassaCredentials, ...YookassaCredentials[]];
  /** The last part of the notification address. */
  readonly notifications: readonly string[];
};

/** Reads the values of the secret: the current one, then the previous one. A previous value of another shape does not count. */
export function readYookassaSecret([current, ...previous]: readonly [string, ...string[]]): YookassaSecrets {
  const now = parsed(current);
  if (!now)
    throw new Defect(
      'YOOKASSA_SECRET_UNREADABLE',
      'The secret yookassa is not the JSON that deploying.md names',
    );
  const before = previous.flatMap((text) => parsed(text) ?? []);
  const shopOf = ({ shopId, secretKey }: SecretValue) => ({ id: shopId, secretKey });
  const gatewayOf = ({ gatewayId, gatewaySecretKey }: SecretValue) => ({
    id: gatewayId,
    secretKey: gatewaySecretKey,
  });
  return {
    shop: [shopOf(now), ...before.map(shopOf)],
    gateway: [gatewayOf(now), ...before.map(gatewayOf)],
    notifications: [now, ...before].map(({ notificationSecret }) => notificationSecret),
  };
}

function parsed(text: string): SecretValue | undefined {
  try {
    return secretValue.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
