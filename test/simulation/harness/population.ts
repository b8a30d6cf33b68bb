import type { AccountId, BillId, MerchantId, PaymentId, PayoutId, ShopId } from '../../../lib/ids.ts';
import { adjustmentEntry } from '../../../lib/ledger/adjustment.ts';
import { billCurrencies, type BillCurrency } from '../../../lib/money/money.ts';
import { createMerchant } from '../../../lib/merchant/create-merchant.ts';
import { createShop } from '../../../lib/merchant/create-shop.ts';
import { setMerchant } from '../../../lib/merchant/set-merchant.ts';
import { setRate } from '../../../lib/merchant/set-rate.ts';
import type { RefundFee } from '../../../lib/merchant/terms.ts';
import { setTerms, type TermsChanges } from '../../../lib/merchant/set-terms.ts';
import { tokenHash } from '../../../lib/merchant/token.ts';
import { addPayoutAccount } from '../../../lib/payout/payout-accounts.ts';
import { setAutoPayout } from '../../../lib/payout/set-auto-payout.ts';
import { payoutValues } from '../../../lib/sandbox/test-values.ts';
import { dynamoAdjustments } from '../../../lib/store/adjustments.ts';
import { anApprovedAdjustment } from '../../support/adjustments.ts';
import type { Ports } from './ports.ts';
import type { World } from './world.ts';

export type KnownMerchant = {
  readonly id: MerchantId;
  readonly shops: readonly ShopId[];
  readonly accounts: readonly AccountId[];
  token: string;
};

export type KnownBill = { readonly id: BillId; readonly merchant: KnownMerchant };

/** The request data and the first answer of an `order_id` or `Idempotency-Key`. */
export type Answered = { readonly data: string; readonly ids: string };
type Remembered = Answered & { readonly until: number };

/** Three merchants with different terms, their shops, accounts and bills. */
export class Population {
  readonly #world: World;
  readonly merchants: KnownMerchant[] = [];
  readonly bills: KnownBill[] = [];
  readonly payments: PaymentId[] = [];
  /** The browsers of payers who accept cookies, and the browser in which each payment was started. */
  readonly browsers: string[] = [];
  readonly begunBy = new Map<string, string>();
  readonly payouts: PayoutId[] = [];
  /** Shops whose servers never recover. */
  readonly deadEndpoints: string[] = [];
  /** By merchant, endpoint and key. */
  readonly answered = new Map<string, Remembered>();
  /** Payouts that the provider returned. */
  readonly returned = new Set<string>();
  readonly lastSweep = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  async settle(): Promise<void> {
    const ports = this.#world;
    for (const { terms, refundFee, webhook, shops, flags, isDead } of specsFor(this.#world.seed)) {
      await ports.pump(
        ports.invoke('found a merchant', async (p) => {
          const { merchant, apiToken } = await createMerchant(p, { name: 'Tea house' });
          const settings = webhook ? { payoutWebhookUrl: `http://127.0.0.1/payouts/${merchant.id}` } : {};
          await setMerchant(p, { merchantId: merchant.id, flags: { ...allowed, ...flags }, settings });
          await setTerms(p, { merchantId: merchant.id, currency: 'RUB', changes: terms });
          for (const currency of billCurrencies)
            await setTerms(p, { merchantId: merchant.id, currency, changes: { refundFee } });
          const made: ShopId[] = [];
          for (const url of shops) made.push(await shopOf(p, merchant.id, url));
          if (isDead) this.deadEndpoints.push(...made);
          const accounts = await accountsOf(p, merchant.id);
          await setAutoPayout(p, {
            merchantId: merchant.id,
            accountId: accounts[0],
            thresholdMinor: 50_000n,
            weekday: 'Sat',
            hour: 11,
          });
          this.merchants.push({ id: merchant.id, shops: made, accounts, token: apiToken });
        }),
      );
    }
    await ports.pump(ports.invoke('set rates', (p) => setRate(p, { from: 'KZT', to: 'RUB', price: '0.17' })));
  }

  /** Posts an opening balance as an approved adjustment. */
  async fund(merchantId: MerchantId, minor: bigint): Promise<void> {
    const { table, now } = this.#world;
    const adjustments = dynamoAdjustments(table);
    const after = anApprovedAdjustment({
      id: `${merchantId}-${now.getTime()}`,
      merchantId,
      amount: { minor, currency: 'RUB' },
      at: now,
    });
    await adjustments.create({ ...after, status: 'PROPOSED', decision: undefined });
    const posted = await adjustments.approve(after, adjustmentEntry(after));
    if (!posted.ok) throw new Error(`the opening balance was refused: ${posted.error}`);
  }

  /** Returns a bill, mostly one of the latest. */
  someBill(): KnownBill | undefined {
    const { random } = this.#world;
    const recent = this.bills.slice(-5);
    if (recent.length === 0) return undefined;
    return random.happens(0.85) ? random.pick(recent) : random.pick(this.bills);
  }

  someMerchant(): KnownMerchant {
    return this.#world.random.pick(this.merchants);
  }

  /** Whether the token that this merchant uses has been replaced. */
  hasDeadToken({ token }: KnownMerchant): boolean {
    return this.#world.watch.tokenDiedIn.has(tokenHash(token));
  }

  /** Records an answer; a repeated key must give the same answer, and only for the same data. */
  remember(name: string, { data, ids }: Answered, forMs = Number.POSITIVE_INFINITY): void {
    const first = this.answered.get(name);
    const now = this.#world.scheduler.clock;
    if (!first || first.until < now) this.answered.set(name, { data, ids, until: now + forMs });
    else if (first.ids !== ids || first.data !== data)
      this.#world.violate(
        'idempotency',
        `${name} answered ${first.ids} for ${first.data}, then ${ids} for ${data}`,
      );
  }
}

const allowed = { verified: true, regularPayouts: true };

const merchantSpecs: readonly {
  readonly terms: TermsChanges;
  /** In every currency: the terms of a bill's currency decide, whatever it is settled in. */
  readonly refundFee: RefundFee;
  readonly webhook: boolean;
  readonly shops: readonly ShopUrl[];
  readonly flags?: object;
  readonly isDead?: boolean;
}[] = [
  {
    terms: { autoApproveUpToMinor: 20_000n, autoApproveDayTotalMinor: 60_000n },
    refundFee: 'kept',
    webhook: true,
    shops: ['well', 'none'],
  },
  {
    terms: {
      commissionPayer: 'recipient',
      autoApproveKnownUpToMinor: 150_000n,
      autoApproveKnownDayTotalMinor: 400_000n,
      secondPersonAboveMinor: 200_000n,
      payoutFee: { fixedMinor: 150n },
    },
    refundFee: 'returned',
    webhook: true,
    shops: ['well'],
  },
  {
    terms: {
      autoApproveUpToMinor: 100_000_000n,
      autoApproveDayTotalMinor: 100_000_000n,
      dayLimitMinor: 900_000n,
      monthLimitMinor: 1_500_000n,
    },
    refundFee: 'returned',
    webhook: false,
    shops: ['well'],
  },
];

/** In every third seed the third merchant's server is dead for the whole run. */
const specsFor = (seed: number): typeof merchantSpecs =>
  merchantSpecs.map((spec, at) => ({
    ...spec,
    ...(at === 2 && seed % 3 === 0 && { shops: ['dead'], isDead: true }),
    ...(hasReserves(seed) && { terms: { ...spec.terms, ...reserves[at] } }),
  }));

/** Not in step with the manners, which the seeds draw in turn, nor with the dead receivers. */
export const hasReserves = (seed: number): boolean => seed % 3 === 2;

/** By merchant. */
const reserves: readonly TermsChanges[] = [
  { reserveBasisPoints: 1_000, reserveDays: 1 },
  { reserveBasisPoints: 3_333, reserveDays: 2 },
  {},
];

type ShopUrl = 'well' | 'none' | 'dead';
/** The server at this URL never accepts a postback. */
export const deadUrl = 'http://127.0.0.1/dead';
const shopUrls = { well: 'http://127.0.0.1/result', none: undefined, dead: deadUrl } as const;

async function shopOf(p: Ports, merchantId: MerchantId, url: ShopUrl): Promise<ShopId> {
  const resultUrl = url === 'none' ? {} : { resultUrl: shopUrls[url] };
  const made = await createShop(p, { merchantId, ...resultUrl, billLifetimeMinutes: 3 * 24 * 60 });
  if (!made.ok) throw new Error('The population has no shop');
  return made.value.shop.id;
}

async function accountsOf(p: Ports, merchantId: MerchantId): Promise<readonly AccountId[]> {
  const ids: AccountId[] = [];
  for (const { use, value } of payoutValues.filter((each) => each.use !== 'payout amount')) {
    const type = use === 'payout card' ? ('credit_card' as const) : ('sbp' as const);
    const made = await addPayoutAccount(p, { merchantId, type, number: value, currency: 'RUB' });
    if (made.ok) ids.push(made.value.id);
  }
  return ids;
}

export const billCurrencyWeights: Readonly<Record<BillCurrency, number>> = {
  RUB: 78,
  KZT: 14,
  USD: 4,
  EUR: 4,
};
