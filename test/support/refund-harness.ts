import type { RefundId } from '../../lib/ids.ts';
import type { RefundPorts } from '../../lib/refund/advance-refund.ts';
import { checkRefund } from '../../lib/refund/check-refund.ts';
import type { Terms } from '../../lib/merchant/terms.ts';
import { isPaid } from '../../lib/payment/payment.ts';
import { createRefund, type CreateRefund, type CreateRefundPorts } from '../../lib/refund/create-refund.ts';
import type { Refund } from '../../lib/refund/refund.ts';
import { dynamoBalances } from '../../lib/store/balances.ts';
import { toEntry } from '../../lib/store/entry-item.ts';
import type { Result } from '../../lib/result.ts';
import { differencesIn } from './audit.ts';
import { aCaller, merchantId } from './builders.ts';
import { itemsOf } from './items-of.ts';
import { type PaymentHarness, paymentHarness } from './payment-harness.ts';

type Given = Parameters<typeof paymentHarness>[0];

/** A bill of 100.50 roubles that is paid by card, with the fee of two percent, and what refunds it. */
export async function refundHarness({ card, ...given }: Given & { readonly card?: string } = {}) {
  const harness = await paymentHarness(given);
  return { ...harness, ...(await refundsOn(harness, card)) };
}

/** The refunds of a harness whose bill is paid here. */
async function refundsOn(harness: PaymentHarness, number?: string) {
  const { id, pay } = await harness.begun('01');
  await pay(number);
  const paid = await harness.resolve(id);
  if (!paid || !isPaid(paid.payment)) throw new Error('the payment is not paid');
  const { refunds } = harness;
  const queuedRefunds: RefundId[] = [];
  const carryingOut: RefundPorts = { ...harness, payerContacts: harness };
  let terms: Partial<Terms> = {};
  const ports: CreateRefundPorts = {
    ...harness,
    refunds,
    terms: { find: async (...of) => ({ ...(await harness.terms.find(...of)), ...terms }) },
    isAcquirerDeployed: (name) => harness.acquirers.named(name) !== undefined,
    refundQueue: { send: async (refundId) => void queuedRefunds.push(refundId) },
  };
  const create = (command: Partial<CreateRefund> = {}, over: Partial<CreateRefundPorts> = {}) =>
    createRefund(
      { ...ports, ...over },
      {
        by: { kind: 'merchant', caller: { ...aCaller(), merchantId } },
        paymentId: id,
        amount: { kind: 'full' },
        reason: undefined,
        payer: { email: undefined, phone: undefined },
        idempotencyKey: undefined,
        ...command,
      },
    );
  return {
    paymentId: id,
    refunds,
    refundPorts: ports,
    queuedRefunds,
    carryingOut,
    /** Processes the refund's message, and returns the refund afterwards. */
    async carryOut(refundId: RefundId, over: Partial<RefundPorts> = {}) {
      await checkRefund({ ...carryingOut, ...over }, refundId);
      return stored(await refunds.find(refundId));
    },
    /** What the acquirer says was refunded of the payment. */
    refundedThere: async () => {
      const view = await harness.atAcquirer(id);
      return view?.state === 'captured' ? view.refundedMinor : undefined;
    },
    agree: (changed: Partial<Terms>) => void (terms = changed),
    create,
    part: (text: string, command: Partial<CreateRefund> = {}) =>
      create({ ...command, amount: { kind: 'part', text } }),
    totals: async () => (await harness.payment(id))?.refunds,
    balance: async () => {
      const [{ available, locked } = { available: 0n, locked: 0n }] = await dynamoBalances(harness.table).of(
        merchantId,
      );
      return { available, locked };
    },
    /** The entries of refunds, each with its lines. */
    refundEntries: async () =>
      (await itemsOf(harness.table))
        .filter(({ PK }) => PK.startsWith('J#'))
        .map(toEntry)
        .filter(({ kind }) => kind.startsWith('REFUND_'))
        .map(({ kind, lines }) => [kind, ...lines.map(({ account, minor }) => `${account} ${minor}`)]),
    differences: () => differencesIn({ table: harness.table, now: harness.now }),
  };
}

function stored(refund: Refund | undefined): Refund {
  if (!refund) throw new Error('the refund is not stored');
  return refund;
}

/** The refund that was created. */
export function made(created: Result<{ readonly refund: Refund }, string, unknown>): Refund {
  if (!created.ok) throw new Error(`no refund was created: ${created.error}`);
  return created.value.refund;
}

export type RefundHarness = Awaited<ReturnType<typeof refundHarness>>;
