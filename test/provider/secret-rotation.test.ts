import { describe, expect, it } from 'vitest';
import type { Credentials } from '../../lib/provider/credentials.ts';
import { sandboxAcquirer } from '../../lib/provider/sandbox-acquirer.ts';
import { sandboxRail } from '../../lib/provider/sandbox-rail.ts';
import { renewable } from '../../lib/runtime/cached.ts';
import { signatureOf } from '../../lib/sandbox/secret.ts';
import { aTransfer } from '../support/rail.ts';
import { aSandbox, sandboxSecret as old, sandboxUrl } from '../support/sandbox.ts';

/**
 * A service and a sandbox, each with what it has read of the shared secret: the service caches it for five minutes, and the
 * sandbox reads its own copy. `store` is what the store of secrets holds.
 */
async function twoParties() {
  const clock = { at: 0 };
  const store: { values: readonly [string, ...string[]] } = { values: [old] };
  const party = { secret: old };
  const sandbox = await aSandbox({ secret: async () => party.secret });
  const cache = renewable(async () => store.values, { forMs: 300_000, now: () => clock.at });
  const credentials: Credentials<string> = (how) => (how?.renewed ? cache.renew() : cache.value());
  const access = { url: sandboxUrl, secret: old, credentials, fetch: sandbox.send };
  const rail = sandboxRail(access);
  const acquirer = sandboxAcquirer(access);
  const transfers = async () => {
    party.secret = old;
    return (await sandbox.books()).rail.transfers;
  };
  return { rail, acquirer, clock, store, party, transfers };
}

describe('a provider’s secret is replaced while calls are under way', () => {
  it('and the provider has the new one first: the service reads it and sends the call again', async () => {
    const { rail, clock, store, party } = await twoParties();
    const transfer = aTransfer(1);
    await rail.send(transfer);
    Object.assign(store, { values: ['new', old] });
    party.secret = 'new';
    clock.at = 10_000;
    expect(await rail.get(transfer)).toMatchObject({ state: 'paid' });
  });

  it('and the service has the new one first: the previous one still counts', async () => {
    const { rail, clock, store } = await twoParties();
    const transfer = aTransfer(1);
    await rail.send(transfer);
    Object.assign(store, { values: ['new', old] });
    clock.at = 300_000;
    expect(await rail.get(transfer)).toMatchObject({ state: 'paid' });
  });

  it('and a lost answer is asked for again under its key: the money moves once', async () => {
    const { rail, clock, store, party, transfers } = await twoParties();
    const transfer = aTransfer(1);
    await rail.send(transfer);
    Object.assign(store, { values: ['new', old] });
    party.secret = 'new';
    clock.at = 10_000;
    await rail.send(transfer);
    expect(await transfers()).toHaveLength(1);
  });

  it('and neither value is accepted: the call is refused, and creates nothing', async () => {
    const { rail, party, transfers } = await twoParties();
    party.secret = 'another';
    expect(await rail.send(aTransfer(1))).toMatchObject({ state: 'not_taken' });
    expect(await transfers()).toEqual([]);
  });
});

describe('a provider’s secret is replaced while notifications are on their way', () => {
  const body = JSON.stringify({ paymentId: 'payment-1', reference: 'sbx1', state: 'captured' });
  const signedWith = (secret: string) => ({ 'sandbox-signature': signatureOf(body, secret) });

  it('and the provider signs with the new value first: the service reads it', async () => {
    const { acquirer, clock, store } = await twoParties();
    expect(await acquirer.readNotification(signedWith(old), body)).toMatchObject({ reference: 'sbx1' });
    Object.assign(store, { values: ['new', old] });
    clock.at = 10_000;
    expect(await acquirer.readNotification(signedWith('new'), body)).toMatchObject({ reference: 'sbx1' });
  });

  it('and the provider still signs with the previous value: it counts', async () => {
    const { acquirer, clock, store } = await twoParties();
    Object.assign(store, { values: ['new', old] });
    clock.at = 300_000;
    expect(await acquirer.readNotification(signedWith(old), body)).toMatchObject({ reference: 'sbx1' });
  });

  it('and a value that no longer counts signs nothing', async () => {
    const { acquirer, clock, store } = await twoParties();
    Object.assign(store, { values: ['new'] });
    clock.at = 300_000;
    expect(await acquirer.readNotification(signedWith(old), body)).toBeUndefined();
  });
});
