import type { MerchantId } from '../ids.ts';
import { accountText, type Destination, numberText } from './destination.ts';
import { keyedHash } from './keyed-hash.ts';
import type { Target } from './recipient.ts';

/**
 * Identifies the recipient of a payout. A stored account is hashed by its id: payout creation cannot read its number.
 */
export const accountHashOf = (secret: string, merchantId: MerchantId, target: Target): string =>
  keyedHash(secret, 'account', merchantId, textOf(target));

const textOf = (target: Target): string =>
  'accountId' in target ? `stored:${target.accountId ?? ''}` : accountText(target.destination);

/** Identifies a card or phone number in a request and in every stored account of the merchant. */
export const numberHashOf = (secret: string, merchantId: MerchantId, destination: Destination): string =>
  keyedHash(secret, 'number', merchantId, numberText(destination));
