import { noOptions } from '../../lib/bill/options.ts';
import { aSealedContact } from '../support/contacts.ts';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { newPaymentId, refundUrlIdOf, toShopId } from '../../lib/ids.ts';
import type { Entry } from '../../lib/ledger/entry.ts';
import { askAboutPayment } from '../../lib/payment/ask-about-payment.ts';
import { captureEntry, providerFeeEntry, reserveOf } from '../../lib/payment/payment-postings.ts';
import type { PostbackEvent } from '../../lib/postback/event.ts';
import { dispatchPayout } from '../../lib/payout/dispatch-payout.ts';
import { approvePayout } from '../../lib/payout/moderate.ts';
import { accepted, approved, inError, sentOut, stopped } from '../../lib/payout/moves.ts';
import { dynamoAuditRuns } from '../../lib/store/audit-runs.ts';
import { entryItem } from '../../lib/store/entry-item.ts';
import { merchantKey } from '../../lib/store/merchant-item.ts';
import type { BillCurrency } from '../../lib/money/money.ts';
import { balanceKey } from '../../lib/store/balance-item.ts';
import { eventKey } from '../../lib/store/event-item.ts';
import { paymentItem } from '../../lib/store/payment-item.ts';
import { payoutKey } from '../../lib/store/payout-item.ts';
import { bookOpening } from '../support/adjustments.ts';
import {
  aBill,
  aCall,
  aPayment,
  aShop,
  billId,
  merchantId,
  paymentId,
  shopId,
  today,
} from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';
import { type OperatorHarness, operatorHarness, terminal } from '../support/operator.ts';
import { created } from '../support/payout-harness.ts';
import { anAttempt, given } from '../support/postbacks.ts';
import { takeMessages } from '../support/queue.ts';
import { aDecision, inStatus } from '../support/payouts.ts';

const eventId = `pay.${paymentId}.SUCCESS`;
const event = {
  id: eventId,
  kind: 'payment',
  merchantId,
  shopId,
  supersededByBill: undefined,
  sealedPhone: undefined,
  sentAfter: undefined,
  extended: undefined,
  status: 'SUCCESS',
  fields: {
    InvId: 'order-7',
    OutSum: '100.50',
    Commission: '2.01',
    TrsId: paymentId,
    Status: 'SUCCESS',
    CurrencyIn: 'RUB',
  },
  state: 'PENDING',
  attempts: [],
  tries: 0,
  createdAt: today,
  nextAt: today,
} as const;
const settled: Entry = {
  about: paymentId,
  kind: 'CAPTURE',
  merchantId,
  lines: [
    { account: 'acquirer', currency: 'RUB', minor: -10_050n },
    { account: 'available', currency: 'RUB', minor: 9_849n },
    { account: 'fees', currency: 'RUB', minor: 201n },
  ],
  at: today,
  adjustment: undefined,
};

/** A paid bill of the harness's merchant, with a postback to send. */
async function paidBill(
  harness: OperatorHarness,
  payment = aPayment({ orderId: 'order-7' }),
  entries: readonly [Entry, ...Entry[]] = [settled],
): Promise<void> {
  await harness.shops.create(
    aShop({
      resultUrl: 'https://cafe.example/result',
      resultUrlSince: new Date(today.getTime() - 3_600_000),
    }),
  );
  await harness.bills.create(aBill({ orderId: 'order-7' }), [], []);
  const hold = { bill: aBill(), now: today, lockUntil: new Date(today.getTime() + 900_000) };
  const started = await harness.payments.start(payment, hold);
  const fenced = await harness.payments.fence(payment, aCall());
  const paid = {
    ...payment,
    status: 'SUCCESS',
    phase: 'DONE',
    receivedMinor: 10_050n,
    feeMinor: 201n,
    reserve: reserveOf(payment, entries[0]),
  } as const;
  const done = await harness.payments.settle(
    { payment: { ...payment, phase: 'CAPTURING' }, bill: aBill() },
    paid,
    entries,
    event,
  );
  expect([started.ok, fenced.ok, done.ok]).toEqual([true, true, true]);
}

describe('trace', () => {
  it('of a bill shows the payer’s masks and what the bill asks for, and nothing in the clear', async () => {
    const harness = await operatorHarness();
    const options = { ...noOptions, locale: 'kk', asks: ['email', 'comment'], method: 'sbp' } as const;
    const bill = aBill({ hasContact: true, options });
    const contact = await aSealedContact();
    await harness.bills.create(bill, [], [], contact);
    const own = { ...contact, until: new Date(today.getTime() + 3_600_000) };
    const hold = { bill, now: today, lockUntil: own.until, contact: own };
    await harness.payments.start(aPayment({ contactUntil: own.until }), hold);
    const { said } = await harness.type(`trace ${billId}`);
    const told = JSON.stringify(await harness.json(`trace ${billId}`));
    const payer = 'I*** P***, i***@e***.ru, +7 *** ***-**-12, a comment';
    expect(told.split(payer)).toHaveLength(3);
    for (const text of ['kk', 'sbp', 'email, comment']) expect(told).toContain(`"${text}"`);
    expect(`${told} ${said}`).not.toMatch(/ivan@|Petrov|79123456712|Call first/);
  });

  it.each([
    ['a bill', billId],
    ['its link', `https://pay.example/prod/transfer/${billId}`],
    ['a payment', paymentId],
    ['a postback', eventId],
  ])('of %s shows bill, payment, journal and postback in time order', async (_what, id) => {
    const harness = await operatorHarness();
    await paidBill(harness);

    const { subjects, steps } = await harness.json(`trace ${id}`);

    expect(subjects).toMatchObject([
      {
        is: 'bill',
        id: billId,
        status: 'SUCCESS',
        amount: '100.50 RUB',
        order: 'order-7',
        'paid by': paymentId,
      },
      { is: 'payment', id: paymentId, status: 'SUCCESS', received: '100.50', fee: '2.01' },
      { is: 'postback', id: eventId, state: 'PENDING', endpoint: shopId },
    ]);
    const told = steps.map(({ what }: { what: string }) => what);
    expect(told).toEqual([
      'bill over 100.50 RUB created',
      'payment of 100.50 RUB started',
      'journal CAPTURE: acquirer -100.50 RUB, available +98.49 RUB, fees +2.01 RUB',
      'postback SUCCESS recorded',
    ]);
    expect((await harness.type(`trace ${id}`)).said).toContain(told.at(-1));
  });

  it('of a payment tells what the acquirer kept of it, and what it waits for after the capture', async () => {
    const told = await operatorHarness();
    const fee = providerFeeEntry(aPayment(), 352n, today);
    await paidBill(told, aPayment({ providerFeeMinor: 352n }), [settled, fee]);
    const { subjects, steps } = await told.json(`trace ${paymentId}`);
    expect(subjects[1]).toMatchObject({ is: 'payment', fee: '2.01', 'provider fee': '3.52' });
    expect(steps.map(({ what }: { what: string }) => what)).toContain(
      'journal PROVIDER_FEE: provider_fees -3.52 RUB, acquirer +3.52 RUB',
    );

    const due = await operatorHarness();
    const dueAt = new Date(today.getTime() + 600_000);
    const waiting = { fee: 'due', receipt: undefined, refundReceipt: undefined, checks: 0, dueAt } as const;
    await paidBill(due, aPayment({ afterCapture: waiting }));
    const [, payment] = (await due.json(`trace ${paymentId}`)).subjects;
    expect(payment['waits for']).toBe(`fee (0 checks made, next ${dueAt.toISOString()})`);
    expect(payment).not.toHaveProperty('provider fee');
  });

  it('of a payout shows its group, its transitions and who made them', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness, { amount: '1000' });
    harness.pass(60);
    await harness.json(`payouts decline ${payout.id} --reason "wrong account"`);

    for (const id of [payout.id, payout.groupId]) {
      const { subjects, steps } = await harness.json(`trace ${id}`);
      expect(subjects).toMatchObject([
        { is: 'payout', id: payout.id, status: 'DECLINED', amount: '1000.00 RUB', commission: '10.00' },
        { is: 'postback', id: `po.${payout.id}.DECLINED` },
      ]);
      const told: readonly string[] = steps.map(({ what }: { what: string }) => what);
      expect(told.slice(0, 2).toSorted()).toEqual([
        'journal RESERVE: available -1010.00 RUB, locked +1000.00 RUB, held +10.00 RUB',
        'payout of 1000.00 RUB to 411111******1111 created',
      ]);
      expect(told).toContain('declined by olga: wrong account');
      expect(told).toContain('journal RELEASE: available +1010.00 RUB, locked -1000.00 RUB, held -10.00 RUB');
    }
  });

  it('of a payout shows that the provider accepted it', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness, { amount: '1000' });
    await harness.payouts.move(payout, accepted(payout, { state: 'accepted' }));

    expect((await harness.json(`trace ${payout.id}`)).subjects).toMatchObject([{ accepted: true }]);
  });

  it('of a payout shows the provider that it was sent to, and why it needs a person', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness, { amount: '1000' });
    const why = 'sent to rail sandbox, which is not configured';
    const queued = approved(
      inStatus(payout, 'MODERATING'),
      aDecision({ verdict: 'approved', by: 'olga', at: today }),
    );
    await harness.payouts.move(payout, inError(sentOut(queued, today, 'sandbox'), why));

    const { subjects } = await harness.json(`trace ${payout.id}`);
    expect(subjects).toMatchObject([{ status: 'ERROR', rail: 'sandbox', reason: why }]);
  });

  it('of a payout shows what its provider was asked, when, and what it answered', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness, { amount: '1000' });
    await approvePayout(harness, { payoutId: payout.id, revision: 1, by: 'olga' });
    harness.rail.will('lost_before');
    await dispatchPayout(harness, payout.id);
    harness.pass(10);
    harness.rail.will('unknown', { state: 'accepted', reference: 'po-1', reason: 'queued' });
    await dispatchPayout(harness, payout.id);

    const { steps } = await harness.json(`trace ${payout.id}`);
    const told = z.array(z.object({ what: z.string() })).parse(steps);
    const calls = told.map(({ what }) => what).filter((what) => what.startsWith('rail:'));
    const key = `${payout.id}.1`;
    expect(calls).toEqual([
      `rail: send ${key}: no answer`,
      `rail: get ${key}: unknown`,
      `rail: send ${key}: accepted po-1 (queued)`,
    ]);
  });

  it('of a payout shows why it waits, as the moderator’s list does', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness, { amount: '1000' });
    const by = 'rule:merchant_banned';
    const reason = 'the merchant is banned';
    const queued = { ...inStatus(payout, 'MODERATING'), status: 'NEW', dueAt: today } as const;
    await harness.payouts.move(
      payout,
      stopped(queued, aDecision({ verdict: 'stopped', by, reason, at: today })),
    );

    const { steps } = await harness.json(`trace ${payout.id}`);
    expect(steps).toContainEqual(expect.objectContaining({ what: `stopped by ${by}: ${reason}` }));
    expect(await harness.json('payouts list --moderating')).toMatchObject([{ id: payout.id, reason }]);
    expect((await harness.type('payouts list --moderating')).said).toContain(reason);
  });

  it('of a payout works when its postback has expired', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness, { amount: '1000' });
    await harness.json(`payouts decline ${payout.id} --reason "wrong account"`);
    const Key = eventKey(`po.${payout.id}.DECLINED`);
    await harness.table.client.send(new DeleteCommand({ TableName: harness.table.name, Key }));

    for (const id of [payout.id, `po.${payout.id}.DECLINED`]) {
      const { subjects } = await harness.json(`trace ${id}`);
      expect(subjects).toMatchObject([{ is: 'payout', id: payout.id, status: 'DECLINED' }]);
    }
  });

  it('of a merchant shows balances, shops, accounts and the latest entries', async () => {
    const harness = await operatorHarness();
    await paidBill(harness);
    await harness.json(`account add ${merchantId} --type card --number 4111111111111111`);

    const { subjects, steps } = await harness.json(`trace ${merchantId}`);

    expect(subjects).toMatchObject([
      { is: 'merchant', id: merchantId },
      { is: 'balance', id: 'RUB', available: '10098.49', locked: '0.00', hold: '0.00' },
      { is: 'balance', id: 'USD' },
      { is: 'balance', id: 'EUR' },
      { is: 'shop', id: shopId },
      { is: 'account', account: '411111******1111 (credit_card)' },
    ]);
    const own = steps.filter(({ what }: { what: string }) => !what.includes(' by olga'));
    expect(own).toMatchObject([{ what: 'merchant created' }, { id: paymentId }]);
  });

  it('shows what is reserved of a merchant and of a payment, and until when', async () => {
    const harness = await operatorHarness();
    const payment = aPayment({ reserveTerms: { basisPoints: 1_000, days: 90 } });
    await paidBill(harness, payment, [captureEntry(payment, 10_050n, today)]);

    const { subjects } = await harness.json(`trace ${merchantId}`);
    expect(subjects).toContainEqual(
      expect.objectContaining({ is: 'balance', id: 'RUB', available: '10088.65', reserved: '9.84' }),
    );
    const traced = await harness.json(`trace ${paymentId}`);
    expect(traced.subjects).toContainEqual(
      expect.objectContaining({ is: 'payment', reserve: '9.84 RUB until 2027-02-19T12:34:56.789Z' }),
    );
    expect(traced.steps).toContainEqual(
      expect.objectContaining({
        what: 'journal CAPTURE: acquirer -100.50 RUB, available +88.65 RUB, reserved +9.84 RUB, fees +2.01 RUB',
      }),
    );
  });

  it('of a merchant says what it leaves out, and the pages that it names together show every line once', async () => {
    const harness = await operatorHarness();
    const day = 86_400_000;
    const put = (about: string, currency: BillCurrency, at: Date) =>
      harness.table.client.send(
        new PutCommand({
          TableName: harness.table.name,
          Item: entryItem({ ...settled, about, lines: [{ account: 'available', currency, minor: 0n }], at }),
        }),
      );
    // Five of one time, more than a page; some of months before, one in the currency of bills alone.
    for (const about of ['a', 'b', 'c', 'd', 'e']) await put(about, about < 'c' ? 'RUB' : 'USD', today);
    for (const [days, currency] of [
      [1, 'RUB'],
      [2, 'KZT'],
      [40, 'RUB'],
      [41, 'EUR'],
      [100, 'RUB'],
    ] as const)
      await put(`before-${days}`, currency, new Date(today.getTime() - days * day));
    await harness.json(`terms set ${merchantId} RUB --day-limit 300000`);
    await harness.table.client.send(
      new UpdateCommand({
        TableName: harness.table.name,
        Key: merchantKey(merchantId),
        UpdateExpression: 'SET createdAt = :at',
        ExpressionAttributeValues: { ':at': new Date(today.getTime() - 120 * day).toISOString() },
      }),
    );
    const whole = await harness.json(`trace ${merchantId} --limit 1000`);
    expect(whole).toMatchObject({ earlier: null, steps: expect.objectContaining({ length: 12 }) });

    const pages: unknown[][] = [];
    let line: string | undefined = `trace ${merchantId} --limit 2`;
    while (line !== undefined) {
      const { said } = await harness.type(line);
      pages.unshift((await harness.json(line)).steps);
      line = /^… (?:\d+ )?earlier lines?: npm run paylink -- (.*)$/m.exec(said)?.[1];
    }
    expect(pages.flat()).toEqual(whole.steps);
    expect(pages.length).toBeGreaterThan(3);
  });

  it('of a bill goes on from payment to payment, and before a time', async () => {
    const harness = await operatorHarness();
    await harness.bills.create(aBill({ type: 'MULTI' }), [], []);
    const ids = ['1', '2', '3'].map((nonce) => newPaymentId(billId, nonce.padStart(8, '0')));
    for (const [days, id] of ids.entries()) {
      const at = new Date(today.getTime() + days * 86_400_000);
      const Item = paymentItem(aPayment({ id, billType: 'MULTI', createdAt: at }), at);
      await harness.table.client.send(new PutCommand({ TableName: harness.table.name, Item }));
    }
    const paymentsIn = async (line: string): Promise<unknown[]> =>
      (await harness.json(line)).subjects.slice(1).map(({ id }: { id: string }) => id);

    const { said } = await harness.type(`trace ${billId} --limit 2`);
    expect(said).toContain(
      `… earlier payments: npm run paylink -- trace ${billId} --before ${ids[1]} --limit 2`,
    );
    expect(await paymentsIn(`trace ${billId} --limit 2`)).toEqual([ids[2], ids[1]]);
    expect(await paymentsIn(`trace ${billId} --before ${ids[1]} --limit 2`)).toEqual([ids[0]]);
    expect(await paymentsIn(`trace ${billId} --before 2026-11-22 --limit 1`)).toEqual([ids[0]]);
    expect((await harness.type(`trace ${merchantId} --before ${ids[1]}`)).complained).toContain(
      'not one of this bill',
    );
  });

  it('shows a shop, and says when an id is unknown', async () => {
    const harness = await operatorHarness();
    await paidBill(harness);
    expect(await harness.json(`trace ${shopId}`)).toMatchObject({ subjects: [{ is: 'shop', id: shopId }] });
    const { exitCode, complained } = await harness.type('trace nothing-has-this-id');
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining('Nothing has this id'),
    });
  });

  it('escapes control characters in untrusted text', async () => {
    const harness = await operatorHarness();
    await harness.bills.create(aBill({ orderId: 'order\u001b[2J\nforged line' }), [], []);
    const { said } = await harness.type(`trace ${billId}`);
    expect(said).not.toContain('\u001b');
    expect(said).not.toContain('\nforged');
  });
});

describe('payments', () => {
  it('lists those with an unknown outcome, and has one checked', async () => {
    const harness = await operatorHarness();
    await harness.bills.create(aBill(), [], []);
    await harness.payments.start(aPayment(), {
      bill: aBill(),
      now: today,
      lockUntil: new Date(today.getTime() + 900_000),
    });
    const inAnHour = new Date(today.getTime() + 3_600_000);
    await harness.payments.postponeCheck(aPayment(), inAnHour);
    expect(await harness.payments.due(today)).toEqual([]);

    expect(await harness.json('payments list --unknown')).toMatchObject([
      { id: paymentId, charge: '100.50 RUB', checks: 1 },
    ]);
    await harness.json(`payments ask ${paymentId} --by olga`);

    expect(await harness.payments.due(today)).toMatchObject([{ id: paymentId }]);
    const kept = (await itemsOf(harness.table)).filter(({ PK }) => PK === 'OPERATOR#olga');
    expect(kept).toMatchObject([{ kind: 'ask_about_payment', paymentId }]);
  });

  it('lists a failed payment until its late money is refunded, shows it and has it checked', async () => {
    const harness = await operatorHarness();
    await harness.bills.create(aBill(), [], []);
    const started = aPayment();
    await harness.payments.start(started, { bill: aBill(), now: today, lockUntil: today });
    const failed = { ...started, status: 'FAIL', phase: 'DONE' } as const;
    await harness.payments.failed(started, failed, {
      releasesBill: true,
      countsFailure: true,
      entries: [],
      event: undefined,
    });
    await harness.payments.startVoid(failed, aCall());

    expect(await harness.json('payments list --unknown')).toMatchObject([
      { id: paymentId, status: 'FAIL', phase: 'VOIDING' },
    ]);
    const { said } = await harness.type(`trace ${paymentId}`);
    expect(said).toMatch(/phase +VOIDING/);
    expect(said).toMatch(new RegExp(`reference +${paymentId}`));
    expect(said).toMatch(/cancel +no answer \(attempt 1, 2/);
    const asked = await harness.payments.find(paymentId);
    const refusal = { attempt: 1, answer: 'refused', outcome: 'invalid_request' } as const;
    if (asked) await harness.payments.callAnswered(asked, 'cancel', refusal);
    expect((await harness.type(`trace ${paymentId}`)).said).toMatch(
      /cancel +refused: invalid_request \(attempt 1, /,
    );
    await harness.json(`payments ask ${paymentId}`);
    expect(await harness.payments.due(today)).toMatchObject([{ id: paymentId }]);
  });

  it('are scheduled for a check only if the write succeeds, whatever a worker does meanwhile', async () => {
    const harness = await operatorHarness();
    await harness.bills.create(aBill(), [], []);
    await harness.payments.start(aPayment(), { bill: aBill(), now: today, lockUntil: today });
    const inAnHour = new Date(today.getTime() + 3_600_000);
    /** A worker checks the payment after each of its first `checks` reads. */
    const askBeside = (checks: number) => {
      let left = checks;
      const find: typeof harness.payments.find = async (id) => {
        const found = await harness.payments.find(id);
        left -= 1;
        if (found && left >= 0) await harness.payments.postponeCheck(found, inAnHour);
        return found;
      };
      return askAboutPayment({ ...harness, payments: { ...harness.payments, find } }, { paymentId });
    };

    expect(await askBeside(100)).toEqual({ ok: false, error: 'payment_is_being_asked_about' });
    expect(await harness.payments.due(today)).toEqual([]);
    expect(await askBeside(1)).toMatchObject({ ok: true });
    expect(await harness.payments.due(today)).toMatchObject([{ id: paymentId }]);
  });

  it('has no check for a decided or unknown payment', async () => {
    const harness = await operatorHarness();
    await paidBill(harness);
    expect(await harness.json('payments list --unknown')).toEqual([]);
    expect((await harness.type(`payments ask ${paymentId}`)).complained).toContain(
      'This payment is already final',
    );
    expect((await harness.type('payments ask nothing')).complained).toContain('There is no such payment');
  });
});

/** An event that a worker has finished as DEAD. */
async function dead({ events }: OperatorHarness, { id }: PostbackEvent): Promise<void> {
  const claimed = await events.claim(id, today, new Date(today.getTime() + 60_000));
  if (!claimed) throw new Error('nobody else is there to claim it');
  await events.finish(claimed, {
    state: 'DEAD',
    attempt: anAttempt({ at: today }),
    counts: true,
    nextAttempt: undefined,
  });
}

describe('postbacks', () => {
  it('lists what is undelivered, also by shop, and sends one again under its id', async () => {
    const harness = await operatorHarness();
    await harness.shops.create(aShop());
    const { merchantId: another } = await harness.json('merchant create Another');
    const { shopId: anotherShop } = await harness.json(`shop create ${another}`);
    await given(harness.table, { ...event, state: 'RETRY', tries: 3 });
    expect(await harness.json('postbacks list')).toMatchObject([
      { id: eventId, state: 'RETRY', endpoint: shopId },
    ]);
    expect(await harness.json(`postbacks list --shop ${shopId}`)).toHaveLength(1);
    expect(await harness.json(`postbacks list --shop ${anotherShop}`)).toEqual([]);
    expect(await harness.json(`postbacks list --merchant ${another}`)).toEqual([]);

    await harness.json(`postbacks replay ${eventId}`);

    expect(await takeMessages(harness.postbacks)).toEqual([JSON.stringify({ eventId })]);
  });

  it('sends nothing to a paused endpoint until it is resumed, then everything that waited', async () => {
    const harness = await operatorHarness();
    await harness.endpoints.pause(shopId);
    await given(harness.table, event);
    const claimed = await harness.events.claim(eventId, today, new Date(today.getTime() + 60_000));
    if (!claimed) throw new Error('nobody else is there to claim it');
    await harness.events.finish(claimed, {
      state: 'PAUSED',
      attempt: anAttempt({ at: today, outcome: 'paused' }),
      counts: false,
      nextAttempt: undefined,
    });

    expect((await harness.type(`postbacks replay ${eventId}`)).complained).toContain(
      'resume it with endpoint resume',
    );
    expect(await harness.json('postbacks list')).toMatchObject([{ state: 'PAUSED', nextAt: null }]);
    await harness.shops.create(aShop());
    expect((await harness.type(`trace ${shopId}`)).said).toContain('PAUSED (failing): endpoint resume');
    const resumed = { endpoint: shopId, wasPaused: true, replayed: 1 };
    expect(await harness.json(`endpoint resume ${shopId}`)).toEqual(resumed);
    expect(await takeMessages(harness.postbacks)).toEqual([JSON.stringify({ eventId })]);
    expect((await harness.type(`endpoint resume ${shopId}`)).said).toContain('was not paused');
  });

  it('resumes a shop’s refund URL apart from its Result URL', async () => {
    const harness = await operatorHarness();
    const refundUrl = `${shopId}.refund`;
    await harness.shops.create(aShop());
    await harness.endpoints.pause(refundUrlIdOf(shopId));
    expect((await harness.type(`trace ${shopId}`)).said).toMatch(/refund postbacks.*PAUSED/);
    const owed = { ...event, id: `cb.${paymentId}x1.CONFIRMED`, kind: 'chargeback' } as const;
    await given(harness.table, { ...owed, state: 'PAUSED' });
    expect(await harness.json(`postbacks list --shop ${shopId}`)).toMatchObject([
      { id: owed.id, kind: 'chargeback', endpoint: refundUrl },
    ]);
    expect(await harness.json(`endpoint resume ${shopId}`)).toMatchObject({ wasPaused: false, replayed: 0 });
    expect((await harness.type(`endpoint resume ${refundUrl} --by petr`)).said).toBe(
      'The refund endpoint of Tea house is resumed; postbacks queued: 1.',
    );
    expect((await harness.type(`trace ${shopId}`)).said).toContain(
      'endpoint resume by petr: refundUrlPaused',
    );
    expect((await harness.type('endpoint resume 0000000000000000.refund')).exitCode).toBe(1);
  });

  it('shows the receiver’s last response, and that the open breaker delays the postback', async () => {
    const harness = await operatorHarness();
    const attempts = [
      anAttempt({ at: today, outcome: 'bad_certificate' }),
      anAttempt({ at: today, outcome: 'breaker_open' }),
    ];
    await given(harness.table, { ...event, state: 'RETRY', tries: 1, attempts });
    expect(await harness.json('postbacks list')).toMatchObject([
      { state: 'RETRY', lastOutcome: 'bad_certificate', heldByBreaker: true },
    ]);
    expect((await harness.type('postbacks list')).said).toMatch(/RETRY, breaker open.*bad_certificate/);
  });

  it('sends a shop’s undelivered postbacks since a date again, including DEAD ones, and nothing to a paused endpoint', async () => {
    const harness = await operatorHarness();
    await harness.shops.create(aShop());
    const owed = (name: string, changes: Partial<PostbackEvent>) =>
      given(harness.table, { ...event, id: `pay.${name}.SUCCESS`, createdAt: today, ...changes });
    const dayBefore = new Date(today.getTime() - 86_400_000);
    await owed('old', { state: 'RETRY', createdAt: dayBefore });
    await owed('retried', { state: 'RETRY' });
    await dead(harness, await owed('dead', {}));
    await owed('elsewhere', { state: 'RETRY', shopId: toShopId('AnotherShop12345') });
    await owed('new', {});
    const since = today.toISOString().slice(0, 10);

    expect(await harness.json(`postbacks replay --shop ${shopId} --since ${since}`)).toEqual({
      replayed: 2,
      paused: [],
    });
    expect([...(await takeMessages(harness.postbacks))].sort()).toEqual(
      ['dead', 'retried'].map((name) => JSON.stringify({ eventId: `pay.${name}.SUCCESS` })),
    );

    await harness.endpoints.pause(shopId);
    const replay = `postbacks replay --merchant ${event.merchantId} --since 2000-01-01`;
    expect(await harness.json(replay)).toEqual({ replayed: 1, paused: [shopId] });
    expect((await harness.type(replay)).said).toContain(`nothing was sent there: ${shopId}`);
  });

  it.each([
    ['postbacks replay', 'Name one postback'],
    ['postbacks replay --since 2026-11-20', 'Name one postback'],
    [`postbacks replay --shop ${shopId}`, 'Name one postback'],
    [`postbacks replay --shop ${shopId} --since yesterday`, 'Give a date or a time in UTC'],
  ])('does not guess what to send again: %s', async (line, sentence) => {
    const harness = await operatorHarness();
    await harness.shops.create(aShop());
    expect((await harness.type(line)).complained).toContain(sentence);
  });

  it('resumes an endpoint with its DEAD postbacks', async () => {
    const harness = await operatorHarness();
    await harness.shops.create(aShop());
    await dead(harness, await given(harness.table, event));
    expect(await harness.json(`endpoint resume ${shopId}`)).toMatchObject({ wasPaused: false, replayed: 1 });
    expect(await takeMessages(harness.postbacks)).toEqual([JSON.stringify({ eventId })]);
  });

  it.each([
    'endpoint resume nobody',
    'postbacks list --shop nobody',
    'postbacks list --merchant nobody',
    'auto show nobody',
  ])('says that nobody is meant: %s', async (line) => {
    const { exitCode, complained } = await (await operatorHarness()).type(line);
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining('There is no such'),
    });
  });

  it('shows how long an endpoint has been failing', async () => {
    const harness = await operatorHarness();
    await harness.shops.create(aShop());
    await harness.endpoints.failed(shopId, today);
    expect((await harness.type(`trace ${shopId}`)).said).toContain(`failing since ${today.toISOString()}`);
  });

  it('refuses an unknown postback', async () => {
    const { type } = await operatorHarness();
    expect((await type('postbacks replay pay.nothing.SUCCESS')).complained).toContain(
      'There is no such postback',
    );
  });
});

describe('audit', () => {
  it('finds no difference after a payment and two payouts', async () => {
    const harness = await operatorHarness();
    await bookOpening(harness.table, 1_000_000n);
    await paidBill(harness);
    await created(harness);
    const declined = await created(harness, { amount: '2000' });
    await harness.json(`payouts decline ${declined.id} --reason no`);
    expect(await harness.type('audit')).toMatchObject({
      exitCode: 0,
      said: expect.stringContaining('The books agree'),
    });
    expect(await harness.json('audit')).toMatchObject({ agrees: true, differences: [] });
  });

  it('covers what belongs to a merchant, or is newer than a day, and no more', async () => {
    const harness = await operatorHarness();
    await bookOpening(harness.table, 1_000_000n);
    const spoil = (PK: string, others: Readonly<Record<string, unknown>>) =>
      harness.table.client.send(
        new PutCommand({ TableName: harness.table.name, Item: { PK, SK: 'E', ...others } }),
      );
    await spoil('E#hers', { merchantId, createdAt: '2026-11-20T00:00:00.000Z' });
    await spoil('E#old', { merchantId: 'MerchantOfOthers', createdAt: '2026-10-20T00:00:00.000Z' });
    const about = async (line: string) =>
      JSON.parse((await harness.type(`${line} --json`)).said).differences.map(
        (difference: Record<string, string>) => difference['about'],
      );
    expect(await about(`audit --merchant ${merchantId}`)).toEqual(['E#hers E']);
    expect(await about('audit --merchant MerchantOfOthers')).toEqual(['E#old E']);
    expect(await about('audit --since 2026-11-01')).toEqual(['E#hers E']);
    expect((await harness.type('audit --merchant x')).complained).toContain('There is no such merchant');
    expect((await harness.type('audit --after x')).complained).toContain('This is no cursor of an audit');
  });

  it('prints, when a read fails, what it found so far and the command that continues after it', async () => {
    const harness = await operatorHarness();
    await bookOpening(harness.table, 1_000_000n);
    const { client, name: TableName } = harness.table;
    await client.send(new PutCommand({ TableName, Item: { PK: 'E#spoiled', SK: 'E' } }));
    const expired = () => Promise.reject(Object.assign(new Error(), { name: 'ExpiredTokenException' }));
    const reconciliations = { ...harness.reconciliations, list: expired };
    const failed = await terminal({ ...harness.context, reconciliations }).type('audit');
    expect(failed).toMatchObject({ exitCode: 1, said: '' });
    const [found, continued, why] = failed.complained.split('\n');
    expect(found).toMatch(/^items {2}.*E#spoiled/);
    expect(continued).toBe('To continue from here: npm run paylink -- audit --after provider_days');
    expect(why).toBe('The AWS credentials have expired: log in again.');
  });

  it('prints, when it is interrupted, the command that continues it', async () => {
    const harness = await operatorHarness();
    await bookOpening(harness.table, 1_000_000n);
    const { exitCode, said } = await harness.interrupted().type('audit --since 2026-11-01');
    expect(exitCode).toBe(1);
    expect(said).toMatch(
      /^Interrupted: 0 differences; 0 items read\. Continue with: npm run paylink -- audit --since 2026-11-01T00:00:00.000Z --after seals$/,
    );
    expect((await harness.type(said.slice(said.indexOf('audit --since')))).said).toContain('The books agree');
  });

  it('--last shows the scheduled audit with its differences', async () => {
    const harness = await operatorHarness();
    const last = () => harness.type('audit --last');
    expect(await last()).toMatchObject({
      exitCode: 1,
      said: expect.stringContaining('No scheduled audit has run yet'),
    });
    const startedAt = new Date('2026-11-21T01:00:00Z');
    const run = {
      startedAt,
      next: undefined,
      endedAt: new Date('2026-11-21T01:02:00Z'),
      parts: 1,
      counts: { items: 5 },
      differenceCount: 1,
      leasedUntil: undefined,
    };
    const difference = {
      invariant: 'items',
      about: 'X#1 X',
      text: 'item X#1 X cannot be read: why',
    } as const;
    await dynamoAuditRuns(harness.table).store(undefined, run, [difference]);
    const { exitCode, said } = await last();
    expect(exitCode).toBe(1);
    expect(said.split('\n')).toEqual([
      'The audit of 2026-11-21 01:00:00Z ended at 2026-11-21 01:02:00Z: 1 difference (books_differ), 5 items read.',
      'items  item X#1 X cannot be read: why',
      'Nothing was changed: see trace for each id.',
    ]);
    expect(JSON.parse((await harness.type('audit --last --json')).said)).toMatchObject([
      { agrees: false, differences: [difference] },
    ]);
  });

  it('exits with 1 and reports the difference when a balance was changed by hand', async () => {
    const harness = await operatorHarness();
    await bookOpening(harness.table, 1_000_000n);
    const change = new UpdateCommand({
      TableName: harness.table.name,
      Key: balanceKey(merchantId, 'RUB'),
      UpdateExpression: 'SET available = available + :one',
      ExpressionAttributeValues: { ':one': 1 },
    });
    await harness.table.client.send(change);

    const { exitCode, said } = await harness.type('audit');

    expect(exitCode).toBe(1);
    expect(said).toContain(
      `balance_matches_journal  balance ${merchantId} RUB available is 10000.01, but its journal lines sum to 10000.00`,
    );
    const { said: document, exitCode: again } = await harness.type('audit --json');
    expect(again).toBe(1);
    expect(JSON.parse(document)).toMatchObject({
      agrees: false,
      differences: [{ invariant: 'balance_matches_journal' }],
    });
  });

  it('finds a missing journal entry, postback and work list entry', async () => {
    const harness = await operatorHarness();
    await bookOpening(harness.table, 1_000_000n);
    await paidBill(harness);
    const { client, name: TableName } = harness.table;
    await client.send(new DeleteCommand({ TableName, Key: { PK: `J#${paymentId}`, SK: 'CAPTURE' } }));
    await client.send(new DeleteCommand({ TableName, Key: { PK: `E#${eventId}`, SK: 'E' } }));
    const lost = await created(harness);
    const key = payoutKey(lost.id);
    await client.send(new UpdateCommand({ TableName, Key: key, UpdateExpression: 'REMOVE workList' }));

    const { differences } = JSON.parse((await harness.type('audit --json')).said);

    expect(differences.map(({ invariant }: { invariant: string }) => invariant).toSorted()).toEqual([
      'balance_matches_journal',
      'captures_match_payments',
      'events_match_states',
      'work_lists_complete',
    ]);
  });

  it.each([
    [
      'gives the merchant a rouble of the fee',
      { acquirer: -10_050n, available: 9_949n, fees: 101n },
      ['balance_matches_journal', 'captures_match_payments'],
    ],
    [
      'says that the acquirer took more',
      { acquirer: -10_150n, available: 9_849n, fees: 301n },
      ['captures_match_payments'],
    ],
  ])(
    'finds a journal entry that was overwritten, though its lines sum to zero: it %s',
    async (_what, amounts, invariants) => {
      const harness = await operatorHarness();
      await bookOpening(harness.table, 1_000_000n);
      await paidBill(harness);
      const { client, name: TableName } = harness.table;
      const Key = { PK: `J#${paymentId}`, SK: 'CAPTURE' };
      const { Item } = await client.send(new GetCommand({ TableName, Key }));
      const lines = Object.entries(amounts).map(([account, minor]) => ({ account, currency: 'RUB', minor }));
      await client.send(new PutCommand({ TableName, Item: { ...Item, lines } }));

      const { differences } = JSON.parse((await harness.type('audit --json')).said);

      expect(differences.map(({ invariant }: { invariant: string }) => invariant).toSorted()).toEqual(
        invariants,
      );
    },
  );

  it('reports an item that it cannot parse', async () => {
    const harness = await operatorHarness();
    await bookOpening(harness.table, 1_000_000n);
    const Item = { PK: 'B#broken', SK: 'B', amount: 'much' };
    await harness.table.client.send(new PutCommand({ TableName: harness.table.name, Item }));
    const { exitCode, said } = await harness.type('audit');
    expect(exitCode).toBe(1);
    expect(said).toContain('item B#broken B cannot be read');
  });
});
