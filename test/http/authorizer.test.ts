import type { APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { create } from '../../functions/authorizer.ts';
import { newToken, tokenHash } from '../../lib/merchant/token.ts';
import { apiDeps } from '../support/api-deps.ts';
import { aMerchant, merchantId } from '../support/builders.ts';

const tokenOf = (fill: number): string => newToken((bytes) => new Uint8Array(bytes).fill(fill), 'test');
const token = tokenOf(1);
const merchant = aMerchant({ tokenHash: tokenHash(token), verified: true });

const event = (authorizationToken: string): APIGatewayTokenAuthorizerEvent => ({
  type: 'TOKEN',
  methodArn: 'arn:aws:execute-api:eu-central-1:000000000000:api/v1/GET/api/v1/bill/status',
  authorizationToken,
});

const withMerchant = async () => {
  const deps = await apiDeps({ merchants: [merchant] });
  return { deps, authorize: (header: string) => create(deps)(event(header)) };
};

describe('the authorizer', () => {
  it('lets the bearer of the token call this very method, and tells who they are in text', async () => {
    const { authorize } = await withMerchant();
    expect(await authorize(`Bearer ${token}`)).toEqual({
      principalId: merchantId,
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: event('').methodArn }],
      },
      context: {
        merchantId,
        enabled: 'true',
        banned: 'false',
        verified: 'true',
        regularPayouts: 'false',
        subscription: 'active',
      },
    });
  });

  it.each([`bearer ${token}`, `BEARER ${token}`, `Bearer  ${token}`, ` Bearer ${token} `])(
    'reads %j',
    async (header) => {
      const { authorize } = await withMerchant();
      expect(await authorize(header)).toMatchObject({ principalId: merchantId });
    },
  );

  it.each([
    ['nothing', ''],
    ['the scheme alone', 'Bearer'],
    ['the token alone', token],
    ['another scheme', `Basic ${token}`],
    ['a token that nobody has', `Bearer ${tokenOf(2)}`],
    ['half a token', `Bearer ${token.slice(0, 30)}`],
    ['a token and more', `Bearer ${token} x`],
    ['an endless token', `Bearer ${'x'.repeat(5000)}`],
    ['characters of no token', 'Bearer ¿¿¿¿¿¿¿¿¿¿¿¿¿¿¿¿¿¿¿¿¿¿¿'],
  ])('answers %s with exactly Unauthorized', async (_what, header) => {
    const { authorize } = await withMerchant();
    await expect(authorize(header)).rejects.toThrow(/^Unauthorized$/);
  });

  it('refuses a token that was replaced, from the next call on, and takes the new one', async () => {
    const { deps, authorize } = await withMerchant();
    const next = tokenOf(3);
    await deps.merchants.replaceToken(merchant, {
      tokenHash: tokenHash(next),
      sealedToken: 'sealed',
      tokenVersion: 2,
    });
    await expect(authorize(`Bearer ${token}`)).rejects.toThrow(/^Unauthorized$/);
    expect(await authorize(`Bearer ${next}`)).toMatchObject({ principalId: merchantId });
  });

  it('tells what the operator switched, from the next call on', async () => {
    const { deps, authorize } = await withMerchant();
    await deps.merchants.setFlags(merchantId, {
      banned: true,
      enabled: false,
      subscription: 'inactive',
      regularPayouts: true,
    });
    expect(await authorize(`Bearer ${token}`)).toMatchObject({
      context: { banned: 'true', enabled: 'false', subscription: 'inactive', regularPayouts: 'true' },
    });
  });

  it('tells the addresses that the token is tied to, of the next token too, until they are lifted', async () => {
    const { deps, authorize } = await withMerchant();
    const tied = await deps.merchants.setFlags(merchantId, {
      apiAddresses: ['203.0.113.7', '2001:db8::/48'],
    });
    const told = { context: { apiAddresses: '203.0.113.7 2001:db8::/48' } };
    expect(await authorize(`Bearer ${token}`)).toMatchObject(told);
    if (!tied.ok) throw new Error(tied.error);
    const next = tokenOf(3);
    await deps.merchants.replaceToken(tied.value, {
      tokenHash: tokenHash(next),
      sealedToken: 'sealed',
      tokenVersion: 2,
    });
    expect(await authorize(`Bearer ${next}`)).toMatchObject(told);
    await deps.merchants.setFlags(merchantId, { apiAddresses: undefined });
    expect((await authorize(`Bearer ${next}`)).context).not.toHaveProperty('apiAddresses');
  });

  it('does not call it the caller’s fault when the store fails', async () => {
    const broken = { merchants: { findByTokenHash: () => Promise.reject(new Error('no table')) } };
    await expect(create(broken)(event(`Bearer ${token}`))).rejects.toThrow('no table');
  });
});
