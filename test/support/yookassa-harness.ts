import { answerChallenge, payByCard, paySbp } from '../../infra/yookassa-emulator/acts.ts';
import { present } from '../../infra/yookassa-emulator/api/present.ts';
import type { PaymentRecord } from '../../infra/yookassa-emulator/records.ts';
import { create } from '../../functions/provider-notification.ts';
import { newPaymentId, type PaymentId } from '../../lib/ids.ts';
import type { PaymentMethod } from '../../lib/payment/acquirer.ts';
import { acquirersOf } from '../../lib/payment/acquirers.ts';
import type { ReceiptTerms } from '../../lib/payment/receipt.ts';
import { startPayment } from '../../lib/payment/start-payment.ts';
import type { PayoutNoticePorts } from '../../lib/payout/receive-payout-notice.ts';
import { isOneOfSecrets } from '../../lib/provider/notification-address.ts';
import { yookassaAcquirer } from '../../lib/provider/yookassa/acquirer.ts';
import { payoutIn } from '../../lib/provider/yookassa/notification.ts';
import { yookassaRail } from '../../lib/provider/yookassa/rail.ts';
import { dynamoUnknownPayments } from '../../lib/store/unknown-payments.ts';
import { apiEvent } from './api-event.ts';
import { billId } from './builders.ts';
import { lossyFetch } from './lossy-fetch.ts';
import { ownBrowser, paymentHarness, publicUrl } from './payment-harness.ts';
import { payoutHarness } from './payout-harness.ts';
import { onlyRail } from './rail.ts';
import { anEmulator } from './yookassa-emulator.ts';

const notificationSecret = 'Rxq2mVbe7Wl9sKd3';
const previousSecret = 'Zn4tYp8cHg1uJf6a';
const chargeLimits = { RUB: { minMinor: 100n, maxMinor: 35_000_000n } };
const transferLimits = { minMinor: 100n, maxMinor: 50_000_000n };

/** An emulator that shares the harness's clock, and what it would notify about. */
async function emulatorAt(clock: { readonly at: Date }, { receipts = false } = {}) {
  const emulator = await anEmulator({ now: () => clock.at.getTime(), receipts });
  const { world } = emulator;
  const notices: string[] = [];
  world.subscribers.add(({ event, object }) => {
    notices.push(JSON.stringify({ type: 'notification', event, object: present(world, object) }));
    return undefined;
  });
  return { emulator, world, notices };
}

/** A notification as the gateway passes it on. */
const noticeTo = (handler: ReturnType<typeof create>, body: string, secret: string, provider = 'yookassa') =>
  handler({
    ...apiEvent('POST', { headers: { 'content-type': 'application/json' }, body }),
    pathParameters: { provider, secret },
  });

export const addresses = {
  isOpen: async (provider: string, secret: string) =>
    provider === 'yookassa' && isOneOfSecrets(secret, [notificationSecret, previousSecret]),
  payoutIn,
};

export const noPayouts: PayoutNoticePorts = {
  payouts: {
    find: async () => undefined,
    move: async () => ({ ok: false, error: 'moved_meanwhile' }),
  },
  rails: { named: () => undefined },
  payoutQueue: { send: async () => undefined },
  alarm: () => undefined,
  now: () => new Date(0),
};

/** A payable bill whose payments go to the emulator: the real store, use cases and adapter. */
export async function yookassaPayments({
  receipts,
  ...given
}: NonNullable<Parameters<typeof paymentHarness>[0]> & {
  /** The receipts of the record and of the shop. Absent: none. */
  readonly receipts?: ReceiptTerms;
} = {}) {
  const harness = await paymentHarness(given);
  const { emulator, world, notices } = await emulatorAt(harness.clock, { receipts: receipts !== undefined });
  const { lossy, loseNext, loseAll } = lossyFetch();
  const acquirerWith = (send: typeof fetch) =>
    yookassaAcquirer({
      apiUrl: emulator.apiUrl,
      credentials: async () => [{ id: emulator.shopId, secretKey: emulator.secretKey }],
      limits: { card: chargeLimits, sbp: chargeLimits },
      ...(receipts && { receipts }),
      fetch: send,
    });
  const routes = { card: { RUB: 'yookassa' }, sbp: { RUB: 'yookassa' } };
  const acquirer = acquirerWith(lossy);
  Object.assign(harness.acquirers, acquirersOf([acquirer], routes));
  const handler = create({ payments: harness, payouts: noPayouts, addresses });
  const orders = (): readonly PaymentRecord[] => [...world.state.payments.values()];
  const orderOf = (id: PaymentId): PaymentRecord => {
    const order = orders().find(({ metadata }) => metadata['payment_id'] === id);
    if (!order) throw new Error(`The emulator has no order of ${id}`);
    return order;
  };

  return {
    ...harness,
    acquirer,
    emulator,
    world,
    loseNext,
    loseAll,
    orders,
    orderOf,
    /** Submits the pay page's form, with what the payer typed into the field for the receipt. */
    async starts(name: string, method: PaymentMethod, contact?: string, chargeMinor = 10_050n) {
      const id = newPaymentId(billId, name.padStart(8, '0'));
      const started = await startPayment(harness, {
        billId,
        token: harness.form(name.padStart(8, '0'), chargeMinor, billId, method),
        publicUrl,
        sourceIp: '198.51.100.7',
        browser: ownBrowser,
        language: 'ru',
        ...(contact !== undefined && { typed: { contact } }),
      });
      return { id, started };
    },
    /** The payer pays by card; with a 3-D Secure card also confirms. */
    paysByCard(id: PaymentId, number = '5555555555554444') {
      const result = payByCard(world, orderOf(id), { number, expiryMonth: '12', expiryYear: '2099' });
      return result.kind === 'challenge' ? answerChallenge(world, result.payment, true) : result;
    },
    paysBySbp: (id: PaymentId) => paySbp(world, orderOf(id)),
    notices,
    /** The provider sends everything that it has to notify about, and keeps what was not answered 200. */
    async notifies(secret = notificationSecret): Promise<readonly number[]> {
      emulator.advance(0);
      const sent = notices.splice(0);
      const answers = await Promise.all(sent.map((body) => noticeTo(handler, body, secret)));
      return answers.map(({ statusCode }) => statusCode);
    },
    /** Anybody sends anything to an address. */
    sends: async (body: string, secret = notificationSecret, provider = 'yookassa') =>
      (await noticeTo(handler, body, secret, provider)).statusCode,
    previousSecret,
    /** The ports of another function, which calls the provider through this. */
    throughFetch: (send: typeof fetch) => ({
      ...harness,
      acquirers: acquirersOf([acquirerWith(send)], routes),
    }),
    /** The orders that no payment of the table is about. */
    unknown: () => dynamoUnknownPayments(harness.table).list(),
  };
}

/** A merchant whose payouts go to the emulator. */
export async function yookassaPayouts() {
  const harness = await payoutHarness();
  const { emulator, world, notices } = await emulatorAt(harness.clock);
  const { lossy, loseNext } = lossyFetch();
  const railWith = (send: typeof fetch) =>
    yookassaRail({
      apiUrl: emulator.apiUrl,
      credentials: async () => [{ id: emulator.gatewayId, secretKey: emulator.gatewaySecretKey }],
      limits: { sbp: transferLimits },
      fetch: send,
    });
  const ports = { ...harness, rails: onlyRail(railWith(lossy)) };
  const payments = await paymentHarness();
  const handler = create({ payments, payouts: ports, addresses });
  return {
    ...ports,
    emulator,
    world,
    loseNext,
    /** The ports of another function, which calls the provider through this. */
    throughFetch: (send: typeof fetch) => ({ ...harness, rails: onlyRail(railWith(send)) }),
    /** The provider sends everything that it has to notify about. */
    async notifies(): Promise<readonly number[]> {
      emulator.advance(0);
      const sent = notices.splice(0);
      const answers = await Promise.all(sent.map((body) => noticeTo(handler, body, notificationSecret)));
      return answers.map(({ statusCode }) => statusCode);
    },
  };
}
