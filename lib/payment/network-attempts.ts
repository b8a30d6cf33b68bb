import { createHmac } from 'node:crypto';
import type { BillType } from '../bill/bill.ts';
import { billIdOf, type PaymentId } from '../ids.ts';
import { abandonedAfterMinutes } from './next-step.ts';
import type { Payment } from './payment.ts';

export const attemptStates = ['open', 'cancelled', 'failed'] as const;

/** A payment of one network that did not succeed, or not yet. */
export type Attempt = {
  /** `cancelled`: the payer gave up, no card was refused. */
  readonly state: (typeof attemptStates)[number];
  /** When it began; of a failed one, when it failed. */
  readonly at: Date;
};

/** By payment id. A payment that succeeds is taken out, so a shop's busy proxy is no attacker. */
export type Attempts = Readonly<Record<string, Attempt>>;

/** What one network may have open and get wrong before it has to wait: a guard against the testing of stolen cards. */
export type CardTestingLimits = {
  readonly failuresPerTenMinutes: number;
  readonly failuresPerDay: number;
  /** Payments that were begun, cancelled or failed; each counts once. */
  readonly attemptsPerTenMinutes: number;
  /** Payments of one network that are open at the same time on one MULTI bill. */
  readonly openOnMultiBill: number;
};

type Entry = {
  readonly paymentId: string;
  readonly now: Date;
  /** What was read of this network a moment ago; what has left by age is removed on this occasion. */
  readonly seen: Attempts;
  /** More than this is never kept open. */
  readonly most: number;
};

/** The attempts of a network, by a keyed hash of its address. */
export interface NetworkAttempts {
  of(payerHash: string): Promise<Attempts>;
  /**
   * Writes a payment down as open before it exists, and answers all attempts as they are then: of several that begin
   * at once each sees those before it. `known`: it was there already and is left as it is. `full`: nothing was written.
   */
  enter(payerHash: string, entry: Entry): Promise<Attempts | 'known' | 'full'>;
  /** A success is forgotten, and so is what never began; saying it again changes nothing. */
  leave(payerHash: string, paymentId: string): Promise<void>;
  /** A failure counts from now; a cancelled one keeps the time when it began. Saying it again changes nothing. */
  end(
    payerHash: string,
    paymentId: string,
    how: Pick<Attempt, 'at'> & { state: 'cancelled' | 'failed' },
  ): Promise<void>;
}

const tenMinutesMs = 600_000;
const dayMs = 24 * 3600_000;

/** An open payment can fail as long as its card page takes a card. */
const keptMs = ({ state }: Attempt): number => (state === 'failed' ? dayMs : abandonedAfterMinutes * 60_000);
const isRecent =
  (ms: number, now: Date) =>
  ({ at }: Attempt): boolean =>
    now.getTime() - at.getTime() < ms;

/** What says nothing any more. */
export const agedOut = (attempts: Attempts, now: Date): readonly string[] =>
  Object.entries(attempts).flatMap(([id, attempt]) => (isRecent(keptMs(attempt), now)(attempt) ? [] : [id]));

/** An item of the store holds 400 KB, an attempt takes some 50 bytes. */
const mostEver = 5_000;

/** All that the limits allow to be open for an hour: it bounds the size of a network's item. Only these can fail. */
export const mostAttempts = ({ attemptsPerTenMinutes }: CardTestingLimits): number =>
  Math.min(mostEver, attemptsPerTenMinutes * (abandonedAfterMinutes / 10));

type Asked = { readonly id: PaymentId; readonly billType: BillType };

/** Whether the network's other attempts leave no room for this payment. */
export function hasTooManyAttempts(
  attempts: Attempts,
  { id, billType }: Asked,
  limits: CardTestingLimits,
  now: Date,
): boolean {
  const others = Object.entries(attempts).filter(([other]) => other !== id);
  const all = others.map(([, attempt]) => attempt);
  const failed = all.filter(({ state }) => state === 'failed');
  const openOnBill = others.filter(
    ([other, attempt]) =>
      attempt.state === 'open' && other.startsWith(billIdOf(id)) && isRecent(keptMs(attempt), now)(attempt),
  );
  return (
    failed.filter(isRecent(tenMinutesMs, now)).length >= limits.failuresPerTenMinutes ||
    failed.filter(isRecent(dayMs, now)).length >= limits.failuresPerDay ||
    all.filter(isRecent(tenMinutesMs, now)).length >= limits.attemptsPerTenMinutes ||
    (billType === 'MULTI' && openOnBill.length >= limits.openOnMultiBill)
  );
}

/** How a payment that is over counts against its network. */
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

/** Counts a payer's attempts without keeping their address. */
export const hashPayer = (secret: string, network: string): string =>
  createHmac('sha256', secret).update(`payer:${network}`).digest('base64url');

/** Addresses of one household or handset: an IPv4 address, or the /64 that an IPv6 address lies in. */
export function payerNetwork(sourceIp: string): string {
  const v4 = /(?:^|:)(\d+\.\d+\.\d+\.\d+)$/.exec(sourceIp)?.[1];
  if (v4 !== undefined || !sourceIp.includes(':')) return v4 ?? sourceIp;
  const [before = [], after = []] = sourceIp.toLowerCase().split('::').map(groupsOf);
  const missing = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...missing, ...after].slice(0, 4).join(':');
}

const groupsOf = (text: string): readonly string[] =>
  text === '' ? [] : text.split(':').map((group) => group.replace(/^0+(?=.)/, ''));
