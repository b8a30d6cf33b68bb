import { Defect } from '../defect.ts';
import type { GroupId } from '../ids.ts';
import type { Sealer } from '../merchant/ports.ts';
import { ok, type Result } from '../result.ts';
import { assess, type AssessmentPorts, type CreationRefusal, type NewRequest } from './assess.ts';
import { destinationText } from './destination.ts';
import { newPayouts } from './new-payouts.ts';
import type { Payout, SealedDestination } from './payout.ts';
import type { CreationContext, CreationQuery, EarlierRequest, PayoutQueue, Payouts } from './ports.ts';
import type { PayoutRecipient, Target } from './recipient.ts';
import type { RefusalNumbers } from './refusal-numbers.ts';
import { identify, type Identity, type PayoutRequest } from './request-identity.ts';
import { regularContext } from './sealed-destination.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';
import { queuePayout } from './queue-payout.ts';

export type CreationPorts = AssessmentPorts & {
  readonly payouts: Pick<Payouts, 'loadCreationContext' | 'create' | 'bindKey' | 'findGroup'>;
  /** Seals under the destination key. */
  readonly destinationSealer: Sealer;
  readonly payoutQueue: PayoutQueue;
};

/** `replayed`: nothing was created; these are the payouts of an earlier request in their current state. */
export type CreatedPayouts = { readonly payouts: readonly Payout[]; readonly replayed: boolean };

type Created = Result<CreatedPayouts, CreationRefusal, RefusalNumbers>;

/**
 * Creates payouts, the only function that does: one read, one transaction. Of concurrent requests with the same
 * order_id or `Idempotency-Key`, one creates and the others return its payouts.
 */
export async function createPayouts(ports: CreationPorts, request: PayoutRequest): Promise<Created> {
  const identity = await identify(ports, request);
  const attempt = async (): Promise<Created | typeof conflict> => {
    const assessed = await assess(ports, request, identity);
    if (!assessed.ok) return assessed;
    const { earlier } = assessed.value;
    return earlier
      ? replay(ports, identity.query, assessed.value.context, earlier)
      : create(ports, request, identity, assessed.value);
  };
  return retryOnConflict(attempt, {
    exhausted: tooManyConflicts("A payout's balance, limits or claim"),
  });
}

async function replay(
  { payouts }: CreationPorts,
  query: CreationQuery,
  context: CreationContext,
  earlier: EarlierRequest,
): Promise<Created | typeof conflict> {
  if (query.idempotencyKey !== undefined && !context.ofKey) {
    const bound = await payouts.bindKey(query, earlier);
    if (!bound.ok) return conflict;
  }
  return ok({ payouts: await payouts.findGroup(earlier.groupId), replayed: true });
}

async function create(
  ports: CreationPorts,
  request: PayoutRequest,
  { query, fingerprint }: Identity,
  { plan: planned, context }: NewRequest,
): Promise<Created | typeof conflict> {
  const { kind, orderId, autoGroupId } = request;
  const sealed = await sealedFor(ports, planned.recipient, request.target, query.groupId);
  const isAuto = autoGroupId !== undefined;
  const { duplicateSeen } = context;
  const made = newPayouts(planned, {
    kind,
    isAuto,
    orderId,
    fingerprint,
    query,
    duplicateSeen,
    sealed,
  });
  const written = await ports.payouts.create(made);
  if (!written.ok) return conflict;
  const ready = made.payouts.filter(({ status }) => status === 'NEW');
  await Promise.all(ready.map((payout) => queuePayout(ports.payoutQueue, payout)));
  return ok({ payouts: made.payouts, replayed: false });
}

/** Seals once for all parts: they share the destination. */
async function sealedFor(
  { destinationSealer }: CreationPorts,
  recipient: PayoutRecipient,
  target: Target,
  groupId: GroupId,
): Promise<SealedDestination> {
  if (recipient.sealed) return recipient.sealed;
  if (!('destination' in target)) throw new Defect('STORED_ACCOUNT_UNSEALED', 'A stored account is sealed');
  const text = destinationText(target.destination);
  return { sealed: await destinationSealer.seal(text, regularContext(groupId)) };
}
