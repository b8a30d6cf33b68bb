import type { PaymentId } from '../../../lib/ids.ts';
import { lookAtRefunds } from '../../../lib/refund/look-at-refunds.ts';
import { dynamoRefunds } from '../../../lib/store/refunds.ts';
import type { PageSecrets } from '../../../lib/payment/page-secrets.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Opener, Resealer, Sealer } from '../../../lib/merchant/ports.ts';
import { SealBroken } from '../../../lib/merchant/seal-broken.ts';
import type { Terms } from '../../../lib/merchant/terms.ts';
import { cachedOpener } from '../../../lib/merchant/cached-opener.ts';
import type { BillCurrency } from '../../../lib/money/money.ts';
import type { Notice } from '../../../lib/postback/endpoint-health.ts';
import { dynamoAdjustments } from '../../../lib/store/adjustments.ts';
import { dynamoAutoPayouts } from '../../../lib/store/auto-payouts.ts';
import { dynamoBalances } from '../../../lib/store/balances.ts';
import { dynamoBills } from '../../../lib/store/bills.ts';
import { dynamoDecisions, dynamoProposals } from '../../../lib/store/decisions.ts';
import { dynamoContacts } from '../../../lib/store/contacts.ts';
import { dynamoEndpoints } from '../../../lib/store/endpoints.ts';
import { dynamoChargebacks, dynamoClaims } from '../../../lib/store/chargebacks.ts';
import { dynamoEvents } from '../../../lib/store/events.ts';
import { dynamoMerchants } from '../../../lib/store/merchants.ts';
import { dynamoPayments } from '../../../lib/store/payments.ts';
import { builtInBanks } from '../../../lib/payout/sbp-banks.ts';
import { dynamoSbpBanks } from '../../../lib/store/sbp-banks.ts';
import { dynamoPayoutAccounts } from '../../../lib/store/payout-accounts.ts';
import { dynamoPayouts } from '../../../lib/store/payouts.ts';
import { dynamoRates } from '../../../lib/store/rates.ts';
import { dynamoShops } from '../../../lib/store/shops.ts';
import { dynamoUnknownPayments } from '../../../lib/store/unknown-payments.ts';
import { dynamoUnregisteredReceipts } from '../../../lib/store/unregistered-receipts.ts';
import { dynamoTerms } from '../../../lib/store/terms.ts';
import { dynamoNetworkAttempts } from '../../../lib/store/network-attempts.ts';
import { faultyTable } from './faulty-table.ts';
import type { Invocation } from './invocation.ts';
import { acquirersFor, railsFor } from './deployed.ts';
import type { VirtualQueue } from './virtual-queue.ts';
import type { World } from './world.ts';

/** The ports of one handler run; each outside call goes through the scheduler. */
export function portsFor(world: World, by: Invocation) {
  const { scheduler, random } = world;
  const table = faultyTable(world, by);
  const now = () => new Date(scheduler.clock + by.skewMs);
  const opener = cachedOpener(openerFor(world, by), now);
  const postbackQueue = queueFor(world, by, 'postback queue', world.postbacks);
  const acquirers = acquirersFor(world, by);
  const ports = {
    now,
    newId: (length: number) => random.id(length),
    random: (bytes: number) => random.bytes(bytes),
    chance: () => random.next(),
    timeZone: 'UTC',
    publicUrl,
    tokenKind: 'test' as const,
    merchantUrls: 'loopback' as const,
    merchants: dynamoMerchants(table),
    shops: dynamoShops(table),
    terms: dynamoTerms(table, usualTerms),
    rates: dynamoRates(table),
    chargeLimits: { rangesIn: () => undefined, methodsIn: () => undefined },
    bills: dynamoBills(table, now),
    contacts: dynamoContacts(table, now),
    payments: dynamoPayments(table),
    refunds: dynamoRefunds(table, now),
    adjustments: dynamoAdjustments(table),
    chargebacks: dynamoChargebacks(table),
    claims: dynamoClaims(table),
    decisions: dynamoDecisions(table, now),
    proposals: dynamoProposals(table),
    balances: dynamoBalances(table),
    payouts: dynamoPayouts(table, usualTerms),
    payoutAccounts: dynamoPayoutAccounts(table),
    sbpBanks: dynamoSbpBanks(table),
    activeBanks: async () => builtInBanks,
    autoPayouts: dynamoAutoPayouts(table),
    events: dynamoEvents(table),
    endpoints: dynamoEndpoints(table),
    attempts: dynamoNetworkAttempts(table),
    cardTestingLimits: {
      failuresPerTenMinutes: 1000,
      failuresPerDay: 10_000,
      attemptsPerTenMinutes: 1000,
      openOnMultiBill: 1000,
    },
    acquirers,
    unknownPayments: dynamoUnknownPayments(table),
    unregisteredReceipts: dynamoUnregisteredReceipts(table),
    rails: railsFor(world, by),
    postbackQueue,
    queue: postbackQueue,
    retryQueue: queueFor(world, by, 'retry queue', world.retries),
    payoutQueue: queueFor(world, by, 'payout queue', world.payoutMessages),
    paymentQueue: queueFor(world, by, 'payment queue', world.paymentMessages),
    refundQueue: queueFor(world, by, 'refund queue', world.refundMessages),
    isAcquirerDeployed: (name: string | undefined) => acquirers.named(name) !== undefined,
    post: postFor(world, by),
    opener,
    destinationOpener: openerFor(world, by),
    destinationResealer: resealerFor(world, by),
    sealer,
    destinationSealer: sealer,
    contactSealer: sealer,
    contactOpener: opener,
    phoneSealer: sealer,
    phoneOpener: openerFor(world, by),
    pageSecrets: async (): Promise<PageSecrets> => ['the secret of the pages'],
    fingerprintSecret: async () => 'the secret of fingerprints',
    alarm: (what: string, about: object = {}) => {
      world.count(`alarm ${what}`);
      if ('payout' in about) world.alarms.add(`${what} ${String(about.payout)}`);
      if ('payment' in about) world.alarms.add(`${what} ${String(about.payment)}`);
      if ('refund' in about) world.alarms.add(`${what} ${String(about.refund)}`);
    },
    log: (_level: string, what: string) => world.count(what),
    notify: (notice: Notice) => {
      world.count(`alarm ${notice.kind}`);
      world.alarms.add(
        `${notice.kind} ${notice.kind === 'postback_dead' ? notice.eventId : notice.endpointId}`,
      );
    },
    wait: () =>
      scheduler.call(by, { site: `${by.useCase}: wait`, kind: 'pause', act: async () => undefined }),
  };
  return { ...ports, lookAtRefunds: (id: PaymentId) => lookAtRefunds(ports, id) };
}

export type Ports = ReturnType<typeof portsFor>;

export const publicUrl = 'https://pay.test';

const fee = (bps: number) => ({ bps, fixedMinor: 0n, minimumMinor: 0n });

export const usualTerms = (currency: BillCurrency): Terms => ({
  currency,
  paymentFee: fee(200),
  refundFee: 'kept',
  payoutFee: fee(100),
  payoutMinMinor: 100n,
  payoutMaxMinor: 300_000n,
  dayLimitMinor: 3_000_000n,
  monthLimitMinor: 9_000_000n,
  commissionPayer: 'sender',
  autoApproveUpToMinor: 0n,
  autoApproveDayTotalMinor: 0n,
  autoApproveKnownUpToMinor: 0n,
  autoApproveKnownDayTotalMinor: 0n,
  secondPersonAboveMinor: 0n,
  reserveBasisPoints: 0,
  reserveDays: 0,
});

/** Seals text so that it opens only under the context with which it was sealed, as KMS does. */
export const sealer: Sealer = {
  seal: async (secret, context) => Buffer.from(JSON.stringify([secret, context])).toString('base64url'),
};

const openerFor = ({ scheduler }: World, by: Invocation): Opener => ({
  open(sealed, context) {
    const act = async () => {
      const [secret, under]: [string, unknown] = JSON.parse(Buffer.from(sealed, 'base64url').toString());
      if (!isDeepStrictEqual(under, { ...context })) throw new SealBroken();
      return secret;
    };
    return scheduler.call(by, { site: `${by.useCase}: kms open`, kind: 'kms', act });
  },
});

const resealerFor = (world: World, by: Invocation): Resealer => ({
  reseal: async (sealed, { from, to }) => sealer.seal(await openerFor(world, by).open(sealed, from), to),
});

const queueFor = ({ scheduler }: World, by: Invocation, name: string, queue: VirtualQueue) => ({
  send: (id: string, { delaySeconds }: { readonly group: string; readonly delaySeconds?: number }) => {
    const act = async () => queue.send(id, scheduler.clock, delaySeconds);
    return scheduler.call(by, { site: `${by.useCase}: ${name} send`, kind: 'queue', act });
  },
  length: () =>
    scheduler.call(by, {
      site: `${by.useCase}: ${name} length`,
      kind: 'queue',
      act: async () => queue.length,
    }),
});

const postFor = ({ scheduler, receivers }: World, by: Invocation) => ({
  post: async ({
    url,
    headers,
    body,
    onSlow,
  }: {
    readonly url: string;
    readonly onSlow?: () => void;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }) => {
    const eventId = headers['webhook-id'] ?? '';
    const act = async () =>
      receivers.receive(url, { eventId, body, step: scheduler.step, begunIn: by.startedInStep });
    const answer = await scheduler.call(by, {
      site: `${by.useCase}: post to the merchant`,
      kind: 'post',
      act,
    });
    if (answer.kind === 'unreachable' && answer.why === 'timeout') onSlow?.();
    return answer;
  },
});
