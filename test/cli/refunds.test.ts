import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { toPaymentId, toRefundId } from '../../lib/ids.ts';
import type { Refund } from '../../lib/refund/refund.ts';
import { paymentItem } from '../../lib/store/payment-item.ts';
import { refundItem } from '../../lib/store/refund-item.ts';
import { bookOpening } from '../support/adjustments.ts';
import { aPayment, merchantId, paymentId, today } from '../support/builders.ts';
import { aPaidPayment, bookPaid } from '../support/chargebacks.ts';
import { type OperatorHarness, operatorHarness } from '../support/operator.ts';
import { balanceOf } from '../support/payout-harness.ts';

const because = '--reason "asked for by letter"';

/** A merchant who got 98.49 RUB of a payment of 100.50, and has `debit` less than 10,000.00 besides. */
async function withPayment(debit = '9900') {
  const harness = await operatorHarness();
  await bookOpening(harness.table, 1_000_000n);
  const { id } = await harness.json(`adjustments propose ${merchantId} RUB --debit ${debit} --reason test`);
  await harness.json(`adjustments approve ${id} --by petr`);
  await bookPaid(harness.table, aPaidPayment());
  return harness;
}

const put = ({ table }: OperatorHarness, Item: Readonly<Record<string, unknown>>) =>
  table.client.send(new PutCommand({ TableName: table.name, Item }));

const create = (harness: OperatorHarness, options = '') =>
  harness.type(`refunds create ${paymentId} ${options} ${because} --yes`);

describe('refunds create', () => {
  it('says what is debited, what the fee does and what remains, and asks before it reserves', async () => {
    const harness = await withPayment();
    const { exitCode, complained } = await harness.type(
      `refunds create ${paymentId} --amount 40 ${because}`,
      false,
    );
    expect({ exitCode, complained }).toEqual({ exitCode: 1, complained: 'Nothing was done.' });
    expect(harness.asked.at(-1)).toBe(
      `40.00 RUB of payment ${paymentId} goes back to its payer. 40.00 RUB is debited from merchant ${merchantId}, ` +
        'who has 198.49 RUB available, and the fee is kept. 60.50 RUB remains refundable. Refund it?',
    );
    expect(await balanceOf(harness.table)).toMatchObject({ available: 19_849n, locked: 0n });

    const refund = await harness.json(`refunds create ${paymentId} --amount 40 ${because}`);
    expect(refund).toMatchObject({
      paymentId,
      status: 'NEW',
      amount: '40.00',
      debit: '40.00',
      requestedBy: 'olga',
      reason: 'asked for by letter',
    });
    expect(await harness.json(`refunds show ${refund.id}`)).toEqual(refund);
    expect(await balanceOf(harness.table)).toMatchObject({ available: 15_849n, locked: 4_000n });
    expect(await harness.json('audit')).toMatchObject({ agrees: true });
  });

  it('refunds all that is left without --amount, also of a banned merchant', async () => {
    const harness = await withPayment();
    await create(harness, '--amount 40');
    await harness.json(`merchant set ${merchantId} --banned yes`);
    expect((await create(harness)).said).toMatch(/Refund \S+ of 60\.50 RUB is NEW/);
    expect((await create(harness)).complained).toContain('Nothing of this payment is left');
    expect(await harness.json('audit')).toMatchObject({ agrees: true });
  });

  it('creates one refund, however often its decision is carried out', async () => {
    const harness = await withPayment();
    await create(harness, '--amount 40');
    const [first] = await harness.refunds.ofPayment(paymentId);
    const { requestedBy } = first ?? {};
    const id = requestedBy?.kind === 'operator' ? requestedBy.id : '';
    const again = () => harness.carryOut({ role: 'operator', by: 'olga', id });
    expect(await Promise.all([again(), again()])).toEqual(
      [first, first].map((each) => ({ ok: true, value: { kind: 'refund', id: each?.id } })),
    );
    expect(await harness.refunds.ofPayment(paymentId)).toHaveLength(1);
  });

  it.each([
    ['more than was received', `${paymentId} --amount 100.51`, 'more than is refundable'],
    ['a payment that does not exist', 'nothing', 'There is no such payment'],
  ])('refuses %s', async (_what, options, sentence) => {
    const harness = await withPayment();
    const { exitCode, complained } = await harness.type(`refunds create ${options} ${because}`);
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining(sentence),
    });
  });

  it('refuses a payment that is not paid', async () => {
    const harness = await withPayment();
    const unpaid = aPayment({ id: toPaymentId(`${paymentId.slice(0, 16)}00Unpaid00`), status: 'FAIL' });
    await put(harness, paymentItem(unpaid, today));
    expect((await harness.type(`refunds create ${unpaid.id} ${because}`)).complained).toContain(
      'Only a paid',
    );
  });

  it('refuses more than is on the balance', async () => {
    const harness = await withPayment('10000');
    expect((await create(harness)).complained).toContain('not enough available');
    expect(await harness.refunds.ofPayment(paymentId)).toEqual([]);
  });
});

describe('trace', () => {
  it('shows the refunds of a payment line by line, under the payment’s id and the refund’s', async () => {
    const harness = await withPayment();
    const { id } = await harness.json(`refunds create ${paymentId} --amount 40 ${because}`);
    const { subjects, steps } = await harness.json(`trace ${paymentId}`);
    expect(subjects).toContainEqual(
      expect.objectContaining({ is: 'refund', id, status: 'NEW', amount: '40.00 RUB', debit: '40.00 RUB' }),
    );
    const own = steps.filter((step: { readonly id: string }) => step.id.includes(id));
    expect(own).toMatchObject([
      { what: 'refund of 40.00 RUB requested by olga' },
      { what: expect.stringContaining('REFUND_RESERVE') },
    ]);
    expect((await harness.json(`trace ${id}`)).subjects).toEqual(subjects);
    expect((await harness.type(`refunds show ${toRefundId(`${paymentId}nothin`)}`)).complained).toContain(
      'There is no such refund',
    );
  });

  it('of a refund that the acquirer has decided does not say that it did not answer', async () => {
    const harness = await withPayment();
    const { id } = await harness.json(`refunds create ${paymentId} --amount 40 ${because}`);
    const refund = await harness.refunds.find(toRefundId(id));
    const call = { attempt: 1, unanswered: 1, answer: undefined, outcome: undefined, amountMinor: 4000n };
    const at = { firstAt: today, lastAt: today };
    const said = async (change: Partial<Refund>) => {
      await put(harness, refundItem({ ...refund!, call: { ...call, ...at }, ...change }));
      return (await harness.type(`trace ${id}`)).said;
    };
    expect(await said({ status: 'PROCESS' })).toContain('acquirer called (attempt 1): no answer');
    const ended = await said({ status: 'SUCCESS', endedAt: today, nextCheck: undefined });
    expect(ended).toContain('acquirer called (attempt 1)\n');
    expect(ended).toContain('refund is SUCCESS');
  });
});
