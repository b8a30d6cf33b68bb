import { payByCard, paySbp, somePayer } from '../../infra/yookassa-emulator/acts.ts';
import { present } from '../../infra/yookassa-emulator/api/present.ts';
import { hour } from '../../infra/yookassa-emulator/clock.ts';
import type { Manner } from '../../infra/yookassa-emulator/manners.ts';
import { changeCapturedAmount, succeedLate } from '../../infra/yookassa-emulator/payments.ts';
import { createRefund } from '../../infra/yookassa-emulator/refunds.ts';
import { setRegistration } from '../../infra/yookassa-emulator/registration.ts';
import { changeSettings } from '../../infra/yookassa-emulator/world.ts';
import { yookassaAcquirer } from '../../lib/provider/yookassa/acquirer.ts';
import { lossyFetch } from '../support/lossy-fetch.ts';
import { anEmulator } from '../support/yookassa-emulator.ts';
import { describeAcquirer } from './acquirer.ts';
import { describeReceipts, type ReceiptSubject } from './receipts.ts';
import type { Notification, PayersAct, Promises } from './acquirer-subject.ts';

const limits = { RUB: { minMinor: 100n, maxMinor: 35_000_000n } };
const registrations = { pending: 'pending', registered: 'succeeded', failed: 'canceled' } as const;
const declinedCard = '5555555555554600';
const goodCard = '5555555555554444';

/** What becomes of the first refund, or of the payment. */
const manners: Partial<Readonly<Record<PayersAct, Manner>>> = {
  pays_refund_pending: { kind: 'ends', afterMs: hour, reason: undefined },
  pays_refund_rejected: { kind: 'ends', afterMs: 0, reason: 'rejected_by_payee' },
  pays_account_empty: { kind: 'ends', afterMs: 0, reason: 'insufficient_funds' },
};

/** The adapter with an emulator of its own. */
async function subjectWith(
  { listLagSeconds, feeAfterMinutes }: Promises,
  { receipts }: { readonly receipts?: 'own' | 'of a register' } = {},
): Promise<ReceiptSubject> {
  const emulator = await anEmulator({ receipts: receipts !== undefined });
  const { world, shopId, secretKey } = emulator;
  if (listLagSeconds > 0) {
    const match = { method: 'POST', path: '^/v3/payments$', nth: undefined } as const;
    const listedLate = { kind: 'listed_late', afterMs: listLagSeconds * 1000 } as const;
    world.faults.add({ match, times: undefined, do: listedLate });
  }
  if (feeAfterMinutes > 0) {
    const match = { method: 'POST', path: '^/v3/payments$', nth: undefined } as const;
    const toldLate = { kind: 'fee_told_late', afterMs: feeAfterMinutes * 60_000 } as const;
    world.faults.add({ match, times: undefined, do: toldLate });
  }
  if (receipts) {
    changeSettings(world, { ownReceipts: receipts === 'own' });
    const match = { method: 'POST', path: '^/v3/(?:payments|refunds)$', nth: undefined } as const;
    const stays = { kind: 'receipt_ends', afterMs: undefined, registration: 'succeeded' } as const;
    world.faults.add({ match, times: undefined, do: stays });
  }
  const notified: Notification[] = [];
  world.subscribers.add(({ event, object }) => {
    const body = JSON.stringify({ type: 'notification', event, object: present(world, object) });
    notified.push({ headers: { 'content-type': 'application/json' }, body });
    return undefined;
  });
  const { lossy, loseNext } = lossyFetch();
  const stored = (reference: string) => {
    const payment = world.state.payments.get(reference);
    if (!payment) throw new Error(`The emulator has no payment ${reference}.`);
    return payment;
  };
  const ordersOf = (paymentId: string) =>
    [...world.state.payments.values()].filter(({ metadata }) => metadata['payment_id'] === paymentId);

  return {
    acquirer: yookassaAcquirer({
      apiUrl: emulator.apiUrl,
      credentials: async () => [{ id: shopId, secretKey }],
      limits: { card: limits, sbp: limits },
      fetch: lossy,
    }),
    now: () => new Date(world.clock.now()),
    pass: (minutes) => emulator.advance(minutes * 60_000),
    async act({ reference, method }, act) {
      const payment = stored(reference);
      const manner = manners[act];
      if (manner) {
        world.faults.add({
          match: { method: 'POST', path: '^/v3/refunds$', nth: undefined },
          times: 1,
          do: manner,
        });
      }
      const asked =
        act === 'pays_part' ? { ...payment, manner: { kind: 'authorizes_less' } as const } : payment;
      const number = act === 'is_declined' ? declinedCard : goodCard;
      if (method === 'sbp') paySbp(world, asked);
      else payByCard(world, asked, { number, expiryMonth: '12', expiryYear: '2099' });
    },
    loseNext,
    async change(reference, change, amountMinor) {
      const at = world.clock.now();
      const payment = stored(reference);
      const minor = Number(amountMinor);
      if (change === 'captured_late') succeedLate(world, payment, somePayer(payment), at);
      else if (change === 'capture_changed') changeCapturedAmount(world, payment, minor, at);
      else {
        const unasked = { description: undefined, metadata: {}, withReceipt: false, manner: undefined };
        createRefund(world, payment, { ...unasked, amountMinor: minor }, at);
      }
    },
    async books(paymentId) {
      const orders = ordersOf(paymentId);
      const captured = orders.filter(({ status }) => status === 'succeeded');
      const total = (amounts: readonly number[]) => BigInt(amounts.reduce((sum, each) => sum + each, 0));
      return {
        orders: orders.length,
        capturedMinor: total(captured.map(({ amountMinor }) => amountMinor)),
        refundedMinor: total(orders.map(({ refundedMinor }) => refundedMinor)),
        feeMinor: -total(
          world.state.postings
            .filter(({ what, object }) => what === 'fee' && orders.some(({ id }) => id === object))
            .map(({ minor }) => minor),
        ),
      };
    },
    notifications: () => notified,
    answerReceipt(of, state) {
      const refunds = [...world.state.refunds.values()];
      const refund = refunds.find(({ metadata }) => metadata['refund_id'] === of);
      setRegistration(world, refund ?? stored(of), registrations[state]);
    },
    stop: emulator.stop,
  };
}

const refunds = ['pays_refund_pending', 'pays_refund_rejected', 'pays_account_empty'] as const;
const methods = yookassaAcquirer({
  apiUrl: 'https://api.yookassa.test/v3',
  credentials: async () => [{ id: '', secretKey: '' }],
  limits: { card: limits, sbp: limits },
}).methods;
const promises: Promises = {
  isOwn: true,
  methods,
  listLagSeconds: 0,
  acts: { card: ['pays', 'pays_part', 'is_declined', ...refunds], sbp: ['pays', ...refunds] },
  changes: ['taken_back', 'capture_changed', 'captured_late'],
  notifies: true,
  feeAfterMinutes: 0,
  refundsAt: 'creation',
};

for (const [name, manner] of [
  ['YooKassa', {}],
  ['YooKassa with a list of payments that lags', { listLagSeconds: 600 }],
  ['YooKassa that tells its fee after an hour', { feeAfterMinutes: 60 }],
] as const) {
  const promised = { ...promises, ...manner };
  describeAcquirer(name, promised, () => subjectWith(promised));
}

for (const [name, receipts] of [
  ['YooKassa with a sales register', 'of a register'],
  ['YooKassa with receipts of its own', 'own'],
] as const) {
  describeReceipts(name, promises, () => subjectWith(promises, { receipts }));
}
