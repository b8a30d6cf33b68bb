import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { isMerchantId, type MerchantId } from '../ids.ts';
import { type Caller, subscriptions } from '../merchant/merchant.ts';

const flagText = z.enum(['true', 'false']);

const context = z.object({
  merchantId: z.custom<MerchantId>(isMerchantId),
  enabled: flagText,
  banned: flagText,
  verified: flagText,
  regularPayouts: flagText,
  subscription: z.enum(subscriptions),
  /** Separated by blanks; absent: any. */
  apiAddresses: z.optional(z.string()),
  /** Absent: one. */
  shards: z.optional(z.string().check(z.regex(/^[1-9]\d?$/))),
});

/** What the authorizer passes to the endpoints, as text: API Gateway carries no objects. */
type AuthorizerContext = z.output<typeof context>;

export const toAuthorizerContext = (caller: Caller): AuthorizerContext => ({
  merchantId: caller.merchantId,
  enabled: caller.enabled ? 'true' : 'false',
  banned: caller.banned ? 'true' : 'false',
  verified: caller.verified ? 'true' : 'false',
  regularPayouts: caller.regularPayouts ? 'true' : 'false',
  subscription: caller.subscription,
  ...(caller.apiAddresses && { apiAddresses: caller.apiAddresses.join(' ') }),
  ...(caller.shards !== undefined && { shards: String(caller.shards) }),
});

/** Returns the id of the authorised merchant; undefined for an event that did not pass the authorizer. */
export function merchantIdOf({ requestContext }: APIGatewayProxyEvent): string | undefined {
  const named: unknown = requestContext.authorizer?.['merchantId'];
  return typeof named === 'string' ? named : undefined;
}

/** Returns the authorised merchant. Throws for an event that did not pass the authorizer. */
export function callerOf({ requestContext }: APIGatewayProxyEvent): Caller {
  const { merchantId, subscription, apiAddresses, shards, ...flags } = context.parse(
    requestContext.authorizer,
  );
  return {
    merchantId,
    subscription,
    apiAddresses: apiAddresses?.split(' '),
    shards: shards === undefined ? undefined : Number(shards),
    enabled: flags.enabled === 'true',
    banned: flags.banned === 'true',
    verified: flags.verified === 'true',
    regularPayouts: flags.regularPayouts === 'true',
  };
}
