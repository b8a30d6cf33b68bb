import { newPaymentId, type PaymentId, toPaymentId } from '../../lib/ids.ts';
import type { PageSecrets } from '../../lib/payment/page-secrets.ts';
import { createHmac } from 'node:crypto';
import type { Log } from '../../lib/log.ts';
import type { Merchant } from '../../lib/merchant/merchant.ts';
import type { Shop } from '../../lib/merchant/shop.ts';
import { checkPayment } from '../../lib/payment/check-payment.ts';
import { hashBrowser } from '../../lib/payment/browser.ts';
import type { PaymentMethod } from '../../lib/payment/acquirer.ts';
import { formToken } from '../../lib/payment/form-token.ts';
import { openBill } from '../../lib/payment/open-bill.ts';
import type { Acquirer, Acquirers } from '../../lib/payment/acquirer.ts';
import { type NotificationPorts, receiveNotification } from '../../lib/payment/receive-notification.ts';
import { resolvePayment } from '../../lib/payment/resolve-payment.ts';
import { returnKey } from '../../lib/payment/return-key.ts';
import { returnOfPayer } from '../../lib/payment/return-of-payer.ts';
import { knownOrderOf, orderOf } from '../../lib/payment/start-order.ts';
import { startPayment, type StartPaymentPorts } from '../../lib/payment/start-payment.ts';
import { type SweepPaymentsPorts, sweepPayments } from '../../lib/payment/sweep-payments.ts';
import { sandboxAcquirer } from '../../lib/provider/sandbox-acquirer.ts';
import { kindManners, type SandboxManners } from '../../lib/sandbox/manners.ts';
import { dynamoBalances } from '../../lib/store/balances.ts';
import { dynamoBills } from '../../lib/store/bills.ts';
import { dynamoChargebacks } from '../../lib/store/chargebacks.ts';
import { toEntry } from '../../lib/store/entry-item.ts';
import { toEvent } from '../../lib/store/event-item.ts';
import { dynamoContacts } from '../../lib/store/contacts.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { toPayment } from '../../lib/store/payment-item.ts';
import { dynamoPayments } from '../../lib/store/payments.ts';
import { lookAtRefunds } from '../../lib/refund/look-at-refunds.ts';
import { dynamoRefunds } from '../../lib/store/refunds.ts';
import { dynamoRates } from '../../lib/store/rates.ts';
import { dynamoShops } from '../../lib/store/shops.ts';
import type { Table } from '../../lib/store/table.ts';
import { dynamoUnknownPayments } from '../../lib/store/unknown-payments.ts';
import { dynamoTerms } from '../../lib/store/terms.ts';
import { dynamoNetworkAttempts } from '../../lib/store/network-attempts.ts';
import type { Terms } from '../../lib/merchant/terms.ts';
import { onlyAcquirer } from './acquirer.ts';
import { aBill, aMerchant, aShop, type BillTraits, billId, merchantId, today } from './builders.ts';
import { contactOpener, contactSealer } from './contacts.ts';
import { freshTable } from './dynamo.ts';
import { itemsOf } from './items-of.ts';
import { payoutTerms } from './payouts.ts';
import { aCard, aSandbox, payer, sandboxSecret, sandboxUrl } from './sandbox.ts';

type Given = {
  readonly steps?: 'one' | 'two';
  /** What the sandbox promises and keeps; the kindest unless given. Given: its clock is the harness's, so its orders end. */
  readonly manners?: Partial<SandboxManners>;
  readonly bill?: BillTraits;
  readonly shop?: Partial<Shop>;
  readonly merchant?: Partial<Merchant>;
  readonly terms?: Partial<Terms>;
  /** Whether the sandbox's notifications arrive; otherwise only the payer's return or a sweep resolves a payment. */
  readonly notices?: boolean;
  readonly limits?: Partial<StartPaymentPorts['cardTestingLimits']>;
  /** Wraps the table, for example to inject faults. */
  readonly between?: (table: Table) => Table;
  /** How long a transaction holds its items. */
  readonly lockMs?: number;
};

export const publicUrl = 'https://pay.example.test';
const aPayersAddress = '198.51.100.7';
const secret = 'the secret of the forms';
/** The browser number in the payer's cookie. */
export const ownBrowser = 'ThePayersOwnBrowser001';

/** A payable bill with the real store, the real sandbox and a manual clock. */
export async function paymentHarness({
  steps = 'two',
  manners,
  bill,
  shop,
  merchant,
  terms,
  notices = false,
  limits = {},
  between = (table) => table,
  lockMs,
}: Given = {}) {
  const ownTable = await freshTable({ lockMs });
  const table = between(ownTable);
  const clock = { at: today };
  const now = () => clock.at;
  const alarms: string[] = [];
  /** All lines, and those without the opened payments. */
  const lines: Parameters<Log>[] = [];
  const logged: Parameters<Log>[] = [];
  const queued: string[] = [];
  const toCheck: string[] = [];
  let ids = 0;

  const all: SandboxManners = { ...kindManners, steps, ...manners };
  const sandbox = await aSandbox({
    manners: all,
    ...(manners && { now }),
    fetch: async (_url, init) => {
      const sent = new Request(publicUrl, init);
      const headers = Object.fromEntries(sent.headers);
      const body = await sent.text();
      if (notices) await receiveNotification(ports, { provider: 'sandbox', headers, body });
      return new Response();
    },
  });
  const line = aLine(
    sandboxAcquirer({
      url: sandboxUrl,
      secret: sandboxSecret,
      manners: all,
      fetch: sandbox.send,
    }),
  );
  const alarm = (name: string, { payment }: { readonly payment: string }) =>
    void alarms.push(`${name} ${payment.slice(-2)}`);
  const refunds = dynamoRefunds(table, now);
  const ports: StartPaymentPorts & NotificationPorts & SweepPaymentsPorts = {
    lookAtRefunds: (id) => lookAtRefunds({ ...ports, refunds, alarm }, id),
    payments: dynamoPayments(table),
    bills: dynamoBills(table, now),
    merchants: dynamoMerchants(table),
    shops: dynamoShops(table),
    terms: dynamoTerms(table, () => payoutTerms({ paymentFee: twoPercent, ...terms })),
    rates: dynamoRates(table),
    attempts: dynamoNetworkAttempts(table),
    chargebacks: dynamoChargebacks(table),
    contacts: dynamoContacts(table, now),
    contactSealer,
    contactOpener,
    acquirers: onlyAcquirer(line.acquirer),
    unknownPayments: dynamoUnknownPayments(table),
    postbackQueue: { send: async (id) => void queued.push(id), length: async () => 0 },
    paymentQueue: { send: async (id) => void toCheck.push(id), length: async () => toCheck.length },
    log: (...said) => {
      lines.push(said);
      if (said[1] !== 'payment_opened') logged.push(said);
    },
    alarm,
    pageSecrets: async (): Promise<PageSecrets> => [secret],
    cardTestingLimits: { ...generous, ...limits },
    newId: (length) => String((ids += 1)).padStart(length, '0'),
    now,
  };
  await dynamoMerchants(ownTable).create(aMerchant(merchant));
  await dynamoShops(ownTable).create(aShop({ resultUrl: 'https://shop.example/result', ...shop }));
  await dynamoBills(ownTable, now).create(aBill(bill), [], []);

  type Visitor = Partial<Pick<Parameters<typeof startPayment>[1], 'sourceIp' | 'browser'>>;
  const start = async (token: string, visitor: Visitor = {}) =>
    startPayment(ports, {
      billId,
      token,
      publicUrl,
      sourceIp: aPayersAddress,
      browser: ownBrowser,
      language: 'en',
      ...visitor,
    });
  const browserHash = hashBrowser(ownBrowser);
  return {
    ...ports,
    alarm,
    refunds,
    bills: dynamoBills(table, now),
    rates: dynamoRates(table),
    attempts: dynamoNetworkAttempts(table),
    unknownPayments: dynamoUnknownPayments(table),
    table: ownTable,
    sandbox,
    /** The sandbox over a line that can be cut. A test may replace its methods, or its name to have it not deployed. */
    acquirer: line.acquirer,
    line,
    clock,
    alarms,
    lines,
    logged,
    queued,
    pass: (minutes: number) => void (clock.at = new Date(clock.at.getTime() + minutes * 60_000)),
    open: (browser = ownBrowser) => openBill(ports, { billId, browser, publicUrl }),
    /** Returns by the URL that was given to the acquirer. */
    comesBack: (id: PaymentId) =>
      returnOfPayer({ ...ports, opener }, { paymentId: id, key: returnKey(secret, id) }),
    /** The form token of the payment page if it were shown now. */
    form: (nonce: string, chargeMinor = 10_050n, ofBill = billId, method: PaymentMethod = 'card') =>
      formToken(secret, ofBill, { nonce, method, chargeMinor, browserHash }, now()),
    start,
    /** Opens the card page as a payer does; the payment id ends with `name`. */
    async begun(name: string, chargeMinor?: bigint, method: PaymentMethod = 'card') {
      const nonce = name.padStart(8, '0');
      const id = newPaymentId(billId, nonce);
      const started = await start(
        formToken(secret, billId, { nonce, method, chargeMinor: chargeMinor ?? 10_050n, browserHash }, now()),
      );
      if (started.kind !== 'started') throw new Error(`not started: ${started.kind}`);
      const pay = (number = aCard.number) => payer(sandbox.send)(started.pageUrl, { ...aCard, number });
      return { id, pageUrl: started.pageUrl, pay };
    },
    /** The acquirer's own view of a payment's order. */
    atAcquirer: async (id: PaymentId) => {
      const { reference } = (await dynamoPayments(ownTable).find(id)) ?? {};
      return reference === undefined ? undefined : (await line.acquirer.look(reference))?.view;
    },
    /** The order as the acquirer's calls name it. */
    orderAsSent: async (id: PaymentId) => {
      const payment = await dynamoPayments(ownTable).find(id);
      if (!payment) throw new Error('no such payment');
      return orderOf(payment);
    },
    /** A person refunds the payment in the acquirer's back office. */
    refundedElsewhere: async (id: PaymentId) => {
      const payment = await dynamoPayments(ownTable).find(id);
      if (!payment) throw new Error('no such payment');
      const call = {
        key: 'back-office',
        refundId: 'back-office',
        amountMinor: payment.receivedMinor ?? 0n,
        receipt: undefined,
      };
      await line.acquirer.refund(knownOrderOf(payment), call);
    },
    resolve: (id: PaymentId) => resolvePayment(ports, id),
    notice: (id: PaymentId) => resolvePayment(ports, id, { evenIfFinal: true }),
    toCheck,
    /** Processes a message of the sweep. */
    check: (id: PaymentId) => checkPayment({ ...ports, payerContacts: ports }, id),
    /** The same after the page secrets were replaced. */
    checkUnder: (secrets: PageSecrets, id: PaymentId) =>
      checkPayment({ ...ports, pageSecrets: async () => secrets }, id),
    /** Runs the sweep and checks every payment that it queued; returns how many of the checks failed. */
    async sweep() {
      const { queued: sent } = await sweepPayments(ports);
      const checks = await Promise.allSettled(
        toCheck.splice(0).map((id) => checkPayment({ ...ports, payerContacts: ports }, toPaymentId(id))),
      );
      return { queued: sent, failed: checks.filter(({ status }) => status === 'rejected').length };
    },
    bill: async () => (await dynamoBills(ownTable, now).find(billId)) ?? aBill(),
    payment: async (id: PaymentId) => (await dynamoPayments(ownTable).find(id)) ?? undefined,
    available: async () => {
      const balances = await dynamoBalances(ownTable).of(merchantId);
      return Object.fromEntries(balances.map(({ currency, available }) => [currency, available]));
    },
  };
}

export type PaymentHarness = Awaited<ReturnType<typeof paymentHarness>>;

const generous = {
  failuresPerTenMinutes: 100,
  failuresPerDay: 1000,
  attemptsPerTenMinutes: 1000,
  openOnMultiBill: 100,
};
const opener = { open: async () => 'pl_test_token' };
const twoPercent = { bps: 200, fixedMinor: 0n, minimumMinor: 0n };

/** The current acquirer notifies the service of a payment. */
export async function noticed(harness: PaymentHarness, paymentId: PaymentId, named?: string) {
  const { reference = paymentId } =
    named === undefined ? ((await harness.payment(paymentId)) ?? {}) : { reference: named };
  const body = JSON.stringify({ paymentId, reference });
  const signature = createHmac('sha256', sandboxSecret).update(body).digest('hex');
  const provider = harness.acquirer.name;
  return receiveNotification(harness, { provider, headers: { 'sandbox-signature': signature }, body });
}

/**
 * Deploys another acquirer in place of the first, which does not know earlier payments; returns the calls it receives and the way to
 * switch back.
 */
export async function switchAcquirer({ acquirers, acquirer }: PaymentHarness) {
  const before: Acquirers = { ...acquirers };
  const sandbox = await aSandbox();
  const calls: string[] = [];
  const send: typeof fetch = async (input, init) => {
    const { method, url } = new Request(input, init);
    calls.push(`${method} ${url.slice(`${sandboxUrl}/acquirer/`.length)}`);
    return sandbox.send(input, init);
  };
  const another = {
    ...sandboxAcquirer({ url: sandboxUrl, secret: sandboxSecret, fetch: send }),
    name: 'another',
  };
  Object.assign(acquirers, onlyAcquirer(another));
  Object.assign(acquirer, { name: 'another' });
  const back = () => {
    Object.assign(acquirers, before);
    Object.assign(acquirer, { name: 'sandbox' });
  };
  return { calls, sandbox, back };
}

type Line = {
  cut: 'calls' | 'answers' | undefined;
  /** Whether this call, for this payment, fails to reach the acquirer. */
  fails: (call: string, about: unknown) => boolean;
};

/** The payment or reference that a call is about. */
const aboutOf = (given: unknown): unknown =>
  typeof given === 'object' && given !== null && 'paymentId' in given ? given.paymentId : given;

/** An acquirer whose calls or answers can be lost. */
function aLine(acquirer: Acquirer) {
  const line: Line = { cut: undefined, fails: () => false };
  const over =
    <A extends readonly unknown[], R>(name: string, call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      if (line.cut === 'calls' || line.fails(name, aboutOf(given[0])))
        throw new Error('the acquirer cannot be reached');
      const answer = await call(...given);
      if (line.cut === 'answers') throw new Error('the answer was lost');
      return answer;
    };
  return Object.assign(line, {
    acquirer: {
      ...acquirer,
      start: over('start', (...given: Parameters<Acquirer['start']>) => acquirer.start(...given)),
      look: over('look', (...given: Parameters<Acquirer['look']>) => acquirer.look(...given)),
      find: over('find', (...given: Parameters<Acquirer['find']>) => acquirer.find(...given)),
      findRefund: over('findRefund', (...given: Parameters<Acquirer['findRefund']>) =>
        acquirer.findRefund(...given),
      ),
      get: over('get', (...given: Parameters<Acquirer['get']>) => acquirer.get(...given)),
      capture: over('capture', (...given: Parameters<Acquirer['capture']>) => acquirer.capture(...given)),
      cancel: over('cancel', (...given: Parameters<Acquirer['cancel']>) => acquirer.cancel(...given)),
      refund: over('refund', (...given: Parameters<Acquirer['refund']>) => acquirer.refund(...given)),
    } satisfies Acquirer,
  });
}

/** The bill with its payments, journal and events, reduced to what the protocol guarantees. */
export async function stateOf(harness: PaymentHarness) {
  const items = await itemsOf(harness.table);
  const bill = await harness.bill();
  const payments = items.filter(({ SK }) => SK.startsWith('P#')).map(toPayment);
  const entries = items.filter(({ PK }) => PK.startsWith('J#')).map(toEntry);
  const events = items.filter(({ SK }) => SK === 'E').map(toEvent);
  const { totals } = (await harness.sandbox.books()).acquirer;
  return {
    bill: bill.type === 'NORMAL' ? { ...bill, paidBy: bill.paidBy?.slice(-2) } : bill,
    payments: Object.fromEntries(
      payments.map(({ id, ...payment }) => [id.slice(-2), `${payment.status}/${payment.phase}`]),
    ),
    entries: entries.map(({ kind, about }) => `${kind} ${about.slice(-2)}`),
    events: events.map(({ id, state }) => `${id.split('.')[1]?.slice(-2)} ${id.split('.')[2]} ${state}`),
    charged: totals.map(({ captured, refunded }) => captured - refunded)[0] ?? 0,
    waiting: items.filter(({ SK, workList }) => SK.startsWith('P#') && workList !== undefined).length,
    lines: entries.flatMap(({ lines }) => lines),
  };
}
