import { noOptions } from '../../../lib/bill/options.ts';
import { noContact } from '../../../lib/bill/contact.ts';
import { carryOut } from '../../../lib/decision/carry-out.ts';
import type { Decision, Role } from '../../../lib/decision/decision.ts';
import { createBill } from '../../../lib/bill/create-bill.ts';
import { type BillId, type PaymentId, type PayoutId, type ShopId, toPaymentId } from '../../../lib/ids.ts';
import { refreshToken } from '../../../lib/merchant/refresh-token.ts';
import { createMerchant } from '../../../lib/merchant/create-merchant.ts';
import { createShop } from '../../../lib/merchant/create-shop.ts';
import { setMerchant } from '../../../lib/merchant/set-merchant.ts';
import { setRate } from '../../../lib/merchant/set-rate.ts';
import { setTerms, type TermsChanges } from '../../../lib/merchant/set-terms.ts';
import { resolvePayment } from '../../../lib/payment/resolve-payment.ts';
import { addPayoutAccount } from '../../../lib/payout/payout-accounts.ts';
import type { Acquirer } from '../../../lib/payment/acquirer.ts';
import { checkPayment } from '../../../lib/payment/check-payment.ts';
import { cancelPayout } from '../../../lib/payout/cancel-payout.ts';
import { createPersonalPayout } from '../../../lib/payout/create-personal-payout.ts';
import { createRegularPayout } from '../../../lib/payout/create-regular-payout.ts';
import type { Destination } from '../../../lib/payout/destination.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { runAutoPayouts } from '../../../lib/payout/run-auto-payouts.ts';
import { setAutoPayout } from '../../../lib/payout/set-auto-payout.ts';
import { checkRefund } from '../../../lib/refund/check-refund.ts';
import { createRefund } from '../../../lib/refund/create-refund.ts';
import { reconcileDay } from '../../../lib/reconciliation/reconcile-day.ts';
import { acquirerSource, railSource } from '../../../lib/reconciliation/sources.ts';
import { clocksDifferMs } from '../../../lib/ledger/recomputation.ts';
import { sealDays } from '../../../lib/seal/seal-days.ts';
import { dynamoBooks } from '../../../lib/store/books.ts';
import { dynamoJournal } from '../../../lib/store/journal.ts';
import { dynamoReconciliations } from '../../../lib/store/reconciliations.ts';
import { sealPortsOn } from '../../support/seals.ts';
import { deliverPostback } from '../../../lib/postback/deliver-postback.ts';
import { setShop } from '../../../lib/merchant/set-shop.ts';
import { kindManners, type SandboxManners } from '../../../lib/sandbox/manners.ts';
import { workPostbacks } from '../clients/machinery.ts';
import type { KnownMerchant } from '../harness/population.ts';
import { faultyTable } from '../harness/faulty-table.ts';
import type { Invocation } from '../harness/invocation.ts';
import type { Ports } from '../harness/ports.ts';
import { scan } from '../harness/scan.ts';
import type { Tables } from '../harness/tables.ts';
import { World } from '../harness/world.ts';
import { anotherBrowser, open, payerOf, start } from '../mutants/bill-scenarios.ts';
import { caller } from '../mutants/scenario-steps.ts';
import type { Result } from '../../../lib/result.ts';

const minute = 60_000;
const hour = 60 * minute;
const goodCard = '4111111111111111';
const cards = {
  declined: '4000000000000002',
  underpaid: '4000000000110009',
  overpaid: '4000000000110017',
  refundPending: '4000000000110215',
  refundRejected: '4000000000110223',
} as const;
/** What the rail's destinations do (`lib/sandbox/test-values.ts`). */
const destinations = {
  paid: { type: 'credit_card', number: goodCard, holder: 'IVAN PETROV' },
  phone: { type: 'sbp', phone: '79000000001', bankId: 100000000004 },
  later: { type: 'credit_card', number: '4000000000120024', holder: 'IVAN PETROV' },
  refused: { type: 'credit_card', number: '4000000000000002', holder: 'IVAN PETROV' },
  rejected: { type: 'credit_card', number: '4000000000120115', holder: 'IVAN PETROV' },
} as const satisfies Readonly<Record<string, Destination>>;

type MerchantName = 'tea' | 'silk' | 'salt';
type Starting = {
  readonly browser?: string;
  /** Calls of the acquirer that stay unanswered meanwhile. */
  readonly unanswered?: Parameters<typeof withoutAnswer>[1];
};
type Command = Partial<Omit<Parameters<typeof createBill>[1], 'caller'>>;
type Paying = Command & { readonly manners?: Partial<SandboxManners>; readonly card?: string };

/**
 * An installation of three merchants as the real use cases write it, over three days: payments, payouts and postbacks in every state,
 * chargebacks, claims and adjustments. `names` gives each id of it a name, which corruptions and findings use.
 */
export class Installation {
  readonly world: World;
  readonly names = new Map<string, string>();
  readonly bills = new Map<string, BillId>();
  readonly payments = new Map<string, PaymentId>();
  readonly payouts = new Map<string, readonly PayoutId[]>();
  readonly #merchants = new Map<MerchantName, KnownMerchant>();

  private constructor(world: World) {
    this.world = world;
  }

  static async make(tables: Tables): Promise<Installation> {
    const name = 'corruptions';
    const [table, sandboxTable, secondTable] = await Promise.all([
      tables.make(`service-${name}`),
      tables.make(`sandbox-${name}`),
      tables.make(`second-${name}`),
    ]);
    const world = new World({ seed: 1, focus: 'mixed' }, { table, sandboxTable, secondTable });
    world.calmDown();
    const made = new Installation(world);
    await made.#settle();
    await made.#firstDay();
    world.scheduler.clock += 20 * hour;
    await made.#closeDay('2026-11-21');
    await made.#secondDay();
    world.scheduler.clock += 20 * hour;
    await made.#closeDay('2026-11-22');
    await made.#thirdDay();
    await made.#nameTheRest();
    if (world.violations.length > 0) throw new Error(JSON.stringify(world.violations));
    return made;
  }

  get tea(): KnownMerchant {
    return this.#merchant('tea');
  }
  get silk(): KnownMerchant {
    return this.#merchant('silk');
  }
  get salt(): KnownMerchant {
    return this.#merchant('salt');
  }

  #merchant(name: MerchantName): KnownMerchant {
    const merchant = this.#merchants.get(name);
    if (!merchant) throw new Error(`The installation has no merchant ${name}`);
    return merchant;
  }

  #named<I extends string>(id: I, name: string): I {
    this.names.set(id, name);
    return id;
  }

  async #run<T>(useCase: string, handle: (ports: Ports, by: Invocation) => Promise<T>): Promise<T> {
    const ran = await this.world.pump(this.world.invoke(useCase, handle));
    if (ran.kind === 'failed') throw ran.failed;
    if (ran.kind === 'crashed') throw new Error(`${useCase} crashed`);
    return ran.done;
  }

  async #did<T>(
    useCase: string,
    handle: (ports: Ports, by: Invocation) => Promise<Result<T, unknown, unknown>>,
  ): Promise<T> {
    const result = await this.#run(useCase, handle);
    if (!result.ok) throw new Error(`${useCase}: ${JSON.stringify(result.error)}`);
    return result.value;
  }

  /** A person's decision, recorded and carried out as the command does; returns the id of its subject, or of the proposal. */
  async #decides(decision: Decision, by = 'olga', role: Role = 'operator'): Promise<string> {
    const outcome = await this.#did(`carry out ${decision.kind}`, async (ports) => {
      const key = { role, by, id: ports.newId(16) };
      await ports.decisions.write(key, decision);
      return carryOut(withoutRail(withoutAnswer(ports, ['get'])), key);
    });
    return outcome.kind === 'payouts' ? (outcome.verdicts[0]?.proposalId ?? '') : outcome.id;
  }

  /** A decision that olga makes and petr approves. */
  async #decideTogether(decision: Decision): Promise<void> {
    const proposalId = await this.#decides(decision);
    if ('chargebackId' in decision) {
      const [paymentId = '', ...number] = decision.chargebackId.split('.');
      const about = [this.names.get(paymentId), ...number].join('.');
      this.#named(proposalId, `${decision.kind} ${about}`);
    }
    await this.#decides({ kind: 'approve_proposal', proposalId }, 'petr', 'approver');
    this.#later(minute);
  }

  #later(ms: number): void {
    this.world.scheduler.clock += ms;
  }

  async #settle(): Promise<void> {
    for (const name of ['tea', 'silk', 'salt'] as const) {
      const merchant = await this.#run('found a merchant', (ports) => found(ports, name));
      this.#merchants.set(name, merchant);
      const { id, shops, accounts } = merchant;
      this.#named(id, name);
      shops.forEach((shop, at) => this.#named(shop, `${name}-shop-${at + 1}`));
      accounts.forEach((account) => this.#named(account, `${name}-account`));
      await this.world.population.fund(id, name === 'silk' ? 400_000n : 20_000_000n);
      this.#later(1000);
    }
    // As far as clocks differ: from then on every outcome has its postback.
    this.#later(clocksDifferMs);
    await this.#run('set rate', (ports) => setRate(ports, { from: 'KZT', to: 'RUB', price: '0.17' }));
    await this.#did('refresh token', (ports) => refreshToken(ports, { merchantId: this.silk.id }));
  }

  /** The day is compared with the providers' statements, and sealed. */
  async #closeDay(date: string): Promise<void> {
    const { table, scheduler } = this.world;
    await this.#did('reconcile', (ports, by) => {
      const { acquirers, rails } = ports;
      const read = faultyTable(this.world, by);
      const sources = [
        ...[acquirers.named('sandbox') ?? []].flat().map(acquirerSource),
        ...[rails.named('sandbox') ?? []].flat().map(railSource),
      ];
      return reconcileDay(
        {
          ...ports,
          remainingMs: () => Number.POSITIVE_INFINITY,
          wait: async () => undefined,
          books: dynamoBooks(read),
          journal: dynamoJournal(read),
          reconciliations: dynamoReconciliations(read),
          sources,
        },
        date,
      );
    });
    await sealDays(sealPortsOn(table, { now: () => new Date(scheduler.clock), timeZone: 'UTC' }));
  }

  /** Names what is known by a hash, and the opening balances. */
  async #nameTheRest(): Promise<void> {
    for (const { PK, SK, id, merchantId, tokenHash } of await scan(this.world.table)) {
      const merchant = this.names.get(String(SK === 'ADJ' ? merchantId : id)) ?? '';
      if (SK === 'M') this.#named(String(tokenHash), `${merchant}-token`);
      if (SK === 'ADJ' && !this.names.has(String(id)))
        this.#named(String(id), this.#free(`opening-${merchant}`));
      if (SK === 'O') this.#named(String(PK).split('#')[3] ?? '', this.#free('order'));
    }
  }

  #free(name: string, at = 1): string {
    const numbered = `${name}-${at}`;
    return [...this.names.values()].includes(numbered) ? this.#free(name, at + 1) : numbered;
  }

  /** A bill of the merchant's first shop: 100.00 RUB, unless given otherwise. */
  async #bill(name: string, command: Command = {}, merchant = this.tea): Promise<BillId> {
    const { bill } = await this.#did('create bill', (ports) =>
      createBill(ports, {
        caller: caller(merchant),
        shopId: merchant.shops[0],
        amount: '100',
        currency: undefined,
        type: 'NORMAL',
        payerPaysCommission: false,
        orderId: undefined,
        description: undefined,
        name: undefined,
        custom: undefined,
        items: undefined,
        payer: noContact,
        options: noOptions,
        idempotencyKey: undefined,
        ...command,
      }),
    );
    this.bills.set(name, this.#named(bill.id, `bill-${name}`));
    return bill.id;
  }

  /** The payer opens the bill and is sent to the card page. */
  async #started(name: string, billId: BillId, { browser, unanswered = [] }: Starting = {}) {
    const form = await open(this.world, billId, browser);
    await this.#run('start', (ports) => start(withoutAnswer(ports, unanswered), form, browser));
    this.payments.set(name, this.#named(form.paymentId, name));
    return { ...payerOf(this.world, form), id: form.paymentId };
  }

  /** The payer pays, and returns. */
  async #paid(name: string, billId: BillId, card: string = goodCard): Promise<PaymentId> {
    const payer = await this.#started(name, billId);
    await payer.pay(card);
    await payer.comesBack().end();
    this.#later(minute);
    return payer.id;
  }

  /** A new bill, paid once by a provider with these manners. */
  async #sold(
    name: string,
    { manners, card, ...command }: Paying = {},
    merchant = this.tea,
  ): Promise<PaymentId> {
    const { provider } = this.world;
    const before = provider.manners;
    provider.manners = { ...kindManners, ...manners };
    const id = await this.#paid(name, await this.#bill(name, command, merchant), card);
    provider.manners = before;
    return id;
  }

  async #payout(
    name: string,
    amount: string,
    destination: Destination,
    merchant: KnownMerchant,
  ): Promise<readonly PayoutId[]> {
    const { payouts } = await this.#did('create payout', (ports) =>
      createRegularPayout(ports, {
        caller: caller(merchant),
        destination,
        amount,
        orderId: `order-of-${name}`,
        idempotencyKey: undefined,
      }),
    );
    return this.#keep(
      name,
      payouts.map(({ id }) => id),
      payouts[0]?.groupId ?? '',
    );
  }

  #keep(name: string, ids: readonly PayoutId[], groupId: string): readonly PayoutId[] {
    this.#named(groupId, `group-${name}`);
    ids.forEach((id, at) => this.#named(id, ids.length === 1 ? name : `${name}-${at + 1}`));
    this.payouts.set(name, ids);
    this.#later(minute);
    return ids;
  }

  async #approveAndSend(ids: readonly PayoutId[]): Promise<void> {
    for (const payoutId of ids) {
      const payout = await this.#run('find', ({ payouts }) => payouts.find(payoutId));
      if (payout?.status === 'MODERATING')
        await this.#decides({
          kind: 'approve_payouts',
          payouts: [{ id: payoutId, revision: payout.revision }],
          reason: undefined,
        });
      await this.#send(payoutId);
    }
  }

  async #send(payoutId: PayoutId): Promise<void> {
    this.#later(minute);
    await this.#run('dispatch', (ports) => dispatchPayout(ports, payoutId));
    this.#later(minute);
  }

  async #firstDay(): Promise<void> {
    await this.#sold('plain', {
      orderId: 'order-1',
      custom: 'any text',
      payer: { ...noContact, email: 'payer@example.ru', name: 'Ivan Petrov' },
      options: {
        ...noOptions,
        ttlSeconds: '86400',
        locale: 'kk',
        method: 'SBP',
        successUrl: 'https://cafe.example/paid',
        asks: '{"comment":1}',
      },
    });
    await this.#sold('other-merchants', {}, this.silk);
    await this.#sold('without-url', { shopId: this.tea.shops[1] });
    await this.#sold('under', { card: cards.underpaid });
    await this.#sold('over', { card: cards.overpaid });
    await this.#sold('declined', { card: cards.declined });
    await this.#sold('tenge', { currency: 'KZT', amount: '5000' });
    await this.#sold('dollars', { currency: 'USD' });
    await this.#sold('surcharged', { payerPaysCommission: true });
    await this.#sold('with-fee', { manners: { steps: 'one', feeBasisPoints: 350 } });
    await this.#retried();
    await this.#multi();
    await this.#duplicate();
    await this.#late();
    await this.#reserved('released');
    await this.#refunded();
    await this.#paidOut();
    await this.#automatic();
    await this.#adjusted();
    await this.#deliver();
    await this.#undeliverable();
  }

  async #secondDay(): Promise<void> {
    const id = this.payments.get('released');
    if (id === undefined) throw new Error('The installation has a reserve');
    this.#later(6 * hour);
    await this.#run('check payment', (ports) => checkPayment(ports, id));
    await this.#reserved('reserved');
    await this.#chargedBack();
    await this.#chargedBackBeside();
    await this.#deliver();
  }

  async #thirdDay(): Promise<void> {
    await this.#sold('today');
    await this.#refunding();
    await this.#bill('unpaid', { orderId: 'order-2', idempotencyKey: 'key-1' });
    await this.#bill('unpaid-multi', { type: 'MULTI' });
    await this.#started('open', await this.#bill('open'));
    await this.#unfinished();
    await this.#byHand();
    await this.#payout('moderating', '5000', destinations.paid, this.tea);
    await this.#payout('queued', '50', destinations.paid, this.tea);
    for (const id of await this.#payout('sent', '51', destinations.later, this.tea)) await this.#send(id);
    await this.#extended();
    await this.#undelivered();
  }

  /** Declined, then paid with another card before the first postback was sent. */
  async #retried(): Promise<void> {
    const bill = await this.#bill('retried');
    await this.#paid('first-try', bill, cards.declined);
    await this.#paid('second-try', bill);
  }

  async #multi(): Promise<void> {
    const bill = await this.#bill('multi', { type: 'MULTI' });
    await this.#paid('multi-1', bill);
    await this.#paid('multi-2', bill);
    await this.#paid('multi-failed', bill, cards.declined);
  }

  /** At an acquirer that captures at once, two payers pay one bill: the second gets the money back. */
  async #duplicate(): Promise<void> {
    const { provider } = this.world;
    const before = provider.manners;
    provider.manners = { ...kindManners, steps: 'one', feeBasisPoints: 100 };
    const bill = await this.#bill('twice');
    const slow = await this.#started('duplicate', bill);
    this.#later(16 * minute);
    const quick = await this.#started('paid-first', bill, {
      browser: anotherBrowser,
      unanswered: ['cancel'],
    });
    await slow.pay(goodCard);
    await quick.pay(goodCard);
    await quick.comesBack().end();
    await slow.comesBack().end();
    this.#later(minute);
    provider.manners = before;
  }

  /** Captured after it had failed; one is refunded, and the refund of the other is rejected. */
  async #late(): Promise<void> {
    for (const name of ['late', 'refunding']) {
      const { provider } = this.world;
      const payer = await this.#started(name, await this.#bill(name));
      await payer.pay(cards.declined);
      await payer.comesBack().end();
      this.#later(minute);
      await this.world.pump(this.world.outside('captured', () => provider.contradict(payer.id, 'captured')));
      await this.#resolve(payer.id, name === 'late' ? [] : ['refund']);
    }
  }

  async #reserved(name: string): Promise<void> {
    const { id: merchantId } = this.tea;
    const set = (changes: { readonly reserveBasisPoints: number; readonly reserveDays: number }) =>
      this.#run('set terms', (ports) => setTerms(ports, { merchantId, currency: 'RUB', changes }));
    await set({ reserveBasisPoints: 5_000, reserveDays: 1 });
    await this.#sold(name);
    await set({ reserveBasisPoints: 0, reserveDays: 0 });
  }

  /** A refund of a part that its merchant asked for, checked so many times. */
  async #refund(name: string, payment: string, amount: string, checks = 1): Promise<void> {
    const { refund } = await this.#did('create refund', (ports) =>
      createRefund(ports, {
        by: { kind: 'merchant', caller: caller(this.tea) },
        paymentId: this.payments.get(payment),
        amount: { kind: 'part', text: amount },
        reason: 'broken',
        payer: { email: undefined, phone: undefined },
        idempotencyKey: name,
      }),
    );
    this.#named(refund.id, name);
    for (let check = 0; check < checks; check += 1) {
      this.#later(minute);
      await this.#run('check refund', (ports) => checkRefund(ports, refund.id));
    }
  }

  /** Refunds that have ended: two parts of one payment, one that was rejected, one that returned its part of the fee, one of an operator. */
  async #refunded(): Promise<void> {
    const { id: merchantId } = this.tea;
    const agree = (refundFee: 'kept' | 'returned') =>
      this.#run('set terms', (ports) =>
        setTerms(ports, { merchantId, currency: 'RUB', changes: { refundFee } }),
      );
    await this.#sold('refunded');
    await this.#refund('refund-part', 'refunded', '30');
    await this.#refund('refund-more', 'refunded', '20');
    await this.#sold('unreturned', { card: cards.refundRejected });
    await this.#refund('refund-failed', 'unreturned', '40');
    await this.#sold('fee-back');
    await agree('returned');
    await this.#refund('refund-with-fee', 'fee-back', '50');
    await agree('kept');
    await this.#sold('both');
    await this.#refund('refund-beside', 'both', '30');
    await this.#sold('operated');
    await this.#refundByOperator('refund-decided', 'operated', 2_500n);
  }

  async #refundByOperator(name: string, payment: string, amountMinor: bigint): Promise<void> {
    const paymentId = this.payments.get(payment) ?? '';
    const id = await this.#decides({ kind: 'create_refund', paymentId, amountMinor, reason: 'letter' });
    this.#named(id, name);
    this.#later(minute);
    const [refund] = await this.#run('refunds', ({ refunds }) => refunds.ofPayment(toPaymentId(paymentId)));
    if (refund) await this.#run('check refund', (ports) => checkRefund(ports, refund.id));
  }

  /** A letter tells of a chargeback of a payment that was refunded in part. */
  async #chargedBackBeside(): Promise<void> {
    const paymentId = this.payments.get('both') ?? '';
    const amountMinor = 6_000n;
    await this.#decides({
      kind: 'enter_chargeback',
      paymentId,
      direction: 'loss',
      amountMinor,
      reason: 'letter',
    });
  }

  /** Refunds that are under way: one was not sent yet, one is pending at the acquirer. */
  async #refunding(): Promise<void> {
    await this.#refund('refund-new', 'today', '10', 0);
    await this.#sold('returning', { card: cards.refundPending });
    await this.#refund('refund-open', 'returning', '30');
  }

  async #paidOut(): Promise<void> {
    await this.#approveAndSend(await this.#payout('paid-out', '1000', destinations.paid, this.tea));
    await this.#approveAndSend(await this.#payout('to-phone', '1500', destinations.phone, this.tea));
    await this.#approveAndSend(await this.#payout('by-rule', '100', destinations.paid, this.tea));
    await this.#approveAndSend(await this.#payout('split', '7000', destinations.paid, this.tea));
    await this.#approveAndSend(await this.#payout('less-fee', '2000', destinations.paid, this.silk));
    await this.#approveAndSend(await this.#payout('refused', '1100', destinations.refused, this.tea));
    await this.#approveAndSend(await this.#payout('rejected', '1150', destinations.rejected, this.tea));
    await this.#stranded();
    await this.#returned();
    await this.#declined();
    await this.#cancelled();
    await this.#personal();
  }

  async #stranded(): Promise<void> {
    for (const payoutId of await this.#payout('in-error', '1250', destinations.later, this.tea))
      await this.#strand(payoutId);
  }

  /** The payout was sent to a rail that the record does not name any more. */
  async #strand(payoutId: PayoutId): Promise<void> {
    await this.#approveAndSend([payoutId]);
    this.#later(hour);
    await this.#run('dispatch', (ports) =>
      dispatchPayout({ ...ports, rails: { ...ports.rails, named: () => undefined } }, payoutId),
    );
  }

  /** All that a merchant has, above a threshold, to the account of their standing order; the moderator stops it. */
  async #automatic(): Promise<void> {
    const { id: merchantId, accounts } = this.silk;
    const hourNow = this.world.now.getUTCHours();
    const order = {
      merchantId,
      accountId: accounts[0],
      thresholdMinor: 50_000n,
      weekday: 'Sat',
      hour: hourNow + 1,
    } as const;
    await this.#did('set auto payout', (ports) => setAutoPayout(ports, order));
    this.#later(hour);
    await this.#run('auto payouts', (ports) => runAutoPayouts(ports));
    const listed = await this.#run('list', ({ payouts }) => payouts.listModerating());
    const parts = listed.filter((payout) => payout.isAuto);
    if (parts.length === 0) throw new Error('The installation has an automatic payout');
    this.#keep(
      'automatic',
      parts.map(({ id }) => id),
      parts[0]?.groupId ?? '',
    );
    for (const { id: payoutId } of parts) await this.#decline(payoutId);
  }

  async #returned(): Promise<void> {
    const ids = await this.#payout('returned', '1200', destinations.paid, this.tea);
    await this.#approveAndSend(ids);
    for (const payoutId of ids) {
      const payout = await this.#run('find', ({ payouts }) => payouts.find(payoutId));
      const revision = payout?.revision ?? 0;
      await this.#decideTogether({ kind: 'return_payout', payoutId, revision, evidence: 'letter' });
    }
  }

  async #declined(): Promise<void> {
    for (const payoutId of await this.#payout('turned-down', '1300', destinations.paid, this.tea))
      await this.#decline(payoutId);
  }

  /** A part by its id, then the rest of the order. */
  async #cancelled(): Promise<void> {
    const [id] = await this.#payout('cancelled', '4000', destinations.phone, this.tea);
    const orderId = 'order-of-cancelled';
    for (const which of [
      { id, orderId: undefined },
      { id: undefined, orderId },
    ])
      await this.#did('cancel payout', (ports) =>
        cancelPayout(ports, { caller: caller(this.tea), ...which }),
      );
  }

  async #decline(id: PayoutId): Promise<void> {
    await this.#decides({ kind: 'decline_payouts', payouts: [{ id, revision: 1 }], reason: 'doubtful' });
  }

  async #personal(): Promise<void> {
    const { payouts } = await this.#did('create payout', (ports) =>
      createPersonalPayout(ports, {
        caller: caller(this.tea),
        accountId: this.tea.accounts[0],
        amount: '1400',
        orderId: undefined,
        idempotencyKey: 'key-2',
      }),
    );
    await this.#approveAndSend(
      this.#keep(
        'personal',
        payouts.map(({ id }) => id),
        payouts[0]?.groupId ?? '',
      ),
    );
  }

  async #adjusted(): Promise<void> {
    await this.#approveAdjustment(await this.#propose('credit', 'credit', this.payments.get('plain')));
    await this.#approveAdjustment(await this.#propose('debit', 'debit'));
    const adjustmentId = await this.#propose('rejected', 'credit');
    await this.#decides({ kind: 'reject_adjustment', adjustmentId, reason: 'no' }, 'petr', 'approver');
    await this.#propose('proposed', 'credit');
    this.#later(minute);
  }

  async #propose(
    name: string,
    direction: 'credit' | 'debit',
    about?: string,
    { merchantId, minor }: { readonly merchantId: string; readonly minor: bigint } = {
      merchantId: this.tea.id,
      minor: 5_000n,
    },
  ): Promise<string> {
    const amount = { minor, currency: 'RUB' } as const;
    const id = await this.#decides({
      kind: 'propose_adjustment',
      merchantId,
      direction,
      amount,
      reason: name,
      about,
    });
    return this.#named(id, `adjustment-${name}`);
  }

  async #approveAdjustment(adjustmentId: string): Promise<void> {
    await this.#decides({ kind: 'approve_adjustment', adjustmentId }, 'petr', 'approver');
  }

  /** Losses that the merchant bears, with a claim, that the platform bears, that was dismissed and that is open; and a surplus. */
  async #chargedBack(): Promise<void> {
    const enter = async (name: string, amountMinor: bigint, direction: 'loss' | 'surplus' = 'loss') => {
      const paymentId = this.payments.get(name) ?? (await this.#sold(name));
      const reason = 'letter';
      const id = await this.#decides({ kind: 'enter_chargeback', paymentId, direction, amountMinor, reason });
      this.#later(minute);
      return id;
    };
    const confirm = (chargebackId: string, bearer: 'merchant' | 'platform' = 'merchant') =>
      this.#decideTogether({ kind: 'confirm_chargeback', chargebackId, bearer, reason: 'case 4711' });
    await confirm(await enter('charged-back', 4_000n));
    await confirm(await enter('tenge', 100_000n));
    await confirm(await enter('borne', 3_000n), 'platform');
    await confirm(await enter('more-held', 500n, 'surplus'));
    const chargebackId = await enter('not-charged-back', 600n);
    await this.#decideTogether({ kind: 'dismiss_chargeback', chargebackId, reason: 'case 4711' });
    await enter('disputed', 700n);
    await this.#owed(async (name) => {
      const id = await enter(name, 10_000n);
      await confirm(id);
      return id;
    });
  }

  /** A merchant who sold twice, has paid everything out and owes a chargeback: 20.00 are collected and the rest is written off. */
  async #owed(chargeBack: (name: string) => Promise<string>): Promise<void> {
    const { id: merchantId } = this.salt;
    const { population } = this.world;
    await this.#sold('owed', {}, this.salt);
    await this.#sold('still-owed', {}, this.salt);
    await this.#debit(merchantId);
    for (const name of ['owed', 'still-owed']) {
      const claimId = await chargeBack(name);
      await population.fund(merchantId, 2_000n);
      this.#later(minute);
      await this.#decides({ kind: 'collect_claim', claimId });
      this.#later(minute);
      if (name === 'owed')
        await this.#decideTogether({ kind: 'write_off_claim', claimId, reason: 'case 4711' });
    }
  }

  async #debit(merchantId: string): Promise<void> {
    const balances = await this.#run('balances', (ports) => ports.balances.of(this.salt.id));
    const minor = balances.find(({ currency }) => currency === 'RUB')?.available ?? 0n;
    const amount = { merchantId, minor: minor - 3_000n };
    await this.#approveAdjustment(await this.#propose('all', 'debit', undefined, amount));
    this.#later(minute);
  }

  /** A payment that another payer's displaces, and one whose capture has had no answer yet. */
  async #unfinished(): Promise<void> {
    const bill = await this.#bill('displaced');
    await this.#started('displaced', bill);
    this.#later(16 * minute);
    await this.#started('taken-over', bill, { browser: anotherBrowser });
    const { id, pay } = await this.#started('capturing', await this.#bill('capturing'));
    await pay(goodCard);
    await this.#resolve(id, ['capture']);
  }

  /** A payment and a payout whose outcome two people found out. */
  async #byHand(): Promise<void> {
    const { id: paymentId } = await this.#started('by-hand', await this.#bill('by-hand'));
    this.#later(2 * hour);
    await this.#decideTogether({
      kind: 'resolve_payment',
      paymentId,
      phase: 'AUTHORIZING',
      outcome: 'captured',
      amountMinor: undefined,
      evidence: 'statement',
    });
    const [payoutId] = await this.#payout('paid-by-hand', '1260', destinations.later, this.tea);
    if (payoutId === undefined) throw new Error('The installation has a payout');
    await this.#strand(payoutId);
    const payout = await this.#run('find', ({ payouts }) => payouts.find(payoutId));
    const revision = payout?.revision ?? 0;
    await this.#decideTogether({
      kind: 'resolve_payout',
      payoutId,
      revision,
      outcome: 'paid',
      evidence: 'statement',
    });
  }

  /** One whose endpoint said that it is gone, and one whose shop has no URL any more. */
  async #undeliverable(): Promise<void> {
    await this.#sold('paused', {}, this.silk);
    await this.#run('deliver', (ports) =>
      deliverPostback({ ...ports, post: { post: async () => gone } }, this.#event('paused'), 'first'),
    );
    await this.#sold('dead', {}, this.salt);
    const shopId = this.salt.shops[0];
    await this.#did('set shop', (ports) => setShop(ports, { shopId, resultUrl: undefined }));
    await this.#run('deliver', (ports) => deliverPostback(ports, this.#event('dead'), 'first'));
    await this.#did('set shop', (ports) => setShop(ports, { shopId, resultUrl: 'http://127.0.0.1/again' }));
  }

  #event(payment: string): string {
    return `pay.${this.payments.get(payment)}.SUCCESS`;
  }

  async #resolve(id: PaymentId, unanswered: Starting['unanswered'] = []): Promise<void> {
    await this.#run('resolve', (ports) =>
      resolvePayment(withoutAnswer(ports, unanswered), id, { evenIfFailed: true }).catch(() => undefined),
    );
    this.#later(minute);
  }

  async #deliver(): Promise<void> {
    while (this.world.postbacks.hasVisible(this.world.scheduler.clock))
      await this.world.pump(workPostbacks(this.world));
  }

  /** Postbacks of a payment and of a failure that tell more than the contract's fields. */
  async #extended(): Promise<void> {
    const [shopId] = this.tea.shops;
    await this.#did('set shop', (ports) => setShop(ports, { shopId, extendedPostbacks: true }));
    await this.#sold('extended');
    await this.#sold('extended-declined', { card: cards.declined });
    await this.#did('set shop', (ports) => setShop(ports, { shopId, extendedPostbacks: false }));
  }

  /** A postback whose first attempt failed, and one that was not sent yet. */
  async #undelivered(): Promise<void> {
    const { receivers } = this.world;
    await this.#deliver();
    receivers.isDead = () => true;
    await this.#sold('retrying');
    await this.#deliver();
    receivers.isDead = () => false;
    await this.#sold('pending');
  }
}

/** A merchant with two shops, of which one has a Result URL, a payout webhook (unless it is `salt`) and an account. */
async function found(ports: Ports, name: MerchantName): Promise<KnownMerchant> {
  const { merchant, apiToken } = await createMerchant(ports, { name });
  const { id: merchantId } = merchant;
  const settings = name === 'salt' ? {} : { payoutWebhookUrl: `http://127.0.0.1/payouts/${name}` };
  const apiAddresses = name === 'tea' ? ['203.0.113.0/24'] : undefined;
  const flags = { verified: true, regularPayouts: true, apiAddresses };
  await setMerchant(ports, { merchantId, flags, settings });
  await setTerms(ports, { merchantId, currency: 'RUB', changes: terms[name] });
  const shops: ShopId[] = [];
  for (const resultUrl of ['http://127.0.0.1/result', undefined]) {
    const urls = resultUrl === undefined ? {} : { resultUrl, ...(name === 'tea' && { refundUrl }) };
    const made = await createShop(ports, { merchantId, ...urls });
    if (made.ok) shops.push(made.value.shop.id);
  }
  const account = { merchantId, type: 'credit_card', number: goodCard, currency: 'RUB' } as const;
  const added = await addPayoutAccount(ports, account);
  if (!added.ok) throw new Error(added.error);
  return { id: merchantId, shops, accounts: [added.value.id], token: apiToken };
}

const refundUrl = 'http://127.0.0.1/refunds';
const gone = { kind: 'answered', status: 410, retryAfterSeconds: undefined, body: '' } as const;

const terms: Readonly<Record<MerchantName, TermsChanges>> = {
  tea: { autoApproveUpToMinor: 20_000n, autoApproveDayTotalMinor: 60_000n, dayLimitMinor: 90_000_000n },
  silk: { commissionPayer: 'recipient', payoutFee: { fixedMinor: 150n } },
  salt: { autoApproveUpToMinor: 100n, autoApproveDayTotalMinor: 100n },
};

/** The ports of a record that does not name the payout's rail any more. */
const withoutRail = (ports: Ports): Ports => ({
  ...ports,
  rails: { ...ports.rails, named: () => undefined },
});

/** The ports with an acquirer that does not answer to these calls. */
function withoutAnswer(ports: Ports, calls: readonly ('cancel' | 'capture' | 'get' | 'refund')[]): Ports {
  const noAnswer = async (): Promise<never> => Promise.reject(new Error('no answer'));
  const silent = Object.fromEntries(calls.map((call) => [call, noAnswer]));
  const over = (acquirer: Acquirer | undefined) => acquirer && { ...acquirer, ...silent };
  const { acquirers } = ports;
  return {
    ...ports,
    acquirers: {
      ...acquirers,
      named: (name) => over(acquirers.named(name)),
      forNew: (...given) => over(acquirers.forNew(...given)),
    },
  };
}
