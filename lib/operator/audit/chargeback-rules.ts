import { type Chargeback, expectedMinor } from '../../ledger/chargeback.ts';
import { isBefore } from '../../ledger/recomputation.ts';
import { isSamePerson } from '../../ledger/same-person.ts';
import { sum, toDecimal } from '../../money/money.ts';
import { chargebackPostingAgain } from '../../payment/chargeback-postings.ts';
import { isPaid } from '../../payment/payment.ts';
import { fieldDifferences } from './field-differences.ts';
import { type AnyRule, rule } from './rule.ts';

/** An item is about a paid payment, in its currency, and is decided by two people. */
const isOfItsPayment = rule({
  invariant: 'chargebacks_match_entries',
  of: 'chargeback',
  needs: ({ chargeback: { paymentId } }) => [{ kind: 'payment', id: paymentId }],
  broken: ({ chargeback }, found) => {
    const { id, paymentId, number, merchantId, amount } = chargeback;
    const payment = found.one('payment', paymentId)?.payment;
    if (!payment) return [`chargeback ${id} is about payment ${paymentId}, which does not exist`];
    const own = { id, merchantId, currency: amount.currency };
    const expected = {
      id: `${payment.id}.chargeback.${number}`,
      merchantId: payment.merchantId,
      currency: payment.amount.currency,
    };
    const unpaid = isPaid(payment) ? [] : [`is about a payment that is ${payment.status}`];
    return [...unpaid, ...fieldDifferences(own, expected, 'its payment'), ...badAmount(chargeback)].map(
      (text) => `chargeback ${id} ${text}`,
    );
  },
});

const badAmount = ({ amount: { minor } }: Chargeback): readonly string[] =>
  minor > 0n ? [] : [`is of ${toDecimal(minor)}`];

const isDecidedByTwo = rule({
  invariant: 'chargebacks_match_entries',
  of: 'chargeback',
  needs: () => [],
  broken: ({ chargeback: { id, status, direction, decision, at } }) => {
    if (!decision) return [];
    const takesBearer = status === 'CONFIRMED' && direction === 'loss';
    return [
      ...(isSamePerson(decision.proposedBy, decision.approvedBy) ? ['was decided by one person'] : []),
      ...(takesBearer === (decision.bearer !== undefined)
        ? []
        : [`is borne by ${decision.bearer ?? 'nobody'}, though it is a ${direction} and ${status}`]),
      ...(isBefore(decision.at, at) ? ['was decided before it was known'] : []),
    ].map((text) => `chargeback ${id} ${text}`);
  },
});

const previousOf = ({ paymentId, number }: Chargeback): readonly string[] =>
  Array.from({ length: Math.max(number - 1, 0) }, (_, index) => `${paymentId}.chargeback.${index + 1}`);

/**
 * The items of a payment are numbered without a gap, so none disappears. After each, and after what its refunds had returned, the acquirer
 * holds what it reported, and never less than nothing. An entered item that was dismissed since may have counted then, so after one the amount is only bounded.
 */
const followsThePrevious = rule({
  invariant: 'chargebacks_match_entries',
  of: 'chargeback',
  needs: ({ chargeback }) => [
    { kind: 'payment', id: chargeback.paymentId },
    ...previousOf(chargeback).map((id) => ({ kind: 'chargeback', id }) as const),
  ],
  broken: ({ chargeback }, found) => {
    const ids = previousOf(chargeback);
    const previous = ids.flatMap((id) => found.one('chargeback', id)?.chargeback ?? []);
    const gone = ids.filter((id) => !found.one('chargeback', id));
    const receivedMinor = found.one('payment', chargeback.paymentId)?.payment.receivedMinor;
    const texts = [
      ...gone.map((id) => `follows ${id}, which does not exist`),
      ...(gone.length > 0 || receivedMinor === undefined
        ? []
        : impossible(chargeback, previous, receivedMinor)),
    ];
    return texts.map((text) => `chargeback ${chargeback.id} ${text}`);
  },
});

function impossible(
  chargeback: Chargeback,
  previous: readonly Chargeback[],
  receivedMinor: bigint,
): readonly string[] {
  const { seen } = chargeback;
  const returned = seen?.refundedMinor ?? 0n;
  const left = expectedMinor(receivedMinor, [...previous, { ...chargeback, status: 'OPEN' }]) - returned;
  if (seen && previous.every((each) => each.seen))
    return left === seen.heldMinor
      ? []
      : [`leaves ${toDecimal(left)} of the payment, but its acquirer held ${toDecimal(seen.heldMinor)}`];
  const surplus = sum(previous.filter(isDismissedSurplus).map(({ amount }) => amount.minor));
  return left + surplus >= 0n ? [] : [`leaves ${toDecimal(left)} of the payment`];
}

const isDismissedSurplus = ({ direction, seen, status }: Chargeback): boolean =>
  direction === 'surplus' && seen === undefined && status === 'DISMISSED';

/** A claim is the part of a confirmed loss that was not available. The entry of its chargeback has the same part. */
const isOfItsChargeback = rule({
  invariant: 'claims_match_entries',
  of: 'claim',
  needs: ({ claim: { id, paymentId } }) => [
    { kind: 'chargeback', id },
    { kind: 'payment', id: paymentId },
  ],
  broken: ({ claim }, found) => {
    const { id, paymentId, merchantId, at } = claim;
    const chargeback = found.one('chargeback', id)?.chargeback;
    const payment = found.one('payment', paymentId)?.payment;
    const claimedMinor = claim.amount.minor;
    const made =
      chargeback && payment && chargebackPostingAgain({ chargeback, payment, claimedMinor })?.claim;
    if (!made) return [`claim ${id} is of no confirmed chargeback that the merchant bears`];
    const own = { paymentId, merchantId, ...claim.amount, at: at.toISOString() };
    const { paymentId: ofPayment, merchantId: ofMerchant, amount } = made;
    const expected = {
      paymentId: ofPayment,
      merchantId: ofMerchant,
      ...amount,
      at: made.at.toISOString(),
    };
    return fieldDifferences(own, expected, 'its chargeback').map((text) => `claim ${id} ${text}`);
  },
});

/** What is owed is what was claimed less the moves, each of which closes something; a write-off takes two people. */
const owesWhatItsMovesLeft = rule({
  invariant: 'claims_match_entries',
  of: 'claim',
  needs: () => [],
  broken: ({ claim: { id, amount, openMinor, moves } }) => {
    const closed = sum(moves.map(({ minor }) => minor));
    const alone = moves.filter(
      ({ kind, by, approvedBy }) =>
        kind === 'written_off' && (approvedBy === undefined || isSamePerson(by, approvedBy)),
    );
    return [
      ...(amount.minor - closed === openMinor && openMinor >= 0n
        ? []
        : [
            `of ${toDecimal(amount.minor)} was closed by ${toDecimal(closed)}, but ${toDecimal(openMinor)} is owed`,
          ]),
      ...moves.filter(({ minor }) => minor <= 0n).map((move) => `has a move of ${toDecimal(move.minor)}`),
      ...alone.map((move) => `was written off by ${move.by} alone`),
    ].map((text) => `claim ${id} ${text}`);
  },
});

export const chargebackRules: readonly AnyRule[] = [
  isOfItsPayment,
  isDecidedByTwo,
  followsThePrevious,
  isOfItsChargeback,
  owesWhatItsMovesLeft,
];
