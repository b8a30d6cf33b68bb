import { type Payout, sentMinor } from './payout.ts';
import type { Transfer } from './payout-rail.ts';

/** Returns the idempotency key of an attempt. */
export const keyOfAttempt = (payoutId: string, attempt: number): string => `${payoutId}.${attempt}`;

type Attempt = Pick<Payout, 'id' | 'providerKey' | 'attempt' | 'firstCallAt' | 'createdAt'>;

/** Returns the key of the latest attempt; before the first attempt, the key that it will have. */
export const keyOf = ({ id, providerKey }: Pick<Payout, 'id' | 'providerKey'>): string =>
  providerKey ?? keyOfAttempt(id, 1);

/**
 * Returns when the first call under the current key may have reached the rail; undefined while none can have. Earlier versions
 * did not record it: then it was not before the payout was created.
 */
export const firstCallOf = ({ id, providerKey, firstCallAt, createdAt }: Attempt): Date | undefined =>
  firstCallAt ?? (providerKey === id ? createdAt : undefined);

/** Returns the payout as its rail knows it. */
export function transferOf(payout: Payout): Transfer {
  const { id, attempt, reference, lastCallAt, createdAt, amount, merchantId, groupId, orderId } = payout;
  const firstCallAt = firstCallOf(payout) ?? createdAt;
  return {
    payoutId: id,
    key: keyOf(payout),
    attempt: attempt ?? 1,
    reference,
    firstCallAt,
    lastCallAt: lastCallAt ?? firstCallAt,
    amountMinor: sentMinor(payout),
    currency: amount.currency,
    about: { merchantId, groupId, orderId },
  };
}
