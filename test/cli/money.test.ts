import { describe, expect, it } from 'vitest';
import { create as payoutStatus } from '../../functions/payout-status.ts';
import { get } from '../support/api-event.ts';
import { dispatchPayout } from '../../lib/payout/dispatch-payout.ts';
import { merchantId } from '../support/builders.ts';
import { withoutNumberHashes } from '../support/payout-accounts.ts';
import { itemsOf } from '../support/items-of.ts';
import { operatorHarness } from '../support/operator.ts';
import { balanceOf, card, created, eventsOf, journalOf, phone, reread } from '../support/payout-harness.ts';
import { takeMessages } from '../support/queue.ts';
import { inError } from '../../lib/payout/moves.ts';
import { inStatus } from '../support/payouts.ts';

const textOf = async (table: Parameters<typeof itemsOf>[0]): Promise<string> =>
  JSON.stringify(await itemsOf(table), (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );

describe('terms', () => {
  it('shows the defaults and the settings that override them', async () => {
    const { json } = await operatorHarness();
    expect(await json(`terms show ${merchantId} RUB`)).toMatchObject({
      payoutFeeBps: 100,
      dayLimit: '1000000.00',
    });

    await json(
      `terms set ${merchantId} rub --payout-fee-bps 150 --payout-fee-minimum 30 --day-limit 300000.50`,
    );
    await json(
      `terms set ${merchantId} RUB --payout-fee-fixed 1.5 --auto-approve-up-to 5000 --auto-approve-day-total 50000`,
    );

    expect(await json(`terms show ${merchantId} RUB`)).toMatchObject({
      currency: 'RUB',
      paymentFeeBps: 200,
      payoutFeeBps: 150,
      payoutFeeFixed: '1.50',
      payoutFeeMinimum: '30.00',
      dayLimit: '300000.50',
      monthLimit: '10000000.00',
      autoApproveUpTo: '5000.00',
      autoApproveDayTotal: '50000.00',
      autoApproveKnownUpTo: '0.00',
      secondPersonAbove: '0.00',
      reserveBps: 0,
      reserveDays: 0,
    });
    expect(await json(`terms show ${merchantId} KZT`)).toMatchObject({ payoutFeeBps: 100 });
  });

  it('accepts every term', async () => {
    const { json } = await operatorHarness();
    const line =
      '--payment-fee-bps 0 --payment-fee-fixed 10 --payment-fee-minimum 11 --payout-min 5 --payout-max 6 ' +
      '--month-limit 7 --commission-payer recipient --auto-approve-known-up-to 8 --auto-approve-known-day-total 9 --second-person-above 12 --reserve-bps 1000 --reserve-days 90';
    expect(await json(`terms set ${merchantId} USD ${line}`)).toMatchObject({
      paymentFeeBps: 0,
      paymentFeeFixed: '10.00',
      paymentFeeMinimum: '11.00',
      payoutMin: '5.00',
      payoutMax: '6.00',
      monthLimit: '7.00',
      commissionPayer: 'recipient',
      autoApproveKnownUpTo: '8.00',
      autoApproveKnownDayTotal: '9.00',
      secondPersonAbove: '12.00',
      reserveBps: 1000,
      reserveDays: 90,
    });
  });

  it.each([
    ['an amount with three decimal places', '--payout-max 1.005', 'at most two places'],
    ['a negative amount', '--payout-max -1', 'argument'],
    ['more than 100 percent', '--payout-fee-bps 10001', 'whole number from 0 to 10000'],
    [
      'a smallest payout above the largest',
      '--payout-min 10 --payout-max 5',
      'smallest payout would be above',
    ],
    ['a reserve without days', '--reserve-bps 1000', 'add --reserve-days, 1 to 365'],
    ['a reserve of more than a year', '--reserve-bps 1000 --reserve-days 366', 'whole number from 1 to 365'],
    ['a reserve of more than everything', '--reserve-bps 10001', 'whole number from 0 to 10000'],
    ['no setting', '', 'Name a setting to change'],
  ])('refuses %s', async (_what, options, sentence) => {
    const { type } = await operatorHarness();
    const { exitCode, complained } = await type(`terms set ${merchantId} RUB ${options}`);
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining(sentence),
    });
  });
});

describe('rates', () => {
  it('are roubles for one tenge, stored as an exact ratio', async () => {
    const { json, rates, now } = await operatorHarness();
    expect(await json('rates set KZT RUB 0.17')).toMatchObject({ from: 'KZT', to: 'RUB', price: '0.17' });
    expect(await rates.find('KZT', 'RUB')).toEqual({
      from: 'KZT',
      to: 'RUB',
      numerator: 17n,
      denominator: 100n,
      setAt: now(),
    });
    await json('rates set KZT USD 0.00192345');
    expect(await json('rates list')).toMatchObject([{ price: '0.17' }, { price: '0.00192345' }]);
  });

  it.each([
    ['for a currency that settles in itself', 'rates set USD RUB 90', 'settle without conversion'],
    ['into tenge', 'rates set KZT KZT 1', 'Choose one of RUB, USD, EUR.'],
    ['of zero', 'rates set KZT RUB 0', 'above zero'],
    ['with more than eight decimal places', 'rates set KZT RUB 0.123456789', 'at most eight places'],
    ['that is not a number', 'rates set KZT RUB cheap', 'must be a decimal'],
  ])('refuses a rate %s', async (_what, line, sentence) => {
    const { type } = await operatorHarness();
    const { exitCode, complained } = await type(line);
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining(sentence),
    });
  });
});

describe('payout accounts', () => {
  it('are stored sealed and shown masked', async () => {
    const { json, table } = await operatorHarness();
    const added = await json(
      `account add ${merchantId} --type card --number "4111 1111 1111 1111" --currency RUB`,
    );
    await json(`account add ${merchantId} --type sbp --number "+7 (912) 345-67-89" --bank 100000000004`);

    expect(added).toMatchObject({ id: expect.any(String), type: 'credit_card', account: '411111******1111' });
    expect(await json(`account list ${merchantId}`)).toHaveLength(2);
    const lying = await textOf(table);
    expect(lying).not.toContain(card);
    expect(lying).not.toContain(phone);
  });

  it('show which others share a ban, and can be indexed', async () => {
    const { json, type, table } = await operatorHarness();
    const [one, twin] = [
      await json(`account add ${merchantId} --type card --number ${card}`),
      await json(`account add ${merchantId} --type card --number ${card}`),
    ];
    const { said } = await type(`account set ${one.id} --merchant ${merchantId} --banned yes`);
    expect(said).toContain(`This also applies to the other accounts of this number: ${twin.id}.`);
    expect(await json('account index')).toMatchObject({ accounts: [] });
    await withoutNumberHashes(table);
    const { accounts } = await json('account index');
    expect(new Set(accounts)).toEqual(new Set([one.id, twin.id]));
  });

  it('that are known can be forgotten, by id or by payout', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness);
    await harness.json(`payouts approve ${payout.id}`);
    await dispatchPayout(harness, payout.id);
    expect(await harness.json(`account forget ${payout.id}`)).toEqual({
      account: '411111******1111',
      wasKnown: true,
    });
    expect((await harness.type(`account forget ${payout.id}`)).said).toBe(
      '411111******1111 was not a known account.',
    );
    const { id } = await harness.json(`account add ${merchantId} --type card --number ${card}`);
    const ofAccount = `account forget ${id} --merchant ${merchantId}`;
    expect(await harness.json(ofAccount)).toMatchObject({ wasKnown: false });
    expect(await harness.type('account forget nothing')).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining('no such payout account'),
    });
  });

  it('can be banned and made unavailable', async () => {
    const { json } = await operatorHarness();
    const { id } = await json(`account add ${merchantId} --type card --number ${card}`);
    expect(await json(`account set ${id} --merchant ${merchantId} --banned yes`)).toMatchObject({
      id,
      banned: true,
    });
    expect(await json(`account set ${id} --merchant ${merchantId} --banned no --available no`)).toMatchObject(
      {
        banned: false,
        available: false,
      },
    );
  });

  it.each([
    [
      'a number that is no card',
      `account add ${merchantId} --type card --number 4111111111111112`,
      'not a valid card number',
    ],
    [
      'a number that is no phone',
      `account add ${merchantId} --type sbp --number 12`,
      'not a Russian mobile number',
    ],
    ['an unknown bank', `account add ${merchantId} --type sbp --number ${phone} --bank 5`, 'no active bank'],
    ['an unknown merchant', `account add nobody --type card --number ${card}`, 'no such merchant'],
    [
      'an unknown account',
      `account set nothing --merchant ${merchantId} --banned yes`,
      'no such payout account',
    ],
  ])('refuses %s', async (_what, line, sentence) => {
    const { type } = await operatorHarness();
    const { exitCode, complained } = await type(line);
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining(sentence),
    });
    expect(complained).not.toContain('4111');
  });
});

describe('automatic payouts', () => {
  it('are set, shown and stopped', async () => {
    const { json, type } = await operatorHarness();
    const { id } = await json(`account add ${merchantId} --type card --number ${card}`);
    const setting = `auto set ${merchantId} --account ${id} --threshold 1000 --day Mon --hour 9`;
    const told = {
      account: id,
      threshold: '1000.00',
      day: 'Mon',
      hour: 9,
      nextAt: '2026-11-23T09:00:00.000Z',
    };
    expect(await json(setting)).toMatchObject(told);
    expect(await json(`auto show ${merchantId}`)).toMatchObject({ ...told, lastOutcome: null });
    await json(`auto stop ${merchantId}`);
    expect(await type(`auto show ${merchantId}`)).toMatchObject({ exitCode: 1 });
  });
});

describe('a card number that a merchant used as an order_id', () => {
  it('is masked in lists and traces, in text and JSON', async () => {
    const harness = await operatorHarness();
    const orderId = '5555555555554444';
    const payout = await created(harness, { orderId });
    for (const line of ['payouts list', `trace ${payout.id}`]) {
      const shown = JSON.stringify(await harness.json(line));
      expect(shown, line).toContain('555555******4444');
      expect(shown + (await harness.type(line)).said, line).not.toContain(orderId);
    }
  });

  it('is returned unmasked to the merchant', async () => {
    const harness = await operatorHarness();
    const orderId = '5555555555554444';
    const { id } = await created(harness, { orderId });
    const answer = await get(payoutStatus(harness), { query: { order_id: orderId } });
    expect(answer).toMatchObject({ status: 200, body: { id } });
  });
});

describe('payouts', () => {
  it('wait for a moderator and are queued when approved', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness);
    expect(await harness.json('payouts list --moderating')).toMatchObject([
      {
        id: payout.id,
        status: 'MODERATING',
        amount: '1000.00',
        commission: '10.00',
        account: '411111******1111',
      },
    ]);

    const approved = await harness.json(`payouts approve ${payout.id} --reason "known to us"`);

    expect(approved).toMatchObject({ id: payout.id, status: 'PROCESS' });
    expect((await reread(harness, payout)).decisions).toMatchObject([
      { verdict: 'approved', by: 'olga', reason: 'known to us' },
    ]);
    expect(await takeMessages(harness.payoutMessages)).toEqual([JSON.stringify({ payoutId: payout.id })]);
    expect(await harness.json('payouts list --moderating')).toEqual([]);
  });

  it('release the money when declined, and notify the merchant', async () => {
    const harness = await operatorHarness();
    const before = await balanceOf(harness.table);
    const payout = await created(harness);

    const reason = "not the merchant's account";
    expect(await harness.json(`payouts decline ${payout.id} --reason "${reason}" --by petr`)).toMatchObject({
      status: 'DECLINED',
      reason,
      decisions: [{ verdict: 'declined', by: 'petr', reason }],
    });

    expect(await balanceOf(harness.table)).toMatchObject({ ...before, day: 0n, month: 0n });
    expect((await journalOf(harness.table)).map(({ kind }) => kind).toSorted()).toEqual([
      'RELEASE',
      'RESERVE',
    ]);
    expect(await eventsOf(harness.table)).toMatchObject([{ TrsId: payout.id, Status: 'DECLINED' }]);
    expect(await takeMessages(harness.postbacks)).toEqual([
      JSON.stringify({ eventId: `po.${payout.id}.DECLINED` }),
    ]);
    expect((await reread(harness, payout)).decisions).toMatchObject([{ verdict: 'declined', by: 'petr' }]);
  });

  it('change only after confirmation', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness);
    expect(await harness.type(`payouts approve ${payout.id}`, false)).toMatchObject({ exitCode: 1 });
    expect(await harness.type(`payouts decline ${payout.id} --reason no`)).toMatchObject({ exitCode: 1 });
    expect(harness.asked).toEqual(['Send 1000.00 RUB to 411111******1111?']);
    expect(await reread(harness, payout)).toMatchObject({ status: 'MODERATING', revision: payout.revision });
  });

  it.each([
    ['an unknown payout', () => 'payouts approve nothing', 'There is no such payout'],
    [
      'a decision without a reason',
      (id: string) => `payouts decline ${id}`,
      "required option '--reason <text>'",
    ],
    [
      'what they saw of another revision',
      (id: string) => `payouts approve ${id} --revision 7`,
      'has changed since it was shown',
    ],
    [
      'an error that is none',
      (id: string) => `payouts resolve ${id} --as paid --evidence x`,
      'is not in ERROR',
    ],
    [
      'money back that never left',
      (id: string) => `payouts returned ${id} --evidence x`,
      'Only a paid payout can be returned',
    ],
  ])('refuse %s', async (_what, line, sentence) => {
    const harness = await operatorHarness();
    const payout = await created(harness);
    const { exitCode, complained } = await harness.type(`${line(payout.id)} --yes`);
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining(sentence),
    });
    expect(await reread(harness, payout)).toMatchObject({ status: 'MODERATING', revision: payout.revision });
  });

  it('are not approved for a merchant who has been banned since', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness);
    await harness.json(`merchant ban ${merchantId}`);
    const { exitCode, complained } = await harness.type(`payouts approve ${payout.id} --yes`);
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining('is banned'),
    });
  });

  it('in ERROR are resolved by hand, with evidence', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness);
    await harness.json(`payouts approve ${payout.id}`);
    const queued = inStatus(await reread(harness, payout), 'PROCESS');
    await harness.payouts.move(queued, inError(queued, 'contradiction'));
    expect(await harness.json('payouts list --error')).toMatchObject([
      { id: payout.id, reason: 'contradiction' },
    ]);

    harness.rail.will('lost_before');
    const { id: paid } = await harness.json(
      `payouts resolve ${payout.id} --as paid --evidence "statement, line 4"`,
    );
    expect(await reread(harness, payout)).toMatchObject({ status: 'ERROR' });
    harness.rail.will('lost_before');
    await harness.json(`proposals approve ${paid} --by petr`);

    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS' });
    expect(await balanceOf(harness.table)).toMatchObject({ locked: 0n, held: 0n });

    const returned = `payouts returned ${payout.id} --evidence "came back on the 24th"`;
    await harness.type(returned, true);
    expect(harness.asked.at(-1)).toBe('Return 1000.00 RUB to the merchant’s balance?');
    const [proposal] = await harness.json('proposals list');
    expect((await harness.type(`proposals approve ${proposal.id} --yes`)).complained).toContain('yourself');
    await harness.json(`proposals approve ${proposal.id} --by petr`);
    expect((await harness.type(`${returned} --yes`)).complained).toContain('only once');
    expect((await journalOf(harness.table)).map(({ kind }) => kind).toSorted()).toEqual([
      'RESERVE',
      'RETURN',
      'SETTLE',
    ]);
  });

  it('that were returned show the amount without the fee when the recipient paid it', async () => {
    const harness = await operatorHarness();
    await harness.json(`terms set ${merchantId} RUB --commission-payer recipient`);
    const payout = await created(harness, { amount: '100' });
    await harness.json(`payouts approve ${payout.id}`);
    await dispatchPayout(harness, payout.id);
    const { available } = await balanceOf(harness.table);

    const { said } = await harness.type(`payouts returned ${payout.id} --evidence "came back"`, true);
    const [, proposal = ''] = /proposals approve (\S+)$/.exec(said) ?? [];
    await harness.type(`proposals approve ${proposal} --by petr`, true);

    expect(harness.asked).toEqual([
      'Return 99.00 RUB to the merchant’s balance?',
      expect.stringContaining('Agree to return 99.00 RUB of payout'),
    ]);
    expect(said).toContain('return 99.00 RUB of payout');
    expect(await balanceOf(harness.table)).toMatchObject({ available: available + 9_900n });
  });
});

describe('banks', () => {
  it('shows the built-in list until one was read, then the provider’s and its time', async () => {
    const { json, sbpBanks, now, type } = await operatorHarness();
    expect(await json('banks list')).toMatchObject({ source: 'built-in', refreshedAt: null });
    const bank = { memberId: 100000000111, name: 'Сбербанк', nameEn: 'SBERBANK', bic: '044525225' };
    await sbpBanks.put({ rail: 'yookassa', banks: [bank], refreshedAt: now() });
    expect(await json('banks list')).toEqual({
      source: 'yookassa',
      refreshedAt: now().toISOString(),
      banks: [bank],
    });
    expect((await type('banks list')).said).toContain('1 banks, read from yookassa at');
  });

  it('are refused as the bank of a stored account when they are not listed', async () => {
    const { sbpBanks, now, type } = await operatorHarness();
    const bank = { memberId: 100000000111, name: 'Сбербанк', nameEn: 'SBERBANK', bic: '044525225' };
    await sbpBanks.put({ rail: 'yookassa', banks: [bank], refreshedAt: now() });
    const add = `account add ${merchantId} --type sbp --number ${phone} --bank`;
    expect(await type(`${add} 100000000004`)).toMatchObject({ exitCode: 1 });
    expect(await type(`${add} 100000000111`)).toMatchObject({ exitCode: 0 });
  });

  it('are read from the provider at once; a list that is not believed is refused with what to do', async () => {
    const { context, type, json } = await operatorHarness();
    expect(await json('banks refresh')).toEqual({ outcome: 'built_in' });
    const asked: unknown[] = [];
    const refreshBanks: typeof context.refreshBanks = async (how) => {
      asked.push(how);
      return how.acceptFewer
        ? { outcome: 'refreshed', rail: 'yookassa', banks: 90, added: [], gone: [100000000004] }
        : { outcome: 'kept', rail: 'yookassa', why: 'half_of_the_banks_gone' };
    };
    Object.assign(context, { refreshBanks });
    const refused = await type('banks refresh');
    expect(refused).toMatchObject({ exitCode: 1, complained: expect.stringContaining('--accept-fewer') });
    const done = await type('banks refresh --accept-fewer');
    expect(done.said).toContain('90 banks were read from yookassa: none new, 1 (100000000004) gone.');
    expect(asked).toEqual([{ acceptFewer: false }, { acceptFewer: true }]);
  });
});
