import { describe, expect, it } from 'vitest';
import { changeSettings } from '../../../infra/yookassa-emulator/world.ts';
import { anEmulator, hours } from '../../support/yookassa-emulator.ts';

type Listed = Awaited<ReturnType<Awaited<ReturnType<typeof anEmulator>>['get']>>;
const idsOf = ({ body }: Pick<Listed, 'body'>) => (body.items ?? []).map(({ id }) => id);

const isoAt = (milliseconds: number): string => new Date(milliseconds).toISOString();

describe('a list of the YooKassa emulator', () => {
  it('has the newest first, ten on a page, and a cursor until the end', async () => {
    const { aPayment, get, advance } = await anEmulator();
    const created: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      created.unshift(await aPayment());
      if (count % 3 === 0) advance(1000);
    }
    const first = await get('/payments');
    expect(idsOf(first)).toEqual(created.slice(0, 10));
    const second = await get(`/payments?cursor=${first.body.next_cursor}`);
    expect(idsOf(second)).toEqual(created.slice(10));
    expect(second.body).not.toHaveProperty('next_cursor');
  });

  it('keeps its place when new objects arrive between two pages', async () => {
    const { aPayment, get } = await anEmulator();
    const created = [await aPayment(), await aPayment(), await aPayment()].toReversed();
    const first = await get('/payments?limit=2');
    await aPayment();
    const second = await get(`/payments?limit=2&cursor=${first.body.next_cursor}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(created);
  });

  it('is filtered by the time of creation, with open and closed ends', async () => {
    const { aPayment, get, advance, world } = await anEmulator();
    const start = world.clock.now();
    const one = await aPayment();
    advance(1000);
    const two = await aPayment();
    const listed = async (query: string) => idsOf(await get(`/payments?${query}`));
    const [at, later] = [encodeURIComponent(isoAt(start)), encodeURIComponent(isoAt(start + 1000))];
    expect(await listed(`created_at.gte=${at}`)).toEqual([two, one]);
    expect(await listed(`created_at.gt=${at}`)).toEqual([two]);
    expect(await listed(`created_at.lte=${later}`)).toEqual([two, one]);
    expect(await listed(`created_at.lt=${later}`)).toEqual([one]);
    expect(await listed(`created_at.gte=${at}&created_at.lt=${later}`)).toEqual([one]);
  });

  it('is filtered by status, method and time of capture', async () => {
    const { aPayment, payer, get, advance, world } = await anEmulator();
    const [byCard, bySbp, open] = [await aPayment(), await aPayment(), await aPayment()];
    payer.byCard(byCard);
    advance(1000);
    const later = encodeURIComponent(isoAt(world.clock.now()));
    payer.bySbp(bySbp);
    const listed = async (query: string) => idsOf(await get(`/payments?${query}`));
    expect(await listed('status=pending')).toEqual([open]);
    expect(await listed('payment_method=bank_card')).toEqual([byCard]);
    expect(await listed('payment_method=sbp')).toEqual([bySbp]);
    expect(await listed(`captured_at.gte=${later}`)).toEqual([bySbp]);
    expect(await listed(`captured_at.lt=${later}`)).toEqual([byCard]);
  });

  it('lags behind by what the settings say', async () => {
    const { aPayment, get, advance, world } = await anEmulator();
    changeSettings(world, { listLagSeconds: 60 });
    const id = await aPayment();
    expect(idsOf(await get('/payments'))).toEqual([]);
    expect((await get(`/payments/${id}`)).status).toBe(200);
    advance(60_000);
    expect(idsOf(await get('/payments'))).toEqual([id]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['cursor=somewhere', 'cursor'],
    ['status=paid', 'status'],
    ['payment_method=bitcoin', 'payment_method'],
    ['created_at.gte=yesterday', 'created_at.gte'],
    ['created_at.lt=2026-11-22', 'created_at.lt'],
    ['captured_at.gt=2026-11-22T07:00:00', 'captured_at.gt'],
  ])('refuses %s', async (query, parameter) => {
    const { get } = await anEmulator();
    expect(await get(`/payments?${query}`)).toMatchObject({
      status: 400,
      body: { type: 'error', code: 'invalid_request', parameter },
    });
  });

  it('leaves out what is older than three years', async () => {
    const { aPayment, get, advance } = await anEmulator();
    await aPayment();
    advance(hours(24 * 366 * 3));
    expect(idsOf(await get('/payments'))).toEqual([]);
  });
});
