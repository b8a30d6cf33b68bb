import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { payByCard, paySbp, somePayer } from '../../../infra/yookassa-emulator/acts.ts';
import { succeedLate } from '../../../infra/yookassa-emulator/payments.ts';
import { changeSettings } from '../../../infra/yookassa-emulator/world.ts';
import type { PaymentRecord } from '../../../infra/yookassa-emulator/records.ts';
import {
  type BillId,
  newPaymentId,
  type PaymentId,
  type RefundId,
  toBillId,
  toPaymentId,
} from '../../../lib/ids.ts';
import { sum } from '../../../lib/money/money.ts';
import type { PaymentMethod } from '../../../lib/payment/acquirer.ts';
import { checkPayment } from '../../../lib/payment/check-payment.ts';
import type { Payment } from '../../../lib/payment/payment.ts';
import { resolvePayment } from '../../../lib/payment/resolve-payment.ts';
import { startPayment } from '../../../lib/payment/start-payment.ts';
import { sweepPayments } from '../../../lib/payment/sweep-payments.ts';
import type { Entry } from '../../../lib/ledger/entry.ts';
import { toEntry } from '../../../lib/store/entry-item.ts';
import { createRefund } from '../../../lib/refund/create-refund.ts';
import { checkRefund } from '../../../lib/refund/check-refund.ts';
import type { Refund } from '../../../lib/refund/refund.ts';
import { sweepRefunds } from '../../../lib/refund/sweep-refunds.ts';
import { toPayment } from '../../../lib/store/payment-item.ts';
import { toRefund } from '../../../lib/store/refund-item.ts';
import { aBill } from '../../support/builders.ts';
import {
  type Cell,
  cells,
  crashing,
  crashTable,
  each,
  meets,
  notReached,
  unkind,
} from '../../support/crash-table.ts';
import { itemsOf } from '../../support/items-of.ts';
import { section } from '../../support/markdown.ts';
import { ownBrowser, publicUrl } from '../../support/payment-harness.ts';
import { yookassaPayments } from '../../support/yookassa-harness.ts';

const charge = 10_050;
/** In minutes. */
const hour = 60;
const day = 24 * hour;
/** What was just created is not listed yet, so that only its key prevents a second act. */
const listLag = 3600;

const nameOf = (method: string, { pathname }: URL): string | undefined => {
  if (method === 'GET') return pathname === '/v3/payments' ? 'list' : undefined;
  if (pathname === '/v3/payments') return 'start';
  if (pathname === '/v3/refunds') return 'refund';
  return pathname.split('/')[4];
};

/** A bill of its own for each cell, at one table, one provider and one clock. */
async function aWorld() {
  const service = await yookassaPayments({ between: crashing, bill: { id: toBillId('UnusedBill000000') } });
  const { world, emulator } = service;
  changeSettings(world, { listLagSeconds: listLag });
  const ports = service.throughFetch(unkind(nameOf, service.now));
  const refunding = { ...service, ...ports, alarm: service.alarm };
  const billOf = (cell: Cell): BillId => toBillId(`Bill${String(cells.indexOf(cell)).padStart(12, '0')}`);
  await each(cells, (cell) => service.bills.create(aBill({ id: billOf(cell) }), [], []));
  const paymentOf = (cell: Cell, name: string): PaymentId =>
    newPaymentId(billOf(cell), name.padStart(8, '0'));
  const ordersOf = (cell: Cell): readonly PaymentRecord[] =>
    [...world.state.payments.values()].filter(({ metadata }) =>
      metadata['payment_id']?.startsWith(billOf(cell)),
    );

  return {
    ...service,
    ports,
    refunding,
    billOf,
    paymentOf,
    ordersOf,
    start: (cell: Cell, name: string, method: PaymentMethod = 'card', browser = ownBrowser) =>
      startPayment(ports, {
        billId: billOf(cell),
        token: service.form(name.padStart(8, '0'), BigInt(charge), billOf(cell), method),
        publicUrl,
        sourceIp: '198.51.100.7',
        browser,
        language: 'ru',
      }),
    /** Whoever has a page pays on it. */
    paysEverywhere(cell: Cell): void {
      const card = { number: '5555555555554444', expiryMonth: '12', expiryYear: '2099' };
      for (const order of ordersOf(cell))
        if (order.method === 'sbp') paySbp(world, order);
        else payByCard(world, order, card);
    },
    /** SBP orders that have ended are paid after all. */
    paysLate(cell: Cell): void {
      for (const order of ordersOf(cell))
        if (order.capture) succeedLate(world, order, somePayer(order), world.clock.now());
    },
    pass(minutes: number): void {
      service.pass(minutes);
      emulator.advance(0);
    },
    /** The merchant refunds a part of the payment. */
    async refunds(cell: Cell): Promise<void> {
      const created = await createRefund(
        { ...service, isAcquirerDeployed: () => true, refundQueue: { send: async () => undefined } },
        {
          by: { kind: 'operator', identity: 'olga', decisionId: 'd' },
          paymentId: paymentOf(cell, 'p1'),
          amount: { kind: 'part', text: '40' },
          reason: undefined,
          payer: { email: undefined, phone: undefined },
          idempotencyKey: undefined,
        },
      );
      if (!created.ok) throw new Error(created.error);
    },
    async sweep(): Promise<void> {
      await sweepPayments(ports);
      await each(service.toCheck.splice(0), (id) => checkPayment(ports, toPaymentId(id)));
      const queued: RefundId[] = [];
      const refundQueue = { send: async (id: RefundId) => void queued.push(id), length: async () => 0 };
      await sweepRefunds({ ...service, refundQueue });
      await each(queued, (id) => checkRefund(refunding, id));
    },
  };
}
type World = Awaited<ReturnType<typeof aWorld>>;

/** A call of the protocol: what happens before it, the invocation that makes it, and what its payers do afterwards. */
type Call = {
  readonly title: string;
  readonly call: string;
  readonly before: (world: World) => Promise<unknown>;
  readonly makes: (world: World, cell: Cell) => Promise<unknown>;
  /** Whether payers find pages afterwards that they can pay on. */
  readonly paysAfter?: true;
};

const settled = (world: World, cell: Cell, name: string) =>
  resolvePayment(world.ports, world.paymentOf(cell, name));
const checked = (world: World, cell: Cell) => checkPayment(world.ports, world.paymentOf(cell, 'p1'));

/** The answer to the start is lost, and no check reaches the provider before the key has expired. */
async function lostStart(world: World, answer: 'lost' | 'lost_done'): Promise<void> {
  const lost = { answer, crash: 'no crash' } as const;
  await each(cells, (cell) => meets(lost, { call: 'start', writesBefore: 0 }, () => world.start(cell, 'p1')));
  for (const cell of cells) world.paysEverywhere(cell);
  world.pass(27 * hour);
}

const calls: readonly Call[] = [
  {
    title: 'start',
    call: 'start',
    before: async () => undefined,
    makes: (world, cell) => world.start(cell, 'p1'),
    paysAfter: true,
  },
  {
    title: 'start, by SBP',
    call: 'start',
    before: async () => undefined,
    makes: (world, cell) => world.start(cell, 'p1', 'sbp'),
    paysAfter: true,
  },
  {
    title: 'capture',
    call: 'capture',
    before: async (world) => {
      await each(cells, (cell) => world.start(cell, 'p1'));
      for (const cell of cells) world.paysEverywhere(cell);
      world.pass(1);
    },
    makes: checked,
  },
  {
    title: 'cancel',
    call: 'cancel',
    before: async (world) => {
      await each(cells, (cell) => world.start(cell, 'p1'));
      world.pass(16);
      await each(cells, (cell) => world.start(cell, 'p2'));
      for (const cell of cells) world.paysEverywhere(cell);
      await each(cells, (cell) => settled(world, cell, 'p2'));
    },
    makes: checked,
  },
  {
    title: 'refund',
    call: 'refund',
    before: async (world) => {
      await each(cells, (cell) => world.start(cell, 'p1', 'sbp'));
      world.pass(hour + 5);
      await world.sweep();
      await each(cells, (cell) => world.start(cell, 'p2'));
      for (const cell of cells) world.paysEverywhere(cell);
      await each(cells, (cell) => settled(world, cell, 'p2'));
      for (const cell of cells) world.paysLate(cell);
      world.pass(day);
    },
    makes: checked,
  },
  {
    title: 'refund, of a paid payment',
    call: 'refund',
    before: async (world) => {
      await each(cells, (cell) => world.start(cell, 'p1'));
      for (const cell of cells) world.paysEverywhere(cell);
      world.pass(1);
      await world.sweep();
      await each(cells, (cell) => world.refunds(cell));
    },
    async makes(world, cell) {
      const [refund] = await world.refunding.refunds.ofPayment(world.paymentOf(cell, 'p1'));
      if (refund) await checkRefund(world.refunding, refund.id);
    },
  },
  {
    title: 'list, with the order',
    call: 'list',
    before: (world) => lostStart(world, 'lost_done'),
    makes: checked,
  },
  { title: 'list, without one', call: 'list', before: (world) => lostStart(world, 'lost'), makes: checked },
];

/** The minutes between the sweeps that follow: seconds after the crash, hours, after the life of a key, of a hold, of a late query. */
const pauses = [1, 5, hour + 5, 20 * hour, 6 * hour, day, 7 * day];

/** Plays every cell of a call, lets the sweeps recover for eleven days, and compares what the provider and we have. */
async function played({ call, before, makes, paysAfter }: Call): Promise<ReadonlyMap<Cell, Outcome>> {
  const world = await aWorld();
  await before(world);
  const [clean, ...others] = cells;
  if (!clean) throw new Error('There are no cells');
  const { writesBefore } = await meets(clean, { call, writesBefore: 0 }, () => makes(world, clean));
  if (writesBefore === undefined) throw new Error(`${call} was not called`);
  const reached = new Set<Cell>([clean]);
  await each(others, async (cell) => {
    const { died } = await meets(cell, { call, writesBefore }, () => makes(world, cell));
    if (died || cell.crash === 'no crash') reached.add(cell);
  });
  for (const minutes of pauses) {
    world.pass(minutes);
    if (paysAfter) for (const cell of cells) world.paysEverywhere(cell);
    await world.sweep();
  }
  expect(world.emulator.violations).toEqual([]);
  const items = await itemsOf(world.table);
  const payments = items.filter(({ SK }) => SK.startsWith('P#')).map(toPayment);
  const refunds = items.filter(({ SK }) => SK.startsWith('R#')).map(toRefund);
  const entries = items.filter(({ PK }) => PK.startsWith('J#')).map(toEntry);
  return new Map(
    cells.map((cell) => {
      const { text, troubles } = outcomeOf(world, cell, { payments, refunds, entries });
      return [cell, { text: reached.has(cell) ? text : notReached, troubles }];
    }),
  );
}

type Outcome = { readonly text: string; readonly troubles: readonly string[] };
type Ours = {
  readonly payments: readonly Payment[];
  readonly refunds: readonly Refund[];
  readonly entries: readonly Entry[];
};

function outcomeOf(world: World, cell: Cell, ours: Ours): Outcome {
  const { state } = world.world;
  const orders = world.ordersOf(cell);
  const payments = ours.payments.filter(({ billId }) => billId === world.billOf(cell));
  const refunds = [...state.refunds.values()].filter(
    ({ paymentId, status }) => status === 'succeeded' && orders.some(({ id }) => id === paymentId),
  );
  const isOfCell = new Set([...orders, ...refunds].map(({ id }) => id));
  const theirBooks = state.postings
    .filter(({ account, object }) => account === 'shop' && isOfCell.has(object))
    .reduce((total, { minor }) => total + minor, 0);
  const ownRefunds = ours.refunds.filter(({ billId }) => billId === world.billOf(cell));
  const ids = new Set<string>([...payments, ...ownRefunds].map(({ id }) => id));
  const ourBooks = -sum(
    ours.entries
      .filter(({ about }) => ids.has(about))
      .flatMap(({ lines }) => lines.filter(({ account }) => account === 'acquirer'))
      .map(({ minor }) => minor),
  );
  const isKept = ({ status, amountMinor, refundedMinor }: PaymentRecord): boolean =>
    status === 'succeeded' && amountMinor > refundedMinor;
  const [paid, open] = [
    payments.filter(({ status }) => status === 'SUCCESS'),
    payments.filter(({ phase }) => phase !== 'DONE'),
  ];
  const troubles = [
    orders.length > payments.length && 'a payment has two orders',
    refunds.length > 1 && 'two refunds',
    orders.some(({ status }) => status === 'pending' || status === 'waiting_for_capture') &&
      'an order is open at the provider',
    orders.filter(isKept).length !== paid.length + open.length && 'money is kept for no payment, or missing',
    paid.length > 1 && 'the bill is paid twice',
    ownRefunds.some(({ status }) => (status === 'SUCCESS') !== refunds.length > 0) &&
      'a refund is at the provider and not in our books, or not there',
    BigInt(theirBooks) !== ourBooks && `the provider has ${theirBooks}, our books ${ourBooks}`,
  ].filter((trouble) => trouble !== false);
  return {
    text: textOf(
      { payments, refunds: ownRefunds },
      refunds.length,
      orders.some(({ cancellation }) => cancellation?.reason === 'expired_on_capture'),
    ),
    troubles,
  };
}

function textOf(
  { payments, refunds: [refund] }: Pick<Ours, 'payments' | 'refunds'>,
  refunds: number,
  lapsed: boolean,
): string {
  const [first, other] = payments;
  if (refund) return refundTexts[refund.status];
  if (!first) return 'not started';
  if (first.phase !== 'DONE') return `open: ${first.phase}`;
  if (first.status === 'SUCCESS') return 'paid';
  if (refunds > 0) return 'refunded';
  if (!other) return 'failed';
  return lapsed ? 'lapsed' : 'voided';
}

const refundTexts = { NEW: 'open', PROCESS: 'open', SUCCESS: 'refunded', FAIL: 'released' } as const;

const document = readFileSync('docs/assurance.md', 'utf8');

describe('whatever the provider answers, and wherever we crash', () => {
  it.each(calls)('$title acts once, both books are equal, and it ends as the document says', async (call) => {
    const results = [...(await played(call))];
    expect(results.filter(([, { troubles }]) => troubles.length > 0)).toEqual([]);
    const texts = new Map(results.map(([cell, { text }]) => [cell, text]));
    expect(section(document, `crash: ${call.title}`)).toBe(crashTable(texts));
  });
});
