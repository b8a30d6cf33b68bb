import * as z from 'zod/mini';
import { Defect } from '../../defect.ts';
import type { Accepted } from '../credentials.ts';
import type { YookassaCredentials } from './client.ts';

const shop = z.object({ shopId: z.string(), secretKey: z.string() });
const gateway = z.object({ gatewayId: z.string(), secretKey: z.string() });

/** Reads the values of the secret `yookassa`: the current one, then the previous one. */
export const readShopSecret = (values: Accepted<string>): Accepted<YookassaCredentials> =>
  readAll(values, 'yookassa', (value) => {
    const read = shop.safeParse(value).data;
    return read && { id: read.shopId, secretKey: read.secretKey };
  });

/** Reads the values of the secret `yookassa-payouts`: the current one, then the previous one. */
export const readGatewaySecret = (values: Accepted<string>): Accepted<YookassaCredentials> =>
  readAll(values, 'yookassa-payouts', (value) => {
    const read = gateway.safeParse(value).data;
    return read && { id: read.gatewayId, secretKey: read.secretKey };
  });

/** A previous value of another shape does not count. */
function readAll(
  [current, ...previous]: Accepted<string>,
  name: string,
  read: (value: unknown) => YookassaCredentials | undefined,
): Accepted<YookassaCredentials> {
  const now = read(parsed(current));
  if (!now)
    throw new Defect(
      'YOOKASSA_SECRET_UNREADABLE',
      `The secret ${name} is not the JSON that provider set stores`,
    );
  return [now, ...previous.flatMap((text) => read(parsed(text)) ?? [])];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
