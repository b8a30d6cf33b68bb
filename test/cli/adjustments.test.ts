import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { toMerchantId } from '../../lib/ids.ts';
import { adjustmentItem } from '../../lib/store/adjustment-item.ts';
import { anApprovedAdjustment, bookOpening } from '../support/adjustments.ts';
import { aBill, aMerchant, aPayment, aShop, merchantId, paymentId, today } from '../support/builders.ts';
import { type OperatorHarness, operatorHarness } from '../support/operator.ts';
import { balanceOf, created, journalOf } from '../support/payout-harness.ts';

const because = '--reason "chargeback of 21 November"';

/** A merchant with 10 000.00 RUB that the journal accounts for, and a payment. */
async function harnessWithBooks() {
  const harness = await operatorHarness();
  await bookOpening(harness.table, 1_000_000n);
  await harness.shops.create(aShop());
  await harness.bills.create(aBill(), [], []);
  const hold = { bill: aBill(), now: today, lockUntil: new Date(today.getTime() + 900_000) };
  await harness.payments.start(aPayment(), hold);
  return harness;
}

const propose = (
  harness: OperatorHarness,
  options: string,
): Promise<{ readonly id: string; readonly warnings: readonly string[] }> =>
  harness.json(`adjustments propose ${merchantId} rub ${options} ${because}`);

describe('an adjustment', () => {
  it('waits for a second person, then moves money, and audit finds no difference', async () => {
    const harness = await harnessWithBooks();
    const proposed = await propose(harness, `--debit 100.50 --about ${paymentId}`);
    expect(proposed).toMatchObject({
      merchantId,
      status: 'PROPOSED',
      direction: 'debit',
      amount: '100.50',
      currency: 'RUB',
      reason: 'chargeback of 21 November',
      about: paymentId,
      proposedBy: 'olga',
      decidedBy: null,
    });
    expect(await harness.json('adjustments list')).toMatchObject([{ id: proposed.id, status: 'PROPOSED' }]);
    expect(await balanceOf(harness.table)).toMatchObject({ available: 1_000_000n });
    expect(await harness.json('audit')).toMatchObject({ agrees: true });

    const approved = await harness.json(`adjustments approve ${proposed.id} --by petr`);

    expect(approved).toEqual({
      ...proposed,
      status: 'APPROVED',
      decidedBy: 'petr',
      decidedAt: today.toISOString(),
    });
    expect(await balanceOf(harness.table)).toMatchObject({ available: 989_950n });
    expect(await harness.json('adjustments list')).toEqual([]);
    expect(await harness.json('audit')).toMatchObject({ agrees: true });
  });

  it('credits a currency that the merchant never had', async () => {
    const harness = await harnessWithBooks();
    const { id } = await harness.json(`adjustments propose ${merchantId} usd --credit 5 --reason goodwill`);
    await harness.json(`adjustments approve ${id} --by petr`);
    expect(await harness.json(`trace ${merchantId}`)).toMatchObject({
      subjects: expect.arrayContaining([expect.objectContaining({ id: 'USD', available: '5.00' })]),
    });
    expect(await harness.json('audit')).toMatchObject({ agrees: true });
  });

  it('is shown as text to a person', async () => {
    const harness = await harnessWithBooks();
    const { said } = await harness.type(
      `adjustments propose ${merchantId} RUB --credit 5 --reason "paid twice"`,
    );
    const [, id = ''] = /adjustments approve (\S+)$/.exec(said) ?? [];
    expect(said).toContain(`Adjustment ${id} of +5.00 RUB for ${merchantId} is PROPOSED now.`);
    expect((await harness.type('adjustments list')).said).toMatch(
      new RegExp(`${id} +\\+5\\.00 RUB +${merchantId} +olga .* paid twice$`, 'm'),
    );
    expect((await harness.type(`adjustments approve ${id} --by petr`, true)).said).toContain(
      'is APPROVED now',
    );
    expect(harness.asked).toEqual([`Post +5.00 RUB to the balance of ${merchantId} (paid twice)?`]);
    expect((await harness.type('adjustments list')).said).toBe('No adjustment is waiting.');
  });

  it('moves nothing without confirmation', async () => {
    const harness = await harnessWithBooks();
    const { id } = await propose(harness, '--debit 1');
    expect(await harness.type(`adjustments approve ${id} --by petr`, false)).toMatchObject({ exitCode: 1 });
    expect(await harness.type(`adjustments approve ${id} --by petr`)).toMatchObject({ exitCode: 1 });
    expect(await harness.json('adjustments list')).toMatchObject([{ id, status: 'PROPOSED' }]);
  });

  it.each(['', '--by olga', '--by OLGA'])('is not approved by its proposer (%s)', async (by) => {
    const harness = await harnessWithBooks();
    const { id } = await propose(harness, '--debit 1');
    const { exitCode, said } = await harness.type(`adjustments approve ${id} ${by} --yes --json`);
    expect({ exitCode, answer: JSON.parse(said) }).toEqual({
      exitCode: 1,
      answer: { error: 'same_person', message: expect.stringContaining('somebody else must approve it') },
    });
    expect(await harness.json('adjustments list')).toMatchObject([{ id, status: 'PROPOSED' }]);
    expect(await balanceOf(harness.table)).toMatchObject({ available: 1_000_000n });
  });

  it('is rejected by another person or withdrawn, and the reason is recorded', async () => {
    const harness = await harnessWithBooks();
    for (const by of ['petr', 'olga']) {
      const { id } = await propose(harness, '--debit 1');
      expect(
        await harness.json(`adjustments reject ${id} --reason "no chargeback" --by ${by}`),
      ).toMatchObject({ status: 'REJECTED', decidedBy: by, rejectedBecause: 'no chargeback' });
      const { complained } = await harness.type(`adjustments approve ${id} --by ivan --yes`);
      expect(complained).toContain('adjustment has already been decided');
      expect((await harness.json(`trace ${id}`)).steps).toMatchObject([
        { what: 'proposed by olga: chargeback of 21 November' },
        { what: `rejected by ${by}: no chargeback` },
      ]);
    }
    expect((await journalOf(harness.table)).map(({ kind }) => kind)).toEqual(['ADJUST']);
    expect(await harness.json('audit')).toMatchObject({ agrees: true });
  });

  it('is not posted when less is available', async () => {
    const harness = await harnessWithBooks();
    const { id } = await propose(harness, '--debit 10000.01');
    const { exitCode, complained } = await harness.type(`adjustments approve ${id} --by petr --yes`);
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining('available balance is too low'),
    });
    expect(await harness.json('adjustments list')).toMatchObject([{ id }]);
  });
});

describe('wrong usage', () => {
  const line = (options: string) => `adjustments propose ${merchantId} RUB ${options}`;
  it.each([
    ['no amount', line(because), 'nothing_named'],
    ['both directions', line(`--credit 1 --debit 1 ${because}`), 'usage'],
    ['a negative amount', line(`--debit -5 ${because}`), 'usage'],
    ['three decimal places', line(`--debit 1.005 ${because}`), 'usage'],
    ['an amount of zero', line(`--debit 0 ${because}`), 'adjustment_amount_invalid'],
    ['too large an amount', line(`--credit 100000000 ${because}`), 'adjustment_amount_invalid'],
    ['no reason', line('--credit 1'), 'usage'],
    ['an empty reason', line('--credit 1 --reason " "'), 'reason_invalid'],
    ['an empty name', line(`--credit 1 ${because} --by ""`), 'person_invalid'],
    [
      'a currency without balances',
      `adjustments propose ${merchantId} KZT --credit 1 ${because}`,
      'bad_argument',
    ],
    ['an unknown merchant', `adjustments propose nobody RUB --credit 1 ${because}`, 'merchant_not_found'],
    ['an unknown subject', line(`--credit 1 --about nothing ${because}`), 'about_not_found'],
    ['an unknown payout', line(`--credit 1 --about 0000000000000000000001 ${because}`), 'about_not_found'],
    ['approving an unknown adjustment', 'adjustments approve nothing', 'adjustment_not_found'],
    ['rejecting an unknown adjustment', 'adjustments reject nothing --reason x', 'adjustment_not_found'],
    ['rejecting without a reason', 'adjustments reject nothing', 'usage'],
  ])('%s is refused', async (_what, words, error) => {
    const harness = await harnessWithBooks();
    const { exitCode, said } = await harness.type(`${words} --json --yes`);
    expect(exitCode).toBe(1);
    expect(JSON.parse(said)).toMatchObject({ error });
    expect(await harness.json('adjustments list')).toEqual([]);
  });

  it('another merchant’s payment is refused like an unknown one', async () => {
    const harness = await harnessWithBooks();
    await harness.merchants.create(
      aMerchant({ id: toMerchantId('AnotherMerchant1'), tokenHash: '1'.repeat(64) }),
    );
    const { said } = await harness.type(
      `adjustments propose AnotherMerchant1 RUB --credit 1 --about ${paymentId} ${because} --json`,
    );
    expect(JSON.parse(said)).toMatchObject({ error: 'about_not_found' });
  });

  it('a card number in the reason is refused, and the number is not repeated anywhere', async () => {
    const harness = await harnessWithBooks();
    const { exitCode, said, complained } = await harness.type(
      line('--credit 1 --reason "chargeback of 4111 1111 1111 1111" --json'),
    );
    expect(exitCode).toBe(1);
    expect(JSON.parse(said)).toMatchObject({ error: 'reason_holds_card_number' });
    expect(said + complained).not.toContain('1111');
  });

  it('is explained', async () => {
    const { type } = await operatorHarness();
    const { said } = await type('adjustments approve --help');
    expect(said).toContain('npm run paylink -- adjustments approve');
    expect(said).toContain('--by <name>');
  });
});

describe('trace', () => {
  const posted =
    'journal ADJUST: available -100.50 RUB, correction +100.50 RUB (adjustment ID, ' +
    'proposed by olga, approved by petr: chargeback of 21 November)';
  const told = (steps: readonly { readonly what: string }[]) => steps.map(({ what }) => what);

  it('shows the entry with the payment, the merchant and the adjustment', async () => {
    const harness = await harnessWithBooks();
    const { id } = await propose(harness, `--debit 100.50 --about ${paymentId}`);
    await harness.json(`adjustments approve ${id} --by petr`);
    const what = posted.replace('ID', id);

    for (const asked of [paymentId, merchantId])
      expect(told((await harness.json(`trace ${asked}`)).steps)).toContain(what);

    const { subjects, steps } = await harness.json(`trace ${id}`);
    expect(subjects).toMatchObject([
      {
        is: 'adjustment',
        id,
        status: 'APPROVED',
        amount: '-100.50 RUB',
        merchant: merchantId,
        about: paymentId,
        reason: 'chargeback of 21 November',
        'proposed by': 'olga',
        'decided by': 'petr',
      },
    ]);
    expect(told(steps)).toEqual(['proposed by olga: chargeback of 21 November', 'approved by petr', what]);
  });

  it('shows it with the payout', async () => {
    const harness = await harnessWithBooks();
    const payout = await created(harness);
    const { id } = await propose(harness, `--debit 100.50 --about ${payout.id}`);
    await harness.json(`adjustments approve ${id} --by petr`);
    expect(told((await harness.json(`trace ${payout.id}`)).steps)).toContain(posted.replace('ID', id));
  });

  it('shows only the adjustment’s own entry when its payment has two', async () => {
    const harness = await harnessWithBooks();
    const ids: string[] = [];
    for (const debit of ['1', '2']) {
      const { id } = await propose(harness, `--debit ${debit} --about ${paymentId}`);
      await harness.json(`adjustments approve ${id} --by petr`);
      ids.push(id);
    }
    expect(
      told((await harness.json(`trace ${ids[0]}`)).steps).filter((what) => what.startsWith('journal')),
    ).toEqual([expect.stringContaining('available -1.00 RUB')]);
  });
});

describe('audit', () => {
  it('finds an approval without an entry, and one without a person', async () => {
    const harness = await harnessWithBooks();
    const { client, name: TableName } = harness.table;
    const unposted = adjustmentItem(anApprovedAdjustment({ id: 'unposted' }));
    await client.send(new PutCommand({ TableName, Item: unposted }));
    const { decision: _nobody, ...half } = adjustmentItem(anApprovedAdjustment({ id: 'half' }));
    await client.send(new PutCommand({ TableName, Item: half }));

    const { differences } = JSON.parse((await harness.type('audit --json')).said);

    const told = differences.map(({ about, invariant }: Record<string, string>) => [invariant, about]);
    expect(told.toSorted()).toEqual([
      ['adjustments_match_entries', 'adjustment unposted'],
      ['items', 'ADJ#half ADJ'],
    ]);
  });

  it('shows a difference in one line, whatever its text has', async () => {
    const harness = await harnessWithBooks();
    const { client, name: TableName } = harness.table;
    await client.send(
      new PutCommand({ TableName, Item: { PK: 'X#1\nThe books agree: 1 items read.', SK: 'X' } }),
    );
    const { said } = await harness.type('audit');
    expect(said).toMatch(/^items {2}item X#1 The books agree/);
    expect(said).not.toMatch(/^The books agree/m);
  });
});

describe('both people are warned', () => {
  it('of another adjustment about the same payment, proposed or posted', async () => {
    const harness = await harnessWithBooks();
    const first = await propose(harness, `--debit 10 --about ${paymentId}`);
    expect(first.warnings).toEqual([]);
    const second = await propose(harness, `--debit 10 --about ${paymentId}`);
    expect(second.warnings).toEqual([
      expect.stringContaining(`${first.id} (-10.00 RUB) about ${paymentId} is proposed`),
    ]);
    await harness.json(`adjustments approve ${first.id} --by petr`);
    await harness.type(`adjustments approve ${second.id} --by petr`, false);
    expect(harness.asked.at(-1)).toContain(`! Adjustment ${first.id} about ${paymentId} was posted already`);
  });

  it('of a debit above the available balance', async () => {
    const harness = await harnessWithBooks();
    const { warnings } = await propose(harness, '--debit 10000.01');
    expect(warnings).toEqual([expect.stringContaining('Only 10000.00 RUB is available')]);
  });
});
