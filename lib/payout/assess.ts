import { parseCardNumber } from '../card-number.ts';
import { fail, ok, type Result } from '../result.ts';
import { localTime } from './calendar.ts';
import { type Plan, type PlanRefusal, plan, whyNoAccess } from './plan.ts';
import type { CreationContext, EarlierRequest, Payouts, RailLimitsOf } from './ports.ts';
import type { RefusalNumbers } from './refusal-numbers.ts';
import type { Identity, PayoutRequest } from './request-identity.ts';
import { isActiveBank, type SbpBank } from './sbp-banks.ts';

/** What is read to decide about a request for payouts. Nothing here writes or seals. */
export type AssessmentPorts = {
  readonly payouts: Pick<Payouts, 'loadCreationContext'>;
  /** The limits of the rails are known without their secrets. */
  readonly rails: RailLimitsOf;
  /** The key of the hashes that identify accounts and requests. */
  readonly fingerprintSecret: () => Promise<string>;
  /** The banks that an SBP payout may go to, up to a minute old. */
  readonly activeBanks: () => Promise<readonly SbpBank[]>;
  readonly now: () => Date;
  readonly newId: (length: number) => string;
  /** The time zone of the limits' days and months. */
  readonly timeZone: string;
};

export type CreationRefusal =
  | PlanRefusal
  | 'order_id_is_card_number'
  | 'sbp_bank_unknown'
  | 'order_id_reused'
  | 'idempotency_key_reused';

/** The request repeats an earlier one: its payouts are the answer. */
type RepeatedRequest = { readonly context: CreationContext; readonly earlier: EarlierRequest };
/** The payouts that a creation would write, by what was read. */
export type NewRequest = {
  readonly context: CreationContext;
  readonly earlier: undefined;
  readonly plan: Plan;
};

/** Decides about a request, for creations and quotes alike: one batch read, no write. */
export async function assess(
  ports: AssessmentPorts,
  request: PayoutRequest,
  { query, fingerprint }: Identity,
): Promise<Result<RepeatedRequest | NewRequest, CreationRefusal, RefusalNumbers>> {
  const context = await ports.payouts.loadCreationContext(query);
  const noAccess = whyNoAccess(context, request.kind);
  if (noAccess) return fail(noAccess);
  const earlier = earlierRequest(context, fingerprint);
  if (!earlier.ok) return earlier;
  if (earlier.value) return ok({ context, earlier: earlier.value });
  if (namesItsCard(request)) return fail('order_id_is_card_number');
  if (await isToUnknownBank(ports, request)) return fail('sbp_bank_unknown');
  const planned = plan(context, request, ports.rails, localTime(query.now, ports.timeZone));
  return planned.ok ? ok({ context, earlier: undefined, plan: planned.value }) : planned;
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

/** The order_id is stored and shown in the clear, so it must not be the card number that is sealed. */
const namesItsCard = ({ target, orderId }: PayoutRequest): boolean =>
  'destination' in target &&
  target.destination.type === 'credit_card' &&
  orderId !== undefined &&
  parseCardNumber(orderId.normalize('NFKC')) === target.destination.number;

/** A stored account's bank is sealed: the rail refuses a payout to one that is gone. */
async function isToUnknownBank(
  { activeBanks }: AssessmentPorts,
  { target }: PayoutRequest,
): Promise<boolean> {
  if (!('destination' in target) || target.destination.type !== 'sbp') return false;
  const { bankId } = target.destination;
  return bankId !== undefined && !isActiveBank(await activeBanks(), bankId);
}
