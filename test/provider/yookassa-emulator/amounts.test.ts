import { describe, expect, it } from 'vitest';
import { amountTable, payoutReasons, refundReasons } from '../../../infra/yookassa-emulator/manners.ts';

describe('the amounts that select a fault or a manner', () => {
  it('are each in the table once', () => {
    const amounts = amountTable.map(({ object, amount }) => `${object} ${amount}`);
    expect(new Set(amounts).size).toBe(amounts.length);
  });

  it('end refunds and payouts with every reason, at once and later', () => {
    const reasonsOf = (object: string, isLater: boolean) =>
      amountTable.flatMap((row) => {
        const manner = row.effect.kind === 'manner' ? row.effect.manner : undefined;
        const fits = row.object === object && manner?.kind === 'ends' && manner.afterMs !== undefined;
        return fits && manner.reason !== undefined && manner.afterMs > 0 === isLater ? [manner.reason] : [];
      });
    for (const isLater of [false, true]) {
      expect(reasonsOf('refund', isLater)).toEqual([...refundReasons]);
      expect(reasonsOf('payout', isLater)).toEqual([...payoutReasons]);
    }
  });
});
