import { describe, expect, it } from 'vitest';
import { paymentId, merchantId, today } from '../support/builders.ts';
import { bookOpening } from '../support/adjustments.ts';
import { bookPaid, aChargeback, aPaidPayment } from '../support/chargebacks.ts';
import { type OperatorHarness, operatorHarness } from '../support/operator.ts';
import { balanceOf } from '../support/payout-harness.ts';

const first = `${paymentId}.chargeback.1`;
const letter = '--reason "letter of 21 November"';
const because = '--reason "case 4711"';

/** A merchant who got 98.49 RUB of a payment of 100.50, and nothing else. */
async function harnessWithBooks() {
  const harness = await operatorHarness();
  await bookOpening(harness.table, 1_000_000n);
  await adjust(harness, '--debit 10000');
  await bookPaid(harness.table, aPaidPayment());
  return harness;
}

async function adjust(harness: OperatorHarness, change: string): Promise<void> {
  const { id } = await harness.json(`adjustments propose ${merchantId} RUB ${change} --reason test`);
  await harness.json(`adjustments approve ${id} --by petr`);
}

const approve = (harness: OperatorHarness, { id }: { readonly id: string }) =>
  harness.json(`proposals approve ${id} --by petr`);
const told = (steps: readonly { readonly what: string }[]) => steps.map(({ what }) => what);

describe('a chargeback', () => {
  it('is entered by one person, and booked when two have confirmed it; audit finds no difference', async () => {
    const harness = await harnessWithBooks();
    const entered = await harness.json(`chargebacks enter ${paymentId} --amount 40 ${letter}`);
    expect(entered).toMatchObject({
      id: first,
      paymentId,
      merchantId,
      status: 'OPEN',
      direction: 'loss',
      amount: '40.00',
      currency: 'RUB',
      acquirerHolds: null,
      enteredBy: 'olga',
      enteredBecause: 'letter of 21 November',
      approvedBy: null,
    });
    expect(await harness.json('chargebacks list')).toEqual([entered]);
    const proposal = await harness.json(`chargebacks confirm ${first} ${because}`);
    expect(proposal).toMatchObject({
      status: 'PROPOSED',
      kind: 'confirm_chargeback',
      about: first,
      as: 'confirmed',
      merchantId,
      evidence: 'case 4711',
    });
    expect(await balanceOf(harness.table)).toMatchObject({ available: 9_849n });
    expect(await approve(harness, proposal)).toMatchObject({ status: 'DONE', decidedBy: 'petr' });

    expect(await balanceOf(harness.table)).toMatchObject({ available: 5_849n });
    expect(await harness.json('chargebacks list')).toEqual([]);
    expect(await harness.json(`chargebacks list --merchant ${merchantId}`)).toMatchObject([
      { id: first, status: 'CONFIRMED', proposedBy: 'olga', approvedBy: 'petr', bearer: 'merchant' },
    ]);
    expect(await harness.json(`chargebacks list --merchant ${merchantId} --open`)).toEqual([]);
    expect(await harness.json('audit')).toMatchObject({ agrees: true });
  });

  it('that the acquirer reported is shown as text, with what a confirmation does', async () => {
    const harness = await harnessWithBooks();
    await harness.chargebacks.create(aChargeback(), undefined);
    expect((await harness.type('chargebacks list')).said).toMatch(
      new RegExp(`${first} +OPEN +loss +40\\.00 RUB +${merchantId} +the acquirer: captured`),
    );
    const { said } = await harness.type(`chargebacks confirm ${first} ${because}`, true);
    const debit = `debit 40.00 RUB of payment ${paymentId} from merchant ${merchantId}, who has 98.49 RUB available`;
    expect(harness.asked).toEqual([expect.stringContaining(`Propose to ${debit}`)]);
    expect(said).toContain('Chargebacks and claims are decided by two people');
    const [, id = ''] = /proposals approve (\S+)$/.exec(said) ?? [];
    expect((await harness.type('proposals list')).said).toContain(debit);
    await harness.type(`proposals approve ${id} --by petr`, true);
    expect(harness.asked.at(-1)).toContain(`Agree to ${debit}`);
    expect((await harness.type('chargebacks list')).said).toBe('No chargeback is open.');
  });

  it('is not confirmed by one person, in any spelling', async () => {
    const harness = await harnessWithBooks();
    await harness.chargebacks.create(aChargeback(), undefined);
    const { id } = await harness.json(`chargebacks confirm ${first} ${because}`);
    for (const by of ['olga', 'OLGA']) {
      const { said } = await harness.type(`proposals approve ${id} --by ${by} --yes --json`);
      expect(JSON.parse(said)).toMatchObject({ error: 'same_person' });
    }
    expect(await balanceOf(harness.table)).toMatchObject({ available: 9_849n });
  });

  it('is booked once when two proposals about it are approved', async () => {
    const harness = await harnessWithBooks();
    await harness.chargebacks.create(aChargeback(), undefined);
    const one = await harness.json(`chargebacks confirm ${first} ${because}`);
    const other = await harness.json(`chargebacks dismiss ${first} ${because}`);
    await approve(harness, one);
    const { said } = await harness.type(`proposals approve ${other.id} --by petr --yes --json`);
    expect(JSON.parse(said)).toMatchObject({ error: 'chargeback_already_decided' });
    expect(await harness.json(`trace ${other.id}`)).toMatchObject({
      subjects: [{ status: 'REFUSED', refusal: 'chargeback_already_decided' }],
    });
    expect(await balanceOf(harness.table)).toMatchObject({ available: 5_849n });
  });

  it('is dismissed by two people, and withdrawn or rejected proposals leave it open', async () => {
    const harness = await harnessWithBooks();
    await harness.chargebacks.create(aChargeback(), undefined);
    const { id } = await harness.json(`chargebacks dismiss ${first} ${because}`);
    await harness.json(`proposals reject ${id} --reason "it is ours"`);
    expect(await harness.json('chargebacks list')).toMatchObject([{ id: first, status: 'OPEN' }]);
    await approve(harness, await harness.json(`chargebacks dismiss ${first} ${because}`));
    expect(await harness.json('chargebacks list')).toEqual([]);
    expect(await balanceOf(harness.table)).toMatchObject({ available: 9_849n });
    expect(await harness.json('audit')).toMatchObject({ agrees: true });
  });

  it('may be borne by the platform, and a surplus credits nobody', async () => {
    const harness = await harnessWithBooks();
    await harness.json(`chargebacks enter ${paymentId} --amount 40 ${letter}`);
    await approve(harness, await harness.json(`chargebacks confirm ${first} --bearer platform ${because}`));
    await harness.json(`chargebacks enter ${paymentId} --amount 40 --surplus ${letter}`);
    const { said } = await harness.type(`chargebacks confirm ${paymentId}.chargeback.2 ${because} --yes`);
    expect(said).toContain('which credits nobody');
    const [, id = ''] = /proposals approve (\S+)$/.exec(said) ?? [];
    await approve(harness, { id });
    expect(await balanceOf(harness.table)).toMatchObject({ available: 9_849n });
    expect(await harness.json('audit')).toMatchObject({ agrees: true });
  });
});

describe('a confirmation that crashed after its approval', () => {
  it('continues when it is approved again, and is booked once', async () => {
    const harness = await harnessWithBooks();
    await harness.chargebacks.create(aChargeback(), undefined);
    const { id } = await harness.json(`chargebacks confirm ${first} ${because}`);
    const whole = { ...harness.context.chargebacks };
    const crash = { after: false };
    Object.assign(harness.context.chargebacks, {
      confirm: async (...given: Parameters<typeof whole.confirm>) => {
        if (crash.after) await whole.confirm(...given);
        throw new Error('crashed');
      },
    });
    await expect(approve(harness, { id })).rejects.toThrow();
    expect(await harness.json('proposals list')).toMatchObject([{ id, status: 'APPROVED' }]);
    expect(await balanceOf(harness.table)).toMatchObject({ available: 9_849n });
    crash.after = true;
    await expect(approve(harness, { id })).rejects.toThrow();
    Object.assign(harness.context.chargebacks, whole);
    expect(await approve(harness, { id })).toMatchObject({ status: 'DONE' });
    expect(await balanceOf(harness.table)).toMatchObject({ available: 5_849n });
    expect(await harness.json('audit')).toMatchObject({ agrees: true });
  });
});

describe('a claim', () => {
  /** All of the payment was charged back: the fee of 2.01 was kept, so the merchant owes it. */
  async function owing() {
    const harness = await harnessWithBooks();
    await harness.json(`chargebacks enter ${paymentId} --amount 100.50 ${letter}`);
    await approve(harness, await harness.json(`chargebacks confirm ${first} ${because}`));
    return harness;
  }
  const earn = (harness: OperatorHarness, amount: string) => adjust(harness, `--credit ${amount}`);

  it('is listed, and collected up to what is available until it is closed', async () => {
    const harness = await owing();
    expect(await harness.json('claims list')).toEqual([
      {
        id: first,
        paymentId,
        merchantId,
        owed: '2.01',
        amount: '2.01',
        currency: 'RUB',
        at: today.toISOString(),
        moves: [],
      },
    ]);
    expect((await harness.type('claims list')).said).toMatch(/2\.01 RUB +2\.01 RUB +0\.00 RUB/);
    expect((await harness.type('claims collect --all --yes')).said).toContain(
      'nothing is available, 2.01 RUB is owed',
    );
    await earn(harness, '1');
    expect((await harness.type(`claims collect ${first} --yes`)).said).toContain(
      '1.00 RUB collected, 1.01 RUB is still owed.',
    );
    await earn(harness, '5');
    expect((await harness.type(`claims collect --merchant ${merchantId} --yes`)).said).toContain(
      '1.01 RUB collected, it is closed.',
    );
    expect((await harness.type('claims list')).said).toBe('No claim is open.');
    expect(await balanceOf(harness.table)).toMatchObject({ available: 399n });
    expect(await harness.json('audit')).toMatchObject({ agrees: true });
  });

  it('is written off by two people', async () => {
    const harness = await owing();
    const proposal = await harness.json(`claims write-off ${first} --reason insolvent`);
    expect(proposal).toMatchObject({ kind: 'write_off_claim', about: first, as: 'written off', merchantId });
    await approve(harness, proposal);
    expect(await harness.json('claims list')).toEqual([]);
    expect(await harness.json('audit')).toMatchObject({ agrees: true });
  });

  it('is shown with its payment: who told of it, who decided, what was posted', async () => {
    const harness = await owing();
    await earn(harness, '1');
    await harness.json(`claims collect ${first}`);
    await approve(harness, await harness.json(`claims write-off ${first} --reason insolvent`));
    for (const asked of [paymentId, first]) {
      const { subjects, steps } = await harness.json(`trace ${asked}`);
      expect(subjects).toContainEqual(
        expect.objectContaining({ is: 'chargeback', id: first, status: 'CONFIRMED', 'borne by': 'merchant' }),
      );
      expect(subjects).toContainEqual(expect.objectContaining({ is: 'claim', id: first, owed: '0.00 RUB' }));
      expect(told(steps)).toEqual(
        expect.arrayContaining([
          'entered by olga: letter of 21 November',
          'confirmed by olga, approved by petr: case 4711',
          'claim of 2.01 RUB: it was not available',
          '1.00 RUB collected by olga',
          '1.01 RUB written off by olga, approved by petr: insolvent',
          `journal CHARGEBACK: acquirer +100.50 RUB, available -98.49 RUB, claims -2.01 RUB (${first}, proposed by olga, approved by petr: case 4711)`,
          `journal COLLECT: available -1.00 RUB, claims +1.00 RUB (${first}.1, by olga: claim ${first})`,
          `journal WRITE_OFF: correction -1.01 RUB, claims +1.01 RUB (${first}.2, proposed by olga, approved by petr: insolvent)`,
        ]),
      );
    }
    expect(told((await harness.json(`trace ${merchantId}`)).steps)).toContainEqual(
      expect.stringContaining('journal COLLECT: available -1.00 RUB'),
    );
  });
});

describe('wrong usage', () => {
  const enter = (options: string) => `chargebacks enter ${paymentId} ${options}`;
  it.each([
    ['no amount', enter(letter), 'usage'],
    ['no reason', enter('--amount 1'), 'usage'],
    ['an amount of zero', enter(`--amount 0 ${letter}`), 'chargeback_amount_invalid'],
    ['more than was received', enter(`--amount 100.51 ${letter}`), 'chargeback_amount_invalid'],
    ['an empty reason', enter('--amount 1 --reason " "'), 'reason_invalid'],
    ['a card number', enter('--amount 1 --reason "card 4111111111111111"'), 'reason_holds_card_number'],
    ['an unknown payment', `chargebacks enter nothing --amount 1 ${letter}`, 'payment_not_found'],
    ['an unknown chargeback', `chargebacks confirm nothing ${because}`, 'chargeback_not_found'],
    ['an unknown bearer', `chargebacks confirm ${first} --bearer payer ${because}`, 'usage'],
    ['dismissing an unknown one', `chargebacks dismiss nothing ${because}`, 'chargeback_not_found'],
    ['an unknown merchant', 'chargebacks list --merchant nobody', 'merchant_not_found'],
    ['no claim to collect', 'claims collect', 'nothing_named'],
    ['an unknown claim', 'claims collect nothing', 'claim_not_found'],
    ['writing off an unknown claim', `claims write-off nothing ${because}`, 'claim_not_found'],
    ['one claim and all', 'claims collect --all --merchant x', 'usage'],
  ])('%s is refused', async (_what, words, error) => {
    const harness = await harnessWithBooks();
    const { exitCode, said } = await harness.type(`${words} --json --yes`);
    expect(exitCode).toBe(1);
    expect(JSON.parse(said)).toMatchObject({ error });
    expect(await harness.json('chargebacks list')).toEqual([]);
  });
});
