import { expect, it } from 'vitest';
import { newGroupId, toAccountId } from '../../lib/ids.ts';
import { identify, type PayoutRequest } from '../../lib/payout/request-identity.ts';
import { merchantId } from '../support/builders.ts';

const ports = {
  fingerprintSecret: async () => 'the secret of the fingerprints',
  now: () => new Date('2026-11-21T12:00:00Z'),
  newId: (length: number) => '0'.repeat(length),
};

const request: PayoutRequest = {
  merchantId,
  kind: 'regular',
  target: { destination: { type: 'credit_card', number: '4111111111111111', holder: 'IVAN PETROV' } },
  requested: { amountMinor: 5_000n },
  orderId: 'payout-1',
  idempotencyKey: undefined,
  autoGroupId: undefined,
};

/** Claims are stored: a request repeated after an update must have the fingerprint that it had before. */
it.each([
  ['to a card', request, '7853bb5e0bc1f497353d33bd98d511e4d2e30163b7decf94a8a13cf71de7cda9'],
  [
    'to a stored account, without an order',
    {
      ...request,
      kind: 'personal',
      target: { accountId: toAccountId('AccountOfPhone01') },
      orderId: undefined,
    },
    '2100bb2fceb1d81dc2577fa4e92c165e15b5aa8f408976fceaf5c9d1dd76a884',
  ],
  [
    'by a standing order',
    { ...request, orderId: undefined, autoGroupId: newGroupId(ports.newId) },
    '495ad8c29daf71b229f6dc17f261402a34b763f3a0d654c84097d1e0401cb7c2',
  ],
] satisfies readonly (readonly [string, PayoutRequest, string])[])(
  'the fingerprint of a payout request %s stays the same',
  async (_which, given, fingerprint) => {
    expect((await identify(ports, given)).fingerprint).toBe(fingerprint);
  },
);
