import { Defect } from '../defect.ts';
import type { GroupId } from '../ids.ts';
import type { Sealer } from '../merchant/ports.ts';
import { fail, ok, type Result } from '../result.ts';
import { localTime } from './calendar.ts';
import { parseCardNumber } from '../card-number.ts';
import { destinationText } from './destination.ts';
import { newPayouts } from './new-payouts.ts';
import type { Payout, SealedDestination } from './payout.ts';
import { type PlanRefusal, plan, whyNoAccess } from './plan.ts';
import type {
  CreationContext,
  CreationQuery,
  EarlierRequest,
  PayoutQueue,
  RailLimitsOf,
  Payouts,
} from './ports.ts';
import type { PayoutRecipient, Target } from './recipient.ts';
import type { RefusalNumbers } from './refusal-numbers.ts';
import { identify, type PayoutRequest } from './request-identity.ts';
import { isActiveBank, type SbpBank } from './sbp-banks.ts';
import { regularContext } from './sealed-destination.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';
import { queuePayout } from './queue-payout.ts';

export type CreationPorts = {
  readonly payouts: Payouts;
  /** The limits of the rails are known without their secrets. */
  readonly rails: RailLimitsOf;
  /** Seals under the destination key. */
  readonly destinationSealer: Sealer;
  /** The key of the hashes that identify accounts and requests. */
  readonly fingerprintSecret: () => Promise<string>;
  readonly payoutQueue: PayoutQueue;
  /** The banks that an SBP payout may go to, up to a minute old. */
  readonly activeBanks: () => Promise<readonly SbpBank[]>;
  readonly now: () => Date;
  readonly newId: (length: number) => string;
  /** The time zone of the limits' days and months. */
  readonly timeZone: string;
};

/** `replayed`: nothing was created; these are the payouts of an earlier request in their current state. */
export type CreatedPayouts = { readonly payouts: readonly Payout[]; readonly replayed: boolean };

export type CreationRefusal =
  | PlanRefusal
  | 'order_id_is_card_number'
  | 'sbp_bank_unknown'
  | 'order_id_reused'
  | 'idempotency_key_reused';

type Created = Result<CreatedPayouts, CreationRefusal, RefusalNumbers>;

/**
 * Creates payouts, the only function that does: one read, one transaction. Of concurrent requests with the same
 * order_id or `Idempotency-Key`, one creates and the others return its payouts.
 */
export async function createPayouts(ports: CreationPorts, request: PayoutRequest): Promise<Created> {
  const { query, fingerprint } = await identify(ports, request);
  const attempt = async (): Promise<Created | typeof conflict> => {
    const context = await ports.payouts.loadCreationContext(query);
    const noAccess = whyNoAccess(context, request.kind);
    if (noAccess) return fail(noAccess);
    const earlier = earlierRequest(context, fingerprint);
    if (!earlier.ok) return earlier;
    return earlier.value
      ? replay(ports, query, context, earlier.value)
      : create(ports, request, query, fingerprint, context);
  };
  return retryOnConflict(attempt, {
    exhausted: tooManyConflicts("A payout's balance, limits or claim"),
  });
}

type Reused = 'order_id_reused' | 'idempotency_key_reused';

/** Returns the earlier request that this one repeats. Reusing its order_id or key with other data is refused. */
function earlierRequest(
  { ofKey, ofOrder }: CreationContext,
  fingerprint: string,
): Result<EarlierRequest | undefined, Reused> {
  if (ofKey && ofKey.fingerprint !== fingerprint) return fail('idempotency_key_reused');
  if (ofOrder && ofOrder.fingerprint !== fingerprint) return fail('order_id_reused');
  return ok(ofKey ?? ofOrder);
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
  query: CreationQuery,
  fingerprint: string,
  context: CreationContext,
): Promise<Created | typeof conflict> {
  if (namesItsCard(request)) return fail('order_id_is_card_number');
  if (await isToUnknownBank(ports, request)) return fail('sbp_bank_unknown');
  const planned = plan(context, request, ports.rails, localTime(query.now, ports.timeZone));
  if (!planned.ok) return planned;
  const { kind, orderId, autoGroupId } = request;
  const sealed = await sealedFor(ports, planned.value.recipient, request.target, query.groupId);
  const isAuto = autoGroupId !== undefined;
  const { duplicateSeen } = context;
  const made = newPayouts(planned.value, {
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

/** The order_id is stored and shown in the clear, so it must not be the card number that is sealed. */
const namesItsCard = ({ target, orderId }: PayoutRequest): boolean =>
  'destination' in target &&
  target.destination.type === 'credit_card' &&
  orderId !== undefined &&
  parseCardNumber(orderId.normalize('NFKC')) === target.destination.number;

/** A stored account's bank is sealed: the rail refuses a payout to one that is gone. */
async function isToUnknownBank({ activeBanks }: CreationPorts, { target }: PayoutRequest): Promise<boolean> {
  if (!('destination' in target) || target.destination.type !== 'sbp') return false;
  const { bankId } = target.destination;
  return bankId !== undefined && !isActiveBank(await activeBanks(), bankId);
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
