import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { PaymentId } from '../../../lib/ids.ts';
import { resolvePayment } from '../../../lib/payment/resolve-payment.ts';
import { paymentEventId } from '../../../lib/postback/event.ts';
import type { StatementLine } from '../../../lib/provider-port.ts';
import { ProviderBusy } from '../../../lib/provider-port.ts';
import type { StatementSource } from '../../../lib/reconciliation/ports.ts';
import { reconcileDay } from '../../../lib/reconciliation/reconcile-day.ts';
import { type Reconciliation, verdictOf } from '../../../lib/reconciliation/reconciliation.ts';
import { dynamoChargebacks } from '../../../lib/store/chargebacks.ts';
import { dynamoShops } from '../../../lib/store/shops.ts';
import { merchantId, shopId } from '../../support/builders.ts';
import { itemsOf } from '../../support/items-of.ts';
import { paymentHarness } from '../../support/payment-harness.ts';
import { reconcilePortsOn } from '../../support/reconciliation.ts';

const date = '2026-11-21';
const noRails = { named: () => undefined };
const hourMs = 3_600_000;

type Change = (lines: readonly StatementLine[]) => readonly StatementLine[];

/** A MULTI bill that is paid during the day, and the reconciliation of that day on the day after. */
async function aDay({
  manners = {},
}: {
  readonly manners?: NonNullable<Parameters<typeof paymentHarness>[0]>['manners'];
} = {}) {
  const harness = await paymentHarness({
    bill: { type: 'MULTI' },
    shop: { resultUrlSince: new Date('2026-11-01T00:00:00.000Z') },
    manners,
  });
  const { ports, alarms } = reconcilePortsOn({ ...harness, rails: noRails, timeZone: 'UTC' });
  const delivered = async (id: PaymentId) => harness.payments.postbackDelivered(id, harness.now());
  return {
    ...harness,
    ports,
    reconciliationAlarms: alarms,
    /** A payer pays, and the merchant's server takes the postback. */
    async paid(name: string) {
      const payment = await harness.begun(name);
      await payment.pay();
      await resolvePayment(harness, payment.id);
      await delivered(payment.id);
      return payment.id;
    },
    /** Reconciles the day at this time of the next one. `change`: what the provider's statement says instead. */
    async reconciled({
      change = (lines) => lines,
      hoursLater = 15,
      sources,
    }: {
      readonly change?: Change;
      readonly hoursLater?: number;
      readonly sources?: readonly StatementSource[];
    } = {}): Promise<Reconciliation> {
      const at = new Date(harness.now().getTime() + hoursLater * hourMs);
      const changed = ports.sources.map((source) => ({
        ...source,
        statement: async (period: Parameters<StatementSource['statement']>[0]) =>
          change(await source.statement(period)).filter(
            (line) => line.at >= period.from && line.at < period.to,
          ),
      }));
      const done = await reconcileDay({ ...ports, now: () => at, sources: sources ?? changed }, date);
      if (!done.ok) throw new Error(done.error);
      return done.value;
    },
  };
}

type Day = Awaited<ReturnType<typeof aDay>>;

const shown = ({ differences }: Reconciliation) =>
  differences.map(({ kind, about, why, subject }) => [kind, about, why, subject?.slice(-2)]);

const aLineOf = (subject: string, traits: Partial<StatementLine> = {}): StatementLine => ({
  kind: 'payment',
  reference: 'their-order',
  ourId: subject,
  orderReference: 'their-order',
  amountMinor: 10_050n,
  feeMinor: undefined,
  currency: 'RUB',
  at: new Date('2026-11-21T13:00:00.000Z'),
  ...traits,
});

/** The statement with one more line in the hour of its time. */
const withLine =
  (line: StatementLine): Change =>
  (lines) => [...lines, line];
const changed =
  (id: PaymentId, traits: Partial<StatementLine>): Change =>
  (lines) =>
    lines.map((line) => (line.ourId === id ? { ...line, ...traits } : line));
const without =
  (id: PaymentId): Change =>
  (lines) =>
    lines.filter(({ ourId }) => ourId !== id);

describe('a day on which both sides agree', () => {
  it('has no difference: paid, failed and abandoned payments', async () => {
    const day = await aDay();
    await day.paid('01');
    const declined = await day.begun('02');
    await declined.pay('4000000000000002');
    await day.resolve(declined.id);
    await day.begun('03');
    const result = await day.reconciled();
    expect(shown(result)).toEqual([]);
    expect(verdictOf(result)).toBe('agrees');
    expect(result.counts).toMatchObject({ matched: 1, postbacks: 1 });
    expect(result.totals).toMatchObject([
      {
        kind: 'payment',
        currency: 'RUB',
        there: { count: 1, minor: 10_050n },
        here: { count: 1, minor: 10_050n },
      },
    ]);
    expect(day.reconciliationAlarms).toEqual([]);
  });

  it('leads from the statement to the journal, and is read as an earlier version stored it, without', async () => {
    const day = await aDay();
    await day.paid('01');
    const { accounts } = await day.reconciled();
    expect(accounts).toMatchObject([
      { provider: 'sandbox', currency: 'RUB', journalMinor: expect.any(BigInt) },
    ]);
    const [stored] = await day.ports.reconciliations.list([date]);
    expect(stored?.accounts).toEqual(accounts);
    await day.table.client.send(
      new UpdateCommand({
        TableName: day.table.name,
        Key: { PK: `REC#${date}`, SK: 'REC' },
        UpdateExpression: 'REMOVE accounts',
      }),
    );
    const found = await day.ports.reconciliations.find(date);
    expect([found?.accounts, found?.differences]).toEqual([undefined, []]);
  });

  it('has none of a payment that was captured at 23:59:58 and booked at 00:00:03, on either day', async () => {
    const day = await aDay();
    day.clock.at = new Date('2026-11-22T00:00:03.000Z');
    const id = await day.paid('01');
    const late = changed(id, { at: new Date('2026-11-21T23:59:58.000Z') });
    expect(await day.reconciled({ change: late, hoursLater: 3 })).toMatchObject({
      differences: [],
      counts: { matched: 1 },
    });
  });

  it('has none of a payment that was booked hours after its capture: it agrees with another day, and is counted', async () => {
    const day = await aDay();
    const payment = await day.begun('01');
    await payment.pay();
    const capturedAt = new Date(day.clock.at.getTime() + 60_000);
    day.clock.at = new Date('2026-11-22T02:00:00.000Z');
    const id = payment.id;
    await day.resolve(id);
    await day.payments.postbackDelivered(id, day.now());
    const { reference = '' } = (await day.payment(id)) ?? {};
    const line = aLineOf(id, { reference, orderReference: reference, at: capturedAt });
    const there: Change = (lines) => [...without(id)(lines), line];
    // In the statement of the day, and booked on the next.
    expect(await day.reconciled({ change: there, hoursLater: 3 })).toMatchObject({
      differences: [],
      counts: { matched: 0, onAnotherDay: 1 },
    });
    // Booked on the day, and in the statement of the day before.
    const next = await reconcileDay(
      {
        ...day.ports,
        now: () => new Date('2026-11-23T04:00:00.000Z'),
        sources: day.ports.sources.map((source) => ({
          ...source,
          statement: async (period) =>
            there(await source.statement(period)).filter(({ at }) => at >= period.from && at < period.to),
        })),
      },
      '2026-11-22',
    );
    expect(next).toMatchObject({ ok: true, value: { differences: [], counts: { onAnotherDay: 1 } } });
  });

  it('counts orders of other systems in the same shop, and names none of them', async () => {
    const day = await aDay();
    await day.paid('01');
    const change: Change = (lines) => [
      ...lines,
      aLineOf('x', { reference: 'theirs-1', orderReference: 'theirs-1', ourId: undefined }),
      aLineOf('x', { reference: 'theirs-2', orderReference: 'theirs-2', ourId: '4711' }),
      aLineOf('x', { kind: 'refund', reference: 'theirs-3', orderReference: 'theirs-2', ourId: undefined }),
    ];
    expect(await day.reconciled({ change })).toMatchObject({
      differences: [],
      counts: { matched: 1, foreign: 3 },
    });
  });
});

describe('missing_here', () => {
  it('an order with our id that no payment has, until a person closes it', async () => {
    const day = await aDay();
    const known = await day.paid('01');
    const lost = `${known.slice(0, -2)}99`;
    const change = withLine(aLineOf(lost));
    expect(shown(await day.reconciled({ change }))).toEqual([
      ['missing_here', 'payment', 'unknown_id', '99'],
    ]);
    expect(day.reconciliationAlarms).toEqual([`reconciliation_differs ${date}`]);

    const order = {
      provider: 'sandbox',
      reference: 'their-order',
      paymentId: lost,
      amountMinor: 10_050n,
    } as const;
    const noticed = { ...order, state: 'captured', at: day.now(), closed: undefined } as const;
    await day.unknownPayments.keep(noticed);
    expect(shown(await day.reconciled({ change }))).toHaveLength(1);
    await day.unknownPayments.close(noticed, {
      id: '1',
      by: 'olga',
      reason: 'refunded there',
      at: day.now(),
    });
    expect(await day.reconciled({ change })).toMatchObject({ differences: [], counts: { explained: 1 } });
  });

  it('a second order of a payment, also with the same amount and on the same day', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    const change = withLine(aLineOf(id));
    const result = await day.reconciled({ change });
    expect(shown(result)).toEqual([['missing_here', 'payment', 'another_reference', '01']]);
    expect(result.differences[0]?.reference).toBe('their-order');
  });

  it('the same on a later day, when the first was matched long ago', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    const change: Change = () => [aLineOf(id, { at: new Date('2026-11-22T12:00:00.000Z') })];
    const sources = day.ports.sources.map((source) => ({
      ...source,
      statement: async ({ from, to }: Parameters<StatementSource['statement']>[0]) =>
        change([]).filter(({ at }) => at >= from && at < to),
    }));
    const now = () => new Date('2026-11-23T04:00:00.000Z');
    const done = await reconcileDay({ ...day.ports, sources, now }, '2026-11-22');
    expect(done).toMatchObject({
      value: { differences: [{ kind: 'missing_here', why: 'another_reference' }] },
    });
  });

  it('a refund in the provider’s cabinet, until a chargeback item tells of it', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    await day.refundedElsewhere(id);
    const unnamed: Change = (lines) =>
      lines.map((line) => (line.kind === 'refund' ? { ...line, ourId: undefined } : line));
    const result = await day.reconciled({ change: unnamed });
    expect(shown(result)).toEqual([['missing_here', 'refund', 'not_asked_for', '01']]);

    await dynamoChargebacks(day.table).create(
      {
        id: `${id}.chargeback.1`,
        paymentId: id,
        number: 1,
        merchantId,
        direction: 'loss',
        amount: { minor: 10_050n, currency: 'RUB' },
        seen: { state: 'captured', heldMinor: 0n, refundedMinor: undefined },
        entered: undefined,
        at: day.now(),
        status: 'OPEN',
        decision: undefined,
      },
      undefined,
    );
    expect(await day.reconciled({ change: unnamed })).toMatchObject({
      differences: [],
      counts: { explained: 1 },
    });
  });

  it('a refund of our order that another system made under an id of its own', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    await day.refundedElsewhere(id);
    const theirs: Change = (lines) =>
      lines.map((line) => (line.kind === 'refund' ? { ...line, ourId: 'crm-4711' } : line));
    expect(shown(await day.reconciled({ change: theirs }))).toEqual([
      ['missing_here', 'refund', 'not_asked_for', '01'],
    ]);
  });
});

describe('missing_there', () => {
  it('a paid payment of which the provider has no order', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    day.acquirer.look = async () => undefined;
    expect(shown(await day.reconciled({ change: without(id) }))).toEqual([
      ['missing_there', 'payment', 'no_order', '01'],
    ]);
  });

  it('an entry whose payment is gone', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    const books = { ...day.ports.books, payments: async () => [] };
    const sources = day.ports.sources.map((source) => ({ ...source, statement: async () => [] }));
    const now = () => new Date('2026-11-22T04:00:00.000Z');
    expect(await reconcileDay({ ...day.ports, books, sources, now }, date)).toMatchObject({
      value: { differences: [{ kind: 'missing_there', why: 'no_order', subject: id, provider: undefined }] },
    });
  });

  it('one that the provider has captured when asked, and leaves out of its statement', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    expect(shown(await day.reconciled({ change: without(id) }))).toEqual([
      ['missing_there', 'payment', 'not_stated', '01'],
    ]);
  });
});

describe('amount, currency and state', () => {
  it('another amount', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    // The provider says the same of the order.
    const { look } = day.acquirer;
    day.acquirer.look = async (reference) => {
      const order = await look(reference);
      return order && order.view.state === 'captured'
        ? { ...order, view: { ...order.view, amountMinor: 10_049n } }
        : order;
    };
    const result = await day.reconciled({ change: changed(id, { amountMinor: 10_049n }) });
    expect(result.differences).toMatchObject([
      { kind: 'amount', there: { amountMinor: 10_049n }, here: { amountMinor: 10_050n, state: 'CAPTURE' } },
    ]);
    expect(result.differences).toHaveLength(1);
  });

  it('another amount on the statement than the provider says of the order, by one kopeck', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    expect(shown(await day.reconciled({ change: changed(id, { amountMinor: 10_049n }) }))).toEqual([
      ['amount', 'payment', undefined, '01'],
    ]);
  });

  it('another currency', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    expect(shown(await day.reconciled({ change: changed(id, { currency: 'KZT' }) }))).toEqual([
      ['currency', 'payment', undefined, '01'],
    ]);
  });

  it('captured there and open here, until the payment is settled: then a later run has no difference', async () => {
    const day = await aDay();
    const { id, pay } = await day.begun('01');
    await pay();
    const reference = (await day.payment(id))?.reference ?? '';
    const change = withLine(aLineOf(id, { reference, orderReference: reference }));
    const before = await day.reconciled({ change });
    expect(before.differences).toMatchObject([{ kind: 'state', here: { state: 'PROCESS/AUTHORIZING' } }]);
    await day.resolve(id);
    await day.payments.postbackDelivered(id, day.now());
    const own: Change = (lines) => lines;
    const after = await day.reconciled({ change: own, hoursLater: 16 });
    expect(shown(after)).toEqual([]);
    expect(await day.ports.reconciliations.find(date)).toMatchObject({
      differences: [],
      startedAt: after.startedAt,
    });
  });

  it('captured there after it failed here, until its money went back in the provider’s cabinet', async () => {
    const day = await aDay();
    const declined = await day.begun('01');
    await declined.pay('4000000000000002');
    await day.resolve(declined.id);
    await day.payments.postbackDelivered(declined.id, day.now());
    const reference = (await day.payment(declined.id))?.reference ?? '';
    const { look } = day.acquirer;
    const captured = (refundedMinor: bigint) => {
      day.acquirer.look = async (asked) => {
        const order = await look(asked);
        const view = {
          state: 'captured',
          amountMinor: 10_050n,
          refundedMinor,
          feeMinor: undefined,
          receipt: undefined,
        } as const;
        return order && { ...order, view };
      };
    };
    const late = aLineOf(declined.id, { reference, orderReference: reference });
    captured(5_000n);
    const before = await day.reconciled({ change: withLine(late) });
    expect(before.differences).toMatchObject([{ kind: 'state', here: { state: 'FAIL' } }]);

    captured(10_050n);
    const refund = aLineOf('', {
      kind: 'refund',
      reference: 'cabinet',
      ourId: undefined,
      orderReference: reference,
    });
    const after = await day.reconciled({ change: (lines) => [...lines, late, refund], hoursLater: 16 });
    expect(after).toMatchObject({ differences: [], counts: { explained: 2 } });
  });

  it('settled here and not captured there', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    const { look } = day.acquirer;
    day.acquirer.look = async (reference) => {
      const order = await look(reference);
      return order && { ...order, view: { state: 'voided' } };
    };
    const result = await day.reconciled({ change: without(id) });
    expect(result.differences).toMatchObject([
      { kind: 'state', there: { state: 'voided' }, here: { state: 'CAPTURE' } },
    ]);
  });
});

describe('fee', () => {
  const telling = (day: Day, feeMinor: bigint | undefined): readonly StatementSource[] =>
    day.ports.sources.map((source) => ({
      ...source,
      tellsFees: true,
      statement: async (period) => (await source.statement(period)).map((line) => ({ ...line, feeMinor })),
    }));

  it('told later than the capture is due until its checks are over, and then booked', async () => {
    const day = await aDay({ manners: { feeBasisPoints: 350, feeAfterMinutes: 30 } });
    const id = await day.paid('01');
    const due = await day.reconciled({ sources: telling(day, 352n) });
    expect(due).toMatchObject({ differences: [], counts: { matched: 1, feesDue: 1 } });
    day.pass(90);
    await day.check(id);
    expect((await day.payment(id))?.providerFeeMinor).toBe(352n);
    const booked = await day.reconciled({ sources: telling(day, 352n) });
    expect(booked).toMatchObject({ differences: [], counts: { matched: 1, feesDue: 0 } });
    const other = await day.reconciled({ sources: telling(day, 353n) });
    expect(other.differences).toMatchObject([
      { kind: 'fee', there: { amountMinor: 353n }, here: { amountMinor: 352n, state: 'PROVIDER_FEE' } },
    ]);
  });

  it('booked, and none according to the statement', async () => {
    const day = await aDay({ manners: { feeBasisPoints: 350 } });
    await day.paid('01');
    const result = await day.reconciled({ sources: telling(day, 0n) });
    expect(result.differences).toMatchObject([
      { kind: 'fee', there: { amountMinor: 0n }, here: { amountMinor: 352n } },
    ]);
  });

  it('of a payment that was booked on another day than it was captured', async () => {
    const day = await aDay({ manners: { feeBasisPoints: 350 } });
    const { id, pay } = await day.begun('01');
    await pay();
    const capturedAt = new Date(day.clock.at.getTime() + 60_000);
    day.clock.at = new Date('2026-11-22T02:00:00.000Z');
    await day.resolve(id);
    await day.payments.postbackDelivered(id, day.now());
    const early = (feeMinor: bigint) =>
      telling(day, feeMinor).map((source) => ({
        ...source,
        statement: async (period: Parameters<StatementSource['statement']>[0]) =>
          (
            await source.statement({
              from: new Date('2026-11-21T00:00:00.000Z'),
              to: new Date('2026-11-23T00:00:00.000Z'),
            })
          )
            .map((line) => ({ ...line, at: capturedAt }))
            .filter(({ at }) => at >= period.from && at < period.to),
      }));
    expect(await day.reconciled({ sources: early(352n), hoursLater: 3 })).toMatchObject({
      differences: [],
      counts: { onAnotherDay: 1 },
    });
    expect((await day.reconciled({ sources: early(353n), hoursLater: 3 })).differences).toMatchObject([
      { kind: 'fee', there: { amountMinor: 353n }, here: { amountMinor: 352n } },
    ]);
  });

  it('told by the statement and booked by nobody', async () => {
    const day = await aDay();
    await day.paid('01');
    const result = await day.reconciled({ sources: telling(day, 352n) });
    expect(result.differences).toMatchObject([
      { kind: 'fee', there: { amountMinor: 352n }, here: undefined },
    ]);
  });
});

describe('postbacks', () => {
  it('that a shop is owed and that were never written', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    const missing = { ...day.ports, books: { ...day.ports.books, events: async () => [] } };
    const open = await day.begun('02');
    await open.pay();
    await resolvePayment(day, open.id);
    const now = () => new Date('2026-11-22T04:00:00.000Z');
    const done = await reconcileDay({ ...missing, now }, date);
    expect(done).toMatchObject({
      value: { differences: [{ kind: 'postback_missing', subject: open.id }], counts: { postbacks: 1 } },
    });
    expect(id).not.toBe(open.id);
    // The shop has had its URL only since: nothing was owed.
    await dynamoShops(day.table).set(shopId, { resultUrlSince: new Date('2026-11-22T00:00:00.000Z') });
    expect(await reconcileDay({ ...missing, now }, date)).toMatchObject({ value: { differences: [] } });
    // By the clock of another function it had its URL five minutes before.
    const { createdAt } = (await day.payments.find(open.id)) ?? { createdAt: new Date(0) };
    const resultUrlSince = new Date(createdAt.getTime() - 5 * 60_000);
    await dynamoShops(day.table).set(shopId, { resultUrlSince });
    expect(await reconcileDay({ ...missing, now }, date)).toMatchObject({ value: { differences: [] } });
  });

  it('that were not delivered, until they are', async () => {
    const day = await aDay();
    const { id, pay } = await day.begun('01');
    await pay();
    await resolvePayment(day, id);
    expect((await day.reconciled()).differences).toMatchObject([
      {
        kind: 'postback_not_delivered',
        about: 'postback',
        subject: id,
        reference: paymentEventId(id, 'SUCCESS'),
        there: { state: 'PENDING' },
      },
    ]);
    await day.payments.postbackDelivered(id, day.now());
    expect((await day.reconciled()).differences).toEqual([]);
  });
});

describe('a statement that cannot be read', () => {
  const failing = (day: Day, fail: (calls: number) => Error | undefined): readonly StatementSource[] => {
    let calls = 0;
    return day.ports.sources.map((source) => ({
      ...source,
      statement: async (period) => {
        calls += 1;
        const error = fail(calls);
        if (error) throw error;
        return source.statement(period);
      },
    }));
  };

  it('makes the day incomplete, never one without differences, and nothing is missing there', async () => {
    const day = await aDay();
    await day.paid('01');
    const result = await day.reconciled({ sources: failing(day, () => new Error('timeout')) });
    expect(verdictOf(result)).toBe('incomplete');
    expect(result.compared).toEqual([
      { provider: 'sandbox', role: 'acquirer', incomplete: 'statement_failed' },
    ]);
    expect(result.differences).toEqual([]);
    expect(day.reconciliationAlarms).toEqual([`reconciliation_incomplete ${date}`]);
  });

  it('is incomplete also when its last part alone fails', async () => {
    const day = await aDay();
    await day.paid('01');
    const sources = failing(day, (calls) => (calls >= 25 ? new Error('timeout') : undefined));
    expect(verdictOf(await day.reconciled({ sources }))).toBe('incomplete');
  });

  it('is read again after a failure, and after the pause of a busy provider', async () => {
    const day = await aDay();
    await day.paid('01');
    const sources = failing(day, (calls) =>
      calls === 3 ? new Error('timeout') : calls % 5 === 0 ? new ProviderBusy(10) : undefined,
    );
    expect(verdictOf(await day.reconciled({ sources }))).toBe('agrees');
  });

  it('belongs to a provider that is not deployed any more: the day is incomplete', async () => {
    const day = await aDay();
    await day.paid('01');
    Object.assign(day.acquirer, { name: 'another' });
    const result = await day.reconciled({ sources: [] });
    expect(result.compared).toEqual([{ provider: 'sandbox', role: 'acquirer', incomplete: 'not_deployed' }]);
    expect(verdictOf(result)).toBe('incomplete');
  });

  it('has no time left: the day is incomplete', async () => {
    const day = await aDay();
    await day.paid('01');
    const result = await reconcileDay(
      { ...day.ports, remainingMs: () => 1_000, now: () => new Date('2026-11-22T04:00:00.000Z') },
      date,
    );
    expect(result).toMatchObject({ value: { compared: [{ incomplete: 'out_of_time' }] } });
  });
});

describe('a run', () => {
  it('of a day that has not begun is refused, and of one that is not over is never whole', async () => {
    const day = await aDay();
    const refused = await reconcileDay(day.ports, '2026-11-22');
    expect(refused).toEqual({ ok: false, error: 'day_not_begun' });
    await day.paid('01');
    day.pass(1);
    const running = await reconcileDay(day.ports, date);
    expect(running).toMatchObject({ value: { isOver: false, differences: [], counts: { matched: 1 } } });
    expect(running.ok && verdictOf(running.value)).toBe('incomplete');
    expect(day.reconciliationAlarms).toEqual([]);
  });

  it('replaces the result of the last one, and never that of one that started later', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    await day.reconciled({ change: changed(id, { currency: 'KZT' }), hoursLater: 16 });
    expect((await day.ports.reconciliations.find(date))?.differences).toHaveLength(1);
    await expect(day.reconciled({ hoursLater: 15 })).rejects.toThrow('newer_result');
    expect((await day.ports.reconciliations.find(date))?.differences).toHaveLength(1);
    await day.reconciled({ hoursLater: 17 });
    expect((await day.ports.reconciliations.find(date))?.differences).toEqual([]);
  });

  it('changes nothing but its result', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    const before = await itemsBut(day, 'REC#');
    await day.reconciled({ change: without(id) });
    expect(await itemsBut(day, 'REC#')).toEqual(before);
  });
});

const itemsBut = async ({ table }: Day, prefix: string) =>
  (await itemsOf(table)).filter(({ PK }) => !PK.startsWith(prefix));
