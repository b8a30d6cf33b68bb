import { Defect } from '../../defect.ts';
import type { AccountType, Destination } from '../../payout/destination.ts';
import type { NewTransfer, PayoutRail, RailLimits, RailView, Transfer } from '../../payout/payout-rail.ts';
import type { StatementLine } from '../../provider-port.ts';
import { amountOf } from './amount.ts';
import { doneBody, readAnswer, yookassaClient, type YookassaAccess } from './client.ts';
import { createdAround, everyItem, within } from './lists.ts';
import { bankList, ours, payoutObject, referencePath, type PayoutObject } from './objects.ts';
import { metadataOf } from './order-body.ts';

/** The credentials are those of the payout gateway, which are not the shop's. */
export type YookassaRailOptions = YookassaAccess & {
  /** Cards only when the operator may send card numbers, which needs a PCI DSS certificate. */
  readonly limits: Readonly<Partial<Record<AccountType, RailLimits>>>;
};

/** YooKassa as a payout rail. It has no tombstones: a payout that it does not find may still be on its way. */
export function yookassaRail({ limits, ...access }: YookassaRailOptions): PayoutRail {
  const call = yookassaClient(access);

  const readKnown = async (transfer: Transfer, reference: string): Promise<RailView> => {
    const answer = await call(`payouts/${referencePath(reference)}`, { method: 'GET' });
    if (answer.kind === 'refused' && answer.about === 'missing') return { state: 'unknown' };
    return viewFor(transfer, readAnswer(payoutObject, doneBody(answer)));
  };

  return {
    name: 'yookassa',
    tombstones: false,
    limits: (type) => limits[type],

    async send(transfer) {
      const target = targetOf(transfer.destination);
      // Nothing was sent: the next call under this key would not be sent either.
      if (!target) return { state: 'refused', reason: 'sbp_bank_missing' };
      const answer = await call('payouts', {
        method: 'POST',
        key: transfer.key,
        body: {
          amount: amountOf(transfer.amountMinor, transfer.currency),
          payout_destination_data: target,
          metadata: payoutMetadata(transfer),
        },
      });
      if (answer.kind === 'done') return viewFor(transfer, readAnswer(payoutObject, answer.body));
      const recipients = answer.about === 'request' && isAboutPayout(answer.parameter);
      return { state: recipients ? 'refused' : 'not_taken', reason: answer.outcome };
    },

    async get(transfer) {
      if (transfer.reference !== undefined) return readKnown(transfer, transfer.reference);
      const query = { ...createdAround(transfer), 'metadata[payout_id]': transfer.payoutId };
      let own: PayoutObject | undefined;
      for await (const payout of everyItem(call, 'payouts/search', query, payoutObject)) {
        if (ours(payout, 'payout_id') !== transfer.payoutId) continue;
        // Another attempt that is paid or under way: the money has left, whatever became of this one.
        if (payout.status !== 'canceled') return viewFor(transfer, payout);
        if (ours(payout, 'attempt') === String(transfer.attempt)) own = payout;
      }
      return own ? viewFor(transfer, own) : { state: 'unknown' };
    },

    async cancel() {
      throw new Defect('YOOKASSA_CANNOT_CANCEL', 'YooKassa cancels no payouts');
    },

    async banks() {
      const { items } = readAnswer(bankList, doneBody(await call('sbp_banks', { method: 'GET' })));
      return items.map(({ bank_id: id, name, bic }) => ({ memberId: Number(id), name, bic }));
    },

    async statement({ from, to }) {
      const lines: StatementLine[] = [];
      const query = { ...within('succeeded_at', from, to), status: 'succeeded' };
      for await (const payout of everyItem(call, 'payouts', query, payoutObject)) {
        if (!payout.succeeded_at)
          throw new Defect('YOOKASSA_PAYOUT_TIME_MISSING', 'A paid payout has no time of its payment');
        lines.push({
          kind: 'payout',
          reference: payout.id,
          ourId: ours(payout, 'payout_id'),
          orderReference: undefined,
          amountMinor: payout.amount.value,
          feeMinor: undefined,
          currency: payout.amount.currency,
          at: payout.succeeded_at,
        });
      }
      return lines;
    },
  };
}

/** The account, as YooKassa names it. Undefined for an SBP account without its bank, which YooKassa needs. */
function targetOf(destination: Destination): object | undefined {
  if (destination.type === 'credit_card') return { type: 'bank_card', card: { number: destination.number } };
  if (destination.bankId === undefined) return undefined;
  return { type: 'sbp', phone: destination.phone, bank_id: String(destination.bankId).padStart(12, '0') };
}

const payoutMetadata = ({ payoutId, attempt, about }: NewTransfer) =>
  metadataOf({
    payout_id: payoutId,
    attempt: String(attempt),
    merchant_id: about.merchantId,
    group_id: about.groupId,
    order_id: about.orderId,
  });

/** Whether a refused field belongs to this payout. Any other is about how we call, which a person must mend. */
const isAboutPayout = (parameter: string | undefined): boolean =>
  parameter !== undefined && /^(?:amount|payout_destination_data)\b/.test(parameter);

/** Returns the view of a payout. Throws when the object belongs to another payout or has another amount. */
function viewFor(transfer: Transfer, payout: PayoutObject): RailView {
  const isOurs =
    ours(payout, 'payout_id') === transfer.payoutId &&
    payout.amount.value === transfer.amountMinor &&
    payout.amount.currency === transfer.currency;
  if (!isOurs)
    throw new Defect('YOOKASSA_PAYOUT_CONTRADICTS', 'YooKassa has another payout under this reference');
  const reference = payout.id;
  if (payout.status === 'pending') return { state: 'accepted', reference };
  if (payout.status === 'succeeded') return { state: 'paid', reference };
  const reason = payout.cancellation_details?.reason ?? 'canceled';
  // The gateway's balance did not cover it: nothing about the recipient.
  return { state: reason === 'insufficient_funds' ? 'provider_empty' : 'refused', reference, reason };
}
