import { describe, expect, it } from 'vitest';
import { toPaymentId } from '../../lib/ids.ts';
import type { AcquirerView } from '../../lib/payment/acquirer.ts';
import { captureEntry } from '../../lib/payment/payment-postings.ts';
import { captured as capturedView } from '../support/acquirer-views.ts';
import { aCall, aBill, aPayment, aShop, billId, paymentId, today } from '../support/builders.ts';
import { type OperatorHarness, operatorHarness } from '../support/operator.ts';
import { balanceOf, journalOf } from '../support/payout-harness.ts';
import { takeMessages } from '../support/queue.ts';

const evidence = 'back office, order 4711';

/** A payment of the harness's merchant whose capture was requested so many minutes ago. */
async function capturing(minutesAgo = 60) {
  const harness = await operatorHarness();
  await harness.shops.create(aShop({ resultUrl: 'https://cafe.example/result', resultUrlSince: today }));
  await harness.bills.create(aBill(), [], []);
  const payment = aPayment({
    acquirer: 'sandbox',
    createdAt: new Date(harness.now().getTime() - minutesAgo * 60_000),
  });
  const hold = { bill: aBill(), now: today, lockUntil: new Date(today.getTime() + 900_000) };
  await harness.payments.start(payment, hold);
  await harness.payments.fence(payment, aCall());
  return harness;
}

const word = (outcome: string) => `payments resolve ${paymentId} --as ${outcome} --evidence "${evidence}"`;

/** Two people resolve a payment as captured while the acquirer does not answer. */
async function captured(harness: OperatorHarness, options = '') {
  const proposal = await harness.json(`${word('captured')} ${options}`);
  await harness.json(`proposals approve ${proposal.id} --by petr`);
  return proposal;
}

describe('payments resolve', () => {
  it('resolves a payment as captured when a second person approves: the merchant is credited and the postback is queued', async () => {
    const harness = await capturing();
    const before = await balanceOf(harness.table);

    const proposal = await harness.json(word('captured'));
    expect(proposal).toMatchObject({
      status: 'PROPOSED',
      about: paymentId,
      as: 'captured',
      proposedBy: 'olga',
    });
    expect(await harness.json('proposals list')).toEqual([proposal]);
    expect(await balanceOf(harness.table)).toMatchObject({ available: before.available });
    const own = await harness.type(`proposals approve ${proposal.id} --by "оlga" --yes`);
    expect(own.complained).toContain('You proposed this yourself');

    const approved = await harness.json(`proposals approve ${proposal.id} --by petr`);

    expect(approved).toMatchObject({ status: 'DONE', decidedBy: 'petr' });
    const [, shown] = (await harness.json(`trace ${paymentId}`)).subjects;
    expect(shown).toMatchObject({ status: 'SUCCESS', received: '100.50', acquirer: 'sandbox' });
    expect((await harness.payments.find(paymentId))?.decisions).toMatchObject([
      { id: proposal.id, verdict: 'captured', by: 'olga', approvedBy: 'petr', reason: evidence },
    ]);
    expect(await balanceOf(harness.table)).toMatchObject({ available: before.available + 9_849n });
    expect((await journalOf(harness.table)).map(({ kind }) => kind)).toEqual(['CAPTURE']);
    expect(await harness.bills.find(billId)).toMatchObject({ status: 'SUCCESS', paidBy: paymentId });
    expect(await takeMessages(harness.postbacks)).toEqual([
      JSON.stringify({ eventId: `pay.${paymentId}.SUCCESS` }),
    ]);
    expect(await harness.json('payments list --unknown')).toEqual([]);
    expect(await harness.json('proposals list')).toEqual([]);
  });

  it('needs one person when the acquirer confirms it', async () => {
    const harness = await capturing();
    harness.acquirer.get = async () => capturedView(10_050n);
    expect(await harness.json(word('captured'))).toMatchObject({ status: 'SUCCESS', received: '100.50' });
    expect(await harness.json('proposals list')).toEqual([]);
  });

  it.each<[string, AcquirerView, string?]>([
    ['captured', { state: 'authorised', amountMinor: 10_050n }],
    ['captured', { state: 'declined', reason: 'declined', outcome: 'stolen' }],
    ['captured', { state: 'voided' }],
    ['captured', capturedView(1n), '--amount 100.50'],
    ['failed', capturedView(10_050n)],
  ])('refuses "%s" where the acquirer says %o', async (outcome, view, options = '') => {
    const harness = await capturing();
    const before = await balanceOf(harness.table);
    harness.acquirer.get = async () => view;
    const { exitCode, complained } = await harness.type(`${word(outcome)} ${options} --yes`);
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining(`The acquirer says otherwise: for it this is “${view.state}`),
    });
    expect(await harness.payments.find(paymentId)).toMatchObject({ status: 'PROCESS', phase: 'CAPTURING' });
    expect(await balanceOf(harness.table)).toEqual(before);
  });

  it('refuses an approval that the acquirer contradicts, and shows it in the list of proposals', async () => {
    const harness = await capturing();
    const { id } = await harness.json(word('captured'));
    harness.acquirer.get = async () => ({ state: 'voided' });
    const { complained } = await harness.type(`proposals approve ${id} --by petr --yes`);
    expect(complained).toContain('for it this is “voided”');
    expect(await harness.proposals.find(id)).toMatchObject({
      status: 'REFUSED',
      refusal: 'acquirer says voided',
    });
    expect(await harness.payments.find(paymentId)).toMatchObject({ status: 'PROCESS' });
  });

  it('accepts an amount other than the charge', async () => {
    const harness = await capturing();
    await captured(harness, '--amount 90.45');
    expect(await harness.payments.find(paymentId)).toMatchObject({
      status: 'UNDERPAID',
      receivedMinor: 9_045n,
    });
  });

  it('resolves a payment as failed: its bill can be paid again', async () => {
    const harness = await capturing();
    const { exitCode, said } = await harness.type(
      `payments resolve ${paymentId} --as failed --evidence "${evidence}" --yes`,
    );
    expect(exitCode).toBe(0);
    expect(said).toContain(`Payment ${paymentId} was resolved as failed: it is FAIL now.`);
    expect(said).toContain('The sweep voids it at the acquirer');
    expect(await harness.bills.find(billId)).toMatchObject({ status: 'FAIL', failures: 1, fenced: false });
    expect(await journalOf(harness.table)).toEqual([]);
  });

  it('is shown by trace with the people, the evidence and the acquirer', async () => {
    const harness = await capturing();
    await harness.json(`payments resolve ${paymentId} --as failed --evidence "${evidence}"`);
    const { subjects, steps } = await harness.json(`trace ${paymentId}`);
    expect(subjects[1]).toMatchObject({ is: 'payment', status: 'FAIL', acquirer: 'sandbox' });
    expect(steps.map(({ what }: { what: string }) => what)).toContain(
      `resolved as failed by olga: ${evidence}`,
    );
    expect((await harness.type(`trace ${paymentId}`)).said).toContain(`by olga: ${evidence}`);
  });

  it('takes effect only after confirmation', async () => {
    const harness = await capturing();
    const line = `payments resolve ${paymentId} --as captured --amount 90.45 --evidence x`;
    expect(await harness.type(line, false)).toMatchObject({ exitCode: 1 });
    expect(await harness.type(line)).toMatchObject({ exitCode: 1 });
    expect(harness.asked).toEqual([`Resolve 90.45 RUB of payment ${paymentId} (CAPTURING) as "captured"?`]);
    expect(await harness.payments.find(paymentId)).toMatchObject({ phase: 'CAPTURING' });
  });

  it.each([
    ['a recent payment', 59, `${paymentId} --as failed --evidence x`, 'less than an hour old'],
    ['an unknown payment', 60, 'nothing --as failed --evidence x', 'There is no such payment'],
    ['an outcome without evidence', 60, `${paymentId} --as failed`, "required option '--evidence <text>'"],
    [
      'a word that is none',
      60,
      `${paymentId} --as lost --evidence x`,
      'Allowed choices are captured, failed',
    ],
    ['an amount of zero', 60, `${paymentId} --as captured --amount 0 --evidence x`, 'above zero'],
    [
      'an amount of what failed',
      60,
      `${paymentId} --as failed --amount 1 --evidence x`,
      'only for a captured payment',
    ],
  ])('refuses %s', async (_what, minutesAgo, words, sentence) => {
    const harness = await capturing(minutesAgo);
    const { exitCode, complained } = await harness.type(`payments resolve ${words} --yes`);
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining(sentence),
    });
    expect(await harness.payments.find(paymentId)).toMatchObject({ status: 'PROCESS', phase: 'CAPTURING' });
  });

  it('refuses a decided payment', async () => {
    const harness = await capturing();
    await captured(harness);
    expect((await harness.type(`${word('captured')} --yes`)).complained).toContain(
      'This payment is already final',
    );
  });

  it('says what to do when another payment has paid the bill', async () => {
    const harness = await operatorHarness();
    const createdAt = new Date(harness.now().getTime() - 3_600_000);
    await harness.bills.create(aBill({ createdAt }), [], []);
    const [displaced, payer] = [
      aPayment({ createdAt }),
      aPayment({ id: toPaymentId(`${billId}00Payment2`) }),
    ];
    const hold = { bill: aBill(), now: today, lockUntil: today };
    await harness.payments.start(displaced, hold);
    await harness.payments.start(payer, hold);
    const paid = { ...payer, status: 'SUCCESS', phase: 'DONE', receivedMinor: 10_050n } as const;
    const before = { payment: payer, bill: aBill() };
    await harness.payments.settle(before, paid, [captureEntry(paid, 10_050n, today)], undefined);

    harness.acquirer.get = async () => capturedView(10_050n);
    const words = `payments resolve ${displaced.id} --as captured --evidence "${evidence}" --yes`;
    const { exitCode, said } = await harness.type(words);

    expect({ exitCode, said }).toMatchObject({
      exitCode: 0,
      said: expect.stringContaining('this one is a duplicate'),
    });
    expect(await harness.payments.find(displaced.id)).toMatchObject({
      status: 'PROCESS',
      phase: 'REFUNDING',
    });
    expect((await harness.type('audit')).said).not.toContain(displaced.id);
  });

  it('shows an example in its help', async () => {
    const harness = await operatorHarness();
    const { said } = await harness.type('payments resolve --help');
    expect(said).toContain('npm run paylink -- payments resolve');
  });
});

describe('payments close', () => {
  const order = { provider: 'yookassa', reference: '2f1b3c7e-000f-5000-8000-1d2e3f4a5b6c' };
  const line = `payments close ${order.provider} ${order.reference} --reason "refunded in the cabinet"`;
  async function noticed() {
    const harness = await operatorHarness();
    const at = harness.now();
    await harness.unknownPayments.keep({
      ...order,
      paymentId: undefined,
      state: 'captured',
      amountMinor: 500n,
      at,
      closed: undefined,
    });
    return harness;
  }

  it('takes an order off the list, with who did it and why', async () => {
    const harness = await noticed();
    expect((await harness.type('payments unknown')).said).toMatch(/yookassa +2f1b3c7e.* captured +5\.00/);
    const { said } = await harness.type(`${line} --by olga`);
    expect(said).toContain('is closed: payments unknown --closed shows it');
    expect((await harness.type('payments unknown')).said).toBe(
      'Every order that an acquirer told of is known.',
    );
    expect(await harness.json('payments unknown --closed')).toMatchObject([
      { ...order, state: 'captured', closedBy: 'olga', reason: 'refunded in the cabinet' },
    ]);
    expect((await harness.type('payments unknown --closed')).said).toContain('refunded in the cabinet');
  });

  it.each([
    [
      'is not listed',
      'payments close yookassa other --reason x',
      'There is no such order: see payments unknown.',
    ],
    ['has no reason', line.replace(/--reason.*/, '--reason ""'), 'Give a reason'],
    ['has a card number as reason', line.replace(/".*"/, '"4111 1111 1111 1111"'), 'card number'],
  ])('refuses an order that %s', async (_order, typed, sentence) => {
    const harness = await noticed();
    expect((await harness.type(`${typed} --yes`)).complained).toContain(sentence);
    expect(await harness.unknownPayments.list()).toMatchObject([order]);
  });

  it('refuses an order that is closed, and one that changes meanwhile', async () => {
    const harness = await noticed();
    const listed = await harness.unknownPayments.list();
    const { carryOut } = harness.context;
    Object.assign(harness.context, {
      carryOut: async (...key: Parameters<typeof carryOut>) => {
        for (const each of listed) await harness.unknownPayments.keep({ ...each, state: 'voided' });
        return carryOut(...key);
      },
    });
    expect((await harness.type(line)).complained).toContain('This order has changed since it was shown');
    Object.assign(harness.context, { carryOut });
    await harness.json(line);
    expect((await harness.type(line)).complained).toContain('This order is closed already');
  });

  it('closes it once when the decision is carried out twice', async () => {
    const harness = await noticed();
    const { carryOut } = harness.context;
    Object.assign(harness.context, {
      carryOut: async (...key: Parameters<typeof carryOut>) => {
        await carryOut(...key);
        return carryOut(...key);
      },
    });
    expect(await harness.json(line)).toMatchObject({ closedBy: expect.any(String) });
  });
});
