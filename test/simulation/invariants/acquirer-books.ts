import { billIdOf, readRefundId, toPaymentId } from '../../../lib/ids.ts';
import type { Chargeback } from '../../../lib/ledger/chargeback.ts';
import type { Entry } from '../../../lib/ledger/entry.ts';
import { sum, toDecimal } from '../../../lib/money/money.ts';
import type { Payment } from '../../../lib/payment/payment.ts';
import type { Violation, World } from '../harness/world.ts';
import type { Snapshot } from './records.ts';
import { Tally } from './tally.ts';

/** Payments whose money the acquirer changed after their end. */
const changedPayments = ({ providers }: World, { orders }: Snapshot): ReadonlySet<string> =>
  new Set([
    ...providers.flatMap(({ contradicted }) => [...contradicted]),
    ...orders.flatMap(({ paymentId, isChanged }) => (isChanged ? [paymentId] : [])),
  ]);

/** No payment has two orders: nothing is created under a key that the acquirer may have forgotten. */
export function secondOrders({ orders }: Snapshot): readonly Violation[] {
  const payments = orders.map(({ paymentId }) => paymentId);
  const twice = new Set(payments.filter((payment, at) => payments.indexOf(payment) !== at));
  return [...twice].map((payment) => ({
    invariant: 'second order',
    text: `the acquirer has two orders for ${payment}`,
  }));
}

const hourMs = 3600_000;

/**
 * A payment without a reference fails only when there is no order, and none can appear: after a refusal, or by the list. A request that
 * travelled for more than an hour, which happens only where keys never expire, may open an order after the list has decided.
 */
export function failedWithOrder(snapshot: Snapshot): readonly Violation[] {
  const opened = new Map(snapshot.orders.map(({ paymentId, openedAt }) => [paymentId, openedAt.getTime()]));
  const isKnown = ({ id, startCall: { lastAt } }: Payment) =>
    (opened.get(id) ?? Number.POSITIVE_INFINITY) - lastAt.getTime() <= hourMs;
  return snapshot
    .of('payment')
    .filter(
      ({ payment }) =>
        payment.status === 'FAIL' &&
        payment.reference === undefined &&
        !payment.decisions &&
        isKnown(payment),
    )
    .map(({ payment }) => ({
      invariant: 'absent',
      text: `${payment.id} failed (${payment.outcome}), and the acquirer has its order`,
    }));
}

/**
 * At most one payment of a NORMAL bill is ever captured, unless one of them captures when it is paid and could be taken over: then the
 * other is refunded, which the audit checks. What a person decided, and what the acquirer changed, is not counted.
 */
export function chargedTwice(world: World, snapshot: Snapshot): readonly Violation[] {
  const changed = changedPayments(world, snapshot);
  const captured = new Set(
    snapshot.movements.flatMap(({ kind, subject }) => (kind === 'captured' ? [subject] : [])),
  );
  const counted = snapshot
    .of('payment')
    .map(({ payment }) => payment)
    .filter(({ id, billType, decisions }) => billType === 'NORMAL' && !decisions && !changed.has(id))
    .filter(({ id }) => captured.has(id));
  return [...Map.groupBy(counted, ({ id }) => billIdOf(toPaymentId(id)))]
    .filter(([, payments]) => isTooMany(world, payments))
    .map(([bill, payments]) => ({
      invariant: 'charged twice',
      text: `bill ${bill} was captured by ${payments.map(({ id }) => id).join(' and ')}`,
    }));
}

function isTooMany({ providers }: World, payments: readonly Payment[]): boolean {
  const isOvertakable = ({ holds, acquirer }: Payment) =>
    !holds && providers.find(({ name }) => name === acquirer)?.manners.endsOpenOrders === true;
  if (payments.filter(({ holds }) => holds).length > 1) return true;
  return payments.length > 1 && !payments.some(isOvertakable);
}

/** Each CAPTURE, DUPLICATE_CAPTURE and REFUND has the amount that the acquirer moved, by then or later. */
export function unlikeAcquirerMoves(world: World, snapshot: Snapshot): readonly Violation[] {
  const changed = changedPayments(world, snapshot);
  const moved = Map.groupBy(snapshot.movements, ({ kind, subject }) => `${kind} ${subject}`);
  const amounts = (kind: 'captured' | 'refunded', payment: string) =>
    (moved.get(`${kind} ${payment}`) ?? [])
      .toSorted((one, other) => changeNumber(one.named?.reference) - changeNumber(other.named?.reference))
      .map(({ amountMinor }) => amountMinor);
  const isAsBooked = ({ kind, about, lines }: Entry): boolean => {
    const minor = -sum(lines.filter(({ account }) => account === 'acquirer').map((line) => line.minor));
    const captures = amounts('captured', about);
    if (kind !== 'REFUND') return captures.some((_, at) => sum(captures.slice(0, at + 1)) === minor);
    const refunds = sum(amounts('refunded', about));
    // What a change takes off the capture is money that went back as well; what it adds is not.
    const back = changed.has(about) ? refunds - sum(captures.filter((change) => change < 0n)) : refunds;
    const isEnough = changed.has(about) ? back >= -minor : back === -minor;
    return isEnough || isReturnedByHand(snapshot, about);
  };
  return snapshot
    .of('entry')
    .filter(
      ({ entry }) =>
        entry.kind === 'CAPTURE' || entry.kind === 'DUPLICATE_CAPTURE' || entry.kind === 'REFUND',
    )
    .filter(({ entry }) => !isAsBooked(entry))
    .map(({ entry }) => ({
      invariant: 'acquirer_books',
      text: `${entry.kind} of ${entry.about} is not what the acquirer moved: captured ${amounts('captured', entry.about).join(', ')}, refunded ${amounts('refunded', entry.about).join(', ')}`,
    }));
}

/**
 * Each REFUND_SETTLE has the amount that the acquirer returned for that very refund, once, whatever was repeated; no failed refund has any,
 * and no more goes back of a payment by its refunds than it received.
 */
export function unlikeRefunds(snapshot: Snapshot): readonly Violation[] {
  const returned = new Map<string, bigint[]>();
  for (const { kind, amountMinor, named } of snapshot.movements) {
    const id = kind === 'refunded' ? readRefundId(named?.ourId?.split('.')[0]) : undefined;
    if (id) returned.set(id, [...(returned.get(id) ?? []), amountMinor]);
  }
  const received = new Map<string, bigint>(
    snapshot.of('payment').map(({ payment }) => [payment.id, payment.receivedMinor ?? 0n]),
  );
  const byPayment = new Tally();
  const tell = (text: string): Violation => ({ invariant: 'refunds', text });
  const each = snapshot.of('refund').flatMap(({ refund: { id, paymentId, status, amount } }) => {
    const amounts = returned.get(id) ?? [];
    byPayment.add(paymentId, sum(amounts));
    const isRight =
      status === 'SUCCESS'
        ? amounts.length === 1 && amounts[0] === amount.minor
        : amounts.length === 0 || (status === 'PROCESS' && amounts.length === 1);
    return isRight
      ? []
      : [
          tell(
            `refund ${id} of ${toDecimal(amount.minor)} is ${status}, and ${amounts.join(', ')} went back`,
          ),
        ];
  });
  const above = byPayment
    .names()
    .filter((id) => byPayment.of(id) > (received.get(id) ?? 0n))
    .map((id) => tell(`more than was received went back of ${id} by its refunds`));
  return [...each, ...above];
}

/** Each PROVIDER_FEE has the amount that the acquirer kept of the capture. */
export const unlikeFees = (snapshot: Snapshot): readonly Violation[] =>
  snapshot
    .of('entry')
    .filter(({ entry }) => entry.kind === 'PROVIDER_FEE')
    .filter(({ entry: { about, lines } }) => {
      const kept = snapshot.movements.flatMap(({ subject, feeMinor }) =>
        subject === about ? [feeMinor] : [],
      );
      return lines.every(({ account, minor }) => account !== 'acquirer' || !kept.includes(minor));
    })
    .map(({ entry }) => ({
      invariant: 'acquirer_books',
      text: `PROVIDER_FEE of ${entry.about} is not what the acquirer kept`,
    }));

/** The books name a change by its number, after the order's reference. */
const changeNumber = (reference = ''): number => Number(/\.(\d+)$/.exec(reference)?.[1] ?? 0);

/** Whether people returned the payer's money without the acquirer, which had rejected the refund. */
const isReturnedByHand = (snapshot: Snapshot, paymentId: string): boolean =>
  snapshot.of('payment').some(({ payment }) => payment.id === paymentId && payment.decisions?.length);

/**
 * `acquirer_books`, for each payment: what the acquirer holds, less its fee, is what the journal has, less the losses that the open and the dismissed
 * items tell of. Each change after the capture is such an item, or was posted when it was confirmed.
 */
export function unlikeAcquirer(snapshot: Snapshot): readonly Violation[] {
  const items = Map.groupBy(
    snapshot.of('chargeback').map(({ chargeback }) => chargeback),
    ({ paymentId }) => paymentId,
  );
  return snapshot.of('payment').flatMap(({ payment }) => {
    if (isReturnedByHand(snapshot, payment.id)) return [];
    const held = heldAtAcquirer(snapshot, payment.id);
    const booked = bookedAtAcquirer(snapshot, payment.id);
    const unbooked = sum((items.get(payment.id) ?? []).filter(isUnbooked).map(lossMinor));
    if (held === booked - unbooked) return [];
    return [
      {
        invariant: 'acquirer_books',
        text: `the acquirer holds ${toDecimal(held)} of ${payment.id} (${payment.status}), the journal has ${toDecimal(booked)}, of which items tell ${toDecimal(unbooked)} is lost`,
      },
    ];
  });
}

const heldAtAcquirer = ({ movements }: Snapshot, paymentId: string): bigint =>
  sum(
    movements.flatMap(({ kind, subject, amountMinor, feeMinor = 0n }) => {
      if (subject !== paymentId) return [];
      return kind === 'captured' ? [amountMinor - feeMinor] : [-amountMinor];
    }),
  );

/** With its refunds, whose ids begin with that of the payment. */
const bookedAtAcquirer = (snapshot: Snapshot, paymentId: string): bigint =>
  -sum(
    snapshot
      .of('entry')
      .filter(({ entry }) => entry.about.startsWith(paymentId))
      .flatMap(({ entry }) =>
        entry.lines.flatMap(({ account, minor }) => (account === 'acquirer' ? [minor] : [])),
      ),
  );

/** Known to the service, and not posted: what the acquirer reported also after its dismissal, letters while they are open. */
const isUnbooked = ({ seen, status }: Chargeback): boolean =>
  status === 'OPEN' || (status === 'DISMISSED' && seen !== undefined);

const lossMinor = ({ direction, amount }: Chargeback): bigint =>
  direction === 'loss' ? amount.minor : -amount.minor;
