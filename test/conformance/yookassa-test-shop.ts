import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { yookassaAcquirer } from '../../lib/provider/yookassa/acquirer.ts';
import type { YookassaCredentials } from '../../lib/provider/yookassa/client.ts';
import { yookassaRail } from '../../lib/provider/yookassa/rail.ts';
import { lossyFetch } from '../support/lossy-fetch.ts';
import type { AcquirerSubject, Promises } from './acquirer-subject.ts';
import type { RailPromises, RailSubject } from './rail-subject.ts';

/** A shop of YooKassa that is not the test's own, and its payout gateway. */
export type TestShop = {
  readonly apiUrl: string;
  readonly shop: YookassaCredentials;
  /** Undefined: payouts are not tried. */
  readonly gateway: YookassaCredentials | undefined;
  /** Pays on the page of an order; undefined: nobody does. */
  readonly pay: ((page: string) => Promise<void>) | undefined;
  readonly now: () => Date;
  /** Gives the provider time to do what it does by itself. */
  readonly wait: () => Promise<void>;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The test shop that environment variables name: `YOOKASSA_SHOP_ID` and `YOOKASSA_SECRET_KEY`, for payouts also
 * `YOOKASSA_GATEWAY_ID` and `YOOKASSA_GATEWAY_SECRET_KEY`. Undefined without them. `YOOKASSA_PAYER=person`: each page is printed, and
 * a person pays there. Throws when one of a pair is missing, or for the key of a shop that takes real money.
 */
export function testShopIn(environment: Environment): TestShop | undefined {
  const shop = credentialsIn(environment, 'YOOKASSA_SHOP_ID', 'YOOKASSA_SECRET_KEY');
  const gateway = credentialsIn(environment, 'YOOKASSA_GATEWAY_ID', 'YOOKASSA_GATEWAY_SECRET_KEY');
  if (!shop) return undefined;
  return {
    apiUrl: environment['YOOKASSA_API_URL'] ?? 'https://api.yookassa.ru/v3',
    shop,
    gateway,
    pay: environment['YOOKASSA_PAYER'] === 'person' ? askPerson : undefined,
    now: () => new Date(),
    wait: () => delay(5000),
  };
}

function credentialsIn(
  environment: Environment,
  idName: string,
  keyName: string,
): YookassaCredentials | undefined {
  const { [idName]: id, [keyName]: secretKey } = environment;
  if (!id && !secretKey) return undefined;
  if (!id || !secretKey) throw new Error(`Set both ${idName} and ${keyName}, or neither`);
  if (!secretKey.startsWith('test_'))
    throw new Error(`${keyName} is not the key of a test shop: those begin with test_`);
  return { id, secretKey };
}

async function askPerson(page: string): Promise<void> {
  console.log(`Pay here within ten minutes; a card that pays is 5555 5555 5555 4444: ${page}`);
}

const limits = { RUB: { minMinor: 100n, maxMinor: 35_000_000n } };
const acquirerOf = ({ apiUrl, shop }: TestShop, send: typeof fetch) =>
  yookassaAcquirer({
    apiUrl,
    credentials: async () => [shop],
    limits: { card: limits, sbp: limits },
    fetch: send,
  });

/** What a test shop can be brought to: its time cannot be moved, and it has no faults on demand. */
export function promisesOf(shop: TestShop): Promises {
  const acts = shop.pay ? (['pays'] as const) : [];
  return {
    isOwn: false,
    methods: acquirerOf(shop, fetch).methods,
    listLagSeconds: 0,
    acts: { card: acts, sbp: acts },
    changes: [],
    notifies: false,
    feeAfterMinutes: 0,
    refundsAt: 'creation',
  };
}

const amount = z.object({ value: z.string() });
const listed = z.object({
  items: z.array(
    z.object({
      status: z.string(),
      amount,
      income_amount: z.optional(amount),
      refunded_amount: z.optional(amount),
      metadata: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
  next_cursor: z.optional(z.string()),
});
const anOrder = z.object({ status: z.string() });
type Listed = z.infer<typeof listed>['items'][number];

const minor = (given: z.infer<typeof amount> | undefined): bigint =>
  BigInt((given?.value ?? '0.00').replace('.', ''));
const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);

/** Reads the API past the adapter. */
async function read<Schema extends z.ZodMiniType>(
  { apiUrl }: TestShop,
  { id, secretKey }: YookassaCredentials,
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const authorization = `Basic ${Buffer.from(`${id}:${secretKey}`).toString('base64')}`;
  const answer = await fetch(`${apiUrl}/${path}`, { headers: { authorization } });
  return z.parse(schema, await answer.json());
}

/** Everything in a list since then, newest first. */
async function listSince(shop: TestShop, as: YookassaCredentials, path: string, since: Date) {
  const all: Listed[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ 'created_at.gte': since.toISOString(), limit: '100' });
    if (cursor !== undefined) query.set('cursor', cursor);
    const page = await read(shop, as, `${path}?${query.toString()}`, listed);
    all.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return all;
}

const payersMinutes = 10;

/** The adapter with a test shop. */
export function acquirerAt(shop: TestShop): AcquirerSubject {
  const { lossy, loseNext } = lossyFetch();
  const since = new Date(shop.now().getTime() - 60_000);
  return {
    acquirer: acquirerOf(shop, lossy),
    now: shop.now,
    pass: shop.wait,
    async act({ reference, pageUrl = '' }) {
      const status = async () => (await read(shop, shop.shop, `payments/${reference}`, anOrder)).status;
      if (!shop.pay || (await status()) !== 'pending') return;
      await shop.pay(pageUrl);
      const until = Date.now() + payersMinutes * 60_000;
      while ((await status()) === 'pending') {
        if (Date.now() > until) throw new Error('Nobody has paid on the page');
        await shop.wait();
      }
    },
    loseNext,
    change: async () => {
      throw new Error('A test shop changes nothing on demand');
    },
    async books(paymentId) {
      const all = await listSince(shop, shop.shop, 'payments', since);
      const orders = all.filter(({ metadata }) => metadata?.['payment_id'] === paymentId);
      const captured = orders.filter(({ status }) => status === 'succeeded');
      const income = total(captured.map((order) => minor(order.income_amount)));
      const capturedMinor = total(captured.map((order) => minor(order.amount)));
      return {
        orders: orders.length,
        capturedMinor,
        refundedMinor: total(captured.map((order) => minor(order.refunded_amount))),
        feeMinor: capturedMinor - income,
      };
    },
    notifications: () => [],
    stop: async () => {},
  };
}

export const railPromises: RailPromises = {
  isOwn: false,
  tombstones: false,
  searchLagSeconds: 0,
  fates: ['paid'],
  changes: false,
};

/** The adapter with the payout gateway of a test shop. Payouts go to the phone of the provider's own examples. */
export function railAt(shop: TestShop, gateway: YookassaCredentials): RailSubject {
  const { lossy, loseNext } = lossyFetch();
  const since = new Date(shop.now().getTime() - 60_000);
  const perTransfer = { minMinor: 100n, maxMinor: 50_000_000n };
  return {
    rail: yookassaRail({
      apiUrl: shop.apiUrl,
      credentials: async () => [gateway],
      limits: { sbp: perTransfer },
      fetch: lossy,
    }),
    now: shop.now,
    pass: shop.wait,
    meets: (transfer) => ({
      ...transfer,
      destination: { type: 'sbp', phone: '79000000000', bankId: 100_000_000_111 },
    }),
    loseNext,
    change: async () => {
      throw new Error('A test gateway changes nothing on demand');
    },
    async paidOut(payoutId) {
      const all = await listSince(shop, gateway, 'payouts', since);
      return all
        .filter(({ status, metadata }) => status === 'succeeded' && metadata?.['payout_id'] === payoutId)
        .map((payout) => minor(payout.amount));
    },
    stop: async () => {},
  };
}
