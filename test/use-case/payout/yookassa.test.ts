import { describe, expect, it } from 'vitest';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout } from '../../../lib/payout/moderate.ts';
import { balanceOf, created, reread, toPhone } from '../../support/payout-harness.ts';
import { yookassaPayouts } from '../../support/yookassa-harness.ts';

type Service = Awaited<ReturnType<typeof yookassaPayouts>>;

async function approved(service: Service) {
  const payout = await created(service, { destination: toPhone });
  await approvePayout(service, { payoutId: payout.id, revision: 1, by: 'olga' });
  return payout;
}
const paidOut = ({ world }: Service) =>
  [...world.state.payouts.values()].filter(({ status }) => status === 'succeeded');

describe('an SBP payout through YooKassa', () => {
  it('is sent, and paid as soon as the provider says so', async () => {
    const service = await yookassaPayouts();
    const payout = await approved(service);
    await dispatchPayout(service, payout.id);
    expect(await reread(service, payout)).toMatchObject({
      status: 'PROCESS',
      phase: 'SENT',
      rail: 'yookassa',
    });

    service.pass(5);
    expect(await service.notifies()).toEqual([200]);
    await dispatchPayout(service, payout.id);
    expect(await reread(service, payout)).toMatchObject({ status: 'SUCCESS' });
    const [paid, ...others] = paidOut(service);
    expect(others).toEqual([]);
    expect(paid).toMatchObject({
      destination: { type: 'sbp', phone: toPhone.phone, bankId: String(toPhone.bankId) },
      metadata: { payout_id: payout.id, attempt: '1' },
    });
    expect(await balanceOf(service.table)).toMatchObject({ locked: 0n, held: 0n });
  });

  it('whose answer was lost is sent again under its key, and paid once', async () => {
    const service = await yookassaPayouts();
    const payout = await approved(service);
    service.loseNext('answer');
    await dispatchPayout(service, payout.id).catch(() => undefined);
    for (const seconds of [10, 30, 120, 600]) {
      service.pass(seconds);
      await dispatchPayout(service, payout.id);
    }
    expect(await reread(service, payout)).toMatchObject({ status: 'SUCCESS' });
    expect(paidOut(service)).toHaveLength(1);
  });

  it('that finds the gateway’s account empty goes out in a second attempt, under its own key', async () => {
    const service = await yookassaPayouts();
    const { world } = service;
    const payout = await approved(service);
    const emptied = world.state.balance('gateway');
    const post = (minor: number) =>
      world.state.post({ at: world.clock.now(), account: 'gateway', what: 'top_up', object: '', minor });
    post(-emptied);
    await dispatchPayout(service, payout.id);
    post(emptied);
    for (const seconds of [600, 3600, 3600]) {
      service.pass(seconds);
      await dispatchPayout(service, payout.id);
    }
    expect(await reread(service, payout)).toMatchObject({ status: 'SUCCESS' });
    expect(
      [...world.state.payouts.values()].map(({ status, metadata }) => [metadata['attempt'], status]),
    ).toEqual([
      ['1', 'canceled'],
      ['2', 'succeeded'],
    ]);
  });
});
