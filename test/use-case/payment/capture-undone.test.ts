import { describe, expect, it } from 'vitest';
import { noticed, paymentHarness, stateOf } from '../../support/payment-harness.ts';

/** A paid payment, and the queries to the acquirer from then on. */
async function paid(given: Parameters<typeof paymentHarness>[0] = {}) {
  const harness = await paymentHarness(given);
  const { id, pay } = await harness.begun('p1');
  await pay();
  await harness.resolve(id);
  const asked: string[] = [];
  harness.line.fails = (call) => asked.push(call) < 0;
  return { harness, id, asked, settled: await stateOf(harness) };
}

describe('a notification about a paid payment', () => {
  it.each(['two', 'one'] as const)(
    'that was refunded at a %s-step acquirer raises an alarm each time and changes nothing',
    async (steps) => {
      const { harness, id, asked, settled } = await paid({ steps });
      await harness.refundedElsewhere(id);
      asked.length = 0;
      expect([await noticed(harness, id), await noticed(harness, id)]).toEqual(['accepted', 'accepted']);
      expect(harness.alarms).toEqual(['capture_undone p1', 'capture_undone p1']);
      expect(asked).toEqual(['get', 'get']);
      expect(await stateOf(harness)).toEqual({ ...settled, charged: 0 });
    },
  );

  it.each([
    { state: 'voided' },
    { state: 'declined', reason: 'declined', outcome: 'chargeback' },
    { state: 'pending' },
    { state: 'authorised', amountMinor: 10_050n },
    { state: 'captured', amountMinor: 10_049n, refundedMinor: 0n },
    { state: 'captured', amountMinor: 10_050n, refundedMinor: 1n },
    { state: 'captured', amountMinor: 10_051n, refundedMinor: 0n },
  ] as const)('that the acquirer reports as %o raises an alarm', async (view) => {
    const { harness, id, settled } = await paid();
    Object.assign(harness.acquirer, { get: async () => view });
    await noticed(harness, id);
    expect(harness.alarms).toEqual(['capture_undone p1']);
    expect(await stateOf(harness)).toEqual(settled);
  });

  it('that is still captured costs one query and raises no alarm', async () => {
    const { harness, id, asked, settled } = await paid();
    await noticed(harness, id);
    await noticed(harness, id);
    expect([asked, harness.alarms]).toEqual([['get', 'get'], []]);
    expect(await stateOf(harness)).toEqual(settled);
  });

  it('that it has just settled itself queries the acquirer only once', async () => {
    const harness = await paymentHarness({ steps: 'one' });
    const { id, pay } = await harness.begun('p1');
    await pay();
    const asked: string[] = [];
    harness.line.fails = (call) => asked.push(call) < 0;
    await noticed(harness, id);
    expect([asked, harness.alarms]).toEqual([['get'], []]);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'SUCCESS/DONE' } });
  });

  it('fails when the acquirer cannot be reached, so that it is sent again', async () => {
    const { harness, id } = await paid();
    harness.line.cut = 'calls';
    await expect(noticed(harness, id)).rejects.toThrow();
  });
});

describe('a paid payment', () => {
  it('is checked neither when the payer returns nor by a sweep', async () => {
    const { harness, id, asked } = await paid();
    await harness.refundedElsewhere(id);
    asked.length = 0;
    await harness.resolve(id);
    harness.pass(60);
    await harness.sweep();
    expect([asked, harness.alarms]).toEqual([[], []]);
  });
});
