import { createHmac } from 'node:crypto';
import type { BillType } from '../bill/bill.ts';
import { billIdOf, type PaymentId } from '../ids.ts';
import type { Payment } from './payment.ts';

export const attemptStates = ['open', 'cancelled', 'failed'] as const;

/** A payment from one network that failed, was cancelled, or is still open. */
export type Attempt = {
  /** `cancelled`: the payer gave up, no card was refused. */
  readonly state: (typeof attemptStates)[number];
  /** When it started; for a failed one, when it failed. */
  readonly at: Date;
};

/** By payment id. Successful payments are removed, so a busy shared proxy does not look like an attacker. */
export type Attempts = Readonly<Record<string, Attempt>>;

/** How many open and failed payments one network may have before it is throttled: a guard against card testing. */
export type CardTestingLimits = {
  readonly failuresPerTenMinutes: number;
  readonly failuresPerDay: number;
  /** Payments that were started, cancelled or failed; each counts once. */
  readonly attemptsPerTenMinutes: number;
  /** Payments of one network that may be open at the same time on one MULTI bill. */
  readonly openOnMultiBill: number;
};

/** An open attempt counts for an hour: about as long as an acquirer's page can be paid. */
const openMinutes = 60;

type Entry = {
  readonly paymentId: PaymentId;
  readonly now: Date;
  /** The attempts as just read; expired ones are removed with the same write. */
  readonly seen: Attempts;
  /** The maximum number of stored attempts. */
  readonly most: number;
};

/** The attempts of a network, by a keyed hash of its address. */
export interface NetworkAttempts {
  of(payerHash: string): Promise<Attempts>;
  /**
   * Records a payment as open before it exists and returns all attempts after the write, so that of several concurrent
   * starts each sees the earlier ones. `known`: it was recorded already and is unchanged. `full`: nothing was written.
   */
  enter(payerHash: string, entry: Entry): Promise<Attempts | 'known' | 'full'>;
  /** Removes an attempt that succeeded, or whose payment was never created. Idempotent. */
  leave(payerHash: string, paymentId: PaymentId): Promise<void>;
  /** Records the end of an attempt: a failure counts from now, a cancelled one keeps its start time. Idempotent. */
  end(
    payerHash: string,
    paymentId: PaymentId,
    how: Pick<Attempt, 'at'> & { state: 'cancelled' | 'failed' },
  ): Promise<void>;
}

const tenMinutesMs = 600_000;
const dayMs = 24 * 3600_000;

/** How long an attempt counts. An open payment can fail while its card page accepts a card. */
const retentionMs = ({ state }: Attempt): number => (state === 'failed' ? dayMs : openMinutes * 60_000);
const isRecent =
  (ms: number, now: Date) =>
  ({ at }: Attempt): boolean =>
    now.getTime() - at.getTime() < ms;

/** Returns the ids of the attempts that no longer count. */
export const agedOut = (attempts: Attempts, now: Date): readonly string[] =>
  Object.entries(attempts).flatMap(([id, attempt]) =>
    isRecent(retentionMs(attempt), now)(attempt) ? [] : [id],
  );

/** A DynamoDB item holds 400 KB; an attempt takes about 50 bytes. */
const mostEver = 5_000;

/** Returns how many attempts the limits allow within an open one's lifetime (an hour). It bounds the item's size. */
export const mostAttempts = ({ attemptsPerTenMinutes }: CardTestingLimits): number =>
  Math.min(mostEver, attemptsPerTenMinutes * (openMinutes / 10));

type Candidate = { readonly id: PaymentId; readonly billType: BillType };

/** Whether the network's other attempts exceed a limit, so that this payment is refused. */
export function hasTooManyAttempts(
  attempts: Attempts,
  { id, billType }: Candidate,
  limits: CardTestingLimits,
  now: Date,
): boolean {
  const others = Object.entries(attempts).filter(([other]) => other !== id);
  const all = others.map(([, attempt]) => attempt);
  const failed = all.filter(({ state }) => state === 'failed');
  const openOnBill = others.filter(
    ([other, attempt]) =>
      attempt.state === 'open' &&
      other.startsWith(billIdOf(id)) &&
      isRecent(retentionMs(attempt), now)(attempt),
  );
  return (
    failed.filter(isRecent(tenMinutesMs, now)).length >= limits.failuresPerTenMinutes ||
    failed.filter(isRecent(dayMs, now)).length >= limits.failuresPerDay ||
    all.filter(isRecent(tenMinutesMs, now)).length >= limits.attemptsPerTenMinutes ||
    (billType === 'MULTI' && openOnBill.length >= limits.openOnMultiBill)
  );
}

/** Records how a payment ended, for the limits of its network. */
export async function endAttempt(
  { attempts, now }: { readonly attempts: Pick<NetworkAttempts, 'leave' | 'end'>; readonly now: () => Date },
  { id, payerHash }: Pick<Payment, 'id' | 'payerHash'>,
  how: 'succeeded' | 'cancelled' | 'failed',
): Promise<void> {
  if (payerHash === undefined) return;
  await (how === 'succeeded'
    ? attempts.leave(payerHash, id)
    : attempts.end(payerHash, id, { state: how, at: now() }));
}

/** Returns a keyed hash of a payer's network, so that attempts are counted without storing the address. */
export const hashPayer = (secret: string, network: string): string =>
  createHmac('sha256', secret).update(`payer:${network}`).digest('base64url');

/** Returns the network of one household or handset: the IPv4 address, or the /64 prefix of an IPv6 address. */
export function payerNetwork(sourceIp: string): string {
  const v4 = /(?:^|:)(\d+\.\d+\.\d+\.\d+)$/.exec(sourceIp)?.[1];
  if (v4 !== undefined || !sourceIp.includes(':')) return v4 ?? sourceIp;
  const [before = [], after = []] = sourceIp.toLowerCase().split('::').map(groupsOf);
  const missing = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...missing, ...after].slice(0, 4).join(':');
}

const groupsOf = (text: string): readonly string[] =>
  text === '' ? [] : text.split(':').map((group) => group.replace(/^0+(?=.)/, ''));
