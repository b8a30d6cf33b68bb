import { type GroupId, type MerchantId, newGroupId } from '../ids.ts';
import { accountHashOf, numberHashOf } from './account-hashes.ts';
import { keyedHash } from './keyed-hash.ts';
import type { PayoutKind } from './payout.ts';
import { groupOfOrder } from './payout-group.ts';
import type { CreationQuery } from './ports.ts';
import type { Target } from './recipient.ts';
import type { RequestedAmount } from './requested-amount.ts';

/** A request for payouts: personal, regular or automatic. */
export type PayoutRequest = {
  readonly merchantId: MerchantId;
  readonly kind: PayoutKind;
  readonly target: Target;
  readonly requested: RequestedAmount;
  readonly orderId: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Automatic payouts only: the group id that makes the run unique. */
  readonly autoGroupId: GroupId | undefined;
};

type Ports = {
  readonly fingerprintSecret: () => Promise<string>;
  readonly now: () => Date;
  readonly newId: (length: number) => string;
};

export type Identity = {
  readonly query: CreationQuery;
  /** Equal for equal requests; a repeated order_id or key must come with an equal fingerprint. */
  readonly fingerprint: string;
};

/** Returns the keys and hashes of a request: its group id, its fingerprint and the hashes of its account. */
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
    accountId: 'accountId' in target ? target.accountId : undefined,
    idempotencyKey: request.idempotencyKey,
    duplicateHash: isNamed(request) ? undefined : keyedHash(secret, 'duplicate', accountHash, amount),
    now: ports.now(),
  };
  const data = [kind, accountHash, holderOf(target), amount, orderId];
  return { query, fingerprint: keyedHash(secret, 'request', ...data) };
}

/** Whether something distinguishes the request from others, so that an equal one is not a possible duplicate. */
const isNamed = ({ orderId, idempotencyKey, autoGroupId }: PayoutRequest): boolean =>
  (orderId ?? idempotencyKey ?? autoGroupId) !== undefined;

function groupIdFor({ newId }: Ports, { merchantId, orderId, autoGroupId }: PayoutRequest): GroupId {
  if (autoGroupId !== undefined) return autoGroupId;
  return orderId === undefined ? newGroupId(newId) : groupOfOrder(merchantId, orderId);
}

const holderOf = (target: Target): string =>
  'destination' in target && target.destination.type === 'credit_card'
    ? (target.destination.holder?.toUpperCase() ?? '')
    : '';
