import { describe, expect, it } from 'vitest';
import { dynamoEndpoints } from '../../lib/store/endpoints.ts';
import { freshTable } from '../support/dynamo.ts';
import { afterNoon, noon } from '../support/postbacks.ts';
import { shopId } from '../support/builders.ts';

const some = async () => dynamoEndpoints(await freshTable());

async function failing(times: number) {
  const endpoints = await some();
  for (let failure = 0; failure < times; failure += 1) await endpoints.failed(shopId, afterNoon(failure));
  const health = await endpoints.find(shopId);
  if (!health) throw new Error('a failing endpoint has an item');
  return { endpoints, health };
}

/** The breaker is open until then, and the first probe may be sent then. */
const opening = (ms: number) => ({ until: afterNoon(ms), nextProbeAt: afterNoon(ms) });

describe('the health of an endpoint', () => {
  it('has no item while the endpoint is healthy', async () => {
    expect(await (await some()).find(shopId)).toBeUndefined();
  });

  it('counts failures since the first, concurrent ones too', async () => {
    const endpoints = await some();
    await endpoints.failed(shopId, noon);
    await Promise.all(Array.from({ length: 9 }, () => endpoints.failed(shopId, afterNoon(1_000))));
    expect(await endpoints.failed(shopId, afterNoon(2_000))).toEqual({
      id: shopId,
      failuresInARow: 11,
      failingSince: noon,
      failedTries: 11,
      openings: 0,
      waits: 0,
      paused: false,
    });
  });

  it('opens the breaker once for concurrent failures', async () => {
    const { endpoints, health } = await failing(5);
    await Promise.all([30_000, 30_001, 30_002].map((ms) => endpoints.open(health, opening(ms))));
    expect(await endpoints.find(shopId)).toMatchObject({ openings: 1 });
  });

  it('admits one probe in five seconds, also while the breaker is open', async () => {
    const { endpoints, health } = await failing(5);
    await endpoints.open(health, opening(30_000));
    const probe = (ms: number) => endpoints.takeProbe(shopId, afterNoon(ms), afterNoon(ms + 5_000));
    expect(await probe(29_999)).toBe(false);
    const probes = await Promise.all(Array.from({ length: 10 }, () => probe(30_000)));
    expect(probes.filter(Boolean)).toHaveLength(1);
    expect(await probe(34_999)).toBe(false);
    expect(await probe(35_000)).toBe(true);
  });

  it('admits no probe while the breaker is closed', async () => {
    const { endpoints, health } = await failing(5);
    await endpoints.open(health, opening(0));
    await endpoints.healthy(shopId);
    expect(await endpoints.takeProbe(shopId, afterNoon(1), afterNoon(5_001))).toBe(false);
  });

  it('opens the breaker again after a failed probe', async () => {
    const { endpoints, health } = await failing(5);
    await endpoints.open(health, opening(30_000));
    await endpoints.takeProbe(shopId, afterNoon(30_000), afterNoon(35_000));
    const probed = await endpoints.failed(shopId, afterNoon(31_000));
    await endpoints.open(probed, opening(60_000));
    expect(await endpoints.find(shopId)).toMatchObject({ openings: 2, openUntil: afterNoon(60_000) });
  });

  it('opens the breaker again once for concurrent failures', async () => {
    const { endpoints, health } = await failing(5);
    await endpoints.open(health, opening(30_000));
    const seen = await endpoints.failed(shopId, afterNoon(31_000));
    await Promise.all([60_000, 60_001, 60_002].map((ms) => endpoints.open(seen, opening(ms))));
    expect(await endpoints.find(shopId)).toMatchObject({ openings: 2 });
  });

  it('is reset by the first success', async () => {
    const { endpoints, health } = await failing(5);
    await endpoints.open(health, opening(30_000));
    await endpoints.healthy(shopId);
    expect(await endpoints.find(shopId)).toEqual({
      id: shopId,
      failuresInARow: 0,
      failedTries: 0,
      openings: 0,
      waits: 0,
      paused: false,
    });
  });

  it('closes the breaker on a response that rejects the postback, and still counts the days', async () => {
    const { endpoints, health } = await failing(5);
    await endpoints.open(health, opening(30_000));
    expect(await endpoints.refused(shopId, afterNoon(31_000))).toEqual({
      id: shopId,
      failuresInARow: 0,
      failingSince: noon,
      failedTries: 6,
      openings: 0,
      waits: 0,
      paused: false,
    });
  });

  it('stays paused after a success until the operator resumes it', async () => {
    const { endpoints } = await failing(1);
    await endpoints.pause(shopId);
    await endpoints.healthy(shopId);
    expect(await endpoints.find(shopId)).toMatchObject({ paused: true });
    await endpoints.resume(shopId);
    expect(await endpoints.find(shopId)).toMatchObject({ paused: false, failuresInARow: 0 });
  });
});
