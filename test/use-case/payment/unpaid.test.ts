import { describe, expect, it } from 'vitest';
import { acquirersOf } from '../../../lib/payment/acquirers.ts';
import { billId, today } from '../../support/builders.ts';
import { paymentHarness, stateOf } from '../../support/payment-harness.ts';
import { aCard } from '../../support/sandbox.ts';

type Given = Parameters<typeof paymentHarness>[0];

/** One acquirer, whose orders end after an hour, takes cards and SBP. */
async function aPayer(given: Given = {}) {
  const harness = await paymentHarness({ manners: { endsOpenOrders: false }, ...given });
  const routes = { card: { RUB: 'sandbox' }, sbp: { RUB: 'sandbox' } } as const;
  Object.assign(harness.acquirers, acquirersOf([harness.acquirer], routes));
  const inMinutes = (minutes: number) => new Date(harness.clock.at.getTime() + minutes * 60_000);
  return { harness, inMinutes };
}

describe('a payer who leaves the acquirer’s page without paying', () => {
  it('by card may go on until it is over, pay in another way, or start again after the lock', async () => {
    const { harness, inMinutes } = await aPayer();
    const { id, pageUrl } = await harness.begun('p1');
    expect(await harness.comesBack(id)).toMatchObject({
      kind: 'unpaid',
      method: 'card',
      pageUrl,
      until: inMinutes(60),
      againFrom: inMinutes(15),
      hasOtherWay: true,
    });
  });

  it('by SBP may go on, and start again only when that page is over', async () => {
    const { harness, inMinutes } = await aPayer();
    const { id, pageUrl } = await harness.begun('p1', undefined, 'sbp');
    expect(await harness.comesBack(id)).toMatchObject({
      kind: 'unpaid',
      method: 'sbp',
      pageUrl,
      until: inMinutes(60),
      againFrom: inMinutes(60),
      hasOtherWay: false,
    });
  });

  it('of a MULTI bill may go on, and is not invited to pay a second time', async () => {
    const { harness } = await aPayer({ bill: { type: 'MULTI' } });
    const { id, pageUrl } = await harness.begun('p1');
    expect(await harness.comesBack(id)).toMatchObject({ kind: 'unpaid', pageUrl, againFrom: undefined });
  });

  it('is not promised another payment of a bill that cannot be paid by then', async () => {
    const { harness, inMinutes } = await aPayer({
      bill: { expiresAt: new Date(today.getTime() + 10 * 60_000) },
    });
    const { id } = await harness.begun('p1');
    expect(await harness.comesBack(id)).toMatchObject({ againFrom: undefined, hasOtherWay: true });
    harness.pass(10);
    expect(await harness.comesBack(id)).toMatchObject({
      kind: 'unpaid',
      until: inMinutes(50),
      againFrom: undefined,
      hasOtherWay: false,
    });
  });

  it('has no other way where the acquirers of now take the charge by one method only', async () => {
    const { harness } = await aPayer();
    const { id } = await harness.begun('p1');
    Object.assign(harness.acquirers, acquirersOf([harness.acquirer], { card: { RUB: 'sandbox' } }));
    expect(await harness.comesBack(id)).toMatchObject({ kind: 'unpaid', hasOtherWay: false });
  });

  it('has failed once the acquirer has ended the page, and the bill can be paid again', async () => {
    const { harness } = await aPayer();
    const { id } = await harness.begun('p1', undefined, 'sbp');
    harness.pass(61);
    expect(await harness.comesBack(id)).toMatchObject({ kind: 'hand_off', outcome: 'fail' });
    expect(await harness.open()).toMatchObject({ kind: 'payable' });
  });

  it('is not sent to a page whose time is over, even before the acquirer says so', async () => {
    const { harness } = await aPayer({ manners: { endsOpenOrders: false, payableMinutes: 120 } });
    const { id } = await harness.begun('p1');
    const { payableUntil } = (await harness.payment(id)) ?? {};
    harness.clock.at = payableUntil ?? harness.clock.at;
    Object.assign(harness.acquirer, { get: async () => ({ state: 'pending' }) });
    expect(await harness.comesBack(id)).toMatchObject({ kind: 'waiting' });
  });
});

describe('a payer who presses the buttons of both ways at once', () => {
  it.each([
    ['card first', ['card', 'sbp']],
    ['SBP first', ['sbp', 'card']],
  ] as const)('and pays on every page that opens, %s, is charged once', async (_case, methods) => {
    const { harness } = await aPayer();
    const opened = await Promise.all(
      methods.map(async (method) =>
        harness.start(harness.form(`${method}00000`.slice(0, 8), 10_050n, billId, method)),
      ),
    );
    const pages = opened.flatMap((each) => ('pageUrl' in each ? [each.pageUrl] : []));
    expect(pages.length).toBeGreaterThan(0);
    for (const page of pages) await harness.sandbox.pay(page, aCard);
    for (let minute = 0; minute < 5; minute += 1) {
      harness.pass(1);
      await harness.sweep();
    }
    const { charged, payments, bill } = await stateOf(harness);
    expect({ charged, status: bill.status }).toEqual({ charged: 10_050, status: 'SUCCESS' });
    expect(Object.values(payments).filter((each) => each === 'SUCCESS/DONE')).toHaveLength(1);
  });
});

describe('a payer who comes back', () => {
  it('is not told that nothing was paid while the acquirer cannot be asked', async () => {
    const { harness } = await aPayer();
    const { id, pay } = await harness.begun('p1');
    await pay();
    harness.line.cut = 'calls';
    expect(await harness.comesBack(id)).toMatchObject({ kind: 'waiting' });
  });

  it('and goes on pays the same payment', async () => {
    const { harness } = await aPayer();
    const { id, pay } = await harness.begun('p1');
    expect(await harness.comesBack(id)).toMatchObject({ kind: 'unpaid' });
    await pay();
    harness.pass(1);
    expect(await harness.comesBack(id)).toMatchObject({ kind: 'hand_off', outcome: 'success' });
  });
});
