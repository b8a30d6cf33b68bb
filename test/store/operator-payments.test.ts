import { describe, expect, it } from 'vitest';
import { captureEntry } from '../../lib/ledger/payment-postings.ts';
import { aBill, aPayment, aShop, billId, paymentId, today } from '../support/builders.ts';
import { operatorHarness } from '../support/operator.ts';
import { balanceOf, journalOf } from '../support/payout-harness.ts';
import { takeMessages } from '../support/queue.ts';

const evidence = 'back office, order 4711';

/** A payment of the harness's merchant whose capture was asked for so many minutes ago. */
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
  await harness.payments.fence(payment);
  return harness;
}

describe('payments resolve', () => {
  it('takes a payment as captured: the merchant has the money and the postback is queued', async () => {
    const harness = await capturing();
    const before = await balanceOf(harness.table);

    expect(
      await harness.json(`payments resolve ${paymentId} --as captured --evidence "${evidence}"`),
    ).toMatchObject({
      id: paymentId,
      status: 'SUCCESS',
      phase: 'DONE',
      charge: '100.50 RUB',
      received: '100.50',
      acquirer: 'sandbox',
      decisions: [{ verdict: 'captured', by: 'olga', reason: evidence, at: harness.now().toISOString() }],
    });

    expect(await balanceOf(harness.table)).toMatchObject({ available: before.available + 9_849n });
    expect((await journalOf(harness.table)).map(({ kind }) => kind)).toEqual(['CAPTURE']);
    expect(await harness.bills.find(billId)).toMatchObject({ status: 'SUCCESS', paidBy: paymentId });
    expect(await takeMessages(harness.postbacks)).toEqual([
      JSON.stringify({ eventId: `pay.${paymentId}.SUCCESS` }),
    ]);
    expect(await harness.json('payments list --unknown')).toEqual([]);
  });

  it('takes another amount than the charge', async () => {
    const harness = await capturing();
    const line = `payments resolve ${paymentId} --as captured --amount 90.45 --evidence "${evidence}" --by petr`;
    expect(await harness.json(line)).toMatchObject({
      status: 'UNDERPAID',
      received: '90.45',
      decisions: [{ by: 'petr' }],
    });
  });

  it('takes a payment as failed: its bill may be paid again', async () => {
    const harness = await capturing();
    const { exitCode, said } = await harness.type(
      `payments resolve ${paymentId} --as failed --evidence "${evidence}" --yes`,
    );
    expect(exitCode).toBe(0);
    expect(said).toContain(`Payment ${paymentId} was resolved as failed: it is FAIL now.`);
    expect(said).toContain('The sweep has it cancelled at the acquirer');
    expect(await harness.bills.find(billId)).toMatchObject({ status: 'FAIL', failures: 1, fenced: false });
    expect(await journalOf(harness.table)).toEqual([]);
  });

  it('is shown by trace: who said what, where it is known from, and the acquirer', async () => {
    const harness = await capturing();
    await harness.json(`payments resolve ${paymentId} --as failed --evidence "${evidence}"`);
    const { subjects, steps } = await harness.json(`trace ${paymentId}`);
    expect(subjects[1]).toMatchObject({ is: 'payment', status: 'FAIL', acquirer: 'sandbox' });
    expect(steps.map(({ what }: { what: string }) => what)).toContain(
      `resolved as failed by olga: ${evidence}`,
    );
    expect((await harness.type(`trace ${paymentId}`)).said).toContain(`by olga: ${evidence}`);
  });

  it('happens only after a yes', async () => {
    const harness = await capturing();
    const line = `payments resolve ${paymentId} --as captured --amount 90.45 --evidence x`;
    expect(await harness.type(line, false)).toMatchObject({ exitCode: 1 });
    expect(await harness.type(line)).toMatchObject({ exitCode: 1 });
    expect(harness.asked).toEqual([`Take 90.45 RUB of payment ${paymentId} (CAPTURING) as "captured"?`]);
    expect(await harness.payments.find(paymentId)).toMatchObject({ phase: 'CAPTURING' });
  });

  it.each([
    ['one that is young', 59, `${paymentId} --as failed --evidence x`, 'less than an hour old'],
    ['one that there is not', 60, 'nothing --as failed --evidence x', 'There is no such payment'],
    ['a word without evidence', 60, `${paymentId} --as failed`, "required option '--evidence <text>'"],
    [
      'a word that is none',
      60,
      `${paymentId} --as lost --evidence x`,
      'Allowed choices are captured, failed',
    ],
    ['an amount of nothing', 60, `${paymentId} --as captured --amount 0 --evidence x`, 'above zero'],
    [
      'an amount of what failed',
      60,
      `${paymentId} --as failed --amount 1 --evidence x`,
      'Only what was captured',
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

  it('refuses one that is decided', async () => {
    const harness = await capturing();
    const line = `payments resolve ${paymentId} --as captured --evidence x --yes`;
    await harness.type(line);
    expect((await harness.type(line)).complained).toContain('This payment is decided');
  });

  it('says what is to be done where another payment had paid the bill', async () => {
    const harness = await operatorHarness();
    await harness.bills.create(aBill(), [], []);
    const createdAt = new Date(harness.now().getTime() - 3_600_000);
    const [displaced, payer] = [aPayment({ createdAt }), aPayment({ id: `${billId}00Payment2` })];
    const hold = { bill: aBill(), now: today, lockUntil: today };
    await harness.payments.start(displaced, hold);
    await harness.payments.start(payer, hold);
    const paid = { ...payer, status: 'SUCCESS', phase: 'DONE', receivedMinor: 10_050n } as const;
    const before = { payment: payer, bill: aBill() };
    await harness.payments.settle(before, paid, captureEntry(paid, 10_050n, today), undefined);

    const words = `payments resolve ${displaced.id} --as captured --evidence "${evidence}" --yes`;
    const { exitCode, said } = await harness.type(words);

    expect({ exitCode, said }).toMatchObject({ exitCode: 0, said: expect.stringContaining('owed back') });
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
