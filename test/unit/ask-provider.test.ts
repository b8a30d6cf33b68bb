import { describe, expect, it } from 'vitest';
import { ProviderBusy } from '../../lib/provider-port.ts';
import { askProvider, reservedMs } from '../../lib/reconciliation/ask-provider.ts';

const portsWith = (leftMs: number) => {
  const waits: number[] = [];
  const ports = {
    remainingMs: () => leftMs,
    wait: async (ms: number) => void waits.push(ms),
    log: () => undefined,
  };
  return { ports, waits };
};

describe('a provider that is asked shortly before the run ends', () => {
  it('is not waited for when its pause is longer than the time that is left', async () => {
    const { ports } = portsWith(reservedMs + 5_000);
    let calls = 0;
    const busy = async () => {
      calls += 1;
      throw new ProviderBusy(60_000);
    };
    await expect(askProvider(ports, 'yookassa', busy)).rejects.toMatchObject({ why: 'out_of_time' });
    expect(calls).toBe(1);
  });

  it('is left alone when its answer takes longer, so that what was found is stored', async () => {
    const { ports, waits } = portsWith(reservedMs + 5_000);
    const never = () => new Promise<never>(() => undefined);
    await expect(askProvider(ports, 'yookassa', never)).rejects.toMatchObject({ why: 'out_of_time' });
    expect(waits).toEqual([5_000]);
  });
});
