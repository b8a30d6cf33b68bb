import { create as providerNotification } from '../../../functions/provider-notification.ts';
import { readKeys, refuseAnotherAccount } from '../../../lib/cli/provider-keys.ts';
import { toGroupId, toMerchantId, toPaymentId, toPayoutId } from '../../../lib/ids.ts';
import type { KnownOrder } from '../../../lib/payment/acquirer.ts';
import type { NewTransfer } from '../../../lib/payout/payout-rail.ts';
import { isOneOfSecrets } from '../../../lib/provider/notification-address.ts';
import { yookassaAcquirer } from '../../../lib/provider/yookassa/acquirer.ts';
import { yookassaRail } from '../../../lib/provider/yookassa/rail.ts';
import {
  answering,
  apiUrl,
  aPaymentObject,
  aPayoutObject,
  errorOf,
  listOf,
  reference,
  shop,
  succeeded,
  type Canned,
} from '../../support/yookassa-answers.ts';
import { apiEvent } from '../../support/api-event.ts';
import type { World } from '../harness/world.ts';

const at = new Date('2026-11-21T12:34:56.789Z');
const limits = { RUB: { minMinor: 100n, maxMinor: 35_000_000n } };
const order: KnownOrder = {
  paymentId: toPaymentId('BillBillBillBill00Payment1'),
  method: 'card',
  holds: true,
  amountMinor: 10_050n,
  currency: 'RUB',
  reference,
  firstCallAt: at,
  lastCallAt: at,
};
const transfer: NewTransfer = {
  payoutId: toPayoutId('GroupGroupGroupGroup01'),
  key: 'GroupGroupGroupGroup01.2',
  attempt: 2,
  reference: undefined,
  firstCallAt: at,
  lastCallAt: at,
  amountMinor: 150_000n,
  currency: 'RUB',
  destination: { type: 'sbp', phone: '79161234567', bankId: 100_000_000_004 },
  about: {
    merchantId: toMerchantId('MerchantMerchant'),
    groupId: toGroupId('GroupGroupGroupGroup'),
    orderId: undefined,
  },
};

const yookassa = (...answers: readonly Canned[]) => {
  const { send, asked } = answering(...answers);
  const access = { apiUrl, credentials: async () => [shop, otherShop] as const, fetch: send };
  return {
    acquirer: yookassaAcquirer({ ...access, limits: { card: limits } }),
    rail: yookassaRail({ ...access, limits: {} }),
    asked,
  };
};
const otherShop = { id: '100501', secretKey: 'test_other' };

/** What an adapter returned; undefined when it threw, which leaves the outcome unknown. */
const known = async <T>(call: Promise<T>): Promise<T | undefined> => call.catch(() => undefined);

/** The payout may have been sent: an answer that is not the API's refusal must not say that it was not. */
export const unclear = {
  internalError: [500, errorOf('internal_server_error')],
  undocumented: [408, errorOf('request_timeout')],
  gateway: [403, { message: 'Forbidden' }],
  usedKey: [400, errorOf('invalid_request', { parameter: 'Idempotence-Key' })],
} as const satisfies Readonly<Record<string, Canned>>;

export const refusedBy =
  (answer: Canned) =>
  async (world: World): Promise<void> => {
    const view = await known(yookassa(answer).rail.send(transfer));
    if (view) world.violate('provider', `a payout of which nothing is known is ${view.state}`);
  };

export async function absentOnAPage(world: World): Promise<void> {
  const { acquirer } = yookassa([200, listOf([], 'next')], [400, errorOf('invalid_request')]);
  if (await known(acquirer.find(order)))
    world.violate('provider', 'a payment is absent from a list of which a page could not be read');
}

export async function paidByAnotherAttempt(world: World): Promise<void> {
  const of = (attempt: number, traits: object) =>
    aPayoutObject({ metadata: { payout_id: transfer.payoutId, attempt: `${attempt}` }, ...traits });
  const empty = { status: 'canceled', cancellation_details: { reason: 'insufficient_funds' } };
  const { rail } = yookassa([200, listOf([of(2, empty), of(1, { status: 'succeeded' })])]);
  const view = await known(rail.get(transfer));
  if (view && view.state !== 'paid')
    world.violate('provider', `a payout of which an attempt was paid is ${view.state}`);
}

export async function orderOfAnother(world: World): Promise<void> {
  const { acquirer } = yookassa([200, aPaymentObject({ metadata: { payment_id: 'another' } })]);
  if (await known(acquirer.get(order)))
    world.violate('provider', 'the order of another payment is believed to be of this one');
}

export async function callsAnotherShop(world: World): Promise<void> {
  const { acquirer, asked } = yookassa([401, errorOf('invalid_credentials')], [200, aPaymentObject()]);
  await known(acquirer.get(order));
  if (asked.length > 1) world.violate('provider', 'a payment was asked for at another shop');
}

export async function capturesAfterRefusal(world: World): Promise<void> {
  const { acquirer } = yookassa([400, errorOf('invalid_request')], [200, aPaymentObject()]);
  const acted = await known(
    acquirer.capture(order, { key: 'key', amountMinor: 10_050n, receipt: undefined }),
  );
  if (acted?.refused === false) world.violate('provider', 'a refused capture counts as carried out');
}

export async function outcomeWithPersonalData(world: World): Promise<void> {
  const given = ['ivan@mail.example', '79161234567'];
  const description = `No receipt can be sent to ${given.join(' or ')}`;
  const { acquirer } = yookassa([400, errorOf('invalid_request', { description })]);
  const { paymentId, reference: _opened, ...rest } = order;
  const started = await known(
    acquirer.start({
      ...rest,
      paymentId,
      reference: undefined,
      key: `${paymentId}.1`,
      description: 'Two cups',
      returnUrl: 'https://shop.test/result',
      language: 'ru',
      notifyUrl: 'https://shop.test/notice',
      about: { merchantId: 'm', shopId: 's', billId: 'b', orderId: undefined },
      receipt: undefined,
    }),
  );
  if (started?.kind === 'refused' && given.some((text) => started.outcome.includes(text)))
    world.violate('provider', 'the outcome of a refusal repeats personal data');
}

export async function feeOfContradiction(world: World): Promise<void> {
  const incomes = [
    { value: '100.51', currency: 'RUB' },
    { value: '1.00', currency: 'USD' },
  ];
  for (const income_amount of incomes) {
    const { acquirer } = yookassa([200, succeeded({ income_amount })]);
    const view = await known(acquirer.get(order));
    if (view?.state === 'captured' && view.feeMinor !== undefined)
      world.violate('provider', 'an income that contradicts the amount makes a fee');
  }
}

export async function openAddress(world: World): Promise<void> {
  if (isOneOfSecrets('another', ['Rxq2mVbe7Wl9sKd3']) || isOneOfSecrets('', ['']))
    world.violate('provider', 'a notification address is open to anyone');
}

/** Somebody who does not know the secret sends a notification. */
export async function notifiedWithoutSecret(world: World): Promise<void> {
  const body = JSON.stringify({
    type: 'notification',
    event: 'payment.succeeded',
    object: { id: reference },
  });
  const event = {
    ...apiEvent('POST', { body }),
    pathParameters: { provider: 'yookassa', secret: 'guessed' },
  };
  const addresses = { isOpen: async () => false, payoutIn: () => undefined };
  const named = () => {
    world.violate('provider', 'a notification without the secret of its address is read');
    return undefined;
  };
  await world.pump(
    world.invoke('notification', (ports) => {
      const payments = { ...ports, acquirers: { ...ports.acquirers, named } };
      return providerNotification({ payments, payouts: ports, addresses })(event);
    }),
  );
}

export async function storesAnotherAccount(world: World): Promise<void> {
  const replacement = { field: 'shopId', environment: 'prod', words: undefined };
  const check = async () => refuseAnotherAccount('100500', '100501', replacement);
  const isStored = await check().then(
    () => true,
    () => false,
  );
  if (isStored) world.violate('provider', 'the keys of another shop would be stored');
}

export async function storesTestKey(world: World): Promise<void> {
  const shell = {
    isInteractive: false,
    askHidden: async () => '',
    readInput: async () => JSON.stringify({ shopId: '100500', secretKey: 'test_Rxq2mVbe7Wl9sKd3Fh8t' }),
  };
  const fields = { id: 'shopId', secretKey: 'secretKey' };
  if (await known(readKeys(shell, fields, { live: true })))
    world.violate('provider', 'a test key would be stored for real money');
}
