import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { csv } from '../../lib/cli/csv.ts';
import { newPaymentId, newRefundId, toBillId, toMerchantId } from '../../lib/ids.ts';
import { fillPage, type Place } from '../../lib/search/fill-page.ts';
import { type Listing, listingOf } from '../../lib/search/listing.ts';
import { unionOf } from '../../lib/search/union.ts';
import { pointOrderAt } from '../../lib/store/order-bills.ts';
import { billItem } from '../../lib/store/bill-item.ts';
import { paymentItem } from '../../lib/store/payment-item.ts';
import { refundItem } from '../../lib/store/refund-item.ts';
import { aBill, aMerchant, aPayment, aShop, merchantId, shopId, today } from '../support/builders.ts';
import { type OperatorHarness, operatorHarness } from '../support/operator.ts';
import { created } from '../support/payout-harness.ts';
import { aRefund } from '../support/refunds.ts';

const spice = toMerchantId('SpiceSpiceSpice1');
const minutesAgo = (minutes: number): Date => new Date(today.getTime() - minutes * 60_000);
const bill = (name: string, minutes: number, traits: Parameters<typeof aBill>[0] = {}) =>
  aBill({ id: toBillId(name.padEnd(16, '0')), createdAt: minutesAgo(minutes), ...traits });

/** Seven bills of two merchants, the payments of two of them, a refund and two payouts. */
async function aBusyHarness() {
  const harness = await operatorHarness();
  const put = (Item: Readonly<Record<string, unknown>>) =>
    harness.table.client.send(new PutCommand({ TableName: harness.table.name, Item }));
  await harness.merchants.create(
    aMerchant({ id: spice, name: '=Spice', tokenHash: 'f'.repeat(64), createdAt: minutesAgo(90) }),
  );
  await harness.shops.create(aShop({ createdAt: minutesAgo(80) }));
  const bills = [
    bill('tea1', 70, { orderId: 'order-1' }),
    bill('tea2', 60, { type: 'MULTI' }),
    bill('spice1', 60, { merchantId: spice, orderId: 'order-1' }),
    bill('tea3', 50, { amount: { minor: 125_000n, currency: 'RUB' } }),
    bill('spice2', 40, { merchantId: spice, active: false }),
    bill('tea4', 30, { orderId: '=cmd|"x",\n;@y' }),
    bill('old', 60 * 24 * 40),
  ];
  for (const one of bills) {
    await put(billItem(one));
    for (const { write } of pointOrderAt(harness.table, one)) await put(write.Put?.Item ?? {});
  }
  const [first, , , third] = bills;
  const ids = [first, third].map((of, nonce) =>
    newPaymentId(of?.id ?? toBillId(''), String(nonce).padStart(8, '0')),
  );
  const [paid = newPaymentId(toBillId(''), ''), failed = paid] = ids;
  const payments = [
    aPayment({
      id: paid,
      billId: bill('tea1', 0).id,
      orderId: 'order-1',
      createdAt: minutesAgo(25),
      fromCard: '411111******1111',
      receivedMinor: 10_050n,
      status: 'SUCCESS',
      phase: 'DONE',
      refunds: { reservedMinor: 4_000n, grossMinor: 4_000n, feeMinor: 0n, refundedMinor: 4_000n },
    }),
    aPayment({
      id: failed,
      billId: bill('tea3', 0).id,
      createdAt: minutesAgo(20),
      status: 'FAIL',
      phase: 'DONE',
      method: 'sbp',
      amount: { minor: 125_000n, currency: 'RUB' },
    }),
  ];
  for (const one of payments) await put(paymentItem(one, today));
  const refundId = newRefundId(paid, (length) => 'r'.repeat(length));
  const refund = aRefund({
    id: refundId,
    paymentId: paid,
    billId: bill('tea1', 0).id,
    createdAt: minutesAgo(10),
  });
  await put(refundItem({ ...refund, status: 'SUCCESS', endedAt: today, nextCheck: undefined }));
  const payout = await created(harness, { amount: '1000', orderId: 'order-1' });
  return { ...harness, payout, paid, failed, refundId, put };
}

let harness: Awaited<ReturnType<typeof aBusyHarness>>;
beforeAll(async () => {
  harness = await aBusyHarness();
});

const idsIn = async (line: string): Promise<string[]> => {
  const [noun = ''] = line.split(' ');
  const document = await harness.json(line);
  return document[noun].map((each: Record<string, string>) => (each['id'] ?? '').replace(/0+$/, ''));
};

/** Follows the commands that the pages print. */
async function pagesOf(line: string) {
  const pages: string[] = [];
  let next: string | undefined = line;
  while (next !== undefined) {
    const { said, complained }: Awaited<ReturnType<OperatorHarness['type']>> = await harness.type(next);
    pages.push(said);
    next = /^Go on: npm run paylink -- (.*)$/m.exec(`${said}\n${complained}`)?.[1]?.replaceAll("'", '"');
  }
  return pages;
}

describe('a list', () => {
  it('has the items of all merchants, newest first, of the last 30 days', async () => {
    expect(await idsIn('bills list')).toEqual(['tea4', 'spice2', 'tea3', 'tea2', 'spice1', 'tea1']);
    expect((await harness.type('bills list')).said).toContain(
      '6 lines since 2026-10-22 00:00:00Z: that is all; --since goes further back.',
    );
    expect(await idsIn('bills list --since 2026-01-01')).toContain('old');
  });

  it('goes on with the command that each page prints, until all was shown once', async () => {
    const pages = await pagesOf('bills list --limit 2 --status NEW --csv');
    const lines = pages.flatMap((page) => page.split(/\n(?="\w+","20)/).slice(1));
    const names = lines.map((line) => /^"(\w+?)0*"/.exec(line)?.[1]);
    expect(names).toEqual(['tea4', 'spice2', 'tea3', 'tea2', 'spice1', 'tea1']);
    expect(pages).toHaveLength(3);
    const { complained } = await harness.type('bills list --after 2026-11-21');
    expect(complained).toContain('Copy the place');
  });

  it.each([
    [`bills list --merchant ${merchantId} --type MULTI`, ['tea2']],
    [`bills list --shop ${shopId} --active no`, []],
    [`bills list --merchant ${spice} --active no`, ['spice2']],
    ['bills list --order order-1', ['spice1', 'tea1']],
    ['bills list --until 2026-11-20', []],
    ['bills list --until 2026-11-21', ['tea4', 'spice2', 'tea3', 'tea2', 'spice1', 'tea1']],
    [`payments list --status FAIL --method sbp`, ['tea3']],
    [`payments list --bill ${bill('tea1', 0).id}`, ['tea1']],
    ['payments list --order order-1', ['tea1']],
    ['payments list --acquirer nobody', []],
  ])('is filtered: %s', async (line, expected) => {
    const found = await idsIn(line);
    expect(found.map((id) => expected.find((name) => id.startsWith(name)) ?? id)).toEqual(expected);
  });

  it('of payments, payouts and refunds has amounts as decimals with their currency', async () => {
    const { payments } = await harness.json(`payments list --order order-1`);
    expect(payments).toMatchObject([
      { id: harness.paid, amount: '100.50', currency: 'RUB', received: '100.50', refunded: '40.00' },
    ]);
    const { payouts } = await harness.json('payouts list --status MODERATING --order order-1');
    expect(payouts).toMatchObject([{ id: harness.payout.id, amount: '1000.00', commission: '10.00' }]);
    const { refunds } = await harness.json(`refunds list --payment ${harness.paid}`);
    expect(refunds).toMatchObject([{ id: harness.refundId, amount: '40.00', requestedBy: 'merchant' }]);
    expect(await idsIn(`refunds list --merchant ${merchantId} --status SUCCESS`)).toEqual([harness.refundId]);
    expect(await idsIn('refunds list --status FAIL')).toEqual([]);
  });

  it('of payouts that wait for a person is the one that it was', async () => {
    expect(await harness.json('payouts list --moderating')).toMatchObject([{ id: harness.payout.id }]);
    expect((await harness.type('payouts list --moderating --status FAIL')).complained).toContain(
      'Omit what lists',
    );
  });

  it('of merchants and shops is filtered by their flags', async () => {
    const { merchants } = await harness.json('merchants list --banned no');
    expect(merchants.map(({ merchantId: id }: { merchantId: string }) => id)).toEqual([merchantId, spice]);
    expect((await harness.json('merchants list --banned yes')).merchants).toEqual([]);
    expect((await harness.json('shops list')).shops).toMatchObject([{ shopId, merchantId }]);
    expect((await harness.json(`shops list --merchant ${spice}`)).shops).toEqual([]);
  });

  it('says that older items may be missing until the migration has ended', async () => {
    const note =
      'Items from before the version with lists may be missing. To add them: npm run paylink -- migrate';
    expect((await harness.type('merchants list')).said).toContain(note);
    await harness.put({
      PK: 'MIGRATION#LIST',
      SK: 'MIGRATION',
      startedAt: today.toISOString(),
      endedAt: today.toISOString(),
    });
    expect((await harness.type('merchants list')).said).not.toContain(note);
    expect((await harness.json('merchants list')).incompleteBefore).toBeNull();
  });

  it('prints CSV in which no cell is a formula', async () => {
    const { said } = await harness.type('bills list --limit 1 --csv');
    expect(said).toBe(
      [
        '"id","createdAt","status","amount","currency","type","active","orderId","merchantId","shopId","expiresAt"',
        `"tea4000000000000","2026-11-21T12:04:56.789Z","NEW","100.50","RUB","NORMAL","yes","'=cmd|""x"",\n;'@y","${merchantId}","${shopId}",""`,
      ].join('\n'),
    );
    expect((await harness.type('bills list --csv --json')).complained).toContain('not both');
  });
});

describe('CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+7 912', "'+7 912"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' \t=1', "' \t'=1"],
    ['a;=1', "a;'=1"],
    ['a\n+1', "a\n'+1"],
    ['＝1', "'＝1"],
    ['"=1"', `'""=1""`],
    ['order-7+1@x=y', 'order-7+1@x=y'],
    ['', ''],
  ])('of the cell %j is %j', (given, expected) => {
    expect(csv(['a', 'b'], [[given, null]])).toBe(`"a","b"\n"${expected}",""`);
  });
});

/** A list whose call ends before the page is full, as that of a merchant after some empty months. */
const inShortPages = <T>(listing: Listing<T>): Listing<T> => ({
  rows: (query) => listing.rows({ ...query, limit: 1 }),
  read: (rows) => listing.read(rows),
});

describe('the list of several lists', () => {
  it('has every item once, in order, whichever way it is read and however short its pages are', async () => {
    const item = (id: string, minutes: number) => ({ id, createdAt: minutesAgo(minutes) });
    const lists = [
      listingOf([item('a', 9), item('b', 5), item('c', 5), item('d', 1)]),
      inShortPages(listingOf([item('e', 8), item('f', 7), item('g', 5)])),
      listingOf([]),
    ];
    const window = { from: minutesAgo(10), to: today };
    const read = async (perPage: number, direction: Place['direction']) => {
      const found: string[] = [];
      const cut = (direction === 'older' ? today : window.from).toISOString();
      let place: Place | undefined = { cut, direction };
      while (place) {
        const page: Awaited<ReturnType<typeof fillPage<ReturnType<typeof item>>>> = await fillPage(
          unionOf(lists),
          {
            window,
            place,
            perPage,
            matches: undefined,
          },
        );
        const names = page.items.map(({ id }) => id);
        found.push(...(direction === 'older' ? names : names.toReversed()));
        place = direction === 'older' ? page.next : page.previous;
      }
      return found.join('');
    };
    for (const perPage of [1, 2, 3, 10]) {
      expect(await read(perPage, 'older')).toBe('dgcbfea');
      expect(await read(perPage, 'newer')).toBe('aefbcgd');
    }
  });
});

describe('find', () => {
  const found = async (line: string): Promise<string[]> =>
    (await harness.json(line)).found.map(({ is, id }: Record<string, string>) => `${is} ${id?.slice(0, 4)}`);

  it('finds everything of an order, of all merchants or one', async () => {
    expect(await found('find order-1')).toEqual([
      `payout ${harness.payout.id.slice(0, 4)}`,
      'refund tea1',
      'payment tea1',
      'bill spic',
      'bill tea1',
    ]);
    expect(await found(`find order-1 --merchant ${spice}`)).toEqual(['bill spic']);
  });

  it('finds amounts and the last four digits, and says what it searched', async () => {
    expect(await found('find 1250')).toEqual(['payment tea3', 'bill tea3']);
    expect(await found('find 1250,00 --since 2026-11-22')).toEqual([]);
    expect(await found('find 1111')).toEqual([`payout ${harness.payout.id.slice(0, 4)}`, 'payment tea1']);
    const { said } = await harness.type('find 1111');
    expect(said).toContain(
      'Searched 2 merchants: by order id, whenever it was; by amount and by the last four digits of cards and accounts, what was created since 2026-10-22 00:00:00Z.',
    );
    expect((await harness.type('find nothing-like-this')).said).toContain('Nothing was found.');
  });

  it('says where it stopped, and goes on from there', async () => {
    const pages = await pagesOf('find 100.50 --limit 2');
    expect(pages[0]).toContain('The bills are searched back to 2026-11-21 11:54:56Z only.');
    const names = ['tea4', 'spice2', 'tea2', 'spice1', 'tea1'];
    for (const name of names) expect(pages.join('\n')).toContain(toBillId(name.padEnd(16, '0')));
  });
});

describe('trace of an order id', () => {
  const subjects = async (line: string): Promise<string[]> =>
    (await harness.json(line)).subjects.map(
      ({ is, id }: Record<string, string>) => `${is} ${id?.slice(0, 4)}`,
    );

  it('shows its bills with their payments and refunds, and its payouts, of any merchant or of one', async () => {
    expect(await subjects('trace order-1')).toEqual([
      'bill spic',
      'bill tea1',
      'payment tea1',
      'refund tea1',
      `payout ${harness.payout.id.slice(0, 4)}`,
    ]);
    expect(await subjects(`trace order-1 --merchant ${spice}`)).toEqual(['bill spic']);
    expect((await harness.type('trace order-77')).complained).toContain('no order has it');
  });

  it('shows the latest ten bills and goes on with those before them', async () => {
    for (let each = 0; each < 12; each += 1) {
      const one = bill(`many${each}x`, 200 + each, { orderId: 'order-2', shopId: aShop().id });
      await harness.put(billItem(one));
      for (const { write } of pointOrderAt(harness.table, one)) await harness.put(write.Put?.Item ?? {});
    }
    const { said } = await harness.type('trace order-2');
    expect(said).toMatch(/^… 2 earlier bills: npm run paylink -- trace order-2 --before \S+$/m);
    const [, line = ''] = /^… 2 earlier bills: npm run paylink -- (.*)$/m.exec(said) ?? [];
    expect(await subjects(line)).toEqual(['bill many', 'bill many']);
  });
});
