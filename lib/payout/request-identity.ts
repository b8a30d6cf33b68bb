import type { MerchantId } from '../ids.ts';
import { isAccountId } from './account.ts';
import { accountHashOf, numberHashOf } from './account-hashes.ts';
import { keyedHash } from './keyed-hash.ts';
import type { PayoutKind } from './payout.ts';
import { groupIdLength, groupOfOrder } from './payout-id.ts';
import type { CreationQuery } from './ports.ts';
import type { Target } from './recipient.ts';
import type { RequestedAmount } from './requested-amount.ts';

/** What the creation of payouts is asked for, personal, regular and automatic alike. */
export type PayoutRequest = {
  readonly merchantId: MerchantId;
  readonly kind: PayoutKind;
  readonly target: Target;
  readonly requested: RequestedAmount;
  readonly orderId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Only for automatic payouts: the group that makes the run unique. */
  readonly autoGroupId?: string | undefined;
};

type Ports = {
  readonly fingerprintSecret: () => Promise<string>;
  readonly now: () => Date;
  readonly newId: (length: number) => string;
};

export type Identity = {
  readonly query: CreationQuery;
  /** Equal for requests that ask for the same; a repeated order_id or key must have it. */
  readonly fingerprint: string;
};

/** Where a request lies in the table, what it is compared with, and how its account is known again. */
export async function identify(ports: Ports, request: PayoutRequest): Promise<Identity> {
  const { merchantId, kind, target, requested, orderId = '' } = request;
  const secret = await ports.fingerprintSecret();
  const accountHash = accountHashOf(secret, merchantId, target);
  const amount = 'amountMinor' in requested ? String(requested.amountMinor) : 'everything';
  const query: CreationQuery = {
    merchantId,
    currency: 'RUB',
    groupId: groupIdFor(ports, request),
    accountHash,
    numberHash: 'destination' in target ? numberHashOf(secret, merchantId, target.destination) : undefined,
    accountId: 'accountId' in target && isAccountId(target.accountId) ? target.accountId : undefined,
    idempotencyKey: request.idempotencyKey,
    duplicateHash: isNamed(request) ? undefined : keyedHash(secret, 'duplicate', accountHash, amount),
    now: ports.now(),
  };
  const data = [kind, accountHash, holderOf(target), amount, orderId];
  return { query, fingerprint: keyedHash(secret, 'request', ...data) };
}

/** Something tells the request from others, so that a second one like it cannot be an oversight. */
const isNamed = ({ orderId, idempotencyKey, autoGroupId }: PayoutRequest): boolean =>
  (orderId ?? idempotencyKey ?? autoGroupId) !== undefined;

function groupIdFor({ newId }: Ports, { merchantId, orderId, autoGroupId }: PayoutRequest): string {
  if (autoGroupId !== undefined) return autoGroupId;
  return orderId === undefined ? newId(groupIdLength) : groupOfOrder(merchantId, orderId);
}

const holderOf = (target: Target): string =>
  'destination' in target && target.destination.type === 'credit_card'
    ? (target.destination.holder?.toUpperCase() ?? '')
    : '';
